; Probes on another world drive, drill and send, all of which takes energy, and
; spread their panels where there is sun.
(define (domain probes)
  (:requirements :strips :typing :numeric-fluents)
  (:types probe place)
  (:predicates (at ?r - probe ?p - place) (way ?a ?b - place) (sunny ?p - place)
    (rock ?p - place) (has ?r - probe ?p - place) (sent ?p - place) (sees-home ?p - place))
  (:functions (energy ?r - probe) (most ?r - probe) (gain ?p - place) (spread))
  (:action drive
    :parameters (?r - probe ?a ?b - place)
    :precondition (and (at ?r ?a) (way ?a ?b) (>= (energy ?r) 8))
    :effect (and (not (at ?r ?a)) (at ?r ?b) (decrease (energy ?r) 8)))
  (:action spread-panels
    :parameters (?r - probe ?p - place)
    :precondition (and (at ?r ?p) (sunny ?p) (<= (+ (energy ?r) (gain ?p)) (most ?r)))
    :effect (and (increase (energy ?r) (gain ?p)) (increase (spread) 1)))
  (:action drill
    :parameters (?r - probe ?p - place)
    :precondition (and (at ?r ?p) (rock ?p) (>= (energy ?r) 15))
    :effect (and (has ?r ?p) (decrease (energy ?r) 15)))
  (:action send
    :parameters (?r - probe ?what ?p - place)
    :precondition (and (at ?r ?p) (sees-home ?p) (has ?r ?what) (>= (energy ?r) 6))
    :effect (and (sent ?what) (decrease (energy ?r) 6))))
