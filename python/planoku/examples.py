"""A small planning problem to try things on: a robot that tidies up rooms.

>>> "tidy" in DOMAIN
True
"""

DOMAIN = """
(define (domain tidy)
  (:requirements :typing :hierarchy)
  (:types room)
  (:predicates (at ?r - room) (door ?from ?to - room) (clean ?r - room))
  (:task tidy-up :parameters (?r - room))
  (:method walk-and-sweep
    :parameters (?from ?r - room)
    :task (tidy-up ?r)
    :precondition (door ?from ?r)
    :ordered-subtasks (and (go ?from ?r) (sweep ?r)))
  (:method already-there
    :parameters (?r - room)
    :task (tidy-up ?r)
    :ordered-subtasks (and (sweep ?r)))
  (:action go
    :parameters (?from ?to - room)
    :precondition (and (at ?from) (door ?from ?to))
    :effect (and (at ?to) (not (at ?from))))
  (:action sweep
    :parameters (?r - room)
    :precondition (at ?r)
    :effect (clean ?r)))
"""

PROBLEM = """
(define (problem two-rooms)
  (:domain tidy)
  (:objects hall kitchen - room)
  (:htn :ordered-subtasks (and (tidy-up hall) (tidy-up kitchen)))
  (:init (at hall) (door hall kitchen) (door kitchen hall)))
"""
