//! Recording: events get numbers, nodes are balanced, and a run of millions of
//! steps stays within a limit.
//!
//! What happens inside a node that is over and did not last (a trial) has no
//! trace on the board, so it can be left out and what remains is still a true
//! story. When there are too many events, closed nodes below some depth are
//! left out, the deepest first, and from then on as soon as they close:
//!
//! ```text
//!   ┌ r1c2 = 1 ─┬ r1c5 = 3 ─ …        kept
//!   │           └ r1c5 = 6 ─ …        kept
//!   └ r1c2 = 2 ─── (412 events)       a closed node below the limit
//! ```
//!
//! The path to where the search stands is kept at any depth, and so is
//! whatever a closed node leaves on the board: the board at the end is the same
//! with and without a limit. Where nothing nests, as in local search, old
//! pairs of "placed" and "taken back" go first, and old notes.

use std::collections::{HashMap, HashSet};

use super::{BoardChange, Mark, Pane, Trace, TraceEvent, TraceHeader};

/// Writes a trace.
pub struct Recorder {
    header: TraceHeader,
    /// Events that may be kept.
    limit: usize,
    entries: Vec<Entry>,
    /// The id of the next event. Ids never change; numbers are given at the
    /// end, when it is known what is kept.
    next_id: u64,
    next_node: u64,
    frames: Vec<Frame>,
    /// Ids of events whose effect stands on the board, ascending.
    standing: Vec<u64>,
    /// Closed frames deeper than this are left out.
    deepest: usize,
}

struct Entry {
    id: u64,
    event: TraceEvent,
    turn: Turn,
}

/// What an event is to the frames.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Opens,
    Closes,
    Neither,
}

/// Something that has begun and is not over.
struct Frame {
    /// Where its first event stands in `entries`.
    start: usize,
    /// The id of its first event.
    id: u64,
    /// The node, if the pane knows it.
    node: Option<u64>,
}

impl Recorder {
    /// Begins a trace of at most `limit` events. What the board needs at the
    /// end is kept even if it is more.
    pub fn new(header: TraceHeader, limit: usize) -> Recorder {
        Recorder {
            header,
            limit: limit.max(2),
            entries: Vec::new(),
            next_id: 1,
            next_node: 1,
            frames: Vec::new(),
            standing: Vec::new(),
            deepest: usize::MAX,
        }
    }

    /// What the trace is a trace of.
    pub fn header(&self) -> &TraceHeader {
        &self.header
    }

    /// Records an event; the number by which it can be taken back.
    pub fn push(&mut self, event: TraceEvent) -> u64 {
        self.enter(event, Turn::Neither)
    }

    /// Opens a node below the innermost open one.
    pub fn open(&mut self, label: impl Into<String>, event: TraceEvent) -> u64 {
        let node = self.next_node;
        self.next_node += 1;
        let parent = self.node();
        let label = label.into();
        let pane = Pane::Open {
            node,
            parent,
            label,
        };
        let event = TraceEvent {
            pane: Some(pane),
            ..event
        };
        self.frame(Some(node), event);
        node
    }

    /// Begins something that will be taken back as a whole, with no node in
    /// the pane.
    pub fn begin(&mut self, event: TraceEvent) -> u64 {
        self.frame(None, event)
    }

    /// Closes the innermost node and takes back what was done inside it.
    pub fn take_back(&mut self, why: Option<String>, lit: Vec<Mark>) {
        let undone = self.undone();
        self.close_with(undone, why, lit);
    }

    /// Closes the innermost node; what was done inside it stays.
    pub fn close(&mut self, why: Option<String>) {
        self.close_with(Vec::new(), why, Vec::new());
    }

    /// Ends what [`Recorder::begin`] began, and takes it back.
    pub fn end(&mut self, mut event: TraceEvent) {
        let undone = self.undone();
        if self.frames.is_empty() {
            return;
        }
        event.board = (!undone.is_empty()).then_some(BoardChange::Undo(undone));
        self.enter(event, Turn::Closes);
    }

    /// How many frames are open.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The innermost open node, 0 for the root.
    pub fn node(&self) -> u64 {
        let nodes = self.frames.iter().rev();
        nodes.filter_map(|frame| frame.node).next().unwrap_or(0)
    }

    /// The trace, with a last event that says how it ended.
    pub fn finish(mut self, end: &str, found: u64, nodes: Option<u64>) -> Trace {
        let end = end.to_owned();
        self.push(TraceEvent::pane(Pane::End { end, found, nodes }));
        let numbers: HashMap<u64, u64> = (self.entries.iter())
            .map(|entry| entry.id)
            .zip(1..)
            .collect();
        let renumber = |entry: Entry| {
            let mut event = entry.event;
            if let Some(BoardChange::Undo(ids)) = &mut event.board {
                ids.iter_mut().for_each(|id| *id = numbers[id]);
            }
            event
        };
        Trace {
            header: self.header,
            events: self.entries.into_iter().map(renumber).collect(),
        }
    }

    /// What the innermost frame did to the board, last first.
    fn undone(&self) -> Vec<u64> {
        let first = self.frames.last().map_or(u64::MAX, |frame| frame.id);
        let mine = self.standing.iter().rev();
        mine.copied().take_while(|id| *id >= first).collect()
    }

    fn close_with(&mut self, undone: Vec<u64>, why: Option<String>, lit: Vec<Mark>) {
        let Some(node) = self.frames.last().and_then(|frame| frame.node) else {
            return;
        };
        let event = TraceEvent {
            board: (!undone.is_empty()).then_some(BoardChange::Undo(undone)),
            pane: Some(Pane::Close { node, why }),
            lit,
        };
        self.enter(event, Turn::Closes);
    }

    fn frame(&mut self, node: Option<u64>, event: TraceEvent) -> u64 {
        self.frames.push(Frame {
            start: self.entries.len(),
            id: self.next_id,
            node,
        });
        self.enter(event, Turn::Opens)
    }

    fn enter(&mut self, event: TraceEvent, turn: Turn) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        match &event.board {
            Some(BoardChange::Place(..) | BoardChange::Strike(_)) => self.standing.push(id),
            Some(BoardChange::Undo(ids)) => {
                for id in ids {
                    // What is taken back is mostly what came last.
                    if let Some(at) = self.standing.iter().rposition(|known| known == id) {
                        self.standing.remove(at);
                    }
                }
            }
            None => {}
        }
        self.entries.push(Entry { id, event, turn });
        if turn == Turn::Closes {
            let depth = self.frames.len();
            if let Some(frame) = self.frames.pop()
                && depth > self.deepest
            {
                self.forget(&frame);
            }
        }
        if self.entries.len() > self.limit {
            self.thin();
        }
        id
    }

    /// Leaves out a frame that has just closed. Mostly nothing of it stands,
    /// and nothing from before it was taken back: then it goes as a whole.
    fn forget(&mut self, frame: &Frame) {
        let stands = self.standing.last().is_some_and(|id| *id >= frame.id);
        let inside = &self.entries[frame.start..];
        let reaches_out = inside.iter().any(|entry| match &entry.event.board {
            Some(BoardChange::Undo(ids)) => ids.iter().any(|id| *id < frame.id),
            _ => false,
        });
        if stands || reaches_out {
            let frame = self.entries.split_off(frame.start);
            leave_out(&mut self.entries, frame);
        } else {
            let skipped = inside.iter().map(skips).sum();
            self.entries.truncate(frame.start);
            add_skip(&mut self.entries, skipped);
        }
    }

    /// Makes room for at least as much again.
    fn thin(&mut self) {
        self.header.capped = true;
        let room = self.limit / 2;
        let depths = self.events_by_depth();
        // The least depth is 0: every closed frame is left out.
        let mut kept: usize = self.entries.len() - depths.iter().sum::<usize>();
        self.deepest = 0;
        for (depth, events) in depths.iter().enumerate() {
            kept += events;
            if kept > room {
                break;
            }
            self.deepest = depth + 1;
        }
        let (entries, starts) = without_deep(std::mem::take(&mut self.entries), self.deepest);
        self.entries = entries;
        if self.entries.len() > room {
            self.thin_flat();
        }
        let places: HashMap<u64, usize> = (self.entries.iter())
            .map(|entry| entry.id)
            .zip(0..)
            .collect();
        debug_assert_eq!(starts.len(), self.frames.len());
        for frame in &mut self.frames {
            frame.start = places[&frame.id];
        }
    }

    /// How many events closed frames have at each depth, from 1.
    fn events_by_depth(&self) -> Vec<usize> {
        let mut counts = Vec::new();
        // Events of each open frame, to be counted when it closes.
        let mut open: Vec<usize> = Vec::new();
        for entry in &self.entries {
            if entry.turn == Turn::Opens {
                open.push(0);
            }
            if let Some(events) = open.last_mut() {
                *events += 1;
            }
            if entry.turn == Turn::Closes {
                let depth = open.len().saturating_sub(1);
                let events = open.pop().unwrap_or(0);
                counts.resize(counts.len().max(depth + 1), 0);
                counts[depth] += events;
            }
        }
        counts
    }

    /// Leaves out, in the first half, what was placed and taken back there,
    /// and notes.
    fn thin_flat(&mut self) {
        let entries = std::mem::take(&mut self.entries);
        let half = entries.len() / 2;
        let first = || entries[..half].iter().filter(|e| e.turn == Turn::Neither);
        let undone: HashSet<u64> = first()
            .filter_map(|entry| match &entry.event.board {
                Some(BoardChange::Undo(ids)) => Some(ids.iter().copied()),
                _ => None,
            })
            .flatten()
            .collect();
        // Placed and taken back in the first half, each by itself.
        let pairs: HashSet<u64> = first()
            .map(|entry| entry.id)
            .filter(|id| undone.contains(id))
            .collect();
        let mut skipped = 0;
        let mut kept = Vec::new();
        for (place, mut entry) in entries.into_iter().enumerate() {
            if place < half && entry.turn == Turn::Neither {
                let gone = match &mut entry.event.board {
                    Some(BoardChange::Undo(ids)) => {
                        ids.retain(|id| !pairs.contains(id));
                        ids.is_empty()
                    }
                    Some(_) => pairs.contains(&entry.id),
                    None => true,
                };
                if gone {
                    skipped += skips(&entry);
                    continue;
                }
            }
            if place == half && skipped > 0 {
                kept.push(skip(skipped));
                skipped = 0;
            }
            kept.push(entry);
        }
        self.entries = kept;
    }
}

/// The entries without closed frames deeper than `deepest`, and where the
/// open ones start.
fn without_deep(entries: Vec<Entry>, deepest: usize) -> (Vec<Entry>, Vec<usize>) {
    let mut kept: Vec<Entry> = Vec::new();
    let mut starts: Vec<usize> = Vec::new();
    for entry in entries {
        let turn = entry.turn;
        if turn == Turn::Opens {
            starts.push(kept.len());
        }
        kept.push(entry);
        if turn == Turn::Closes {
            let depth = starts.len();
            if let Some(start) = starts.pop()
                && depth > deepest
            {
                let frame = kept.split_off(start);
                leave_out(&mut kept, frame);
            }
        }
    }
    (kept, starts)
}

/// Appends what a closed frame leaves on the board, and says how much is left
/// out.
fn leave_out(kept: &mut Vec<Entry>, frame: Vec<Entry>) {
    let ids: HashSet<u64> = frame.iter().map(|entry| entry.id).collect();
    let mut undone: HashSet<u64> = HashSet::new();
    for entry in &frame {
        if let Some(BoardChange::Undo(ids)) = &entry.event.board {
            undone.extend(ids);
        }
    }
    let mut skipped = 0;
    let mut lasting = Vec::new();
    for mut entry in frame {
        let lasts = match &mut entry.event.board {
            Some(BoardChange::Undo(targets)) => {
                targets.retain(|id| !ids.contains(id));
                !targets.is_empty()
            }
            Some(_) => !undone.contains(&entry.id),
            None => false,
        };
        if lasts {
            entry.turn = Turn::Neither;
            entry.event.pane = None;
            lasting.push(entry);
        } else {
            skipped += skips(&entry);
        }
    }
    add_skip(kept, skipped);
    kept.append(&mut lasting);
}

/// Says that so many events are left out here.
fn add_skip(kept: &mut Vec<Entry>, skipped: u64) {
    match kept.last_mut().map(|entry| &mut entry.event.pane) {
        Some(Some(Pane::Skip(before))) => *before += skipped,
        _ => kept.push(skip(skipped)),
    }
}

/// How many events an entry stands for.
fn skips(entry: &Entry) -> u64 {
    match entry.event.pane {
        Some(Pane::Skip(events)) => events,
        _ => 1,
    }
}

/// An entry that nobody takes back, so that it needs no id of its own.
fn skip(events: u64) -> Entry {
    Entry {
        id: 0,
        event: TraceEvent::pane(Pane::Skip(events)),
        turn: Turn::Neither,
    }
}
