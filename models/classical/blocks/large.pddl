; 30 blocks: from 11 stacks to 14.
(define (problem blocks-large)
  (:domain blocks)
  (:objects
    b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 b14 b15 b16 b17 b18 b19 b20 b21 b22
    b23 b24 b25 b26 b27 b28 b29 b30 - block)
  (:init
    (on-table b16) (on b27 b16) (on b18 b27) (on b29 b18) (on b7 b29) (on b28 b7)
    (on b30 b28) (clear b30)
    (on-table b26) (on b23 b26) (on b10 b23) (on b8 b10) (on b22 b8) (clear b22)
    (on-table b25) (on b4 b25) (on b6 b4) (on b12 b6) (clear b12)
    (on-table b21) (on b24 b21) (on b11 b24) (clear b11)
    (on-table b14) (on b13 b14) (clear b13)
    (on-table b19) (clear b19)
    (on-table b2) (on b1 b2) (clear b1)
    (on-table b3) (on b17 b3) (clear b17)
    (on-table b5) (on b9 b5) (clear b9)
    (on-table b20) (clear b20)
    (on-table b15) (clear b15)
    (hand-empty))
  (:goal (and
    (on b15 b29) (on b21 b15) (on b28 b24) (on b8 b28) (on b23 b8) (on b26 b18)
    (on b19 b26) (on b20 b19) (on b1 b5) (on b16 b1) (on b12 b16) (on b30 b9)
    (on b2 b30) (on b13 b2) (on b10 b7) (on b17 b22))))
