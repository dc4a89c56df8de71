//! The simple job: one puzzle after the other, each on its own.

use planoku_sudoku::Grid;

use super::{Job, Page, Slot, run};
use crate::exit::{Context, Exit, Failure};
use crate::input::{Inputs, Item, Reader};
use crate::output::Output;

/// Does `work` on every puzzle, on all cores, and writes in order what it puts
/// on the page. A mistake in the input is reported with its place and costs no
/// other puzzle.
///
/// ```text
/// pipeline::puzzles(&args.input, args.threads, Output::stdout(), context, |puzzle, _, page| {
///     writeln!(page.text, "{puzzle}")?;     // a Vec<u8>, so this cannot fail
///     Exit::Done
/// })
/// ```
pub fn puzzles<'a, F>(
    inputs: impl Into<Inputs<'a>>,
    threads: Option<u16>,
    out: Output,
    context: &Context,
    work: F,
) -> Result<Exit, Failure>
where
    F: Fn(&Grid, &Item, &mut Page<()>) -> Exit + Send + Sync + 'static,
{
    let done = run(Puzzles { work }, inputs, threads, out, context)?;
    done.say_what_is_missing();
    Ok(done.exit)
}

/// One puzzle after the other, each on its own.
struct Puzzles<F> {
    work: F,
}

impl<F> Job for Puzzles<F>
where
    F: Fn(&Grid, &Item, &mut Page<()>) -> Exit + Send + Sync + 'static,
{
    type Worker = ();
    type Chunk = Vec<Item>;
    type Sum = ();

    fn worker(&self) {}

    fn fill(&self, chunk: &mut Vec<Item>, reader: &mut Reader, most: usize) -> usize {
        take_items(chunk, reader, most);
        chunk.len()
    }

    fn work(&self, (): &mut (), chunk: &mut Vec<Item>, slot: &mut Slot<'_, Self>) {
        for item in chunk {
            if slot.is_cancelled() {
                return;
            }
            match &item.puzzle {
                Ok(puzzle) => {
                    let exit = (self.work)(puzzle, item, &mut slot.page);
                    slot.page.exit = slot.page.exit.max(exit);
                    slot.page.puzzles += 1;
                    // Nobody wants the rest: the next look at the switch, or
                    // handing in, ends the work.
                    let _ = slot.offer();
                }
                Err(_) => slot.page.mistake(item.mistake().unwrap_or_default()),
            }
        }
    }

    fn add(&self, (): &mut (), (): &mut ()) {}
}

/// Takes up to `most` puzzles, at least one if there is one; more only if they
/// need not be waited for.
pub fn take_items(items: &mut Vec<Item>, reader: &mut Reader, most: usize) {
    items.clear();
    while items.len() < most && (items.is_empty() || !reader.may_wait()) {
        match reader.next() {
            Some(item) => items.push(item),
            None => return,
        }
    }
}
