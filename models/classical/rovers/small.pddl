; 2 rovers, 4 sites, 2 peaks.
(define (problem rovers-small)
  (:domain rovers)
  (:objects
    rover1 rover2 - rover
    site1 site2 site3 site4 - site
    peak1 peak2 - target)
  (:init
    (at rover1 site1) (at rover2 site1)
    (drill rover1) (store-empty rover1) (camera rover1) (camera rover2)
    (calibration-target rover1 peak1) (calibration-target rover2 peak2)
    (rock site3) (in-range site1)
    (sees site2 peak1) (sees site1 peak2)
    (passable rover1 site1 site2) (passable rover1 site1 site4)
    (passable rover1 site2 site1) (passable rover1 site2 site4)
    (passable rover1 site3 site4) (passable rover1 site4 site1)
    (passable rover1 site4 site2) (passable rover1 site4 site3)
    (passable rover2 site1 site2) (passable rover2 site1 site3)
    (passable rover2 site2 site1) (passable rover2 site2 site4)
    (passable rover2 site3 site1) (passable rover2 site3 site4)
    (passable rover2 site4 site2) (passable rover2 site4 site3))
  (:goal (and
    (sent-analysis site3) (sent-picture peak1) (sent-picture peak2))))
