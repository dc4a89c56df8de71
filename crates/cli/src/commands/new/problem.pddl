; A problem for the domain beside it: what there is, what holds at the start, and
; what shall hold at the end.

(define (problem NAME-1)
  (:domain NAME)

  (:objects
    station market school - place
    kim - courier
    letter book - parcel)

  ; Whatever is not said here does not hold.
  (:init
    (road station market) (road market station)
    (road market school) (road school market)
    (at kim station)
    (at letter market)
    (at book school)
    (= (total-cost) 0)
    (= (length station market) 3) (= (length market station) 3)
    (= (length market school) 2) (= (length school market) 2))

  (:goal (and
      (at letter school)
      (at book station)))

  ; `planoku plan --optimal` finds a plan of which none is cheaper.
  (:metric minimize (total-cost)))
