; Blocks on a table and one hand. Every stack is to be built anew.
(define (domain blocks)
  (:requirements :strips :typing)
  (:types block)
  (:predicates
    (on ?above ?below - block)
    (on-table ?block - block)
    (clear ?block - block)
    (held ?block - block)
    (hand-empty))

  (:action lift ; from the table
    :parameters (?block - block)
    :precondition (and (clear ?block) (on-table ?block) (hand-empty))
    :effect (and (held ?block) (not (clear ?block)) (not (on-table ?block)) (not (hand-empty))))

  (:action unstack ; from another block
    :parameters (?block ?below - block)
    :precondition (and (clear ?block) (on ?block ?below) (hand-empty))
    :effect (and (held ?block) (clear ?below)
      (not (clear ?block)) (not (on ?block ?below)) (not (hand-empty))))

  (:action put-down
    :parameters (?block - block)
    :precondition (held ?block)
    :effect (and (on-table ?block) (clear ?block) (hand-empty) (not (held ?block))))

  (:action stack
    :parameters (?block ?below - block)
    :precondition (and (held ?block) (clear ?below))
    :effect (and (on ?block ?below) (clear ?block) (hand-empty)
      (not (held ?block)) (not (clear ?below)))))
