---------------------------- MODULE Backtracking ----------------------------
(***************************************************************************)
(* Model 1: a placer puts the lowest legal box on the lowest empty cell; a *)
(* remover takes the last box back when the placer is stuck. Any board     *)
(* size.                                                                   *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS BoxRows, BoxColumns, Puzzle,
          Solvable              \* TRUE if the puzzle has a solution

Side    == BoxRows * BoxColumns
Numbers == 1..Side
Cells   == 1..(Side * Side)     \* row by row
Empty   == 0

VARIABLES board, order, floor, turn
vars == <<board, order, floor, turn>>

Row(c)    == (c - 1) \div Side
Column(c) == (c - 1) % Side
Box(c)    == <<Row(c) \div BoxRows, Column(c) \div BoxColumns>>
Sees(c, d) == c # d /\ (Row(c) = Row(d) \/ Column(c) = Column(d) \/ Box(c) = Box(d))

Legal(c, i) == board[c] = Empty /\ \A d \in Cells : Sees(c, d) => board[d] # i
Lowest(S)   == CHOOSE x \in S : \A y \in S : x <= y
Blanks      == {c \in Cells : board[c] = Empty}
Choices     == {i \in Numbers : i >= floor /\ Legal(Lowest(Blanks), i)}

Init == /\ board = [c \in Cells |-> Puzzle[c]]
        /\ order = <<>>
        /\ floor = 1            \* lower numbers were tried on the lowest blank
        /\ turn = "placer"

Place == /\ turn = "placer" /\ Blanks # {} /\ Choices # {}
         /\ board' = [board EXCEPT ![Lowest(Blanks)] = Lowest(Choices)]
         /\ order' = Append(order, Lowest(Blanks))
         /\ floor' = 1
         /\ UNCHANGED turn

Stuck == /\ turn = "placer" /\ Blanks # {} /\ Choices = {}
         /\ turn' = "remover"
         /\ UNCHANGED <<board, order, floor>>

Remove == /\ turn = "remover" /\ order # <<>>
          /\ LET last == order[Len(order)] IN
               /\ floor' = board[last] + 1
               /\ board' = [board EXCEPT ![last] = Empty]
          /\ order' = SubSeq(order, 1, Len(order) - 1)
          /\ turn' = "placer"

Full      == turn = "placer" /\ Blanks = {}
Exhausted == turn = "remover" /\ order = <<>>
Done      == (Full \/ Exhausted) /\ UNCHANGED vars

Next == Place \/ Stuck \/ Remove \/ Done
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

NoTwins == \A c, d \in Cells : Sees(c, d) /\ board[c] # Empty => board[c] # board[d]
Complete == (Full => Solvable) /\ (Exhausted => ~Solvable)
Terminates == <>(Full \/ Exhausted)
=============================================================================
