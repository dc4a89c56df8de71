//! Many 9x9 puzzles at once.
//!
//! A processor that adds eight numbers in one instruction also joins 256 bits
//! in one; so 256 boards, one bit each, can follow the same rules in lockstep
//! for the price of one (`board`). What is left is to keep all of them busy:
//!
//! ```text
//!   puzzles ──open──▶ fresh states ──▶ slots ◀──▶ stacks, one for each slot
//!              │                        │
//!              ▼                        ▼   load, sweep, unload, judge
//!           answers ◀───────────────────┘
//! ```
//!
//! *Opening* reads a block of puzzles and sweeps until hardly any of them moves
//! any more. Easy puzzles end there. The rest become states that wait for a
//! *slot*. A turn of the search loads the states of all slots into the slices,
//! sweeps a few times, takes them out again and judges each: solved, refuted, still
//! moving, or stuck. A stuck state splits: the slot goes on with the guess and
//! puts the other half on its own stack, so that every slot searches its puzzle
//! depth first. A slot that has nothing left takes a fresh state, and when
//! there are no more of those, the oldest half of another slot. The very
//! last states, too few to fill a vector, go to the engine for single puzzles.
//!
//! In the slots a state is 27 words, the places of each digit in each band
//! (`ByDigit`), in rows: `words[9 * band + digit][slot]`. `turn` says how rows
//! of words become slices of bits and back.
//!
//! That a puzzle can be one bit of a vector is an old idea of bit-sliced
//! cryptography; gertqin's solver for AVX2 has shown what working on many
//! puzzles brings. The rules, the search and the code are our own.

mod board;
mod turn;

use super::isa::Isa;
use super::lanes::{Bits, Plain};
use super::nine::branch::PEERS;
use super::nine::{self, ByDigit, Cells};
use super::{Answer, Counter};
use board::{Board, Tally};
use turn::{MOST, Rows, Set, count};

/// The memory that [`solve_batch`](super::solve_batch) works in, to be kept by
/// those who call often.
///
/// ```
/// use planoku_sudoku::native::{Answer, Batch, Isa};
///
/// let mut batch = Batch::new(Isa::best());
/// let mut answers = vec![Answer::default(); 100];
/// batch.solve(&[[0; 81]; 100], 2, &mut answers);
/// assert!(answers.iter().all(|answer| answer.count == 2));
/// ```
pub struct Batch(Desk);

enum Desk {
    Portable(Box<Search<Plain<8>>>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Box<Search<super::lanes::Avx2>>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Box<Search<super::lanes::Avx512>>),
}

/// A puzzle with a candidate that does not count: cell and digit, both from 0.
pub(crate) type Barred = (u8, u8);

impl Batch {
    /// Memory for these instructions, or for the best that the processor knows
    /// if it does not know them.
    pub fn new(isa: Isa) -> Batch {
        Batch(match isa.known() {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Desk::Avx512(Search::new()),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Desk::Avx2(Search::new()),
            _ => Desk::Portable(Search::new()),
        })
    }

    /// Counts the solutions of each puzzle up to `limit`.
    ///
    /// # Panics
    /// If there are not as many answers as puzzles.
    pub fn solve(&mut self, puzzles: &[Cells], limit: u64, answers: &mut [Answer]) {
        self.run(
            &Task {
                puzzles,
                barred: &[],
                limit,
                shown: true,
            },
            answers,
        );
    }

    /// The same without the solutions.
    pub(crate) fn count(&mut self, puzzles: &[Cells], limit: u64, answers: &mut [Answer]) {
        self.run(
            &Task {
                puzzles,
                barred: &[],
                limit,
                shown: false,
            },
            answers,
        );
    }

    /// For each puzzle, whether it has a solution in which the cell does not
    /// hold the digit, counted only.
    pub(crate) fn differ(&mut self, puzzles: &[Cells], barred: &[Barred], answers: &mut [Answer]) {
        assert_eq!(puzzles.len(), barred.len(), "a candidate for each puzzle");
        self.run(
            &Task {
                puzzles,
                barred,
                limit: 1,
                shown: false,
            },
            answers,
        );
    }

    fn run(&mut self, task: &Task<'_>, answers: &mut [Answer]) {
        assert_eq!(
            task.puzzles.len(),
            answers.len(),
            "an answer for each puzzle"
        );
        if task.limit == 0 {
            return answers.fill(Answer::default());
        }
        match &mut self.0 {
            Desk::Portable(search) => search.run(task, answers),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `new` makes this desk only where the processor knows AVX2.
            Desk::Avx2(search) => unsafe { run_avx2(search, task, answers) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: likewise for AVX-512.
            Desk::Avx512(search) => unsafe { run_avx512(search, task, answers) },
        }
    }
}

/// The search on AVX2.
///
/// # Safety
/// The processor must know AVX2, BMI1, BMI2 and POPCNT.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn run_avx2(
    search: &mut Search<super::lanes::Avx2>,
    task: &Task<'_>,
    answers: &mut [Answer],
) {
    search.run(task, answers);
}

/// The search on AVX-512: twice the puzzles at once.
///
/// # Safety
/// The processor must know these instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl")]
unsafe fn run_avx512(
    search: &mut Search<super::lanes::Avx512>,
    task: &Task<'_>,
    answers: &mut [Answer],
) {
    search.run(task, answers);
}

/// What is asked.
struct Task<'a> {
    puzzles: &'a [Cells],
    /// A candidate to be left out of each puzzle, or nothing at all.
    barred: &'a [Barred],
    limit: u64,
    /// Whether solutions are to be written down.
    shown: bool,
}

/// A state that waits for a slot.
#[derive(Clone, Copy)]
struct State {
    puzzle: u32,
    words: [u32; 27],
}

/// One of the boards that are searched at the same time.
#[derive(Default)]
struct Slot {
    puzzle: u32,
    /// The other halves of this slot's guesses, the latest last.
    stack: Vec<State>,
}

struct Search<B> {
    board: Board<B>,
    /// The states of the slots.
    words: Rows,
    /// The states of puzzles that have just been opened.
    opened: Rows,
    slots: Vec<Slot>,
    /// The slots without a state.
    idle: Vec<u16>,
    /// States of opened puzzles.
    fresh: Vec<State>,
    /// The next puzzle to open.
    next: usize,
    /// The next slot to steal from.
    rich: usize,
}

/// A block is open when no more than this many of its boards are moving:
/// waiting for the slowest would cost more than searching them.
const STRAGGLERS: u32 = 32;
/// So few states are taken out of the slices one by one.
const A_HANDFUL: u32 = 4;
/// Sweeps in a turn of the search.
const SWEEPS: usize = 3;
/// With fewer states than this, the engine for single puzzles is faster.
const FEW: usize = 96;

impl<B: Bits> Search<B> {
    const SLOTS: usize = 32 * B::WORDS;

    fn new() -> Box<Search<B>> {
        Box::new(Search {
            board: Board::new(),
            words: [[0; _]; 27],
            opened: [[0; _]; 27],
            slots: (0..Self::SLOTS).map(|_| Slot::default()).collect(),
            idle: (0..Self::SLOTS as u16).collect(),
            fresh: Vec::new(),
            next: 0,
            rich: 0,
        })
    }

    #[inline(always)]
    fn run(&mut self, task: &Task<'_>, answers: &mut [Answer]) {
        self.next = 0;
        loop {
            while self.fresh.len() < self.idle.len() && task.puzzles.len() - self.next >= FEW {
                self.open(task, answers);
            }
            self.refill(task, answers);
            if Self::SLOTS - self.idle.len() < FEW {
                break;
            }
            turn::load(&mut self.board, &self.words);
            self.board.begin();
            let mut tally = self.board.sweep();
            for _ in 1..SWEEPS {
                tally = self.board.sweep();
            }
            tally.refuted = tally.refuted | self.board.doubled();
            turn::unload(&self.board, &mut self.words);
            self.judge(tally, task, answers);
        }
        self.finish(task, answers);
    }

    /// Takes the next block of puzzles as far as it goes without a guess.
    #[inline(always)]
    fn open(&mut self, task: &Task<'_>, answers: &mut [Answer]) {
        let first = self.next;
        let puzzles = &task.puzzles[first..];
        let puzzles = &puzzles[..puzzles.len().min(Self::SLOTS)];
        self.next += puzzles.len();
        turn::read(&mut self.board, puzzles);
        if let Some(barred) = task.barred.get(first..self.next) {
            for (slot, &(cell, digit)) in barred.iter().enumerate() {
                self.board
                    .strike(usize::from(digit), usize::from(cell), slot);
            }
        }
        self.board.claim();
        let mut tally = self.board.sweep();
        while count(tally.moving()) > STRAGGLERS {
            tally = self.board.sweep();
        }
        tally.refuted = tally.refuted | self.board.doubled();
        let open = tally.open.without(tally.refuted);
        let solved = self.board.complete().without(tally.open | tally.refuted);
        let answers = &mut answers[first..self.next];
        match task.shown {
            true => turn::write(&self.board, solved, answers),
            false => turn::write_counts(solved, answers),
        }
        let turning = count(open) > A_HANDFUL;
        if turning {
            turn::unload(&self.board, &mut self.opened);
        }
        for slot in Set::new(open) {
            // A block at the end of the input may be smaller than a vector.
            if slot < puzzles.len() {
                let puzzle = (first + slot) as u32;
                let words = match turning {
                    true => column(&self.opened, slot),
                    false => self.board.peek(slot),
                };
                self.fresh.push(State { puzzle, words });
            }
        }
    }

    /// Gives every idle slot something to do, as long as there is anything.
    #[inline(always)]
    fn refill(&mut self, task: &Task<'_>, answers: &mut [Answer]) {
        let mut kept = 0;
        self.rich = 0;
        for nth in 0..self.idle.len() {
            let slot = self.idle[nth];
            match self.next_state(usize::from(slot), task, answers) {
                Some(state) => {
                    for (row, word) in self.words.iter_mut().zip(&state.words) {
                        row[usize::from(slot)] = *word;
                    }
                    self.slots[usize::from(slot)].puzzle = state.puzzle;
                }
                None => {
                    self.idle[kept] = slot;
                    kept += 1;
                }
            }
        }
        self.idle.truncate(kept);
    }

    /// The slot's own latest half, a fresh puzzle, or somebody else's half.
    #[inline(always)]
    fn next_state(
        &mut self,
        slot: usize,
        task: &Task<'_>,
        answers: &mut [Answer],
    ) -> Option<State> {
        loop {
            let stack = &mut self.slots[slot].stack;
            if let Some(state) = stack.pop() {
                let answer = &mut answers[state.puzzle as usize];
                if answer.count < task.limit {
                    answer.nodes += 1;
                    return Some(state);
                }
                stack.clear();
            } else if let Some(state) = self.fresh.pop() {
                return Some(state);
            } else {
                let state = self.steal()?;
                self.slots[slot].stack.push(state);
            }
        }
    }

    /// The oldest half of the next slot that has more than one: the largest
    /// part of a search that it can spare.
    fn steal(&mut self) -> Option<State> {
        while self.rich < Self::SLOTS {
            let stack = &mut self.slots[self.rich].stack;
            self.rich += 1;
            if stack.len() > 1 {
                return Some(stack.remove(0));
            }
        }
        None
    }

    /// Looks at every slot after a turn of sweeps.
    #[inline(always)]
    fn judge(&mut self, tally: Tally<B>, task: &Task<'_>, answers: &mut [Answer]) {
        // What stands in the slices of idle slots is of the past.
        let mut busy = [u32::MAX; MOST / 32];
        for slot in &self.idle {
            let slot = usize::from(*slot);
            busy[slot % B::WORDS] &= !(1 << (slot / B::WORDS));
        }
        let busy = B::load(&busy);
        let settled = busy.without(tally.open | tally.refuted);
        let solved = settled & self.board.complete();
        for slot in Set::new(solved) {
            let answer = &mut answers[self.slots[slot].puzzle as usize];
            if answer.count < task.limit {
                answer.count += 1;
                if task.shown && answer.first.is_none() {
                    answer.first = Some(B::cells(&by_digit(&column(&self.words, slot))));
                }
            }
        }
        for slot in Set::new(settled | (busy & tally.refuted)) {
            self.idle.push(slot as u16);
        }
        let stuck = (busy & tally.open).without(tally.refuted | tally.progress);
        if count(stuck) > 0 {
            let choices = turn::choices(&self.board);
            for slot in Set::new(stuck) {
                self.split(slot, choices[slot], task, answers);
            }
        }
    }

    /// The slot goes on with the first digit of the chosen cell; the others
    /// wait on its stack. Bits 0 to 6 of the choice are the cell, the bits
    /// above its digits.
    #[inline(always)]
    fn split(&mut self, slot: usize, choice: u32, task: &Task<'_>, answers: &mut [Answer]) {
        let puzzle = self.slots[slot].puzzle;
        let answer = &mut answers[puzzle as usize];
        if answer.count >= task.limit {
            // Another slot has found enough.
            self.idle.push(slot as u16);
            return;
        }
        answer.nodes += 1;
        let (cell, digits) = ((choice & 127) as usize, choice >> 7);
        let (band, peers) = (cell / 27, &PEERS[cell]);
        let cell = 1 << (cell % 27);
        let guess = digits.trailing_zeros() as usize;
        let others = digits & (digits - 1);
        let mut words = column(&self.words, slot);
        words[9 * band + guess] &= !cell;
        if others.is_power_of_two() {
            let other = others.trailing_zeros() as usize;
            for (band, peers) in peers.iter().enumerate() {
                words[9 * band + other] &= !peers;
            }
        }
        self.slots[slot].stack.push(State { puzzle, words });
        for row in &mut self.words[9 * band..9 * band + 9] {
            row[slot] &= !cell;
        }
        self.words[9 * band + guess][slot] |= cell;
        for (band, peers) in peers.iter().enumerate() {
            self.words[9 * band + guess][slot] &= !peers;
        }
    }

    /// The last states and the last puzzles, one after the other.
    #[inline(never)]
    fn finish(&mut self, task: &Task<'_>, answers: &mut [Answer]) {
        for (nth, answer) in answers.iter_mut().enumerate().skip(self.next) {
            let barred = task.barred.get(nth);
            let barred = barred.map(|&(cell, digit)| (cell.into(), digit.into()));
            let mut counter = Counter::new(task.limit, barred);
            counter.shown = task.shown;
            // Leaving early means that the limit was reached.
            let _ = nine::search(&task.puzzles[nth], B::ISA, &mut counter);
            *answer = counter.answer;
        }
        let mut idle = [false; MOST];
        for slot in self.idle.drain(..) {
            idle[usize::from(slot)] = true;
        }
        // The states in slots and the fresh ones have been counted as nodes;
        // those on the stacks have not, and the search counts all of them.
        let mut rest: Vec<(State, u64)> = self.fresh.drain(..).map(|state| (state, 1)).collect();
        for (slot, idle) in (0..Self::SLOTS).zip(idle) {
            self.idle.push(slot as u16);
            let Slot { puzzle, stack } = &mut self.slots[slot];
            rest.extend(stack.drain(..).map(|state| (state, 0)));
            if !idle {
                let words = column(&self.words, slot);
                let puzzle = *puzzle;
                rest.push((State { puzzle, words }, 1));
            }
        }
        for (State { puzzle, words }, counted) in rest {
            let answer = &mut answers[puzzle as usize];
            if answer.count < task.limit {
                let mut counter = Counter::new(task.limit, None);
                counter.shown = task.shown;
                counter.answer = std::mem::take(answer);
                counter.answer.nodes -= counted;
                let _ = nine::resume(&by_digit(&words), B::ISA, &mut counter);
                *answer = counter.answer;
            }
        }
    }
}

/// The words of one slot.
#[inline(always)]
fn column(rows: &Rows, slot: usize) -> [u32; 27] {
    let mut words = [0; 27];
    for (word, row) in words.iter_mut().zip(rows) {
        *word = row[slot];
    }
    words
}

#[inline(always)]
fn by_digit(words: &[u32; 27]) -> ByDigit {
    let mut places = [[0; 9]; 3];
    for (word, place) in words.iter().zip(places.as_flattened_mut()) {
        *place = *word;
    }
    places
}
