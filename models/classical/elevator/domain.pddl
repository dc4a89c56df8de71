; A lift that opens its doors: whoever waits there enters, whoever wants to be
; there leaves. One action moves any number of people, by conditional effects.
(define (domain elevator)
  (:requirements :typing :conditional-effects :universal-preconditions)
  (:types passenger floor)
  (:predicates
    (lift-at ?floor - floor)
    (above ?high ?low - floor)
    (waits ?passenger - passenger ?floor - floor)
    (wants ?passenger - passenger ?floor - floor)
    (inside ?passenger - passenger)
    (served ?passenger - passenger))

  (:action up
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?to ?from))
    :effect (and (lift-at ?to) (not (lift-at ?from))))

  (:action down
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?from ?to))
    :effect (and (lift-at ?to) (not (lift-at ?from))))

  (:action open
    :parameters (?floor - floor)
    :precondition (lift-at ?floor)
    :effect (forall (?passenger - passenger)
      (and
        (when (waits ?passenger ?floor)
          (and (inside ?passenger) (not (waits ?passenger ?floor))))
        (when (and (inside ?passenger) (wants ?passenger ?floor))
          (and (served ?passenger) (not (inside ?passenger))))))))
