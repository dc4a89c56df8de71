; A robot with two hands carries balls from room to room. Which hand holds
; which ball makes no difference, and that is what makes it hard to prove a
; plan shortest.
(define (domain gripper)
  (:requirements :strips :typing)
  (:types room ball hand)
  (:predicates
    (robot-in ?room - room)
    (ball-in ?ball - ball ?room - room)
    (empty ?hand - hand)
    (holds ?hand - hand ?ball - ball))

  (:action walk
    :parameters (?from ?to - room)
    :precondition (robot-in ?from)
    :effect (and (robot-in ?to) (not (robot-in ?from))))

  (:action grasp
    :parameters (?ball - ball ?room - room ?hand - hand)
    :precondition (and (ball-in ?ball ?room) (robot-in ?room) (empty ?hand))
    :effect (and (holds ?hand ?ball) (not (ball-in ?ball ?room)) (not (empty ?hand))))

  (:action release
    :parameters (?ball - ball ?room - room ?hand - hand)
    :precondition (and (holds ?hand ?ball) (robot-in ?room))
    :effect (and (ball-in ?ball ?room) (empty ?hand) (not (holds ?hand ?ball)))))
