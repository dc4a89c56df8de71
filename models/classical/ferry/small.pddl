; 4 ports, 3 cars.
(define (problem ferry-small)
  (:domain ferry)
  (:objects
    port1 port2 port3 port4 - port
    car1 car2 car3 - car)
  (:init
    (moored port1) (deck-free)
    (parked car1 port4) (parked car2 port1) (parked car3 port1)
    (route port1 port2) (route port1 port3) (route port1 port4) (route port2 port1)
    (route port2 port3) (route port2 port4) (route port3 port1) (route port3 port2)
    (route port3 port4) (route port4 port1) (route port4 port2) (route port4 port3)
    (= (distance port1 port2) 10) (= (distance port1 port3) 3)
    (= (distance port1 port4) 10) (= (distance port2 port1) 10)
    (= (distance port2 port3) 7) (= (distance port2 port4) 14)
    (= (distance port3 port1) 3) (= (distance port3 port2) 7)
    (= (distance port3 port4) 11) (= (distance port4 port1) 10)
    (= (distance port4 port2) 14) (= (distance port4 port3) 11)
    (= (total-cost) 0))
  (:goal (and
    (parked car1 port1) (parked car2 port2) (parked car3 port2)))
  (:metric minimize (total-cost)))
