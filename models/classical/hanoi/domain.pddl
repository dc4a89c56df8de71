; The towers of Hanoi: disks lie on larger disks or on pegs, one moves at a
; time. With n disks the shortest plan has 2^n - 1 steps.
(define (domain hanoi)
  (:requirements :strips :typing)
  (:types disk peg - place)
  (:predicates
    (on ?disk - disk ?place - place)
    (clear ?place - place)
    (fits ?disk - disk ?place - place))

  (:action move
    :parameters (?disk - disk ?from ?to - place)
    :precondition (and (clear ?disk) (on ?disk ?from) (clear ?to) (fits ?disk ?to))
    :effect (and (on ?disk ?to) (clear ?from) (not (on ?disk ?from)) (not (clear ?to)))))
