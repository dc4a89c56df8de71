(define (problem four-by-four)
  (:domain sudoku-a)
  (:objects
    s00 s01 s02 s03
    s10 s11 s12 s13
    s20 s21 s22 s23
    s30 s31 s32 s33 - tile
    v1 v2 v3 v4 - value
    row0 row1 row2 row3
    column0 column1 column2 column3
    box0 box1 box2 box3 - house)
  (:init
    (in s00 row0) (in s00 column0) (in s00 box0) (tile-value s00 v1)
    (in s01 row0) (in s01 column1) (in s01 box0) (tile-value s01 v0)
    (in s02 row0) (in s02 column2) (in s02 box1) (tile-value s02 v0)
    (in s03 row0) (in s03 column3) (in s03 box1) (tile-value s03 v0)
    (in s10 row1) (in s10 column0) (in s10 box0) (tile-value s10 v0)
    (in s11 row1) (in s11 column1) (in s11 box0) (tile-value s11 v0)
    (in s12 row1) (in s12 column2) (in s12 box1) (tile-value s12 v2)
    (in s13 row1) (in s13 column3) (in s13 box1) (tile-value s13 v0)
    (in s20 row2) (in s20 column0) (in s20 box2) (tile-value s20 v0)
    (in s21 row2) (in s21 column1) (in s21 box2) (tile-value s21 v3)
    (in s22 row2) (in s22 column2) (in s22 box3) (tile-value s22 v0)
    (in s23 row2) (in s23 column3) (in s23 box3) (tile-value s23 v0)
    (in s30 row3) (in s30 column0) (in s30 box2) (tile-value s30 v0)
    (in s31 row3) (in s31 column1) (in s31 box2) (tile-value s31 v0)
    (in s32 row3) (in s32 column2) (in s32 box3) (tile-value s32 v0)
    (in s33 row3) (in s33 column3) (in s33 box3) (tile-value s33 v4))
  (:goal (forall (?s - tile) (not (tile-value ?s v0)))))
