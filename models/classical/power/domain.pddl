; A power grid after a storm. A station is live if closed switches join it to a
; source; that is no one's deed, so it is a derived predicate. A broken station
; must never be live, and switches are thrown one at a time.
(define (domain power)
  (:requirements :typing :derived-predicates :negative-preconditions)
  (:types station switch)
  (:predicates
    (source ?station - station)
    (broken ?station - station)
    (joins ?switch - switch ?a ?b - station)
    (closed ?switch - switch)
    (live ?station - station)
    (fault))

  (:derived (live ?station - station) (source ?station))
  (:derived (live ?station - station)
    (exists (?other - station ?switch - switch)
      (and (joins ?switch ?other ?station) (closed ?switch) (live ?other))))
  (:derived (fault)
    (exists (?station - station) (and (broken ?station) (live ?station))))

  (:action close
    :parameters (?switch - switch)
    :precondition (and (not (closed ?switch)) (not (fault)))
    :effect (closed ?switch))

  (:action open
    :parameters (?switch - switch)
    :precondition (and (closed ?switch) (not (fault)))
    :effect (not (closed ?switch))))
