; 4 balls, 2 rooms.
(define (problem gripper-small)
  (:domain gripper)
  (:objects
    kitchen garden - room
    ball1 ball2 ball3 ball4 - ball
    left right - hand)
  (:init
    (robot-in kitchen) (empty left) (empty right)
    (ball-in ball1 kitchen) (ball-in ball2 kitchen) (ball-in ball3 kitchen)
    (ball-in ball4 kitchen))
  (:goal (and
    (ball-in ball1 garden) (ball-in ball2 garden) (ball-in ball3 garden)
    (ball-in ball4 garden))))
