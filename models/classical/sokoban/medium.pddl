; Crates $, their places ., the keeper @:
;   ##########
;   #   #    #
;   #   # $  #
;   # $ $    #
;   #@    #  #
;   ### # #..#
;     #   # .#
;     ########
(define (problem sokoban-medium)
  (:domain sokoban)
  (:objects
    x1y1 x2y1 x3y1 x5y1 x6y1 x7y1 x8y1 x1y2 x2y2 x3y2 x5y2 x6y2 x7y2 x8y2 x1y3 x2y3
    x3y3 x4y3 x5y3 x6y3 x7y3 x8y3 x1y4 x2y4 x3y4 x4y4 x5y4 x7y4 x8y4 x3y5 x5y5 x7y5
    x8y5 x3y6 x4y6 x5y6 x7y6 x8y6 - square
    crate1 crate2 crate3 - crate
    up down left right - direction)
  (:init
    (keeper x1y4) (at crate1 x6y2) (at crate2 x2y3) (at crate3 x4y3)
    (free x1y1) (free x2y1) (free x3y1) (free x5y1) (free x6y1) (free x7y1)
    (free x8y1) (free x1y2) (free x2y2) (free x3y2) (free x5y2) (free x7y2)
    (free x8y2) (free x1y3) (free x3y3) (free x5y3) (free x6y3) (free x7y3)
    (free x8y3) (free x2y4) (free x3y4) (free x4y4) (free x5y4) (free x7y4)
    (free x8y4) (free x3y5) (free x5y5) (free x7y5) (free x8y5) (free x3y6)
    (free x4y6) (free x5y6) (free x7y6) (free x8y6)
    (next x1y1 x2y1 right) (next x1y1 x1y2 down) (next x2y1 x3y1 right)
    (next x2y1 x1y1 left) (next x2y1 x2y2 down) (next x3y1 x2y1 left)
    (next x3y1 x3y2 down) (next x5y1 x6y1 right) (next x5y1 x5y2 down)
    (next x6y1 x7y1 right) (next x6y1 x5y1 left) (next x6y1 x6y2 down)
    (next x7y1 x8y1 right) (next x7y1 x6y1 left) (next x7y1 x7y2 down)
    (next x8y1 x7y1 left) (next x8y1 x8y2 down) (next x1y2 x2y2 right)
    (next x1y2 x1y3 down) (next x1y2 x1y1 up) (next x2y2 x3y2 right)
    (next x2y2 x1y2 left) (next x2y2 x2y3 down) (next x2y2 x2y1 up)
    (next x3y2 x2y2 left) (next x3y2 x3y3 down) (next x3y2 x3y1 up)
    (next x5y2 x6y2 right) (next x5y2 x5y3 down) (next x5y2 x5y1 up)
    (next x6y2 x7y2 right) (next x6y2 x5y2 left) (next x6y2 x6y3 down)
    (next x6y2 x6y1 up) (next x7y2 x8y2 right) (next x7y2 x6y2 left)
    (next x7y2 x7y3 down) (next x7y2 x7y1 up) (next x8y2 x7y2 left)
    (next x8y2 x8y3 down) (next x8y2 x8y1 up) (next x1y3 x2y3 right)
    (next x1y3 x1y4 down) (next x1y3 x1y2 up) (next x2y3 x3y3 right)
    (next x2y3 x1y3 left) (next x2y3 x2y4 down) (next x2y3 x2y2 up)
    (next x3y3 x4y3 right) (next x3y3 x2y3 left) (next x3y3 x3y4 down)
    (next x3y3 x3y2 up) (next x4y3 x5y3 right) (next x4y3 x3y3 left)
    (next x4y3 x4y4 down) (next x5y3 x6y3 right) (next x5y3 x4y3 left)
    (next x5y3 x5y4 down) (next x5y3 x5y2 up) (next x6y3 x7y3 right)
    (next x6y3 x5y3 left) (next x6y3 x6y2 up) (next x7y3 x8y3 right)
    (next x7y3 x6y3 left) (next x7y3 x7y4 down) (next x7y3 x7y2 up)
    (next x8y3 x7y3 left) (next x8y3 x8y4 down) (next x8y3 x8y2 up)
    (next x1y4 x2y4 right) (next x1y4 x1y3 up) (next x2y4 x3y4 right)
    (next x2y4 x1y4 left) (next x2y4 x2y3 up) (next x3y4 x4y4 right)
    (next x3y4 x2y4 left) (next x3y4 x3y5 down) (next x3y4 x3y3 up)
    (next x4y4 x5y4 right) (next x4y4 x3y4 left) (next x4y4 x4y3 up)
    (next x5y4 x4y4 left) (next x5y4 x5y5 down) (next x5y4 x5y3 up)
    (next x7y4 x8y4 right) (next x7y4 x7y5 down) (next x7y4 x7y3 up)
    (next x8y4 x7y4 left) (next x8y4 x8y5 down) (next x8y4 x8y3 up)
    (next x3y5 x3y6 down) (next x3y5 x3y4 up) (next x5y5 x5y6 down)
    (next x5y5 x5y4 up) (next x7y5 x8y5 right) (next x7y5 x7y6 down)
    (next x7y5 x7y4 up) (next x8y5 x7y5 left) (next x8y5 x8y6 down)
    (next x8y5 x8y4 up) (next x3y6 x4y6 right) (next x3y6 x3y5 up)
    (next x4y6 x5y6 right) (next x4y6 x3y6 left) (next x5y6 x4y6 left)
    (next x5y6 x5y5 up) (next x7y6 x8y6 right) (next x7y6 x7y5 up)
    (next x8y6 x7y6 left) (next x8y6 x8y5 up))
  (:goal (and
    (at crate1 x7y5) (at crate2 x8y5) (at crate3 x8y6))))
