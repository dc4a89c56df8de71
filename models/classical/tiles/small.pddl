; 3 by 2 cells.
(define (problem tiles-small)
  (:domain tiles)
  (:objects
    t1 t2 t3 t4 t5 - tile
    x1y1 x2y1 x3y1 x1y2 x2y2 x3y2 - cell)
  (:init
    (lies t5 x1y1) (lies t1 x3y1) (lies t3 x1y2) (lies t4 x2y2) (lies t2 x3y2)
    (gap x2y1)
    (beside x1y1 x2y1) (beside x1y1 x1y2) (beside x2y1 x1y1) (beside x2y1 x3y1)
    (beside x2y1 x2y2) (beside x3y1 x2y1) (beside x3y1 x3y2) (beside x1y2 x1y1)
    (beside x1y2 x2y2) (beside x2y2 x2y1) (beside x2y2 x1y2) (beside x2y2 x3y2)
    (beside x3y2 x3y1) (beside x3y2 x2y2))
  (:goal (and
    (lies t1 x1y1) (lies t2 x2y1) (lies t3 x3y1) (lies t4 x1y2) (lies t5 x2y2))))
