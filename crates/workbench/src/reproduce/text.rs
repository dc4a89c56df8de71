//! A chapter for the terminal.

use super::{Chapter, ClaimVerdict, FigureTable};

/// The chapter as plain text, lines wrapped at `width`.
pub fn text(chapter: &Chapter, width: usize) -> String {
    let mut out = format!("{}\n\n", chapter.citation);
    for paragraph in &chapter.summary {
        out += &wrap(paragraph, width);
        out += "\n";
    }
    for table in &chapter.tables {
        out += &format!("\n{}\n", table.title);
        out += &rows(table);
        for note in &table.notes {
            out += &wrap(note, width);
        }
    }
    out
}

fn rows(table: &FigureTable) -> String {
    let mut lines: Vec<Vec<String>> =
        vec![table.head.iter().map(|head| head.to_string()).collect()];
    // A table of our own measurements has nothing to judge.
    let judged = table
        .rows
        .iter()
        .any(|row| row.verdict != ClaimVerdict::New);
    if judged {
        lines[0].push("verdict".into());
    }
    for row in &table.rows {
        let mut cells = row.cells.clone();
        if judged {
            cells.push(row.verdict.words());
        }
        lines.push(cells);
    }
    let columns = lines[0].len();
    let width = |column: usize| {
        lines
            .iter()
            .map(|line| line[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for line in &lines {
        let cells: Vec<String> = line
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, width))| {
                let number = cell.starts_with(|c: char| c.is_ascii_digit()) && column > 0;
                if number {
                    format!("{cell:>width$}")
                } else {
                    format!("{cell:<width$}")
                }
            })
            .collect();
        out += "  ";
        out += cells.join("  ").trim_end();
        out += "\n";
    }
    out
}

fn wrap(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            out.push('\n');
            used = 0;
        }
        if used > 0 {
            out.push(' ');
            used += 1;
        }
        out += word;
        used += length;
    }
    out + "\n"
}
