; How a person solves a puzzle: every action is a technique. Candidates are
; struck and cells are solved, never the reverse. Costs are ten times the
; rating of the technique by Sudoku Explainer.
(define (domain sudoku-human-strips)
  (:requirements :strips :typing :equality :adl :action-costs)
  (:types
    cell digit skill - object
    house - object
    box line - house
    row column - line)
  (:constants locked pairs x-wing - skill)
  (:predicates
    ; what the puzzle says
    (in ?c - cell ?h - house)
    (peer ?a ?b - cell)
    (candidate ?c - cell ?d - digit)
    (spot ?d - digit ?g ?h - house)
    (knows ?s - skill)
    ; one of the two orders of a pair is enough
    (before ?a ?b - cell)
    (less ?d ?e - digit)
    (prior ?a ?b - line)
    ; what reasoning adds, and nothing ever takes back
    (struck ?c - cell ?d - digit)
    (solved ?c - cell))
  (:functions (total-cost) - number)

  ; Placing a digit: 1.2 in a box, 1.5 in a line, 2.3 where a cell has no other.
  (:action hidden-single-box
    :parameters (?c - cell ?d - digit ?b - box)
    :precondition (and
      (in ?c ?b)
      (candidate ?c ?d)
      (forall (?o - cell)
        (imply (and (in ?o ?b) (candidate ?o ?d) (not (= ?o ?c)))
          (struck ?o ?d))))
    :effect (and
      (solved ?c)
      (forall (?o - cell) (when (and (peer ?c ?o) (candidate ?o ?d)) (struck ?o ?d)))
      (forall (?e - digit) (when (and (candidate ?c ?e) (not (= ?e ?d))) (struck ?c ?e)))
      (increase (total-cost) 12)))
  (:action hidden-single-line
    :parameters (?c - cell ?d - digit ?l - line)
    :precondition (and
      (in ?c ?l)
      (candidate ?c ?d)
      (forall (?o - cell)
        (imply (and (in ?o ?l) (candidate ?o ?d) (not (= ?o ?c)))
          (struck ?o ?d))))
    :effect (and
      (solved ?c)
      (forall (?o - cell) (when (and (peer ?c ?o) (candidate ?o ?d)) (struck ?o ?d)))
      (forall (?e - digit) (when (and (candidate ?c ?e) (not (= ?e ?d))) (struck ?c ?e)))
      (increase (total-cost) 15)))
  (:action naked-single
    :parameters (?c - cell ?d - digit)
    :precondition (and
      (candidate ?c ?d)
      (forall (?e - digit)
        (imply (and (candidate ?c ?e) (not (= ?e ?d)))
          (struck ?c ?e))))
    :effect (and
      (solved ?c)
      (forall (?o - cell) (when (and (peer ?c ?o) (candidate ?o ?d)) (struck ?o ?d)))
      (forall (?e - digit) (when (and (candidate ?c ?e) (not (= ?e ?d))) (struck ?c ?e)))
      (increase (total-cost) 23)))

  ; A box can only spend the digit on one line (2.6), or a line in one box (2.8).
  (:action pointing
    :parameters (?d - digit ?b - box ?l - line)
    :precondition (and
      (knows locked)
      (spot ?d ?b ?l)
      (forall (?o - cell)
        (imply (and (in ?o ?b) (candidate ?o ?d) (not (in ?o ?l)))
          (struck ?o ?d))))
    :effect (and
      (forall (?o - cell)
        (when (and (in ?o ?l) (candidate ?o ?d) (not (in ?o ?b))) (struck ?o ?d)))
      (increase (total-cost) 26)))
  (:action claiming
    :parameters (?d - digit ?l - line ?b - box)
    :precondition (and
      (knows locked)
      (spot ?d ?b ?l)
      (forall (?o - cell)
        (imply (and (in ?o ?l) (candidate ?o ?d) (not (in ?o ?b)))
          (struck ?o ?d))))
    :effect (and
      (forall (?o - cell)
        (when (and (in ?o ?b) (candidate ?o ?d) (not (in ?o ?l))) (struck ?o ?d)))
      (increase (total-cost) 28)))

  ; Two cells have but two digits (3.0), or two digits but two cells (3.4).
  (:action naked-pair
    :parameters (?h - house ?a ?b - cell ?d ?e - digit)
    :precondition (and
      (knows pairs)
      (in ?a ?h) (in ?b ?h) (before ?a ?b) (less ?d ?e)
      (candidate ?a ?d) (candidate ?a ?e)
      (candidate ?b ?d) (candidate ?b ?e)
      (forall (?x - digit)
        (imply (and (candidate ?a ?x) (not (= ?x ?d)) (not (= ?x ?e)))
          (struck ?a ?x)))
      (forall (?x - digit)
        (imply (and (candidate ?b ?x) (not (= ?x ?d)) (not (= ?x ?e)))
          (struck ?b ?x))))
    :effect (and
      (forall (?o - cell)
        (when (and (in ?o ?h) (candidate ?o ?d) (not (= ?o ?a)) (not (= ?o ?b)))
          (struck ?o ?d)))
      (forall (?o - cell)
        (when (and (in ?o ?h) (candidate ?o ?e) (not (= ?o ?a)) (not (= ?o ?b)))
          (struck ?o ?e)))
      (increase (total-cost) 30)))
  (:action hidden-pair
    :parameters (?h - house ?a ?b - cell ?d ?e - digit)
    :precondition (and
      (knows pairs)
      (in ?a ?h) (in ?b ?h) (before ?a ?b) (less ?d ?e)
      (candidate ?a ?d) (candidate ?a ?e)
      (candidate ?b ?d) (candidate ?b ?e)
      (forall (?o - cell)
        (imply (and (in ?o ?h) (candidate ?o ?d) (not (= ?o ?a)) (not (= ?o ?b)))
          (struck ?o ?d)))
      (forall (?o - cell)
        (imply (and (in ?o ?h) (candidate ?o ?e) (not (= ?o ?a)) (not (= ?o ?b)))
          (struck ?o ?e))))
    :effect (and
      (forall (?x - digit)
        (when (and (candidate ?a ?x) (not (= ?x ?d)) (not (= ?x ?e))) (struck ?a ?x)))
      (forall (?x - digit)
        (when (and (candidate ?b ?x) (not (= ?x ?d)) (not (= ?x ?e))) (struck ?b ?x)))
      (increase (total-cost) 34)))

  ; Two lines can only spend the digit on the same two lines across (3.2).
  (:action x-wing-rows
    :parameters (?d - digit ?r ?s - row ?j ?k - column)
    :precondition (and
      (knows x-wing)
      (prior ?r ?s) (prior ?j ?k)
      (spot ?d ?r ?j) (spot ?d ?r ?k) (spot ?d ?s ?j) (spot ?d ?s ?k)
      (forall (?o - cell)
        (imply (and (in ?o ?r) (candidate ?o ?d) (not (in ?o ?j)) (not (in ?o ?k)))
          (struck ?o ?d)))
      (forall (?o - cell)
        (imply (and (in ?o ?s) (candidate ?o ?d) (not (in ?o ?j)) (not (in ?o ?k)))
          (struck ?o ?d))))
    :effect (and
      (forall (?o - cell)
        (when (and (in ?o ?j) (candidate ?o ?d) (not (in ?o ?r)) (not (in ?o ?s)))
          (struck ?o ?d)))
      (forall (?o - cell)
        (when (and (in ?o ?k) (candidate ?o ?d) (not (in ?o ?r)) (not (in ?o ?s)))
          (struck ?o ?d)))
      (increase (total-cost) 32)))
  (:action x-wing-columns
    :parameters (?d - digit ?j ?k - column ?r ?s - row)
    :precondition (and
      (knows x-wing)
      (prior ?r ?s) (prior ?j ?k)
      (spot ?d ?r ?j) (spot ?d ?r ?k) (spot ?d ?s ?j) (spot ?d ?s ?k)
      (forall (?o - cell)
        (imply (and (in ?o ?j) (candidate ?o ?d) (not (in ?o ?r)) (not (in ?o ?s)))
          (struck ?o ?d)))
      (forall (?o - cell)
        (imply (and (in ?o ?k) (candidate ?o ?d) (not (in ?o ?r)) (not (in ?o ?s)))
          (struck ?o ?d))))
    :effect (and
      (forall (?o - cell)
        (when (and (in ?o ?r) (candidate ?o ?d) (not (in ?o ?j)) (not (in ?o ?k)))
          (struck ?o ?d)))
      (forall (?o - cell)
        (when (and (in ?o ?s) (candidate ?o ?d) (not (in ?o ?j)) (not (in ?o ?k)))
          (struck ?o ?d)))
      (increase (total-cost) 32))))
