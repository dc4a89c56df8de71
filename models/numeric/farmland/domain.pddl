; Workers walk between neighbouring farms, or ride, which is faster and costs
; more. Every farm needs somebody, and the harvest, workers by the worth of the
; farm, is to be good enough.
(define (domain farmland)
  (:requirements :strips :typing :numeric-fluents)
  (:types farm)
  (:predicates (near ?a ?b - farm))
  (:functions (workers ?f - farm) (spent))
  (:action ride
    :parameters (?a ?b - farm)
    :precondition (and (near ?a ?b) (>= (workers ?a) 4))
    :effect (and (decrease (workers ?a) 4) (increase (workers ?b) 4) (increase (spent) 1)))
  (:action walk
    :parameters (?a ?b - farm)
    :precondition (and (near ?a ?b) (>= (workers ?a) 1))
    :effect (and (decrease (workers ?a) 1) (increase (workers ?b) 1) (increase (spent) 0.1))))
