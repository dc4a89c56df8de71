; Crates $, their places ., the keeper @:
;    ###########
;    #    #    #
;    #$$  #    #
;   ##  $ @    #
;   #   ####  ##
;   #   #  #  # 
;   #   #### .##
;   #        . #
;   #####  # . #
;       ########
(define (problem sokoban-large)
  (:domain sokoban)
  (:objects
    x2y1 x3y1 x4y1 x5y1 x7y1 x8y1 x9y1 x10y1 x2y2 x3y2 x4y2 x5y2 x7y2 x8y2 x9y2
    x10y2 x2y3 x3y3 x4y3 x5y3 x6y3 x7y3 x8y3 x9y3 x10y3 x1y4 x2y4 x3y4 x8y4 x9y4
    x1y5 x2y5 x3y5 x8y5 x9y5 x1y6 x2y6 x3y6 x8y6 x9y6 x1y7 x2y7 x3y7 x4y7 x5y7 x6y7
    x7y7 x8y7 x9y7 x10y7 x5y8 x6y8 x8y8 x9y8 x10y8 - square
    crate1 crate2 crate3 - crate
    up down left right - direction)
  (:init
    (keeper x6y3) (at crate1 x4y3) (at crate2 x2y2) (at crate3 x3y2)
    (free x2y1) (free x3y1) (free x4y1) (free x5y1) (free x7y1) (free x8y1)
    (free x9y1) (free x10y1) (free x4y2) (free x5y2) (free x7y2) (free x8y2)
    (free x9y2) (free x10y2) (free x2y3) (free x3y3) (free x5y3) (free x7y3)
    (free x8y3) (free x9y3) (free x10y3) (free x1y4) (free x2y4) (free x3y4)
    (free x8y4) (free x9y4) (free x1y5) (free x2y5) (free x3y5) (free x8y5)
    (free x9y5) (free x1y6) (free x2y6) (free x3y6) (free x8y6) (free x9y6)
    (free x1y7) (free x2y7) (free x3y7) (free x4y7) (free x5y7) (free x6y7)
    (free x7y7) (free x8y7) (free x9y7) (free x10y7) (free x5y8) (free x6y8)
    (free x8y8) (free x9y8) (free x10y8)
    (next x2y1 x3y1 right) (next x2y1 x2y2 down) (next x3y1 x4y1 right)
    (next x3y1 x2y1 left) (next x3y1 x3y2 down) (next x4y1 x5y1 right)
    (next x4y1 x3y1 left) (next x4y1 x4y2 down) (next x5y1 x4y1 left)
    (next x5y1 x5y2 down) (next x7y1 x8y1 right) (next x7y1 x7y2 down)
    (next x8y1 x9y1 right) (next x8y1 x7y1 left) (next x8y1 x8y2 down)
    (next x9y1 x10y1 right) (next x9y1 x8y1 left) (next x9y1 x9y2 down)
    (next x10y1 x9y1 left) (next x10y1 x10y2 down) (next x2y2 x3y2 right)
    (next x2y2 x2y3 down) (next x2y2 x2y1 up) (next x3y2 x4y2 right)
    (next x3y2 x2y2 left) (next x3y2 x3y3 down) (next x3y2 x3y1 up)
    (next x4y2 x5y2 right) (next x4y2 x3y2 left) (next x4y2 x4y3 down)
    (next x4y2 x4y1 up) (next x5y2 x4y2 left) (next x5y2 x5y3 down)
    (next x5y2 x5y1 up) (next x7y2 x8y2 right) (next x7y2 x7y3 down)
    (next x7y2 x7y1 up) (next x8y2 x9y2 right) (next x8y2 x7y2 left)
    (next x8y2 x8y3 down) (next x8y2 x8y1 up) (next x9y2 x10y2 right)
    (next x9y2 x8y2 left) (next x9y2 x9y3 down) (next x9y2 x9y1 up)
    (next x10y2 x9y2 left) (next x10y2 x10y3 down) (next x10y2 x10y1 up)
    (next x2y3 x3y3 right) (next x2y3 x2y4 down) (next x2y3 x2y2 up)
    (next x3y3 x4y3 right) (next x3y3 x2y3 left) (next x3y3 x3y4 down)
    (next x3y3 x3y2 up) (next x4y3 x5y3 right) (next x4y3 x3y3 left)
    (next x4y3 x4y2 up) (next x5y3 x6y3 right) (next x5y3 x4y3 left)
    (next x5y3 x5y2 up) (next x6y3 x7y3 right) (next x6y3 x5y3 left)
    (next x7y3 x8y3 right) (next x7y3 x6y3 left) (next x7y3 x7y2 up)
    (next x8y3 x9y3 right) (next x8y3 x7y3 left) (next x8y3 x8y4 down)
    (next x8y3 x8y2 up) (next x9y3 x10y3 right) (next x9y3 x8y3 left)
    (next x9y3 x9y4 down) (next x9y3 x9y2 up) (next x10y3 x9y3 left)
    (next x10y3 x10y2 up) (next x1y4 x2y4 right) (next x1y4 x1y5 down)
    (next x2y4 x3y4 right) (next x2y4 x1y4 left) (next x2y4 x2y5 down)
    (next x2y4 x2y3 up) (next x3y4 x2y4 left) (next x3y4 x3y5 down)
    (next x3y4 x3y3 up) (next x8y4 x9y4 right) (next x8y4 x8y5 down)
    (next x8y4 x8y3 up) (next x9y4 x8y4 left) (next x9y4 x9y5 down)
    (next x9y4 x9y3 up) (next x1y5 x2y5 right) (next x1y5 x1y6 down)
    (next x1y5 x1y4 up) (next x2y5 x3y5 right) (next x2y5 x1y5 left)
    (next x2y5 x2y6 down) (next x2y5 x2y4 up) (next x3y5 x2y5 left)
    (next x3y5 x3y6 down) (next x3y5 x3y4 up) (next x8y5 x9y5 right)
    (next x8y5 x8y6 down) (next x8y5 x8y4 up) (next x9y5 x8y5 left)
    (next x9y5 x9y6 down) (next x9y5 x9y4 up) (next x1y6 x2y6 right)
    (next x1y6 x1y7 down) (next x1y6 x1y5 up) (next x2y6 x3y6 right)
    (next x2y6 x1y6 left) (next x2y6 x2y7 down) (next x2y6 x2y5 up)
    (next x3y6 x2y6 left) (next x3y6 x3y7 down) (next x3y6 x3y5 up)
    (next x8y6 x9y6 right) (next x8y6 x8y7 down) (next x8y6 x8y5 up)
    (next x9y6 x8y6 left) (next x9y6 x9y7 down) (next x9y6 x9y5 up)
    (next x1y7 x2y7 right) (next x1y7 x1y6 up) (next x2y7 x3y7 right)
    (next x2y7 x1y7 left) (next x2y7 x2y6 up) (next x3y7 x4y7 right)
    (next x3y7 x2y7 left) (next x3y7 x3y6 up) (next x4y7 x5y7 right)
    (next x4y7 x3y7 left) (next x5y7 x6y7 right) (next x5y7 x4y7 left)
    (next x5y7 x5y8 down) (next x6y7 x7y7 right) (next x6y7 x5y7 left)
    (next x6y7 x6y8 down) (next x7y7 x8y7 right) (next x7y7 x6y7 left)
    (next x8y7 x9y7 right) (next x8y7 x7y7 left) (next x8y7 x8y8 down)
    (next x8y7 x8y6 up) (next x9y7 x10y7 right) (next x9y7 x8y7 left)
    (next x9y7 x9y8 down) (next x9y7 x9y6 up) (next x10y7 x9y7 left)
    (next x10y7 x10y8 down) (next x5y8 x6y8 right) (next x5y8 x5y7 up)
    (next x6y8 x5y8 left) (next x6y8 x6y7 up) (next x8y8 x9y8 right)
    (next x8y8 x8y7 up) (next x9y8 x10y8 right) (next x9y8 x8y8 left)
    (next x9y8 x9y7 up) (next x10y8 x9y8 left) (next x10y8 x10y7 up))
  (:goal (and
    (at crate1 x9y6) (at crate2 x9y7) (at crate3 x9y8))))
