; Boats sail by the wind: three courses change both coordinates, four change one.
; Somebody in the water is taken aboard where the boat is near enough on both
; diagonals.
(define (domain sailing)
  (:requirements :strips :typing :numeric-fluents)
  (:types boat swimmer)
  (:predicates (saved ?s - swimmer))
  (:functions (x ?b - boat) (y ?b - boat) (drift ?s - swimmer))
  (:action north-east
    :parameters (?b - boat)
    :effect (and (increase (x ?b) 1.5) (increase (y ?b) 1.5)))
  (:action north-west
    :parameters (?b - boat)
    :effect (and (decrease (x ?b) 1.5) (increase (y ?b) 1.5)))
  (:action east
    :parameters (?b - boat)
    :effect (increase (x ?b) 3))
  (:action west
    :parameters (?b - boat)
    :effect (decrease (x ?b) 3))
  (:action south-west
    :parameters (?b - boat)
    :effect (and (increase (x ?b) 2) (decrease (y ?b) 2)))
  (:action south-east
    :parameters (?b - boat)
    :effect (and (decrease (x ?b) 2) (decrease (y ?b) 2)))
  (:action south
    :parameters (?b - boat)
    :effect (decrease (y ?b) 2))
  (:action take-aboard
    :parameters (?b - boat ?s - swimmer)
    :precondition (and
      (>= (+ (x ?b) (y ?b)) (drift ?s))
      (>= (- (y ?b) (x ?b)) (drift ?s))
      (<= (+ (x ?b) (y ?b)) (+ (drift ?s) 25))
      (<= (- (y ?b) (x ?b)) (+ (drift ?s) 25)))
    :effect (saved ?s)))
