(define (problem counters-4)
  (:domain counters)
  (:objects c1 c2 c3 c4 - counter)
  (:init
    (= (value c1) 2)
    (= (value c2) 1)
    (= (value c3) 4)
    (= (value c4) 1)
    (= (limit) 8))
  (:goal (and
      (< (value c1) (value c2))
      (< (value c2) (value c3))
      (< (value c3) (value c4)))))
