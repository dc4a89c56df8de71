; 4 by 3, 2 ponds.
(define (problem visit-small)
  (:domain visit)
  (:objects
    s1-1 s3-1 s4-1 s1-2 s2-2 s3-2 s4-2 s1-3 s2-3 s3-3 - spot)
  (:init
    (at s1-1) (seen s1-1)
    (path s1-1 s1-2) (path s3-1 s4-1) (path s3-1 s3-2) (path s4-1 s3-1)
    (path s4-1 s4-2) (path s1-2 s1-1) (path s1-2 s2-2) (path s1-2 s1-3)
    (path s2-2 s1-2) (path s2-2 s3-2) (path s2-2 s2-3) (path s3-2 s3-1)
    (path s3-2 s2-2) (path s3-2 s4-2) (path s3-2 s3-3) (path s4-2 s4-1)
    (path s4-2 s3-2) (path s1-3 s1-2) (path s1-3 s2-3) (path s2-3 s2-2)
    (path s2-3 s1-3) (path s2-3 s3-3) (path s3-3 s3-2) (path s3-3 s2-3))
  (:goal (and
    (seen s1-1) (seen s3-1) (seen s4-1) (seen s1-2) (seen s2-2) (seen s3-2)
    (seen s4-2) (seen s1-3) (seen s2-3) (seen s3-3))))
