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
use planoku_workbench::agents::Event;
use planoku_workbench::agents::replay::{Replay, is_visible, sentence};
use planoku_workbench::agents::svg::{Film, animate};
use planoku_workbench::agents::trace::Trace;

use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain};

/// Step through a run recorded by `planoku agents --trace`.
///
/// Keys: right or n next, left or b back, space play and pause, f next failure,
/// m show messages too, Home and End, q quit. Without a terminal the steps are
/// printed.
#[derive(clap::Args)]
pub struct Args {
    /// The file written by `planoku agents --trace`, or - for standard input.
    trace: PathBuf,
    /// Print the steps even on a terminal.
    #[arg(long)]
    print: bool,
    /// Steps include every message.
    #[arg(long, short)]
    messages: bool,
    /// Write an animated picture instead.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let name = args.trace.display().to_string();
    let trace = match name.as_str() {
        "-" => Trace::read(io::stdin().lock()),
        _ => {
            let file = File::open(&args.trace)
                .map_err(|error| Failure::bad_input(format!("{name}: {error}")))?;
            Trace::read(BufReader::new(file))
        }
    }
    .map_err(|error| Failure::bad_input(format!("{name}:{error}")))?;
    if let Some(path) = &args.svg {
        let (picture, left_out) = animate(&trace, Film::default());
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
        print_steps(&trace, args.messages, context)
    } else {
        let mut player = Player::new(&trace, args.messages);
        player
            .play(context)
            .map_err(|error| Failure::bad_input(format!("cannot use the terminal: {error}")))?;
        Ok(Exit::Done)
    }
}

fn print_steps(trace: &Trace, messages: bool, context: &Context) -> Result<Exit, Failure> {
    let mut output = Output::stdout();
    let mut replay = Replay::new(trace);
    output.write(&title(trace))?;
    output.write(&drawing(trace, &replay, None))?;
    while replay.forward_to(|event| messages || is_visible(event)) {
        if context.cancel.is_cancelled() {
            output.flush()?;
            return Ok(Exit::Stopped);
        }
        if let Some(event) = replay.last() {
            let mark = if replay.is_failure(event) { '!' } else { ' ' };
            let step = replay.position();
            output.write(&format!("{mark}{step:>6}  {}\n", sentence(event, trace)))?;
        }
    }
    output.write(&drawing(trace, &replay, None))?;
    output.write(&format!("{}\n", ending(trace)))?;
    output.flush()?;
    Ok(Exit::Done)
}

fn title(trace: &Trace) -> String {
    let header = &trace.header;
    format!(
        "model {} ({}), {}, {}, seed {}\n",
        header.model, header.reading, header.scheduler, header.policy, header.seed
    )
}

fn ending(trace: &Trace) -> String {
    match (&trace.finish, trace.cut) {
        (Some(finish), false) => format!("the run ended: {finish}"),
        (Some(finish), true) => format!("the trace is cut short; the run ended: {finish}"),
        (None, true) => "the trace is cut short".to_owned(),
        (None, false) => "the trace has no end; was the run interrupted?".to_owned(),
    }
}

/// The board with the piles beside it.
fn drawing(trace: &Trace, replay: &Replay<'_>, marked: Option<Cell>) -> String {
    let board = draw(&trace.puzzle, replay.board(), |cell, layer, symbol| {
        let style = match layer {
            Layer::Found if replay.is_wrong(cell) => anstyle::AnsiColor::Red.on_default().bold(),
            Layer::Found => anstyle::AnsiColor::Cyan.on_default(),
            Layer::Clue => anstyle::Style::new().bold(),
            Layer::Blank => anstyle::Style::new(),
        };
        let style = match marked == Some(cell) {
            true => style.invert(),
            false => style,
        };
        format!("{style}{symbol}{style:#}")
    });
    let mut piles = trace.puzzle.shape().digits();
    let mut lines = String::new();
    for line in board.lines() {
        // Piles stand beside the rows of cells, not beside the lines between.
        let pile = match line.starts_with('│') {
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
            .forward_to(|event| messages || is_visible(event))
    }

    fn back(&mut self) {
        let messages = self.messages;
        self.replay.back_to(|event| messages || is_visible(event));
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
                if !self.replay.jump_to_failure() {
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
        let marked = match last {
            Some(Event::Placed { cell, .. } | Event::Removed { cell, .. }) => Some(cell),
            _ => None,
        };
        let what = match last {
            None => "the table is laid".to_owned(),
            Some(event) => {
                let failure = if self.replay.is_failure(event) {
                    "FAILURE: "
                } else {
                    ""
                };
                format!("{failure}{}", sentence(event, self.trace))
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
