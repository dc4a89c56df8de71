; 5 floors, 4 passengers.
(define (problem elevator-small)
  (:domain elevator)
  (:objects
    f1 f2 f3 f4 f5 - floor
    p1 p2 p3 p4 - passenger)
  (:init
    (lift-at f1)
    (above f2 f1) (above f3 f1) (above f4 f1) (above f5 f1) (above f3 f2)
    (above f4 f2) (above f5 f2) (above f4 f3) (above f5 f3) (above f5 f4)
    (waits p1 f2) (wants p1 f1) (waits p2 f3) (wants p2 f1) (waits p3 f4)
    (wants p3 f5) (waits p4 f4) (wants p4 f5))
  (:goal (and
    (served p1) (served p2) (served p3) (served p4))))
