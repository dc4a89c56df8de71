; 60 balls, 4 rooms.
(define (problem gripper-large)
  (:domain gripper)
  (:objects
    kitchen garden cellar attic - room
    ball1 ball2 ball3 ball4 ball5 ball6 ball7 ball8 ball9 ball10 ball11 ball12
    ball13 ball14 ball15 ball16 ball17 ball18 ball19 ball20 ball21 ball22 ball23
    ball24 ball25 ball26 ball27 ball28 ball29 ball30 ball31 ball32 ball33 ball34
    ball35 ball36 ball37 ball38 ball39 ball40 ball41 ball42 ball43 ball44 ball45
    ball46 ball47 ball48 ball49 ball50 ball51 ball52 ball53 ball54 ball55 ball56
    ball57 ball58 ball59 ball60 - ball
    left right - hand)
  (:init
    (robot-in kitchen) (empty left) (empty right)
    (ball-in ball1 kitchen) (ball-in ball2 kitchen) (ball-in ball3 kitchen)
    (ball-in ball4 kitchen) (ball-in ball5 kitchen) (ball-in ball6 kitchen)
    (ball-in ball7 kitchen) (ball-in ball8 kitchen) (ball-in ball9 kitchen)
    (ball-in ball10 kitchen) (ball-in ball11 kitchen) (ball-in ball12 kitchen)
    (ball-in ball13 kitchen) (ball-in ball14 kitchen) (ball-in ball15 kitchen)
    (ball-in ball16 kitchen) (ball-in ball17 kitchen) (ball-in ball18 kitchen)
    (ball-in ball19 kitchen) (ball-in ball20 kitchen) (ball-in ball21 kitchen)
    (ball-in ball22 kitchen) (ball-in ball23 kitchen) (ball-in ball24 kitchen)
    (ball-in ball25 kitchen) (ball-in ball26 kitchen) (ball-in ball27 kitchen)
    (ball-in ball28 kitchen) (ball-in ball29 kitchen) (ball-in ball30 kitchen)
    (ball-in ball31 kitchen) (ball-in ball32 kitchen) (ball-in ball33 kitchen)
    (ball-in ball34 kitchen) (ball-in ball35 kitchen) (ball-in ball36 kitchen)
    (ball-in ball37 kitchen) (ball-in ball38 kitchen) (ball-in ball39 kitchen)
    (ball-in ball40 kitchen) (ball-in ball41 kitchen) (ball-in ball42 kitchen)
    (ball-in ball43 kitchen) (ball-in ball44 kitchen) (ball-in ball45 kitchen)
    (ball-in ball46 kitchen) (ball-in ball47 kitchen) (ball-in ball48 kitchen)
    (ball-in ball49 kitchen) (ball-in ball50 kitchen) (ball-in ball51 kitchen)
    (ball-in ball52 kitchen) (ball-in ball53 kitchen) (ball-in ball54 kitchen)
    (ball-in ball55 kitchen) (ball-in ball56 kitchen) (ball-in ball57 kitchen)
    (ball-in ball58 kitchen) (ball-in ball59 kitchen) (ball-in ball60 kitchen))
  (:goal (and
    (ball-in ball1 garden) (ball-in ball2 cellar) (ball-in ball3 attic)
    (ball-in ball4 garden) (ball-in ball5 cellar) (ball-in ball6 attic)
    (ball-in ball7 garden) (ball-in ball8 cellar) (ball-in ball9 attic)
    (ball-in ball10 garden) (ball-in ball11 cellar) (ball-in ball12 attic)
    (ball-in ball13 garden) (ball-in ball14 cellar) (ball-in ball15 attic)
    (ball-in ball16 garden) (ball-in ball17 cellar) (ball-in ball18 attic)
    (ball-in ball19 garden) (ball-in ball20 cellar) (ball-in ball21 attic)
    (ball-in ball22 garden) (ball-in ball23 cellar) (ball-in ball24 attic)
    (ball-in ball25 garden) (ball-in ball26 cellar) (ball-in ball27 attic)
    (ball-in ball28 garden) (ball-in ball29 cellar) (ball-in ball30 attic)
    (ball-in ball31 garden) (ball-in ball32 cellar) (ball-in ball33 attic)
    (ball-in ball34 garden) (ball-in ball35 cellar) (ball-in ball36 attic)
    (ball-in ball37 garden) (ball-in ball38 cellar) (ball-in ball39 attic)
    (ball-in ball40 garden) (ball-in ball41 cellar) (ball-in ball42 attic)
    (ball-in ball43 garden) (ball-in ball44 cellar) (ball-in ball45 attic)
    (ball-in ball46 garden) (ball-in ball47 cellar) (ball-in ball48 attic)
    (ball-in ball49 garden) (ball-in ball50 cellar) (ball-in ball51 attic)
    (ball-in ball52 garden) (ball-in ball53 cellar) (ball-in ball54 attic)
    (ball-in ball55 garden) (ball-in ball56 cellar) (ball-in ball57 attic)
    (ball-in ball58 garden) (ball-in ball59 cellar) (ball-in ball60 attic))))
