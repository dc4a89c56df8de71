; Model A: the constraint of every house is checked where a tile is assigned.
; `v0` is the blank.
(define (domain sudoku-a)
  (:requirements :strips :typing :equality :adl)
  (:types tile value house)
  (:constants v0 - value)
  (:predicates
    (tile-value ?s - tile ?v - value)
    (in ?s - tile ?h - house))

  (:action assign
    :parameters (?s - tile ?v - value)
    :precondition (and
      (tile-value ?s v0)
      (not (= ?v v0))
      (forall (?t - tile ?h - house)
        (imply
          (and (in ?s ?h) (in ?t ?h))
          (not (tile-value ?t ?v)))))
    :effect (and
      (not (tile-value ?s v0))
      (tile-value ?s ?v))))
