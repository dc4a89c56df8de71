; Sliding tiles in a frame with one gap, a puzzle sold since 1880.
(define (domain tiles)
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates
    (lies ?tile - tile ?cell - cell)
    (gap ?cell - cell)
    (beside ?a ?b - cell))

  (:action slide
    :parameters (?tile - tile ?from ?to - cell)
    :precondition (and (lies ?tile ?from) (gap ?to) (beside ?from ?to))
    :effect (and (lies ?tile ?to) (gap ?from) (not (lies ?tile ?from)) (not (gap ?to)))))
