; A ferry for one car at a time between the ports of an archipelago. Sailing
; costs what the way is long, loading and unloading cost one each.
(define (domain ferry)
  (:requirements :typing :action-costs)
  (:types car port)
  (:predicates
    (moored ?port - port)
    (parked ?car - car ?port - port)
    (aboard ?car - car)
    (deck-free)
    (route ?from ?to - port))
  (:functions
    (distance ?from ?to - port) - number
    (total-cost) - number)

  (:action sail
    :parameters (?from ?to - port)
    :precondition (and (moored ?from) (route ?from ?to))
    :effect (and (moored ?to) (not (moored ?from))
      (increase (total-cost) (distance ?from ?to))))

  (:action load
    :parameters (?car - car ?port - port)
    :precondition (and (parked ?car ?port) (moored ?port) (deck-free))
    :effect (and (aboard ?car) (not (parked ?car ?port)) (not (deck-free))
      (increase (total-cost) 1)))

  (:action unload
    :parameters (?car - car ?port - port)
    :precondition (and (aboard ?car) (moored ?port))
    :effect (and (parked ?car ?port) (deck-free) (not (aboard ?car))
      (increase (total-cost) 1))))
