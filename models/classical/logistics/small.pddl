; 2 cities, 3 parcels.
(define (problem logistics-small)
  (:domain logistics)
  (:objects
    city1 city2 - city
    airport1 airport2 - airport
    place1-1 place2-1 - place
    van1 van2 - van
    plane1 - plane
    parcel1 parcel2 parcel3 - parcel)
  (:init
    (in-city airport1 city1) (in-city place1-1 city1) (in-city airport2 city2)
    (in-city place2-1 city2)
    (stands van1 airport1) (stands van2 airport2) (stands plane1 airport2)
    (lies parcel1 airport1) (lies parcel2 place2-1) (lies parcel3 place2-1))
  (:goal (and
    (lies parcel1 place1-1) (lies parcel2 place1-1) (lies parcel3 airport1))))
