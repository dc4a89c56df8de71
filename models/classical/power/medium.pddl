; 16 stations, 2 of them broken, 1 sources.
(define (problem power-medium)
  (:domain power)
  (:objects
    s11 s21 s31 s41 s12 s22 s32 s42 s13 s23 s33 s43 s14 s24 s34 s44 - station
    w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22
    w23 w24 - switch)
  (:init
    (source s12) (broken s21) (broken s44)
    (joins w1 s11 s21) (joins w2 s11 s12) (joins w3 s21 s31) (joins w4 s21 s22)
    (joins w5 s31 s41) (joins w6 s31 s32) (joins w7 s41 s42) (joins w8 s12 s22)
    (joins w9 s12 s13) (joins w10 s22 s32) (joins w11 s22 s23) (joins w12 s32 s42)
    (joins w13 s32 s33) (joins w14 s42 s43) (joins w15 s13 s23) (joins w16 s13 s14)
    (joins w17 s23 s33) (joins w18 s23 s24) (joins w19 s33 s43) (joins w20 s33 s34)
    (joins w21 s43 s44) (joins w22 s14 s24) (joins w23 s24 s34) (joins w24 s34 s44)
    (joins w1 s21 s11) (joins w2 s12 s11) (joins w3 s31 s21) (joins w4 s22 s21)
    (joins w5 s41 s31) (joins w6 s32 s31) (joins w7 s42 s41) (joins w8 s22 s12)
    (joins w9 s13 s12) (joins w10 s32 s22) (joins w11 s23 s22) (joins w12 s42 s32)
    (joins w13 s33 s32) (joins w14 s43 s42) (joins w15 s23 s13) (joins w16 s14 s13)
    (joins w17 s33 s23) (joins w18 s24 s23) (joins w19 s43 s33) (joins w20 s34 s33)
    (joins w21 s44 s43) (joins w22 s24 s14) (joins w23 s34 s24) (joins w24 s44 s34)
    (closed w3) (closed w5) (closed w6) (closed w7) (closed w24))
  (:goal (and
    (live s11) (live s31) (live s41) (live s12) (live s22) (live s32) (live s42)
    (live s13) (live s23) (live s33) (live s43) (live s14) (live s24) (live s34)
    (not (fault)))))
