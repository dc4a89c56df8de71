; 3 by 3 cells.
(define (problem tiles-medium)
  (:domain tiles)
  (:objects
    t1 t2 t3 t4 t5 t6 t7 t8 - tile
    x1y1 x2y1 x3y1 x1y2 x2y2 x3y2 x1y3 x2y3 x3y3 - cell)
  (:init
    (lies t6 x2y1) (lies t3 x3y1) (lies t5 x1y2) (lies t8 x2y2) (lies t2 x3y2)
    (lies t7 x1y3) (lies t4 x2y3) (lies t1 x3y3) (gap x1y1)
    (beside x1y1 x2y1) (beside x1y1 x1y2) (beside x2y1 x1y1) (beside x2y1 x3y1)
    (beside x2y1 x2y2) (beside x3y1 x2y1) (beside x3y1 x3y2) (beside x1y2 x1y1)
    (beside x1y2 x2y2) (beside x1y2 x1y3) (beside x2y2 x2y1) (beside x2y2 x1y2)
    (beside x2y2 x3y2) (beside x2y2 x2y3) (beside x3y2 x3y1) (beside x3y2 x2y2)
    (beside x3y2 x3y3) (beside x1y3 x1y2) (beside x1y3 x2y3) (beside x2y3 x2y2)
    (beside x2y3 x1y3) (beside x2y3 x3y3) (beside x3y3 x3y2) (beside x3y3 x2y3))
  (:goal (and
    (lies t1 x1y1) (lies t2 x2y1) (lies t3 x3y1) (lies t4 x1y2) (lies t5 x2y2)
    (lies t6 x3y2) (lies t7 x1y3) (lies t8 x2y3))))
