; Rovers on another planet take samples and pictures and send what they found
; to their lander. A store holds one sample at a time.
(define (domain rovers)
  (:requirements :strips :typing)
  (:types rover site target)
  (:predicates
    (at ?rover - rover ?site - site)
    (passable ?rover - rover ?from ?to - site)
    (store-empty ?rover - rover)
    (drill ?rover - rover)
    (camera ?rover - rover)
    (calibrated ?rover - rover)
    (calibration-target ?rover - rover ?target - target)
    (sees ?site - site ?target - target)
    (rock ?site - site)
    (in-range ?site - site)
    (analysed ?rover - rover ?site - site)
    (picture ?rover - rover ?target - target)
    (sent-analysis ?site - site)
    (sent-picture ?target - target))

  (:action drive
    :parameters (?rover - rover ?from ?to - site)
    :precondition (and (at ?rover ?from) (passable ?rover ?from ?to))
    :effect (and (at ?rover ?to) (not (at ?rover ?from))))

  (:action sample
    :parameters (?rover - rover ?site - site)
    :precondition (and (at ?rover ?site) (rock ?site) (drill ?rover) (store-empty ?rover))
    :effect (and (analysed ?rover ?site) (not (rock ?site)) (not (store-empty ?rover))))

  (:action empty-store
    :parameters (?rover - rover)
    :precondition (drill ?rover)
    :effect (store-empty ?rover))

  (:action calibrate
    :parameters (?rover - rover ?site - site ?target - target)
    :precondition (and (at ?rover ?site) (camera ?rover)
      (calibration-target ?rover ?target) (sees ?site ?target))
    :effect (calibrated ?rover))

  (:action take-picture
    :parameters (?rover - rover ?site - site ?target - target)
    :precondition (and (at ?rover ?site) (camera ?rover) (calibrated ?rover)
      (sees ?site ?target))
    :effect (and (picture ?rover ?target) (not (calibrated ?rover))))

  (:action send-analysis
    :parameters (?rover - rover ?from ?about - site)
    :precondition (and (at ?rover ?from) (in-range ?from) (analysed ?rover ?about))
    :effect (sent-analysis ?about))

  (:action send-picture
    :parameters (?rover - rover ?from - site ?target - target)
    :precondition (and (at ?rover ?from) (in-range ?from) (picture ?rover ?target))
    :effect (sent-picture ?target)))
