; 8 cities, 30 parcels.
(define (problem logistics-large)
  (:domain logistics)
  (:objects
    city1 city2 city3 city4 city5 city6 city7 city8 - city
    airport1 airport2 airport3 airport4 airport5 airport6 airport7 airport8 -
    airport
    place1-1 place1-2 place1-3 place1-4 place2-1 place2-2 place2-3 place2-4
    place3-1 place3-2 place3-3 place3-4 place4-1 place4-2 place4-3 place4-4
    place5-1 place5-2 place5-3 place5-4 place6-1 place6-2 place6-3 place6-4
    place7-1 place7-2 place7-3 place7-4 place8-1 place8-2 place8-3 place8-4 - place
    van1 van2 van3 van4 van5 van6 van7 van8 - van
    plane1 plane2 plane3 - plane
    parcel1 parcel2 parcel3 parcel4 parcel5 parcel6 parcel7 parcel8 parcel9
    parcel10 parcel11 parcel12 parcel13 parcel14 parcel15 parcel16 parcel17
    parcel18 parcel19 parcel20 parcel21 parcel22 parcel23 parcel24 parcel25
    parcel26 parcel27 parcel28 parcel29 parcel30 - parcel)
  (:init
    (in-city airport1 city1) (in-city place1-1 city1) (in-city place1-2 city1)
    (in-city place1-3 city1) (in-city place1-4 city1) (in-city airport2 city2)
    (in-city place2-1 city2) (in-city place2-2 city2) (in-city place2-3 city2)
    (in-city place2-4 city2) (in-city airport3 city3) (in-city place3-1 city3)
    (in-city place3-2 city3) (in-city place3-3 city3) (in-city place3-4 city3)
    (in-city airport4 city4) (in-city place4-1 city4) (in-city place4-2 city4)
    (in-city place4-3 city4) (in-city place4-4 city4) (in-city airport5 city5)
    (in-city place5-1 city5) (in-city place5-2 city5) (in-city place5-3 city5)
    (in-city place5-4 city5) (in-city airport6 city6) (in-city place6-1 city6)
    (in-city place6-2 city6) (in-city place6-3 city6) (in-city place6-4 city6)
    (in-city airport7 city7) (in-city place7-1 city7) (in-city place7-2 city7)
    (in-city place7-3 city7) (in-city place7-4 city7) (in-city airport8 city8)
    (in-city place8-1 city8) (in-city place8-2 city8) (in-city place8-3 city8)
    (in-city place8-4 city8)
    (stands van1 place1-1) (stands van2 place2-4) (stands van3 place3-4)
    (stands van4 place4-1) (stands van5 place5-2) (stands van6 place6-4)
    (stands van7 place7-3) (stands van8 place8-4) (stands plane1 airport2)
    (stands plane2 airport1) (stands plane3 airport8)
    (lies parcel1 place4-1) (lies parcel2 place3-4) (lies parcel3 airport7)
    (lies parcel4 airport8) (lies parcel5 airport6) (lies parcel6 place3-4)
    (lies parcel7 place7-3) (lies parcel8 airport1) (lies parcel9 airport3)
    (lies parcel10 place1-2) (lies parcel11 place1-1) (lies parcel12 airport7)
    (lies parcel13 place5-4) (lies parcel14 airport6) (lies parcel15 place6-3)
    (lies parcel16 place5-3) (lies parcel17 place1-2) (lies parcel18 place7-1)
    (lies parcel19 place4-1) (lies parcel20 place4-4) (lies parcel21 place7-2)
    (lies parcel22 place8-1) (lies parcel23 place7-4) (lies parcel24 place6-1)
    (lies parcel25 place3-4) (lies parcel26 place1-1) (lies parcel27 place8-3)
    (lies parcel28 airport5) (lies parcel29 place8-1) (lies parcel30 place3-3))
  (:goal (and
    (lies parcel1 airport8) (lies parcel2 place3-2) (lies parcel3 place7-4)
    (lies parcel4 airport7) (lies parcel5 place2-4) (lies parcel6 place2-4)
    (lies parcel7 place5-4) (lies parcel8 place1-4) (lies parcel9 place8-2)
    (lies parcel10 place4-4) (lies parcel11 place4-2) (lies parcel12 place8-3)
    (lies parcel13 place6-2) (lies parcel14 place8-1) (lies parcel15 place2-3)
    (lies parcel16 place2-1) (lies parcel17 place2-3) (lies parcel18 place3-3)
    (lies parcel19 place6-2) (lies parcel20 place6-1) (lies parcel21 place5-4)
    (lies parcel22 place5-2) (lies parcel23 place8-2) (lies parcel24 place8-2)
    (lies parcel25 place5-1) (lies parcel26 place4-2) (lies parcel27 airport3)
    (lies parcel28 place7-4) (lies parcel29 place2-1) (lies parcel30 place8-1))))
