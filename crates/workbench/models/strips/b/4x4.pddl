(define (problem four-by-four)
  (:domain sudoku-b)
  (:objects
    s00 s01 s02 s03
    s10 s11 s12 s13
    s20 s21 s22 s23
    s30 s31 s32 s33 - tile
    v1 v2 v3 v4 - value
    row0 row1 row2 row3 - row
    column0 column1 column2 column3 - column
    box0 box1 box2 box3 - box)
  (:init
    (tile-value s00 v1)
    (at s01 row0 column1 box0) (blank s01)
    (at s02 row0 column2 box1) (blank s02)
    (at s03 row0 column3 box1) (blank s03)
    (at s10 row1 column0 box0) (blank s10)
    (at s11 row1 column1 box0) (blank s11)
    (tile-value s12 v2)
    (at s13 row1 column3 box1) (blank s13)
    (at s20 row2 column0 box2) (blank s20)
    (tile-value s21 v3)
    (at s22 row2 column2 box3) (blank s22)
    (at s23 row2 column3 box3) (blank s23)
    (at s30 row3 column0 box2) (blank s30)
    (at s31 row3 column1 box2) (blank s31)
    (at s32 row3 column2 box3) (blank s32)
    (tile-value s33 v4)
    (free row0 v2) (free row0 v3) (free row0 v4)
    (free row1 v1) (free row1 v3) (free row1 v4)
    (free row2 v1) (free row2 v2) (free row2 v4)
    (free row3 v1) (free row3 v2) (free row3 v3)
    (free column0 v2) (free column0 v3) (free column0 v4)
    (free column1 v1) (free column1 v2) (free column1 v4)
    (free column2 v1) (free column2 v3) (free column2 v4)
    (free column3 v1) (free column3 v2) (free column3 v3)
    (free box0 v2) (free box0 v3) (free box0 v4)
    (free box1 v1) (free box1 v3) (free box1 v4)
    (free box2 v1) (free box2 v2) (free box2 v4)
    (free box3 v1) (free box3 v2) (free box3 v3))
  (:goal (and
    (filled s01) (filled s02) (filled s03) (filled s10) (filled s11) (filled s13) (filled s20)
    (filled s22) (filled s23) (filled s30) (filled s31) (filled s32))))
