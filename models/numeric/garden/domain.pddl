; A gardener walks about a garden with a can, fills it at taps and waters plants,
; each of which wants so much, no more and no less.
(define (domain garden)
  (:requirements :strips :typing :numeric-fluents)
  (:types thing - object plant tap - thing)
  (:functions (x ?t - thing) (y ?t - thing) (my-x) (my-y) (can) (holds)
    (poured ?p - plant) (wants ?p - plant) (width) (height))
  (:action go-right
    :parameters ()
    :precondition (< (my-x) (width))
    :effect (increase (my-x) 1))
  (:action go-left
    :parameters ()
    :precondition (> (my-x) 1)
    :effect (decrease (my-x) 1))
  (:action go-up
    :parameters ()
    :precondition (< (my-y) (height))
    :effect (increase (my-y) 1))
  (:action go-down
    :parameters ()
    :precondition (> (my-y) 1)
    :effect (decrease (my-y) 1))
  (:action fill
    :parameters (?t - tap)
    :precondition (and (= (my-x) (x ?t)) (= (my-y) (y ?t)) (< (can) (holds)))
    :effect (increase (can) 1))
  (:action water
    :parameters (?p - plant)
    :precondition (and (= (my-x) (x ?p)) (= (my-y) (y ?p)) (>= (can) 1))
    :effect (and (decrease (can) 1) (increase (poured ?p) 1))))
