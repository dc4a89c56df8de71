; A merchant walks between markets, buys where goods are cheap and sells where
; they are dear, within what the bag holds and the purse pays, and wants to end
; with so much money.
(define (domain market)
  (:requirements :strips :typing :numeric-fluents)
  (:types market good)
  (:predicates (at ?m - market) (path ?a ?b - market))
  (:functions (price ?g - good ?m - market) (stock ?g - good ?m - market)
    (bag ?g - good) (room) (money) (toll ?a ?b - market))
  (:action walk
    :parameters (?a ?b - market)
    :precondition (and (at ?a) (path ?a ?b) (>= (money) (toll ?a ?b)))
    :effect (and (not (at ?a)) (at ?b) (decrease (money) (toll ?a ?b))))
  (:action buy
    :parameters (?g - good ?m - market)
    :precondition (and (at ?m) (>= (stock ?g ?m) 1) (>= (money) (price ?g ?m)) (>= (room) 1))
    :effect (and
      (decrease (stock ?g ?m) 1)
      (increase (bag ?g) 1)
      (decrease (money) (price ?g ?m))
      (decrease (room) 1)))
  (:action sell
    :parameters (?g - good ?m - market)
    :precondition (and (at ?m) (>= (bag ?g) 1))
    :effect (and
      (increase (stock ?g ?m) 1)
      (decrease (bag ?g) 1)
      (increase (money) (* 0.9 (price ?g ?m)))
      (increase (room) 1))))
