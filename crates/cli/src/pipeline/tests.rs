//! Order, floods, panics, mistakes.

use std::io::Write;

use super::puzzles::take_items;
use super::*;
use crate::input::Item;

const FOUR: &str = "1...............";

fn file(name: &str, content: &str) -> String {
    let directory = std::env::temp_dir().join(format!("planoku-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_string()
}

/// Runs a job on a list of small boards; what is written, and how it ends.
fn output<J: Job>(job: J, name: &str, puzzles: usize) -> (String, Result<Exit, Failure>) {
    let list = file(&format!("{name}.txt"), &format!("{FOUR}\n").repeat(puzzles));
    let result = file(&format!("{name}.out"), "");
    let out = Output::to(Some(result.as_ref())).unwrap();
    let done = run(job, &[list], Some(3), out, &Context::default());
    let text = std::fs::read_to_string(&result).unwrap();
    (text, done.map(|done| done.exit))
}

/// Numbers its chunks, and misbehaves where it is told to.
struct Numbers {
    panic_in_fill: u64,
    panic_in_work: u64,
    /// Bytes that chunk 5 pours out.
    flood: usize,
}

const TAME: Numbers = Numbers {
    panic_in_fill: u64::MAX,
    panic_in_work: u64::MAX,
    flood: 0,
};

impl Job for Numbers {
    type Worker = ();
    type Chunk = Vec<Item>;
    type Sum = u64;

    fn worker(&self) {}

    fn fill(&self, chunk: &mut Vec<Item>, reader: &mut Reader, _: usize) -> usize {
        take_items(chunk, reader, 1);
        let line = chunk.first().map_or(0, |item| item.line as u64);
        assert_ne!(line, self.panic_in_fill, "planted");
        chunk.len()
    }

    fn work(&self, (): &mut (), _: &mut Vec<Item>, slot: &mut Slot<'_, Self>) {
        let number = slot.number;
        assert_ne!(number, self.panic_in_work, "planted");
        // Later chunks are quicker than those before them.
        std::thread::sleep(Duration::from_micros(300 * (10 - number % 10)));
        if number == 5 {
            for _ in 0..self.flood / 100 {
                slot.page.text.extend_from_slice(&[b'x'; 100]);
                slot.offer().unwrap();
                assert!(slot.page.text.len() < TOO_LONG);
            }
        }
        slot.page.sum = number;
        writeln!(slot.page.text, "{number}").unwrap();
    }

    fn add(&self, total: &mut u64, sum: &mut u64) {
        *total += *sum;
    }
}

#[test]
fn pages_come_out_in_order() {
    let (text, exit) = output(TAME, "order", 200);
    let numbers: Vec<u64> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert!(numbers.into_iter().eq(0..200), "{text}");
    assert_eq!(exit.unwrap(), Exit::Done);
}

#[test]
fn a_flood_is_poured_out_in_its_place_without_being_held() {
    let flood = 5 << 20;
    let (text, exit) = output(Numbers { flood, ..TAME }, "flood", 50);
    let text = text.replace('x', "");
    let numbers: Vec<u64> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert!(numbers.into_iter().eq(0..50), "{text}");
    assert_eq!(exit.unwrap(), Exit::Done);
}

#[test]
fn a_panic_in_the_work_is_our_fault_and_ends_the_command() {
    let panic_in_work = 7;
    let job = Numbers {
        panic_in_work,
        ..TAME
    };
    let (text, exit) = output(job, "panic-in-work", 500);
    let failure = exit.unwrap_err();
    assert_eq!(failure.exit, Exit::Fault);
    assert!(failure.message.contains("planted"), "{}", failure.message);
    assert!(text.starts_with("0\n1\n2\n3\n4\n5\n6\n"), "{text}");
}

#[test]
fn a_panic_where_nobody_looks_ends_the_command_too() {
    // Without the guard, the thread that waits for the others would wait
    // for ever.
    let panic_in_fill = 9;
    let job = Numbers {
        panic_in_fill,
        ..TAME
    };
    let (_, exit) = output(job, "panic-in-fill", 500);
    assert_eq!(exit.unwrap_err().exit, Exit::Fault);
}

#[test]
fn the_simple_way_reports_mistakes_and_goes_on() {
    let list = file("simple.txt", &format!("{FOUR}\nnonsense\n{FOUR}\n"));
    let result = file("simple.out", "");
    let out = Output::to(Some(result.as_ref())).unwrap();
    let exit = puzzles(
        &[list],
        Some(2),
        out,
        &Context::default(),
        |_, item, page| {
            writeln!(page.text, "line {}", item.line).unwrap();
            Exit::Done
        },
    );
    assert_eq!(exit.unwrap(), Exit::BadInput);
    assert_eq!(std::fs::read_to_string(result).unwrap(), "line 1\nline 3\n");
}
