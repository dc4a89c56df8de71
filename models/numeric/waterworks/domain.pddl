; A pumped-storage plant: water is pumped up at the hours when power is cheap and
; let down when it is dear. Time goes on by the hour; the owner wants so much
; money in the end.
(define (domain waterworks)
  (:requirements :strips :typing :numeric-fluents)
  (:types hour)
  (:predicates (now ?h - hour) (next ?a ?b - hour))
  (:functions (upper) (lower) (holds) (money) (price ?h - hour) (flow))
  (:action wait
    :parameters (?a ?b - hour)
    :precondition (and (now ?a) (next ?a ?b))
    :effect (and (not (now ?a)) (now ?b)))
  (:action pump
    :parameters (?a ?b - hour)
    :precondition (and
      (now ?a)
      (next ?a ?b)
      (>= (lower) (flow))
      (<= (+ (upper) (flow)) (holds))
      (>= (money) (* (flow) (price ?a))))
    :effect (and
      (not (now ?a))
      (now ?b)
      (decrease (lower) (flow))
      (increase (upper) (flow))
      (decrease (money) (* (flow) (price ?a)))))
  (:action release
    :parameters (?a ?b - hour)
    :precondition (and (now ?a) (next ?a ?b) (>= (upper) (flow)))
    :effect (and
      (not (now ?a))
      (now ?b)
      (decrease (upper) (flow))
      (increase (lower) (flow))
      (increase (money) (* 0.75 (* (flow) (price ?a)))))))
