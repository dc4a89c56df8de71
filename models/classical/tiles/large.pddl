; 4 by 4 cells.
(define (problem tiles-large)
  (:domain tiles)
  (:objects
    t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 t13 t14 t15 - tile
    x1y1 x2y1 x3y1 x4y1 x1y2 x2y2 x3y2 x4y2 x1y3 x2y3 x3y3 x4y3 x1y4 x2y4 x3y4 x4y4
    - cell)
  (:init
    (lies t10 x1y1) (lies t2 x2y1) (lies t8 x3y1) (lies t13 x4y1) (lies t6 x1y2)
    (lies t12 x2y2) (lies t4 x3y2) (lies t15 x4y2) (lies t5 x2y3) (lies t7 x3y3)
    (lies t3 x4y3) (lies t11 x1y4) (lies t14 x2y4) (lies t9 x3y4) (lies t1 x4y4)
    (gap x1y3)
    (beside x1y1 x2y1) (beside x1y1 x1y2) (beside x2y1 x1y1) (beside x2y1 x3y1)
    (beside x2y1 x2y2) (beside x3y1 x2y1) (beside x3y1 x4y1) (beside x3y1 x3y2)
    (beside x4y1 x3y1) (beside x4y1 x4y2) (beside x1y2 x1y1) (beside x1y2 x2y2)
    (beside x1y2 x1y3) (beside x2y2 x2y1) (beside x2y2 x1y2) (beside x2y2 x3y2)
    (beside x2y2 x2y3) (beside x3y2 x3y1) (beside x3y2 x2y2) (beside x3y2 x4y2)
    (beside x3y2 x3y3) (beside x4y2 x4y1) (beside x4y2 x3y2) (beside x4y2 x4y3)
    (beside x1y3 x1y2) (beside x1y3 x2y3) (beside x1y3 x1y4) (beside x2y3 x2y2)
    (beside x2y3 x1y3) (beside x2y3 x3y3) (beside x2y3 x2y4) (beside x3y3 x3y2)
    (beside x3y3 x2y3) (beside x3y3 x4y3) (beside x3y3 x3y4) (beside x4y3 x4y2)
    (beside x4y3 x3y3) (beside x4y3 x4y4) (beside x1y4 x1y3) (beside x1y4 x2y4)
    (beside x2y4 x2y3) (beside x2y4 x1y4) (beside x2y4 x3y4) (beside x3y4 x3y3)
    (beside x3y4 x2y4) (beside x3y4 x4y4) (beside x4y4 x4y3) (beside x4y4 x3y4))
  (:goal (and
    (lies t1 x1y1) (lies t2 x2y1) (lies t3 x3y1) (lies t4 x4y1) (lies t5 x1y2)
    (lies t6 x2y2) (lies t7 x3y2) (lies t8 x4y2) (lies t9 x1y3) (lies t10 x2y3)
    (lies t11 x3y3) (lies t12 x4y3) (lies t13 x1y4) (lies t14 x2y4) (lies t15 x3y4))))
