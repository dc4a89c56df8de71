------------------------------- MODULE Blocks -------------------------------
(***************************************************************************)
(* The block world of Abednego and Nugraheni, "A Block World Problem Based *)
(* Sudoku Solver": a board, a pile of equal boxes for each number, and one *)
(* robot per number that carries its boxes to positions it calls valid.    *)
(* The board has any size: boxes of BoxRows x BoxColumns cells.            *)
(*                                                                         *)
(* Robots know what they have read of their mail (view), which may lag     *)
(* behind the board; only the environment changes the board. A robot asks  *)
(* for any position that is valid in its view: the scan order of the       *)
(* program is one way to choose, so what holds here holds for every order. *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS BoxRows, BoxColumns,  \* the size of a box
          Puzzle,               \* row by row, 0 for an empty cell
          Model,                \* 2, 3, 4, 5 or 6
          Reading               \* "sound" or "printed"

Side    == BoxRows * BoxColumns
Lines   == 1..Side
Numbers == 1..Side
Cells   == Lines \X Lines
Empty   == 0

VARIABLES board,    \* what stands in each cell
          pile,     \* how many boxes of each number lie beside the board
          view,     \* what each robot believes about the board
          request,  \* the cell each robot asks for, or NoRequest
          quiet     \* the boxes on the board when a robot last found nothing

vars == <<board, pile, view, request, quiet>>

NoRequest == <<0, 0>>
Never     == -1

Count(b) == Cardinality({c \in Cells : b[c] # Empty})

(***************************************************************************)
(* The words the definitions are made of.                                  *)
(***************************************************************************)
Filled(b, r, c)    == b[<<r, c>>] # Empty
RowHas(b, r, i)    == \E c \in Lines : b[<<r, c>>] = i
ColumnHas(b, c, i) == \E r \in Lines : b[<<r, c>>] = i
BoxLines(x, size)  == LET first == ((x - 1) \div size) * size + 1
                      IN  first..(first + size - 1)
RowsOf(x)          == BoxLines(x, BoxRows)
ColumnsOf(y)       == BoxLines(y, BoxColumns)
BoxHas(b, x, y, i) == \E r \in RowsOf(x), c \in ColumnsOf(y) : b[<<r, c>>] = i

Legal(b, x, y, i) == /\ ~Filled(b, x, y)
                     /\ ~RowHas(b, x, i)
                     /\ ~ColumnHas(b, y, i)
                     /\ ~BoxHas(b, x, y, i)

OtherCells(x, y) == {p \in RowsOf(x) \X ColumnsOf(y) : p # <<x, y>>}

(***************************************************************************)
(* Conditions 5 and 6 of each model.                                       *)
(***************************************************************************)
Two(b, x, y, i) ==
    /\ \A r \in RowsOf(x) \ {x} : RowHas(b, r, i)
    /\ \A c \in ColumnsOf(y) \ {y} : ColumnHas(b, c, i)

ThreePrinted(b, x, y, i) ==
    /\ \A r \in RowsOf(x) \ {x} : RowHas(b, r, i) \/ Filled(b, r, y)
    /\ \A c \in ColumnsOf(y) \ {y} : ColumnHas(b, c, i) \/ Filled(b, x, c)

FourPrinted(b, x, y, i) ==
    /\ \A r \in RowsOf(x) \ {x} :
          \/ RowHas(b, r, i)
          \/ Filled(b, r, y)
          \/ \A c \in ColumnsOf(y) : Filled(b, r, c)
    /\ \A c \in ColumnsOf(y) \ {y} :
          \/ ColumnHas(b, c, i)
          \/ Filled(b, x, c)
          \/ \A r \in RowsOf(x) : Filled(b, r, c)

ThreeSound(b, x, y, i) ==
    \A p \in OtherCells(x, y) :
       \/ RowHas(b, p[1], i)
       \/ ColumnHas(b, p[2], i)
       \/ (p[1] = x \/ p[2] = y) /\ Filled(b, p[1], p[2])

LastInBox(b, x, y, i) ==
    \A p \in OtherCells(x, y) :
       RowHas(b, p[1], i) \/ ColumnHas(b, p[2], i) \/ Filled(b, p[1], p[2])

LastInRow(b, x, y, i)    == \A c \in Lines \ {y} : ~Legal(b, x, c, i)
LastInColumn(b, x, y, i) == \A r \in Lines \ {x} : ~Legal(b, r, y, i)
OnlyNumber(b, x, y, i)   == \A j \in Numbers \ {i} : ~Legal(b, x, y, j)

HiddenSingle(b, x, y, i) == \/ LastInBox(b, x, y, i)
                            \/ LastInRow(b, x, y, i)
                            \/ LastInColumn(b, x, y, i)

Valid(b, x, y, i) ==
    /\ Legal(b, x, y, i)
    /\ CASE Model = 2 -> Two(b, x, y, i)
         [] Model = 3 /\ Reading = "printed" -> ThreePrinted(b, x, y, i)
         [] Model = 4 /\ Reading = "printed" -> FourPrinted(b, x, y, i)
         [] Model = 3 /\ Reading = "sound" -> ThreeSound(b, x, y, i)
         [] Model = 4 /\ Reading = "sound" -> LastInBox(b, x, y, i)
         [] Model = 5 -> HiddenSingle(b, x, y, i)
         [] Model = 6 -> HiddenSingle(b, x, y, i) \/ OnlyNumber(b, x, y, i)

(***************************************************************************)
(* What may happen.                                                        *)
(***************************************************************************)
Given == [p \in Cells |-> Puzzle[(p[1] - 1) * Side + p[2]]]

Init == /\ board = Given
        /\ pile = [i \in Numbers |-> Side - Cardinality({p \in Cells : Given[p] = i})]
        /\ view = [i \in Numbers |-> Given]
        /\ request = [i \in Numbers |-> NoRequest]
        /\ quiet = [i \in Numbers |-> Never]

Over == \A i \in Numbers : pile[i] = 0 \/ quiet[i] = Count(board)

Idle(i) == request[i] = NoRequest /\ pile[i] > 0 /\ ~Over

\* The robot reads its mail.
Read(i) == /\ Idle(i)
           /\ view[i] # board
           /\ view' = [view EXCEPT ![i] = board]
           /\ UNCHANGED <<board, pile, request, quiet>>

\* The robot asks for a position that is valid as far as it knows.
Ask(i) == /\ Idle(i)
          /\ \E p \in Cells : /\ Valid(view[i], p[1], p[2], i)
                              /\ request' = [request EXCEPT ![i] = p]
          /\ UNCHANGED <<board, pile, view, quiet>>

\* The robot finds nothing, and says for which board.
Pass(i) == /\ Idle(i)
           /\ quiet[i] # Count(view[i])
           /\ \A p \in Cells : ~Valid(view[i], p[1], p[2], i)
           /\ quiet' = [quiet EXCEPT ![i] = Count(view[i])]
           /\ UNCHANGED <<board, pile, view, request>>

\* The environment grants a request; the robot hears of it with the rest.
Grant(i) == LET p == request[i] IN
            /\ p # NoRequest
            /\ Legal(board, p[1], p[2], i)
            /\ board' = [board EXCEPT ![p] = i]
            /\ pile' = [pile EXCEPT ![i] = @ - 1]
            /\ request' = [request EXCEPT ![i] = NoRequest]
            /\ view' = [view EXCEPT ![i] = board']
            /\ UNCHANGED quiet

\* The environment refuses a request that breaks a rule by now.
Refuse(i) == LET p == request[i] IN
             /\ p # NoRequest
             /\ ~Legal(board, p[1], p[2], i)
             /\ request' = [request EXCEPT ![i] = NoRequest]
             /\ view' = [view EXCEPT ![i] = board]
             /\ UNCHANGED <<board, pile, quiet>>

Done == Over /\ UNCHANGED vars

Next == \/ \E i \in Numbers : Read(i) \/ Ask(i) \/ Pass(i) \/ Grant(i) \/ Refuse(i)
        \/ Done

Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

(***************************************************************************)
(* What is true.                                                           *)
(***************************************************************************)
Conserved == \A i \in Numbers :
                pile[i] + Cardinality({p \in Cells : board[p] = i}) = Side

NoTwins == \A p, q \in Cells :
              (p # q /\ board[p] # Empty /\ board[p] = board[q]) =>
                 /\ p[1] # q[1]
                 /\ p[2] # q[2]
                 /\ ~(q[1] \in RowsOf(p[1]) /\ q[2] \in ColumnsOf(p[2]))

\* The solutions of the puzzle: the boards that fill it and have no twins.
IsSolution(s) == /\ \A p \in Cells : Given[p] # Empty => s[p] = Given[p]
                 /\ \A i \in Numbers, l \in Lines : RowHas(s, l, i) /\ ColumnHas(s, l, i)
                 /\ \A i \in Numbers, p \in Cells : BoxHas(s, p[1], p[2], i)

\* Sound readings never leave a solution: given one as Solution, no box differs.
CONSTANT Solution
SolutionBoard == [p \in Cells |-> Solution[(p[1] - 1) * Side + p[2]]]
ASSUME IsSolution(SolutionBoard)
NeverWrong == \A p \in Cells : board[p] \in {Empty, SolutionBoard[p]}

Terminates == <>Over
=============================================================================
