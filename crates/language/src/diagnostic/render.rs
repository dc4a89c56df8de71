//! Diagnostics drawn in the manner of rustc: the source line, the place, what
//! it contradicts, and what to do.

use super::{Diagnostic, Fix, Severity};
use crate::source::{Lines, Span};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet,
};

/// A text with its name.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// As shown: most often a path.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// Places further apart than this, in bytes, are drawn in separate snippets;
/// lines longer than this are not drawn at all.
const WINDOW: usize = 4000;

/// Draws diagnostics for texts.
pub struct Drawing<'a> {
    sources: Vec<(Source<'a>, Lines)>,
    renderer: Renderer,
}

impl<'a> Drawing<'a> {
    /// Prepares to draw; `colour` adds ANSI colours.
    pub fn new(sources: &[Source<'a>], colour: bool) -> Drawing<'a> {
        let renderer = match colour {
            true => Renderer::styled(),
            false => Renderer::plain(),
        };
        Drawing {
            sources: sources
                .iter()
                .map(|source| (*source, Lines::new(source.text)))
                .collect(),
            renderer: renderer.decor_style(DecorStyle::Ascii),
        }
    }

    /// Draws one diagnostic, ending with a line end.
    pub fn draw(&self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Hint => Level::INFO.with_name("hint"),
        };
        let title = level
            .primary_title(diagnostic.message.as_str())
            .id(diagnostic.code.name);
        let mut groups = vec![self.places(diagnostic, Group::with_title(title))];
        for help in &diagnostic.helps {
            groups.push(Group::with_title(
                Level::HELP.secondary_title(help.as_str()),
            ));
        }
        if let Some(fix) = &diagnostic.fix {
            groups.push(self.suggestion(diagnostic, fix));
        }
        let mut text = self.renderer.render(&groups);
        text.push('\n');
        text
    }

    /// The snippets with primary and related places, then the notes.
    fn places<'s>(&'s self, diagnostic: &'s Diagnostic, group: Group<'s>) -> Group<'s> {
        let mut places: Vec<(Span, &str, AnnotationKind)> =
            vec![(diagnostic.span, &diagnostic.label, AnnotationKind::Primary)];
        let related = diagnostic.related.iter();
        places.extend(related.map(|(span, text)| (*span, text.as_str(), AnnotationKind::Context)));

        let mut group = group;
        while let Some(first) = places.first().copied() {
            let near = |place: &(Span, &str, AnnotationKind)| {
                place.0.file == first.0.file
                    && place.0.start.abs_diff(first.0.start) < WINDOW as u32 / 2
            };
            let (here, rest): (Vec<_>, Vec<_>) = places.into_iter().partition(near);
            places = rest;
            group = match self.window(here.iter().map(|place| place.0)) {
                Some((source, start, line, text)) => {
                    let annotations = here.iter().map(|(span, label, kind)| {
                        let annotation: Annotation<'_> = kind.span(self.within(*span, start, text));
                        match label.is_empty() {
                            true => annotation,
                            false => annotation.label(*label),
                        }
                    });
                    group.element(
                        Snippet::source(text)
                            .path(source.name)
                            .line_start(line)
                            .annotations(annotations),
                    )
                }
                None => group.element(self.origin(first.0)),
            };
        }
        for note in &diagnostic.notes {
            group = group.element(Level::NOTE.message(note.as_str()));
        }
        if diagnostic.count > 1 {
            let more = diagnostic.count - 1;
            let words = match more {
                1 => format!(
                    "1 more {} has the same {}",
                    diagnostic.plural.trim_end_matches('s'),
                    diagnostic.severity().word()
                ),
                _ => format!(
                    "{more} more {} have the same {}",
                    diagnostic.plural,
                    diagnostic.severity().word()
                ),
            };
            group = group.element(Level::NOTE.message(words));
        }
        group
    }

    /// The fix at the first place; it is applied at all of them.
    fn suggestion<'s>(&'s self, diagnostic: &Diagnostic, fix: &'s Fix) -> Group<'s> {
        let words = match diagnostic.count {
            _ if !fix.certain => format!("perhaps: {}", fix.message),
            1 => fix.message.clone(),
            n => format!("{} (`--fix` does so at all {n} places)", fix.message),
        };
        let group = Group::with_title(Level::HELP.secondary_title(words));
        let shown: Vec<_> = fix
            .edits
            .iter()
            .filter(|edit| {
                edit.span.file == fix.edits[0].span.file
                    && edit.span.start.abs_diff(fix.edits[0].span.start) < 400
                    && (diagnostic.count == 1 || covers(diagnostic.span, edit.span))
            })
            .collect();
        if shown.is_empty() {
            return group;
        }
        match self.window(shown.iter().map(|edit| edit.span)) {
            Some((source, start, line, text)) => group.element(
                Snippet::source(text)
                    .path(source.name)
                    .line_start(line)
                    .patches(shown.iter().map(|edit| {
                        Patch::new(self.within(edit.span, start, text), edit.text.as_str())
                    })),
            ),
            None => group,
        }
    }

    /// The lines that contain the spans: text, where it starts, its number.
    fn window(
        &self,
        spans: impl Iterator<Item = Span> + Clone,
    ) -> Option<(Source<'a>, u32, usize, &'a str)> {
        let file = spans.clone().next()?.file as usize;
        let (source, lines) = self.sources.get(file)?;
        let length = source.text.len() as u32;
        let first = spans.clone().map(|span| span.start.min(length)).min()?;
        // Of a long list, its beginning is shown.
        let last = spans
            .map(|span| {
                span.end
                    .min(span.start + WINDOW as u32 / 2)
                    .clamp(span.start, length)
            })
            .max()?;
        let line = lines.line(first);
        let start = lines.start(line);
        let after = lines.line(last.max(first)) + 1;
        let end = match after < lines.count() {
            true => lines.start(after) as usize,
            false => source.text.len(),
        };
        let text = source.text[start as usize..end].trim_end_matches(['\n', '\r']);
        (text.len() <= 2 * WINDOW).then_some((*source, start, line + 1, text))
    }

    /// A span inside a window, cut to it.
    fn within(&self, span: Span, start: u32, text: &str) -> std::ops::Range<usize> {
        let cut = |offset: u32| {
            let mut at = (offset.saturating_sub(start) as usize).min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        cut(span.start)..cut(span.end).max(cut(span.start))
    }

    fn origin(&self, span: Span) -> Origin<'a> {
        match self.sources.get(span.file as usize) {
            Some((source, lines)) => {
                let place = lines.position(source.text, span.start);
                Origin::path(source.name)
                    .line(place.line as usize)
                    .char_column(place.column as usize)
            }
            None => Origin::path("?"),
        }
    }
}

fn covers(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}
