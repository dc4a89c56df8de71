; Blocks on a board are pushed one field at a time; blocks of one colour are to
; meet on one field, blocks of different colours are not.
(define (domain grouping)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions :numeric-fluents)
  (:types block)
  (:functions (x ?b - block) (y ?b - block) (width) (height))
  (:action right
    :parameters (?b - block)
    :precondition (< (x ?b) (width))
    :effect (increase (x ?b) 1))
  (:action left
    :parameters (?b - block)
    :precondition (> (x ?b) 1)
    :effect (decrease (x ?b) 1))
  (:action forward
    :parameters (?b - block)
    :precondition (< (y ?b) (height))
    :effect (increase (y ?b) 1))
  (:action back
    :parameters (?b - block)
    :precondition (> (y ?b) 1)
    :effect (decrease (y ?b) 1)))
