; 12 blocks: from 4 stacks to 5.
(define (problem blocks-medium)
  (:domain blocks)
  (:objects
    b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 - block)
  (:init
    (on-table b8) (on b11 b8) (on b9 b11) (on b5 b9) (on b10 b5) (on b1 b10)
    (on b7 b1) (clear b7)
    (on-table b12) (on b3 b12) (on b6 b3) (clear b6)
    (on-table b4) (clear b4)
    (on-table b2) (clear b2)
    (hand-empty))
  (:goal (and
    (on b4 b6) (on b7 b4) (on b12 b1) (on b8 b12) (on b3 b11) (on b9 b3) (on b5 b9))))
