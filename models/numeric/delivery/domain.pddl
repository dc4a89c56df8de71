; Vans carry parcels as long as they can bear the weight, and drive as far as
; their fuel lasts. Depots have pumps.
(define (domain delivery)
  (:requirements :strips :typing :numeric-fluents)
  (:types place van parcel)
  (:predicates (at ?v - van ?p - place) (lies ?q - parcel ?p - place) (in ?q - parcel ?v - van)
    (road ?a ?b - place) (pump ?p - place))
  (:functions (fuel ?v - van) (tank ?v - van) (load ?v - van) (bears ?v - van)
    (weight ?q - parcel) (distance ?a ?b - place) (driven))
  (:action drive
    :parameters (?v - van ?a ?b - place)
    :precondition (and (at ?v ?a) (road ?a ?b) (>= (fuel ?v) (distance ?a ?b)))
    :effect (and
      (not (at ?v ?a))
      (at ?v ?b)
      (decrease (fuel ?v) (distance ?a ?b))
      (increase (driven) (distance ?a ?b))))
  (:action load
    :parameters (?q - parcel ?v - van ?p - place)
    :precondition (and (at ?v ?p) (lies ?q ?p) (<= (+ (load ?v) (weight ?q)) (bears ?v)))
    :effect (and (not (lies ?q ?p)) (in ?q ?v) (increase (load ?v) (weight ?q))))
  (:action unload
    :parameters (?q - parcel ?v - van ?p - place)
    :precondition (and (at ?v ?p) (in ?q ?v))
    :effect (and (not (in ?q ?v)) (lies ?q ?p) (decrease (load ?v) (weight ?q))))
  (:action fill-up
    :parameters (?v - van ?p - place)
    :precondition (and (at ?v ?p) (pump ?p) (< (fuel ?v) (tank ?v)))
    :effect (assign (fuel ?v) (tank ?v))))
