; Model D: as model B, but the blank tiles are assigned in a fixed order.
(define (domain sudoku-d)
  (:requirements :strips :typing)
  (:types
    tile value house - object
    row column box - house)
  (:constants end - tile)
  (:predicates
    (at ?s - tile ?r - row ?c - column ?b - box)
    (current ?s - tile)
    (next ?s ?t - tile)
    (tile-value ?s - tile ?v - value)
    (free ?h - house ?v - value))

  (:action assign
    :parameters (?s ?t - tile ?v - value ?r - row ?c - column ?b - box)
    :precondition (and
      (current ?s)
      (next ?s ?t)
      (at ?s ?r ?c ?b)
      (free ?r ?v)
      (free ?c ?v)
      (free ?b ?v))
    :effect (and
      (not (current ?s))
      (current ?t)
      (tile-value ?s ?v)
      (not (free ?r ?v))
      (not (free ?c ?v))
      (not (free ?b ?v)))))
