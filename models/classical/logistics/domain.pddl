; Parcels travel by van within a city and by plane between airports.
(define (domain logistics)
  (:requirements :strips :typing)
  (:types
    city place parcel vehicle - object
    airport - place
    van plane - vehicle)
  (:predicates
    (in-city ?place - place ?city - city)
    (stands ?vehicle - vehicle ?place - place)
    (lies ?parcel - parcel ?place - place)
    (loaded ?parcel - parcel ?vehicle - vehicle))

  (:action load
    :parameters (?parcel - parcel ?vehicle - vehicle ?place - place)
    :precondition (and (lies ?parcel ?place) (stands ?vehicle ?place))
    :effect (and (loaded ?parcel ?vehicle) (not (lies ?parcel ?place))))

  (:action unload
    :parameters (?parcel - parcel ?vehicle - vehicle ?place - place)
    :precondition (and (loaded ?parcel ?vehicle) (stands ?vehicle ?place))
    :effect (and (lies ?parcel ?place) (not (loaded ?parcel ?vehicle))))

  (:action drive
    :parameters (?van - van ?from ?to - place ?city - city)
    :precondition (and (stands ?van ?from) (in-city ?from ?city) (in-city ?to ?city))
    :effect (and (stands ?van ?to) (not (stands ?van ?from))))

  (:action fly
    :parameters (?plane - plane ?from ?to - airport)
    :precondition (stands ?plane ?from)
    :effect (and (stands ?plane ?to) (not (stands ?plane ?from)))))
