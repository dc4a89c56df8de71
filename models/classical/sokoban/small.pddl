; Crates $, their places ., the keeper @:
;   #######
;   #     #
;   #   * #
;   #@$   #
;   #  .  #
;   #######
(define (problem sokoban-small)
  (:domain sokoban)
  (:objects
    x1y1 x2y1 x3y1 x4y1 x5y1 x1y2 x2y2 x3y2 x4y2 x5y2 x1y3 x2y3 x3y3 x4y3 x5y3 x1y4
    x2y4 x3y4 x4y4 x5y4 - square
    crate1 crate2 - crate
    up down left right - direction)
  (:init
    (keeper x1y3) (at crate1 x2y3) (at crate2 x4y2)
    (free x1y1) (free x2y1) (free x3y1) (free x4y1) (free x5y1) (free x1y2)
    (free x2y2) (free x3y2) (free x5y2) (free x3y3) (free x4y3) (free x5y3)
    (free x1y4) (free x2y4) (free x3y4) (free x4y4) (free x5y4)
    (next x1y1 x2y1 right) (next x1y1 x1y2 down) (next x2y1 x3y1 right)
    (next x2y1 x1y1 left) (next x2y1 x2y2 down) (next x3y1 x4y1 right)
    (next x3y1 x2y1 left) (next x3y1 x3y2 down) (next x4y1 x5y1 right)
    (next x4y1 x3y1 left) (next x4y1 x4y2 down) (next x5y1 x4y1 left)
    (next x5y1 x5y2 down) (next x1y2 x2y2 right) (next x1y2 x1y3 down)
    (next x1y2 x1y1 up) (next x2y2 x3y2 right) (next x2y2 x1y2 left)
    (next x2y2 x2y3 down) (next x2y2 x2y1 up) (next x3y2 x4y2 right)
    (next x3y2 x2y2 left) (next x3y2 x3y3 down) (next x3y2 x3y1 up)
    (next x4y2 x5y2 right) (next x4y2 x3y2 left) (next x4y2 x4y3 down)
    (next x4y2 x4y1 up) (next x5y2 x4y2 left) (next x5y2 x5y3 down)
    (next x5y2 x5y1 up) (next x1y3 x2y3 right) (next x1y3 x1y4 down)
    (next x1y3 x1y2 up) (next x2y3 x3y3 right) (next x2y3 x1y3 left)
    (next x2y3 x2y4 down) (next x2y3 x2y2 up) (next x3y3 x4y3 right)
    (next x3y3 x2y3 left) (next x3y3 x3y4 down) (next x3y3 x3y2 up)
    (next x4y3 x5y3 right) (next x4y3 x3y3 left) (next x4y3 x4y4 down)
    (next x4y3 x4y2 up) (next x5y3 x4y3 left) (next x5y3 x5y4 down)
    (next x5y3 x5y2 up) (next x1y4 x2y4 right) (next x1y4 x1y3 up)
    (next x2y4 x3y4 right) (next x2y4 x1y4 left) (next x2y4 x2y3 up)
    (next x3y4 x4y4 right) (next x3y4 x2y4 left) (next x3y4 x3y3 up)
    (next x4y4 x5y4 right) (next x4y4 x3y4 left) (next x4y4 x4y3 up)
    (next x5y4 x4y4 left) (next x5y4 x5y3 up))
  (:goal (and
    (at crate1 x4y2) (at crate2 x3y4))))
