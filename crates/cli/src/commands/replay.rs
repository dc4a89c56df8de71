//! `planoku replay`: a recorded run, step by step.
//!
//! On a terminal keys go forward and back; elsewhere the steps are printed.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{Event as Input, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::style::Print;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{event, execute, queue};
use planoku_sudoku::Cell;
use planoku_sudoku::text::{Layer, draw};
use planoku_workbench::trace::film::{Film, animate};
use planoku_workbench::trace::{Pane, Player as Replay, Trace, TraceKind};

use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain};

/// Step through whatever --trace has recorded: a search, a plan, robots,
/// techniques.
///
/// Keys: right or n next, left or b back, space play and pause, f next failure,
/// m show messages and nodes too, Home and End, q quit. Without a terminal the
/// steps are printed.
#[derive(clap::Args)]
pub struct Args {
    /// A file written by --trace of `solve`, `agents` or `steps`, or - for
    /// standard input.
    trace: PathBuf,
    /// Which search of the file, from 1; all are printed if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    nth: Option<u32>,
    /// Print the steps even on a terminal.
    #[arg(long)]
    print: bool,
    /// Steps include every message, and the coming and going of nodes.
    #[arg(long, short)]
    messages: bool,
    /// Write an animated picture instead.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let name = args.trace.display().to_string();
    let traces = match name.as_str() {
        "-" => Trace::read(io::stdin().lock()),
        _ => {
            let file = File::open(&args.trace)
                .map_err(|error| Failure::bad_input(format!("{name}: {error}")))?;
            Trace::read(BufReader::new(file))
        }
    }
    .map_err(|error| Failure::bad_input(format!("{name}:{error}")))?;
    let traces = match args.nth {
        None => &traces[..],
        Some(nth) => {
            let (at, count) = (nth as usize - 1, traces.len());
            traces.get(at..=at).ok_or_else(|| {
                let wanted = format!("expected one of {count} searches, found --nth {nth}");
                Failure::bad_input(format!("{name}: {wanted}"))
            })?
        }
    };
    let first = &traces[0];
    if let Some(path) = &args.svg {
        let (picture, left_out) = animate(first, Film::default());
        if left_out > 0 {
            complain(format_args!("note: the last {left_out} steps are left out"));
        }
        let mut output = Output::to(Some(path))?;
        output.write(&picture)?;
        output.flush()?;
        return Ok(Exit::Done);
    }
    let interactive = io::stdout().is_terminal() && io::stdin().is_terminal();
    if args.print || !interactive {
        let mut output = Output::stdout();
        for trace in traces {
            if print_steps(trace, args.messages, context, &mut output)? == Exit::Stopped {
                return Ok(Exit::Stopped);
            }
        }
        output.flush()?;
    } else {
        let mut player = Player::new(first, args.messages);
        player
            .play(context)
            .map_err(|error| Failure::bad_input(format!("cannot use the terminal: {error}")))?;
    }
    Ok(Exit::Done)
}

fn print_steps(
    trace: &Trace,
    messages: bool,
    context: &Context,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let mut replay = Replay::new(trace);
    output.write(&title(trace))?;
    output.write(&drawing(trace, &replay, None))?;
    while replay.forward_to(|event| messages || event.is_visible()) {
        if context.cancel.is_cancelled() {
            output.flush()?;
            return Ok(Exit::Stopped);
        }
        if let Some(event) = replay.last() {
            let mark = if replay.is_failure(event) { '!' } else { ' ' };
            let step = replay.position();
            output.write(&format!("{mark}{step:>6}  {}\n", replay.sentence(event)))?;
        }
    }
    output.write(&drawing(trace, &replay, None))?;
    output.write(&format!("{}\n", ending(trace)))?;
    Ok(Exit::Done)
}

fn title(trace: &Trace) -> String {
    format!("{}\n", trace.header.title())
}

fn ending(trace: &Trace) -> String {
    let capped = match trace.header.capped {
        true => "; the deepest events are left out",
        false => "",
    };
    match trace.events.last().and_then(|event| event.pane.as_ref()) {
        Some(end @ Pane::End { .. }) => format!("{}{capped}", end.sentence()),
        _ => "the trace has no end; was the run interrupted?".to_owned(),
    }
}

/// The board; for robots with the piles beside it.
fn drawing(trace: &Trace, replay: &Replay<'_>, marked: Option<Cell>) -> String {
    let board = draw(
        &trace.header.puzzle,
        &replay.board(),
        |cell, layer, symbol| {
            let style = match layer {
                Layer::Found if replay.is_wrong(cell) => {
                    anstyle::AnsiColor::Red.on_default().bold()
                }
                Layer::Found => anstyle::AnsiColor::Cyan.on_default(),
                Layer::Clue => anstyle::Style::new().bold(),
                Layer::Blank => anstyle::Style::new(),
            };
            let style = match marked == Some(cell) {
                true => style.invert(),
                false => style,
            };
            format!("{style}{symbol}{style:#}")
        },
    );
    let piled = trace.header.kind == TraceKind::Robots;
    let mut piles = trace.header.puzzle.shape().digits();
    let mut lines = String::new();
    for line in board.lines() {
        // Piles stand beside the rows of cells, not beside the lines between.
        let pile = match piled && line.starts_with('│') {
            true => piles.next(),
            false => None,
        };
        lines += line;
        if let Some(digit) = pile {
            lines += &format!("   {digit} {}", "■".repeat(replay.pile(digit)));
        }
        lines += "\n";
    }
    lines
}

/// The terminal, given back however we leave.
struct Screen;

impl Screen {
    fn open() -> io::Result<Screen> {
        enable_raw_mode()?;
        let screen = Screen;
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // There is nothing better to do if the terminal is gone.
        let _ = execute!(io::stdout(), Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

struct Player<'a> {
    trace: &'a Trace,
    replay: Replay<'a>,
    messages: bool,
    playing: bool,
    note: &'static str,
}

impl<'a> Player<'a> {
    fn new(trace: &'a Trace, messages: bool) -> Player<'a> {
        Player {
            trace,
            replay: Replay::new(trace),
            messages,
            playing: false,
            note: "",
        }
    }

    fn play(&mut self, context: &Context) -> io::Result<()> {
        let _screen = Screen::open()?;
        loop {
            self.show()?;
            let wait = match self.playing {
                true => Duration::from_millis(250),
                false => Duration::from_millis(500),
            };
            if event::poll(wait)? {
                let input = event::read()?;
                if !self.handle(&input) {
                    return Ok(());
                }
            } else if self.playing {
                self.playing = self.next();
            }
            if context.cancel.is_cancelled() {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> bool {
        let messages = self.messages;
        self.replay
            .forward_to(|event| messages || event.is_visible())
    }

    fn back(&mut self) {
        let messages = self.messages;
        self.replay.back_to(|event| messages || event.is_visible());
    }

    /// False to quit.
    fn handle(&mut self, input: &Input) -> bool {
        let Input::Key(key) = input else {
            return true;
        };
        if key.kind == KeyEventKind::Release {
            return true;
        }
        self.note = "";
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if control => return false,
            KeyCode::Char('q') | KeyCode::Esc => return false,
            KeyCode::Right | KeyCode::Char('n') => {
                self.playing = false;
                if !self.next() {
                    self.note = "the end";
                }
            }
            KeyCode::Left | KeyCode::Char('b') => {
                self.playing = false;
                self.back();
            }
            KeyCode::Char(' ') => self.playing = !self.playing,
            KeyCode::Char('f') => {
                self.playing = false;
                if !self.replay.forward_to_failure() {
                    self.note = "no failure ahead";
                }
            }
            KeyCode::Char('m') => self.messages = !self.messages,
            KeyCode::Home => self.replay = Replay::new(self.trace),
            KeyCode::End => while self.replay.forward() {},
            _ => {}
        }
        true
    }

    fn show(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let last = self.replay.last();
        let marked = last.and_then(|event| self.replay.touched(event));
        let what = match last {
            None => "the puzzle".to_owned(),
            Some(event) => {
                let failure = match self.replay.is_failure(event) {
                    true => "FAILURE: ",
                    false => "",
                };
                format!("{failure}{}", self.replay.sentence(event))
            }
        };
        let (at, of) = (self.replay.position(), self.replay.len());
        let ended = if at == of {
            ending(self.trace)
        } else {
            String::new()
        };
        let playing = if self.playing { "playing" } else { "" };
        let view = format!(
            "{}\n{}\n{at}/{of}  {what}\n{ended} {playing} {}\n\nright next  left back  space play  f failure  m messages  q quit",
            title(self.trace).trim_end(),
            drawing(self.trace, &self.replay, marked),
            self.note,
        );
        queue!(out, MoveTo(0, 0))?;
        for line in view.lines() {
            queue!(
                out,
                Print(line),
                Clear(ClearType::UntilNewLine),
                Print("\r\n")
            )?;
        }
        queue!(out, Clear(ClearType::FromCursorDown))?;
        out.flush()
    }
}
