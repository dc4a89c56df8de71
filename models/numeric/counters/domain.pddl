; Counters that go up and down by one, none above a common limit, are to be put
; in ascending order.
(define (domain counters)
  (:requirements :strips :typing :numeric-fluents)
  (:types counter)
  (:functions (value ?c - counter) (limit))
  (:action up
    :parameters (?c - counter)
    :precondition (< (value ?c) (limit))
    :effect (increase (value ?c) 1))
  (:action down
    :parameters (?c - counter)
    :precondition (> (value ?c) 0)
    :effect (decrease (value ?c) 1)))
