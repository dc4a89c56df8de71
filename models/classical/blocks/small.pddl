; 5 blocks: from 2 stacks to 3.
(define (problem blocks-small)
  (:domain blocks)
  (:objects
    b1 b2 b3 b4 b5 - block)
  (:init
    (on-table b1) (on b3 b1) (on b2 b3) (clear b2)
    (on-table b4) (on b5 b4) (clear b5)
    (hand-empty))
  (:goal (and
    (on b1 b3) (on b4 b1))))
