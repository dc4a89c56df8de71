; 7 disks, 127 moves.
(define (problem hanoi-medium)
  (:domain hanoi)
  (:objects
    d1 d2 d3 d4 d5 d6 d7 - disk
    left middle right - peg)
  (:init
    (on d1 d2) (on d2 d3) (on d3 d4) (on d4 d5) (on d5 d6) (on d6 d7) (on d7 left)
    (clear d1) (clear middle) (clear right)
    (fits d1 d2) (fits d1 d3) (fits d1 d4) (fits d1 d5) (fits d1 d6) (fits d1 d7)
    (fits d1 left) (fits d1 middle) (fits d1 right)
    (fits d2 d3) (fits d2 d4) (fits d2 d5) (fits d2 d6) (fits d2 d7) (fits d2 left)
    (fits d2 middle) (fits d2 right)
    (fits d3 d4) (fits d3 d5) (fits d3 d6) (fits d3 d7) (fits d3 left)
    (fits d3 middle) (fits d3 right)
    (fits d4 d5) (fits d4 d6) (fits d4 d7) (fits d4 left) (fits d4 middle)
    (fits d4 right)
    (fits d5 d6) (fits d5 d7) (fits d5 left) (fits d5 middle) (fits d5 right)
    (fits d6 d7) (fits d6 left) (fits d6 middle) (fits d6 right)
    (fits d7 left) (fits d7 middle) (fits d7 right))
  (:goal (and
    (on d1 d2) (on d2 d3) (on d3 d4) (on d4 d5) (on d5 d6) (on d6 d7) (on d7 right))))
