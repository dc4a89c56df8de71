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
//! Outside of the slices a state is 27 words, the places of each digit in each
//! band, one after the other. `turn` says how such rows of bytes become slices of
//! bits and back.
//!
//! That a puzzle can be one bit of a vector is an old idea of bit-sliced
//! cryptography; gertqin's solver for AVX2 has shown what working on many
//! puzzles brings. The rules, the search and the code are our own.

mod board;
mod place;
mod turn;

use super::cells::{ByDigit, Cells};
use super::isa::{Isa, Known};
use super::lanes::{Bits, Four};
use super::nine;
use super::nine::branch::PEERS;
use super::{Counter, NativeAnswer};
use board::{Board, Tally};
use place::{MOST_BYTES, Place, Set};
use turn::{Choices, count};

/// The memory that [`solve_batch`](super::solve_batch) works in, to be kept by
/// those who call often.
///
/// ```
/// use planoku_sudoku::native::{NativeAnswer, Batch, Isa};
///
/// let mut batch = Batch::new(Isa::best());
/// let mut answers = vec![NativeAnswer::default(); 100];
/// batch.solve(&[[0; 81]; 100], 2, &mut answers);
/// assert!(answers.iter().all(|answer| answer.count == 2));
/// ```
pub struct Batch(Backend);

enum Backend {
    Portable(Box<Search<Four>>),
    #[cfg(test)]
    Plain(Box<Search<super::lanes::Plain>>),
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
            Known::Avx512Wide(token) => Backend::Avx512(Search::new(token, Isa::Avx512Wide)),
            #[cfg(target_arch = "x86_64")]
            Known::Avx512(token) => Backend::Avx512(Search::new(token, Isa::Avx512)),
            #[cfg(target_arch = "x86_64")]
            Known::Avx2(token) => Backend::Avx2(Search::new(token, Isa::Avx2)),
            Known::Portable => Backend::Portable(Search::new((), Isa::Portable)),
        })
    }

    /// Memory for a processor of which nothing is known.
    #[cfg(test)]
    pub(super) fn plain() -> Batch {
        Batch(Backend::Plain(Search::new((), Isa::Portable)))
    }

    /// Counts the solutions of each puzzle up to `limit`.
    ///
    /// # Panics
    /// If there are not as many answers as puzzles.
    pub fn solve(&mut self, puzzles: &[Cells], limit: u64, answers: &mut [NativeAnswer]) {
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

    /// Counts solutions and keeps none.
    pub(crate) fn count(&mut self, puzzles: &[Cells], limit: u64, answers: &mut [NativeAnswer]) {
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
    pub(crate) fn differ(
        &mut self,
        puzzles: &[Cells],
        barred: &[Barred],
        answers: &mut [NativeAnswer],
    ) {
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

    fn run(&mut self, task: &Task<'_>, answers: &mut [NativeAnswer]) {
        assert_eq!(
            task.puzzles.len(),
            answers.len(),
            "an answer for each puzzle"
        );
        if task.limit == 0 {
            return answers.fill(NativeAnswer::default());
        }
        match &mut self.0 {
            Backend::Portable(search) => search.run(task, answers),
            #[cfg(test)]
            Backend::Plain(search) => search.run(task, answers),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: its vectors have a token, so the processor knows AVX2.
            Backend::Avx2(search) => unsafe { run_avx2(search, task, answers) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: likewise for AVX-512.
            Backend::Avx512(search) => unsafe { run_avx512(search, task, answers) },
        }
    }
}

/// The search on AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn run_avx2(
    search: &mut Search<super::lanes::Avx2>,
    task: &Task<'_>,
    answers: &mut [NativeAnswer],
) {
    search.run(task, answers);
}

/// The same source on AVX-512, where three vectors are joined at once.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl")]
fn run_avx512(
    search: &mut Search<super::lanes::Avx512>,
    task: &Task<'_>,
    answers: &mut [NativeAnswer],
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

/// What is left of a puzzle after some guesses. Two lines of the cache.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct State {
    /// The places of each digit in each band, `words[9 * band + digit]`, the
    /// lowest byte first, and a word to spare.
    words: [[u8; 4]; 28],
    puzzle: u32,
}

impl State {
    const NONE: State = State {
        words: [[0; 4]; 28],
        puzzle: 0,
    };

    #[inline(always)]
    fn by_digit(&self) -> ByDigit {
        let mut by_digit = [[0; 9]; 3];
        for (word, bytes) in by_digit.as_flattened_mut().iter_mut().zip(&self.words) {
            *word = u32::from_le_bytes(*bytes);
        }
        by_digit
    }
}

impl AsRef<[u8]> for State {
    #[inline(always)]
    fn as_ref(&self) -> &[u8] {
        self.words.as_flattened()
    }
}

impl AsMut<[u8]> for State {
    #[inline(always)]
    fn as_mut(&mut self) -> &mut [u8] {
        self.words.as_flattened_mut()
    }
}

/// A mask for each word of a state.
type Mask = [u32; 28];

/// A cell, for all digits.
static HERE: [Mask; 81] = by_cell(false);
/// The peers of a cell, for all digits.
static AROUND: [Mask; 81] = by_cell(true);
/// All cells of a digit.
static OF_DIGIT: [Mask; 9] = {
    let mut masks = [[0; 28]; 9];
    let mut word = 0;
    while word < 27 {
        masks[word % 9][word] = u32::MAX;
        word += 1;
    }
    masks
};

const fn by_cell(peers: bool) -> [Mask; 81] {
    let mut masks = [[0; 28]; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut word = 0;
        while word < 27 {
            if peers {
                masks[cell][word] = PEERS[cell][word / 9];
            } else if word / 9 == cell / 27 {
                masks[cell][word] = 1 << (cell % 27);
            }
            word += 1;
        }
        cell += 1;
    }
    masks
}

struct Search<B> {
    /// The instructions for what is left to the engine for single puzzles.
    isa: Isa,
    board: Board<B>,
    /// What the slots hold.
    held: Vec<State>,
    /// What is left of puzzles that have just been opened.
    opened: Vec<State>,
    /// A block of boards: the last puzzles, or solutions.
    block: Vec<Cells>,
    /// For each slot the other halves of its guesses, the latest last.
    stacks: Vec<Vec<State>>,
    /// The slots without a state.
    idle: Vec<u16>,
    /// States of opened puzzles.
    fresh: Vec<State>,
    /// The next puzzle to open.
    next: usize,
    /// The next slot to steal from.
    rich: usize,
}

/// So few states are taken out of the slices one by one.
const A_HANDFUL: u32 = 4;
/// Sweeps in a turn of the search.
const SWEEPS: usize = 3;

impl<B: Bits> Search<B> {
    const SLOTS: usize = 8 * B::BYTES;
    /// A block is open when no more than this many of its boards are moving:
    /// waiting for the slowest would cost more than searching them.
    const STRAGGLERS: u32 = B::BYTES as u32;
    /// With fewer states than this, the engine for single puzzles is faster.
    const FEW: usize = 3 * B::BYTES;

    fn new(token: B::Token, isa: Isa) -> Box<Search<B>> {
        Box::new(Search {
            isa,
            board: Board::new(token),
            held: vec![State::NONE; Self::SLOTS],
            opened: vec![State::NONE; Self::SLOTS],
            block: vec![[0; 81]; Self::SLOTS],
            stacks: vec![Vec::new(); Self::SLOTS],
            idle: (0..Self::SLOTS as u16).collect(),
            fresh: Vec::new(),
            next: 0,
            rich: 0,
        })
    }

    #[inline(always)]
    fn run(&mut self, task: &Task<'_>, answers: &mut [NativeAnswer]) {
        self.next = 0;
        loop {
            while self.fresh.len() < self.idle.len() && task.puzzles.len() - self.next >= Self::FEW
            {
                self.open(task, answers);
            }
            self.refill(task, answers);
            if Self::SLOTS - self.idle.len() < Self::FEW {
                break;
            }
            turn::load(&mut self.board, &self.held);
            self.board.begin();
            let mut tally = self.board.sweep::<false>();
            for _ in 1..SWEEPS {
                tally = self.board.sweep::<true>();
            }
            tally.refuted = tally.refuted | self.board.doubled();
            self.board.claim();
            turn::unload(&self.board, &mut self.held);
            self.judge(tally, task, answers);
        }
        self.finish(task, answers);
    }

    /// Takes the next block of puzzles as far as it goes without a guess.
    #[inline(always)]
    fn open(&mut self, task: &Task<'_>, answers: &mut [NativeAnswer]) {
        let first = self.next;
        let puzzles = &task.puzzles[first..];
        let puzzles = &puzzles[..puzzles.len().min(Self::SLOTS)];
        self.next += puzzles.len();
        if puzzles.len() == Self::SLOTS {
            turn::read(&mut self.board, puzzles);
        } else {
            let (front, rest) = self.block.split_at_mut(puzzles.len());
            front.copy_from_slice(puzzles);
            rest.fill([0; 81]);
            turn::read(&mut self.board, &self.block);
        }
        if let Some(barred) = task.barred.get(first..self.next) {
            for (slot, &(cell, digit)) in barred.iter().enumerate() {
                self.board
                    .strike(usize::from(digit), usize::from(cell), slot);
            }
        }
        let mut tally = self.board.sweep::<true>();
        while count(tally.moving()) > Self::STRAGGLERS {
            tally = self.board.sweep::<true>();
        }
        tally.refuted = tally.refuted | self.board.doubled();
        let open = tally.open.without(tally.refuted);
        let solved = self.board.complete().without(tally.open | tally.refuted);
        self.answer(solved, task.shown, &mut answers[first..self.next]);
        let left = count(open);
        if left > 0 {
            self.board.claim();
        }
        let turning = left > A_HANDFUL;
        if turning {
            turn::unload(&self.board, &mut self.opened);
        }
        for slot in Set::new(open) {
            // A block at the end of the input may be smaller than a vector.
            if slot < puzzles.len() {
                let state = &mut self.opened[slot];
                if !turning {
                    self.board.peek(slot, state);
                }
                state.puzzle = (first + slot) as u32;
                self.fresh.push(*state);
            }
        }
    }

    /// One solution where the set says so, else none yet.
    #[inline(always)]
    fn answer(&mut self, solved: B, shown: bool, answers: &mut [NativeAnswer]) {
        if shown {
            turn::write(&self.board, &mut self.block);
        }
        let (solved, blocks) = (place::bytes(solved), self.block.chunks(B::BYTES));
        for (bit, (answers, block)) in answers.chunks_mut(B::BYTES).zip(blocks).enumerate() {
            for ((answer, board), solved) in answers.iter_mut().zip(block).zip(solved) {
                let solved = solved >> bit & 1 != 0;
                answer.nodes = 1;
                answer.count = u64::from(solved);
                if solved && shown {
                    answer.first.get_or_insert([0; 81]).copy_from_slice(board);
                } else {
                    answer.first = None;
                }
            }
        }
    }

    /// Gives every idle slot something to do, as long as there is anything.
    #[inline(always)]
    fn refill(&mut self, task: &Task<'_>, answers: &mut [NativeAnswer]) {
        let mut kept = 0;
        self.rich = 0;
        for nth in 0..self.idle.len() {
            let slot = self.idle[nth];
            if !self.seat(usize::from(slot), task, answers) {
                self.idle[kept] = slot;
                kept += 1;
            }
        }
        self.idle.truncate(kept);
    }

    /// The slot gets its own latest half, a fresh puzzle, or somebody else's
    /// half; false if there is nothing left.
    #[inline(always)]
    fn seat(&mut self, slot: usize, task: &Task<'_>, answers: &mut [NativeAnswer]) -> bool {
        loop {
            let stack = &mut self.stacks[slot];
            if let Some(state) = stack.last() {
                let answer = &mut answers[state.puzzle as usize];
                if answer.count < task.limit {
                    answer.nodes += 1;
                    self.held[slot] = *state;
                    stack.pop();
                    return true;
                }
                stack.clear();
            } else if let Some(state) = self.fresh.last() {
                self.held[slot] = *state;
                self.fresh.pop();
                return true;
            } else if let Some(state) = self.steal() {
                self.stacks[slot].push(state);
            } else {
                return false;
            }
        }
    }

    /// The oldest half of the next slot that has more than one: the largest
    /// part of a search that it can spare.
    fn steal(&mut self) -> Option<State> {
        while self.rich < Self::SLOTS {
            let stack = &mut self.stacks[self.rich];
            self.rich += 1;
            if stack.len() > 1 {
                return Some(stack.remove(0));
            }
        }
        None
    }

    /// Looks at every slot after a turn of sweeps.
    #[inline(always)]
    fn judge(&mut self, tally: Tally<B>, task: &Task<'_>, answers: &mut [NativeAnswer]) {
        // What stands in the slices of idle slots is of the past.
        let mut busy = [u8::MAX; MOST_BYTES];
        for slot in &self.idle {
            let Place { byte, bit } = Place::of::<B>(usize::from(*slot));
            busy[byte] &= !(1 << bit);
        }
        let busy = B::load(self.board.token(), &busy);
        let settled = busy.without(tally.open | tally.refuted);
        let solved = settled & self.board.complete();
        for slot in Set::new(solved) {
            let state = &self.held[slot];
            let answer = &mut answers[state.puzzle as usize];
            if answer.count < task.limit {
                answer.count += 1;
                if task.shown && answer.first.is_none() {
                    B::write(
                        self.board.token(),
                        &state.by_digit(),
                        answer.first.insert([0; 81]),
                    );
                }
            }
        }
        for slot in Set::new(settled | (busy & tally.refuted)) {
            self.idle.push(slot as u16);
        }
        let stuck = (busy & tally.open).without(tally.refuted | tally.progress);
        if count(stuck) > 0 {
            let choices = Choices::new(&self.board);
            for slot in Set::new(stuck) {
                self.split(slot, choices.of(slot), task, answers);
            }
        }
    }

    /// The slot goes on with the first digit of the chosen cell; the others
    /// wait on its stack. Bits 0 to 6 of the choice are the cell, the bits
    /// above its digits.
    #[inline(always)]
    fn split(&mut self, slot: usize, choice: u16, task: &Task<'_>, answers: &mut [NativeAnswer]) {
        let held = &mut self.held[slot];
        let answer = &mut answers[held.puzzle as usize];
        if answer.count >= task.limit {
            // Another slot has found enough.
            self.idle.push(slot as u16);
            return;
        }
        answer.nodes += 1;
        let (cell, digits) = (usize::from(choice & 127), choice >> 7);
        let (guess, others) = (digits.trailing_zeros() as usize, digits & (digits - 1));
        // One other digit is the digit of the cell. No branch: nobody could
        // foresee it.
        let sure = u32::from(others.is_power_of_two()).wrapping_neg();
        let other = others.trailing_zeros() as usize;
        // Whole states, word for word: a processor that reads back what it has
        // just written in smaller parts has to wait.
        let (cell, peers) = (&HERE[cell], &AROUND[cell]);
        let (guess, other) = (&OF_DIGIT[guess], &OF_DIGIT[other]);
        let mut rest = *held;
        for word in 0..28 {
            let left = u32::from_le_bytes(held.words[word]);
            let lost = (peers[word] & guess[word]) | (cell[word] & !guess[word]);
            let lost_rest = (cell[word] & guess[word]) | (peers[word] & other[word] & sure);
            held.words[word] = (left & !lost).to_le_bytes();
            rest.words[word] = (left & !lost_rest).to_le_bytes();
        }
        self.stacks[slot].push(rest);
    }

    /// The last states and the last puzzles, one after the other.
    #[inline(never)]
    fn finish(&mut self, task: &Task<'_>, answers: &mut [NativeAnswer]) {
        for (nth, answer) in answers.iter_mut().enumerate().skip(self.next) {
            let barred = task.barred.get(nth);
            let barred = barred.map(|&(cell, digit)| (cell.into(), digit.into()));
            let mut counter = Counter::new(task.limit, barred);
            counter.shown = task.shown;
            // Leaving early means that the limit was reached.
            let _ = nine::search(&task.puzzles[nth], self.isa, &mut counter);
            *answer = counter.answer;
        }
        let mut idle = vec![false; Self::SLOTS];
        for slot in self.idle.drain(..) {
            idle[usize::from(slot)] = true;
        }
        // The states in slots and the fresh ones have been counted as nodes;
        // those on the stacks have not, and the search counts all of them.
        let mut rest: Vec<(State, u64)> = self.fresh.drain(..).map(|state| (state, 1)).collect();
        for (slot, idle) in (0..Self::SLOTS).zip(idle) {
            self.idle.push(slot as u16);
            rest.extend(self.stacks[slot].drain(..).map(|state| (state, 0)));
            if !idle {
                rest.push((self.held[slot], 1));
            }
        }
        for (state, counted) in rest {
            let answer = &mut answers[state.puzzle as usize];
            if answer.count < task.limit {
                let mut counter = Counter::new(task.limit, None);
                counter.shown = task.shown;
                counter.answer = std::mem::take(answer);
                counter.answer.nodes -= counted;
                let _ = nine::resume(&state.by_digit(), self.isa, &mut counter);
                *answer = counter.answer;
            }
        }
    }
}
