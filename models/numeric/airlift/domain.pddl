; Planes fly slowly or fast, which burns more, and take on fuel wherever they
; stand. People get in and out; a plane has so many seats.
(define (domain airlift)
  (:requirements :strips :typing :numeric-fluents)
  (:types city plane person)
  (:predicates (at ?p - plane ?c - city) (waits ?h - person ?c - city) (in ?h - person ?p - plane))
  (:functions (fuel ?p - plane) (tank ?p - plane) (slow-burn ?p - plane) (fast-burn ?p - plane)
    (distance ?a ?b - city) (aboard ?p - plane) (seats ?p - plane) (burnt) (hours))
  (:action board
    :parameters (?h - person ?p - plane ?c - city)
    :precondition (and (waits ?h ?c) (at ?p ?c) (< (aboard ?p) (seats ?p)))
    :effect (and (not (waits ?h ?c)) (in ?h ?p) (increase (aboard ?p) 1)))
  (:action leave
    :parameters (?h - person ?p - plane ?c - city)
    :precondition (and (in ?h ?p) (at ?p ?c))
    :effect (and (not (in ?h ?p)) (waits ?h ?c) (decrease (aboard ?p) 1)))
  (:action fly
    :parameters (?p - plane ?a ?b - city)
    :precondition (and
      (at ?p ?a)
      (>= (fuel ?p) (* (distance ?a ?b) (slow-burn ?p)))
      (> (distance ?a ?b) 0))
    :effect (and
      (not (at ?p ?a))
      (at ?p ?b)
      (decrease (fuel ?p) (* (distance ?a ?b) (slow-burn ?p)))
      (increase (burnt) (* (distance ?a ?b) (slow-burn ?p)))
      (increase (hours) (/ (distance ?a ?b) 100))))
  (:action zoom
    :parameters (?p - plane ?a ?b - city)
    :precondition (and
      (at ?p ?a)
      (>= (fuel ?p) (* (distance ?a ?b) (fast-burn ?p)))
      (> (distance ?a ?b) 0))
    :effect (and
      (not (at ?p ?a))
      (at ?p ?b)
      (decrease (fuel ?p) (* (distance ?a ?b) (fast-burn ?p)))
      (increase (burnt) (* (distance ?a ?b) (fast-burn ?p)))
      (increase (hours) (/ (distance ?a ?b) 250))))
  (:action refuel
    :parameters (?p - plane ?c - city)
    :precondition (and (at ?p ?c) (< (fuel ?p) (tank ?p)))
    :effect (assign (fuel ?p) (tank ?p))))
