; 4 cities, 10 parcels.
(define (problem logistics-medium)
  (:domain logistics)
  (:objects
    city1 city2 city3 city4 - city
    airport1 airport2 airport3 airport4 - airport
    place1-1 place1-2 place1-3 place2-1 place2-2 place2-3 place3-1 place3-2
    place3-3 place4-1 place4-2 place4-3 - place
    van1 van2 van3 van4 - van
    plane1 plane2 - plane
    parcel1 parcel2 parcel3 parcel4 parcel5 parcel6 parcel7 parcel8 parcel9
    parcel10 - parcel)
  (:init
    (in-city airport1 city1) (in-city place1-1 city1) (in-city place1-2 city1)
    (in-city place1-3 city1) (in-city airport2 city2) (in-city place2-1 city2)
    (in-city place2-2 city2) (in-city place2-3 city2) (in-city airport3 city3)
    (in-city place3-1 city3) (in-city place3-2 city3) (in-city place3-3 city3)
    (in-city airport4 city4) (in-city place4-1 city4) (in-city place4-2 city4)
    (in-city place4-3 city4)
    (stands van1 airport1) (stands van2 airport2) (stands van3 airport3)
    (stands van4 place4-2) (stands plane1 airport2) (stands plane2 airport3)
    (lies parcel1 airport3) (lies parcel2 place2-2) (lies parcel3 place1-1)
    (lies parcel4 place2-1) (lies parcel5 airport4) (lies parcel6 place3-3)
    (lies parcel7 place4-2) (lies parcel8 airport3) (lies parcel9 place1-1)
    (lies parcel10 airport1))
  (:goal (and
    (lies parcel1 place3-1) (lies parcel2 place3-1) (lies parcel3 place3-1)
    (lies parcel4 place2-2) (lies parcel5 place4-3) (lies parcel6 airport3)
    (lies parcel7 airport3) (lies parcel8 place4-2) (lies parcel9 place4-1)
    (lies parcel10 place2-1))))
