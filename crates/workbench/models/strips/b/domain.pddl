; Model B: one fact per house and value says that the value is still free there.
(define (domain sudoku-b)
  (:requirements :strips :typing)
  (:types
    tile value house - object
    row column box - house)
  (:predicates
    (at ?s - tile ?r - row ?c - column ?b - box)
    (blank ?s - tile)
    (filled ?s - tile)
    (tile-value ?s - tile ?v - value)
    (free ?h - house ?v - value))

  (:action assign
    :parameters (?s - tile ?v - value ?r - row ?c - column ?b - box)
    :precondition (and
      (blank ?s)
      (at ?s ?r ?c ?b)
      (free ?r ?v)
      (free ?c ?v)
      (free ?b ?v))
    :effect (and
      (not (blank ?s))
      (filled ?s)
      (tile-value ?s ?v)
      (not (free ?r ?v))
      (not (free ?c ?v))
      (not (free ?b ?v)))))
