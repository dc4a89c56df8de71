//! The chapters as one self-contained page.

use maud::{Markup, html};

use super::{Chapter, Table, Verdict};
use crate::html::page as frame;

/// The whole report.
pub fn page(chapters: &[Chapter]) -> String {
    let body = html! {
        h1 { "The papers' tables, with ours beside them" }
        p.quiet { "Counts are exact and repeat on any machine; times are of the machine this page was made on." }
        (tally(chapters))
        nav { ol { @for chapter in chapters {
            li { a href={ "#" (chapter.paper.name()) } { (chapter.citation) } }
        } } }
        @for chapter in chapters { (one(chapter)) }
    };
    frame("Planoku: the papers checked", body)
}

fn tally(chapters: &[Chapter]) -> Markup {
    let rows = || {
        chapters
            .iter()
            .flat_map(|c| &c.tables)
            .flat_map(|table| &table.rows)
    };
    let count = |test: fn(&Verdict) -> bool| rows().filter(|row| test(&row.verdict)).count();
    html! {
        div.box { p {
            (count(|v| *v == Verdict::Exact)) " rows reproduced exactly, "
            (count(|v| matches!(v, Verdict::Close(_)))) " within a stated tolerance, "
            (count(|v| matches!(v, Verdict::InKind(_)))) " in kind; "
            (count(Verdict::fails)) " not reproduced, "
            (count(|v| matches!(v, Verdict::Incomparable(_)))) " not comparable, "
            (count(|v| matches!(v, Verdict::Open(_)))) " left open."
        } }
    }
}

fn one(chapter: &Chapter) -> Markup {
    html! {
        section id=(chapter.paper.name()) {
            h2 { (chapter.citation) }
            @for paragraph in &chapter.summary { p { (prose(paragraph)) } }
            @for table in &chapter.tables { (table_of(table)) }
        }
    }
}

fn table_of(table: &Table) -> Markup {
    let judged = table.rows.iter().any(|row| row.verdict != Verdict::New);
    html! {
        h3 { (table.title) }
        div.scroll { table {
            thead { tr {
                @for head in &table.head { th { (head) } }
                @if judged { th.text { "verdict" } }
            } }
            tbody { @for row in &table.rows { tr {
                @for cell in &row.cells {
                    // Sentences wrap, figures do not.
                    @if cell.chars().count() > 40 { td.text { (cell) } } @else { td { (cell) } }
                }
                @if judged { td.text { (verdict(&row.verdict)) } }
            } } }
        } }
        @for note in &table.notes { p.quiet { (prose(note)) } }
    }
}

fn verdict(verdict: &Verdict) -> Markup {
    match verdict {
        _ if verdict.holds() => html! { span.good { (verdict.words()) } },
        _ if verdict.fails() => html! { span.bad { (verdict.words()) } },
        _ => html! { span.quiet { (verdict.words()) } },
    }
}

/// A sentence in which words between backquotes are code.
fn prose(text: &str) -> Markup {
    html! {
        @for (nth, part) in text.split('`').enumerate() {
            @if nth % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}
