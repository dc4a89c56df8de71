; 20 balls, 3 rooms.
(define (problem gripper-medium)
  (:domain gripper)
  (:objects
    kitchen garden cellar - room
    ball1 ball2 ball3 ball4 ball5 ball6 ball7 ball8 ball9 ball10 ball11 ball12
    ball13 ball14 ball15 ball16 ball17 ball18 ball19 ball20 - ball
    left right - hand)
  (:init
    (robot-in kitchen) (empty left) (empty right)
    (ball-in ball1 kitchen) (ball-in ball2 kitchen) (ball-in ball3 kitchen)
    (ball-in ball4 kitchen) (ball-in ball5 kitchen) (ball-in ball6 kitchen)
    (ball-in ball7 kitchen) (ball-in ball8 kitchen) (ball-in ball9 kitchen)
    (ball-in ball10 kitchen) (ball-in ball11 kitchen) (ball-in ball12 kitchen)
    (ball-in ball13 kitchen) (ball-in ball14 kitchen) (ball-in ball15 kitchen)
    (ball-in ball16 kitchen) (ball-in ball17 kitchen) (ball-in ball18 kitchen)
    (ball-in ball19 kitchen) (ball-in ball20 kitchen))
  (:goal (and
    (ball-in ball1 garden) (ball-in ball2 cellar) (ball-in ball3 garden)
    (ball-in ball4 cellar) (ball-in ball5 garden) (ball-in ball6 cellar)
    (ball-in ball7 garden) (ball-in ball8 cellar) (ball-in ball9 garden)
    (ball-in ball10 cellar) (ball-in ball11 garden) (ball-in ball12 cellar)
    (ball-in ball13 garden) (ball-in ball14 cellar) (ball-in ball15 garden)
    (ball-in ball16 cellar) (ball-in ball17 garden) (ball-in ball18 cellar)
    (ball-in ball19 garden) (ball-in ball20 cellar))))
