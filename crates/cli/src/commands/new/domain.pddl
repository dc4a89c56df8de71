; A starter in PDDL: a courier carries parcels between places.
;
; What there is to know (types, predicates) and what can be done (actions). A
; planner looks for actions that lead from the start of the problem to its goal.
;
;   planoku check domain.pddl problem.pddl          everything that is wrong
;   planoku plan domain.pddl problem.pddl plan.txt  a verified plan
;   planoku doctor domain.pddl problem.pddl         all of it, told in words

(define (domain NAME)
  (:requirements :strips :typing :action-costs)

  ; Everything has a type. Names before a dash belong to the type after it.
  (:types
    place thing - object
    courier parcel - thing)

  ; Facts hold or do not hold, and change over time. Variables begin with a
  ; question mark.
  (:predicates
    (road ?from ?to - place)
    (at ?what - thing ?where - place)
    (carries ?who - courier ?what - parcel))

  ; What a plan costs, and what a road costs. Without these three lines, `:metric`
  ; in the problem and `increase` below, every action costs 1.
  (:functions
    (total-cost) - number
    (length ?from ?to - place) - number)

  ; An action is executable where its precondition holds; its effect makes facts
  ; true, and others (not) true.
  (:action walk
    :parameters (?who - courier ?from ?to - place)
    :precondition (and (at ?who ?from) (road ?from ?to))
    :effect (and
      (not (at ?who ?from))
      (at ?who ?to)
      (increase (total-cost) (length ?from ?to))))

  (:action take
    :parameters (?who - courier ?what - parcel ?where - place)
    :precondition (and (at ?who ?where) (at ?what ?where))
    :effect (and
      (not (at ?what ?where))
      (carries ?who ?what)
      (increase (total-cost) 1)))

  (:action leave
    :parameters (?who - courier ?what - parcel ?where - place)
    :precondition (and (at ?who ?where) (carries ?who ?what))
    :effect (and
      (not (carries ?who ?what))
      (at ?what ?where)
      (increase (total-cost) 1))))
