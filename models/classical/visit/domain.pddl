; Walk through a garden and see every bed: a tour with no other task than to
; leave nothing out.
(define (domain visit)
  (:requirements :strips :typing)
  (:types spot)
  (:predicates
    (at ?spot - spot)
    (path ?from ?to - spot)
    (seen ?spot - spot))

  (:action walk
    :parameters (?from ?to - spot)
    :precondition (and (at ?from) (path ?from ?to))
    :effect (and (at ?to) (seen ?to) (not (at ?from)))))
