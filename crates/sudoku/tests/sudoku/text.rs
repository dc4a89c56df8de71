//! Reading and writing puzzles: every format, every mistake, any bytes.

use planoku_sudoku::text::{
    Format, Puzzle, Puzzles, TextError, beside, candidates_line, check_reading, draw, footer,
    header, library_line, pencil, read, write,
};
use planoku_sudoku::{Candidates, Cell, Digit, Grid, Shape, reference};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same cases on every run: a failure in CI is a failure at home.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_240_917),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Any board at all, rules kept or not.
fn any_grid() -> impl Strategy<Value = Grid> {
    (0..Shape::ALL.len(), 0..=100u8).prop_flat_map(|(nth, filled)| {
        let shape = Shape::ALL[nth];
        let cell = (0..100u8, 1..=shape.side() as u8)
            .prop_map(move |(chance, digit)| (chance < filled).then(|| Digit::new(digit).unwrap()));
        prop::collection::vec(cell, shape.cells())
            .prop_map(|cells| Grid::from_cells(cells).unwrap())
    })
}

fn any_format() -> impl Strategy<Value = Format> {
    (0..Format::ALL.len()).prop_map(|nth| Format::ALL[nth])
}

/// What puzzle files are made of, so that random texts come close to them.
const PARTS: [&str; 46] = [
    "{\"id\": 1, \"puzzle\":\"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\"}\n",
    "┘\n",
    "<opensudoku>",
    "</opensudoku>",
    "<game data=\"",
    "\" />",
    "\n",
    "\n",
    "\n",
    "\r\n",
    " ",
    "\t",
    ",",
    ";",
    "|",
    "│",
    "-",
    "---",
    "+",
    "*",
    "#",
    ".",
    "0",
    "1",
    "12",
    "G",
    "x",
    "é",
    "\"",
    "{\"puzzle\":\"",
    "\"}",
    "puzzle\n",
    "[Puzzle]\n",
    "[State]\n",
    "53..7....",
    "................",
    "53  7    ",
    "---------",
    "5--3-----\n",
    "12 3 45 6 7 8 9 1 23\n",
    ":0000:x:",
    "+",
    "·",
    "?",
    "│   │",
    "└───┘\nso it is\n",
];

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn what_is_written_reads_back_the_same(
        grids in prop::collection::vec(any_grid(), 1..5),
        format in any_format(),
        line_end in prop::sample::select(vec!["\n", "\r\n"]),
        mark in prop::sample::select(vec!["", "\u{feff}"]),
    ) {
        let body: String = grids.iter().map(|grid| write(grid, format)).collect();
        let text = format!("{mark}{}{body}{}", header(format), footer(format)).replace('\n', line_end);
        prop_assert_eq!(read(&text).unwrap(), grids, "{}\n{}", format, text);
    }

    #[test]
    fn a_list_of_one_shape_reads_back_however_long(
        grid in any_grid(),
        copies in 1..40usize,
        format in any_format(),
    ) {
        let text = header(format).to_string() + &write(&grid, format).repeat(copies) + footer(format);
        prop_assert_eq!(read(&text).unwrap(), vec![grid; copies]);
    }

    #[test]
    fn notes_survive_every_way_of_writing_them(
        (grid, struck) in any_grid().prop_filter("small", |grid| grid.shape().side() <= 9)
            .prop_flat_map(|grid| {
                let cells = grid.shape().cells();
                (Just(grid), prop::collection::vec(any::<u16>(), cells))
            }),
    ) {
        let all = Candidates::all(grid.shape());
        // A cell with one mark holds that digit, so there are none or several.
        let marks = |cell: Cell| {
            let some = Candidates(all.0 & u32::from(struck[cell.index()]));
            if some.len() == 1 { all } else { some }
        };
        for text in [pencil(&grid, marks), candidates_line(&grid, marks)] {
            let read: Vec<_> = Puzzles::new(text.as_bytes()).map(Result::unwrap).collect();
            prop_assert_eq!(read.len(), 1, "{}", text);
            prop_assert_eq!(&read[0].grid, &grid, "{}", text);
            for cell in grid.blanks() {
                let noted = read[0].notes.as_ref().map_or(Candidates(0), |n| n.marks[cell.index()]);
                prop_assert_eq!(noted, marks(cell), "{}", text);
            }
            check_reading(text.as_bytes());
        }
    }

    #[test]
    fn any_bytes_at_all_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check_reading(&bytes);
    }

    #[test]
    fn texts_made_of_puzzle_parts_are_read_without_harm(
        parts in prop::collection::vec(prop::sample::select(PARTS.to_vec()), 0..60),
    ) {
        check_reading(parts.concat().as_bytes());
    }

    #[test]
    fn damaged_puzzles_are_read_without_harm(
        grids in prop::collection::vec(any_grid(), 1..3),
        format in any_format(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let body: String = grids.iter().map(|grid| write(grid, format)).collect();
        let mut bytes = (header(format).to_string() + &body).into_bytes();
        let place = at.index(bytes.len());
        bytes[place] = byte;
        check_reading(&bytes);
        bytes.truncate(cut.index(bytes.len()));
        check_reading(&bytes);
    }
}

#[track_caller]
fn fails(text: &str, expected: &str) {
    let mistakes: Vec<String> = Puzzles::new(text.as_bytes())
        .filter_map(|result| Some(result.err()?.to_string()))
        .collect();
    assert_eq!(mistakes, [expected], "{text}");
}

#[test]
fn mistakes_are_named_with_line_row_and_column() {
    fails(
        "1..............z",
        "line 1, column 16: row 4, column 4 of the board: expected 1 to 4 or `.`, found `z`",
    );
    fails(
        "12|34\n34|12\n--+--\n21|4!\n43|21\n",
        "line 4, column 5: row 3, column 4 of the board: expected 1 to 4 or `.`, found `!`",
    );
    fails(
        "1234\n341\n2143\n4321\n",
        "line 2, column 3: row 2 of the board: expected 4 cells, found 3",
    );
    fails(
        "1234\n3412\n2143\n",
        "line 1, column 1: the board that begins here has 3 of its 4 rows",
    );
    fails(
        "1234567",
        "line 1, column 1: expected 81 cells (or 16, 36, 256, 625) or a row of 9 \
         (or 4, 6, 16, 25), found 7",
    );
    fails(
        "1,2,3,4\n3,4,x,7\n,,,\n,,,\n",
        "line 2, column 7: row 2, column 4 of the board: expected 1 to 4 or `.`, found `7`",
    );
    fails(
        "id,puzzle\n7,1...\n",
        "line 2, column 3: expected 81 cells (or 16, 36, 256, 625) or a row of 9 \
         (or 4, 6, 16, 25), found 4",
    );
    fails(
        "id,puzzle\n7\n",
        "line 2, column 1: expected the puzzle in field 2, found 1 field",
    );
    fails(
        "id,solution,name\n1,2,three\n",
        "line 1, column 1: expected a CSV header with a column `puzzle` or `quizzes`, found none",
    );
    fails(
        "{\"puzzle\":\"1..............q\"}",
        "line 1, column 27: row 4, column 4 of the board: expected 1 to 4 or `.`, found `q`",
    );
    fails(
        "{\"puzzle\":",
        "line 1, column 11: not JSON Lines: expected a string as `puzzle`, found the end of the line",
    );
    fails(
        "1..\0.............",
        "line 1, column 1: expected text, found binary data (or UTF-16; puzzles are read as UTF-8)",
    );
}

/// The line of each puzzle, or of the mistake in its place.
fn lines(text: &str) -> Vec<Result<usize, usize>> {
    Puzzles::new(text.as_bytes())
        .map(|result| result.map(|puzzle| puzzle.line).map_err(|error| error.line))
        .collect()
}

#[test]
fn a_bad_line_costs_one_puzzle_and_no_other() {
    let good = "1...............";
    let text = format!("{good}\nbad\n{good}\n1234\n3412\n\n{good}\n");
    assert_eq!(lines(&text), [Ok(1), Err(2), Ok(3), Err(4), Ok(7)]);
}

#[test]
fn a_mistake_in_one_drawn_board_leaves_the_next_alone() {
    let board = "12|34\n34|12\n--+--\n21|43\n43|21\n";
    let broken = board.replace("21|43", "21|4!");
    let text = format!("{board}{broken}{board}\n{board}");
    assert_eq!(lines(&text), [Ok(1), Err(9), Ok(11), Ok(17)]);
}

#[test]
fn text_that_is_not_utf8_is_located_and_passed_over() {
    let text = b"1...............\n1..\xff............\n# caf\xe9\n2...............\n";
    let results: Vec<Result<usize, (usize, usize)>> = Puzzles::new(&text[..])
        .map(|result| {
            result
                .map(|puzzle| puzzle.line)
                .map_err(|error| (error.line, error.column))
        })
        .collect();
    assert_eq!(results, [Ok(1), Err((2, 4)), Ok(4)]);
}

#[test]
fn a_line_without_end_is_refused_and_the_next_is_read() {
    let endless = vec![b'1'; 3 << 20];
    let text = [&endless[..], b"\n1...............\n"].concat();
    let results: Vec<_> = Puzzles::new(&text[..]).collect();
    assert_eq!(results.len(), 2);
    assert!(results[0].is_err());
    assert!(results[1].as_ref().is_ok_and(|puzzle| puzzle.line == 2));
}

const NINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

#[track_caller]
fn reads_nine(text: &str) {
    let expected: Grid = NINE.parse().unwrap();
    assert_eq!(read(text), Ok(vec![expected]), "{text}");
}

#[test]
fn formats_are_recognised_as_they_are_found_in_the_wild() {
    let rows: Vec<&str> = (0..9).map(|row| &NINE[9 * row..9 * row + 9]).collect();
    for blank in ["0", "*", "_", "x", "-", "?"] {
        reads_nine(&NINE.replace('.', blank));
    }
    reads_nine(&format!("  {NINE}  # with a remark"));
    reads_nine(&format!("{NINE},rated 1.2,someone"));
    reads_nine(&rows.join("\n"));
    reads_nine(&rows.join(" "));
    let bands: Vec<String> = rows.chunks(3).map(|band| band.join("\n")).collect();
    reads_nine(&bands.join("\n\n"));
    reads_nine(&format!(
        "#ASomeone\n#DA puzzle\n[Puzzle]\n{0}\n[State]\n{0}\n",
        rows.join("\n")
    ));
    reads_nine(&format!("quizzes,solutions\n{NINE},{NINE}\n"));
    reads_nine(&format!(
        "id,\"puzzle\",note\n1,\"{NINE}\",\"two\nlines\"\n"
    ));
    reads_nine(&format!(
        "{{\"id\": 3, \"puzzle\": \"{NINE}\", \"tags\": [1, {{}}]}}"
    ));
    reads_nine(&format!("{{\"puzzle\": \"{}\"}}", rows.join("\\n")));
}

#[test]
fn cells_may_be_set_apart() {
    let rows: Vec<&str> = (0..9).map(|row| &NINE[9 * row..9 * row + 9]).collect();
    let apart = |gap: &str| {
        let row = |row: &&str| row.chars().map(String::from).collect::<Vec<_>>().join(gap);
        rows.iter().map(row).collect::<Vec<_>>().join("\n")
    };
    for gap in [" ", ",", ", ", ";", "\t"] {
        reads_nine(&apart(gap));
    }
    for gap in [",", ";", "\t"] {
        reads_nine(&apart(gap).replace('.', ""));
    }
    let grid: Grid = NINE.parse().unwrap();
    let drawing = draw(&grid, &grid, |_, _, symbol| symbol.to_string());
    reads_nine(&drawing);
    reads_nine(&drawing.replace('·', "."));
}

#[test]
fn blanks_may_be_dashes_or_spaces() {
    let rows: Vec<&str> = (0..9).map(|row| &NINE[9 * row..9 * row + 9]).collect();
    reads_nine(&rows.join("\n").replace('.', "-"));
    reads_nine(&rows.join("\n").replace('.', " "));
    reads_nine(&NINE.replace('.', " "));
    // Editors cut off spaces at the end.
    let cut: Vec<String> = rows.iter().map(|row| row.replace('.', " ")).collect();
    let cut: Vec<&str> = cut.iter().map(|row| row.trim_end()).collect();
    reads_nine(&format!(
        "{}\n{}",
        rows[0].replace('.', " "),
        cut[1..].join("\n")
    ));
    // A row without a clue looks like a border.
    let grid: Grid = (".........".repeat(2) + &NINE[18..]).parse().unwrap();
    let text = grid.to_string().replace('.', "-");
    let rows: Vec<&str> = (0..9).map(|row| &text[9 * row..9 * row + 9]).collect();
    assert_eq!(read(&rows.join("\n")), Ok(vec![grid]));
}

#[test]
fn records_may_be_set_apart_by_tabs_or_semicolons() {
    reads_nine(&format!("id\tpuzzle\tnote\n7\t{NINE}\ta, b\n"));
    reads_nine(&format!("id;puzzle;note\n7;\"{NINE}\";x\n"));
    reads_nine(&format!("Puzzle\tRating\r\n{NINE}\t1.2\r\n"));
    reads_nine(&format!("{NINE};7.2;someone\n"));
    reads_nine(&format!("{NINE}\t7.2\n"));
    fails(
        "id\tpuzzle\n7\t1...\n",
        "line 2, column 3: expected 81 cells (or 16, 36, 256, 625) or a row of 9 \
         (or 4, 6, 16, 25), found 4",
    );
}

/// Puzzle and solution beside each other with words below, as `solve` draws.
#[test]
fn what_solve_draws_can_be_read_again() {
    let grid: Grid = NINE.parse().unwrap();
    let solution = reference::solve(&grid).unwrap();
    let plain = |_, _, symbol: char| symbol.to_string();
    let (left, right) = (draw(&grid, &grid, plain), draw(&grid, &solution, plain));
    let both = beside(&left, &right, 25, "   ");
    let text = format!("{both}unique · verified · native · 1 node · 12.3µs\n\n");
    assert_eq!(
        read(&text.repeat(2)),
        Ok(vec![grid.clone(), grid.clone()]),
        "{text}"
    );
    let none = format!("{left}no solution: row 1 holds 5 twice · native\n\n{left}");
    assert_eq!(read(&none), Ok(vec![grid.clone(), grid]));
}

fn only(text: &str) -> Puzzle {
    let mut puzzles: Vec<Puzzle> = Puzzles::new(text.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(puzzles.len(), 1, "{text}");
    puzzles.remove(0)
}

#[test]
fn pencil_marks_are_read_as_they_are_drawn() {
    let grid: Grid = NINE.parse().unwrap();
    let drawing = pencil(&grid, |cell| grid.candidates(cell));
    let puzzle = only(&drawing);
    let notes = puzzle.notes.unwrap();
    for cell in grid.shape().all_cells() {
        let (marks, candidates) = (notes.marks[cell.index()], grid.candidates(cell));
        match grid.get(cell).is_some() || candidates.len() == 1 {
            true => assert!(puzzle.grid.get(cell).is_some()),
            false => assert_eq!(marks, candidates),
        }
    }
    // The same without a frame, with other bars, and in one line of symbols.
    let bare: String = drawing
        .lines()
        .filter(|l| l.contains('|'))
        .map(|l| format!("{}\n", l.replace('|', " ")))
        .collect();
    let line = candidates_line(&grid, |cell| grid.candidates(cell));
    assert_eq!(line.len(), 729);
    for other in [
        bare,
        drawing.replace(['.', ':', '\''], "+"),
        drawing.replace(['.', '\''], "*"),
        line.clone(),
        line.replace('.', "0"),
    ] {
        let other = only(&other);
        assert_eq!(other.grid, puzzle.grid);
        assert_eq!(other.notes.as_deref(), Some(&*notes));
    }
}

#[test]
fn a_solution_whose_rows_stand_in_one_line_is_no_pencil_marks() {
    let full = reference::solve(&NINE.parse().unwrap())
        .unwrap()
        .to_string();
    let rows: Vec<&str> = (0..9).map(|row| &full[9 * row..9 * row + 9]).collect();
    assert_eq!(read(&rows.join(" ")), Ok(vec![full.parse().unwrap()]));
}

#[test]
fn lines_of_the_library_carry_entries_and_struck_candidates() {
    let clues: Grid = NINE.parse().unwrap();
    let mut grid = clues.clone();
    let cell = Shape::Three.cell(4, 4);
    grid.set(cell, Digit::new(5));
    let struck = Shape::Three.cell(0, 2);
    let one = Digit::new(1).unwrap();
    let marks = |cell| match cell == struck {
        true => grid.candidates(cell).without(one),
        false => grid.candidates(cell),
    };
    let line = library_line(&clues, &grid, marks);
    assert!(
        line.contains("4..8+53..1") && line.contains(":113:"),
        "{line}"
    );
    let puzzle = only(&line);
    let notes = puzzle.notes.unwrap();
    assert_eq!(puzzle.grid, grid);
    assert_eq!(notes.entries, [cell]);
    assert_eq!(notes.clues(&grid), clues);
    assert_eq!(notes.marks[struck.index()], marks(struck));
    // Without anything noted it is a puzzle like any other.
    reads_nine(&format!(":0000:x:{NINE}:::"));
    reads_nine(&format!(":0000:1:{NINE}::123:456:a: remark"));
    fails(
        &format!(":0000:x:{NINE}:113 1x3:::"),
        "line 1, column 95: expected a digit, a row and a column such as 527, found `1x3`",
    );
    fails(
        &format!(":0000:x:{}:::", NINE.replacen("..", ".!", 1)),
        "line 1, column 12: row 1, column 4 of the board: expected 1 to 9 or `.`, found `!`",
    );
    let line = candidates_line(&clues, |cell| clues.candidates(cell));
    fails(
        &line.replacen("....5", "...75", 1),
        "line 1, column 4: candidates of row 1, column 1 of the board: expected 4 or `.`, found `7`",
    );
}

#[test]
fn sixteen_symbols_are_a_small_board_or_a_row_of_the_large_one() {
    let large: Grid = "123456789ABCDEFG".repeat(16).parse().unwrap();
    let bare = "123456789ABCDEFG\n".repeat(16);
    assert_eq!(read(&bare), Ok(vec![large.clone()]));
    let numbers = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n".repeat(16);
    assert_eq!(read(&numbers), Ok(vec![large]));
    let small: Grid = "1234341221434321".parse().unwrap();
    assert_eq!(read(&"1234341221434321\n".repeat(20)), Ok(vec![small; 20]));
}

#[test]
fn an_empty_text_holds_no_puzzle() {
    for text in ["", "\n\n", "# nothing\n", "\u{feff}", "+---+\n"] {
        assert_eq!(read(text), Ok(vec![]), "{text:?}");
    }
}

#[test]
fn a_collection_of_opensudoku_is_read_however_it_is_laid_out() {
    let game = |data: &str| format!("<game created='1' data = '{data}'/>");
    let (one, two) = ("1...............", "4000000000000000");
    let line = format!(
        "<?xml version=\"1.0\"?><opensudoku><name>{one}</name>{}{}</opensudoku>\n{one}\n",
        game(one),
        game(two)
    );
    let lines = format!(
        "<?xml version=\"1.0\"?>\n<opensudoku version=\"2\">\n{one}\n<folder name=\"a\">\n\t{}\n\
         {}\n</folder>\n</opensudoku>\n{one}",
        game(one),
        game(two)
    );
    for text in [line, lines] {
        let grids = read(&text).unwrap();
        let found: Vec<String> = grids.iter().map(Grid::to_string).collect();
        assert_eq!(found, [one, "4...............", one], "{text}");
        check_reading(text.as_bytes());
    }
    // A mistake costs its own puzzle only, and is told where it stands.
    let text = format!(
        "<opensudoku>\n <game data=\"12\"/>{}\n<game cells=\"1\"/>",
        game(one)
    );
    let found: Vec<_> = Puzzles::new(text.as_bytes()).collect();
    assert_eq!(found.len(), 3);
    assert!(found[1].is_ok());
    let place = |nth: usize| {
        let error: &TextError = found[nth].as_ref().unwrap_err();
        (error.line, error.column)
    };
    assert_eq!((place(0), place(2)), ((2, 14), (3, 1)));
    fails(
        "<html>\n",
        "line 1, column 1: expected `<game data=\"…\" />` of an OpenSudoku file, found another tag",
    );
}
