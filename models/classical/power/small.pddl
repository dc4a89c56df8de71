; 9 stations, 1 of them broken, 1 sources.
(define (problem power-small)
  (:domain power)
  (:objects
    s11 s21 s31 s12 s22 s32 s13 s23 s33 - station
    w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 - switch)
  (:init
    (source s12) (broken s31)
    (joins w1 s11 s21) (joins w2 s11 s12) (joins w3 s21 s31) (joins w4 s21 s22)
    (joins w5 s31 s32) (joins w6 s12 s22) (joins w7 s12 s13) (joins w8 s22 s32)
    (joins w9 s22 s23) (joins w10 s32 s33) (joins w11 s13 s23) (joins w12 s23 s33)
    (joins w1 s21 s11) (joins w2 s12 s11) (joins w3 s31 s21) (joins w4 s22 s21)
    (joins w5 s32 s31) (joins w6 s22 s12) (joins w7 s13 s12) (joins w8 s32 s22)
    (joins w9 s23 s22) (joins w10 s33 s32) (joins w11 s23 s13) (joins w12 s33 s23)
    (closed w1) (closed w3) (closed w11))
  (:goal (and
    (live s11) (live s21) (live s12) (live s22) (live s32) (live s13) (live s23)
    (live s33) (not (fault)))))
