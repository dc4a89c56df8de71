; The warehouse keeper pushes crates, and can never pull one back: most wrong
; pushes are for ever.
(define (domain sokoban)
  (:requirements :strips :typing)
  (:types square crate direction)
  (:predicates
    (next ?from ?to - square ?direction - direction)
    (keeper ?square - square)
    (at ?crate - crate ?square - square)
    (free ?square - square))

  (:action walk
    :parameters (?from ?to - square ?direction - direction)
    :precondition (and (keeper ?from) (next ?from ?to ?direction) (free ?to))
    :effect (and (keeper ?to) (free ?from) (not (keeper ?from)) (not (free ?to))))

  (:action push
    :parameters (?crate - crate ?from ?here ?there - square ?direction - direction)
    :precondition (and (keeper ?from) (at ?crate ?here) (free ?there)
      (next ?from ?here ?direction) (next ?here ?there ?direction))
    :effect (and (keeper ?here) (at ?crate ?there) (free ?from)
      (not (keeper ?from)) (not (at ?crate ?here)) (not (free ?there)))))
