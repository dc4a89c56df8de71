(define (problem sailing-1-2)
  (:domain sailing)
  (:objects b1 - boat s1 s2 - swimmer)
  (:init
    (= (x b1) -4) (= (y b1) 0)
    (= (drift s1) 19)
    (= (drift s2) 28))
  (:goal (and (saved s1) (saved s2))))
