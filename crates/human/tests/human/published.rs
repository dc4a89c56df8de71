//! Ratings beside those of the reference program, where its tables are.

use planoku_engine::Run;
use planoku_human::Rater;
use planoku_sudoku::Grid;

use crate::corpora;

#[test]
#[ignore = "needs the corpora in ../shared"]
fn ratings_are_those_of_the_reference_program() {
    check("se_ratings.csv", u64::MAX, 995);
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn the_hardest_have_their_published_ratings() {
    // Those that take too long are left out. Some rows of the table cannot be
    // right: a first step of 1.2 where the board has no single, or none where it
    // has one.
    check("se_published_hardest.csv", 200_000, 900);
}

/// At least so many of a thousand have ER, EP and ED as in the table.
fn check(name: &str, nodes: u64, wanted: usize) {
    let table = std::fs::read_to_string(corpora::path("data").join(name)).unwrap();
    let mut rater = Rater::new();
    let (mut exact, mut all) = (0, 0);
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let puzzle: Grid = fields[0].parse().unwrap();
        let Ok(rated) = rater.rate(&puzzle, &mut Run::limit(1).with_nodes(nodes)) else {
            continue;
        };
        let found = [rated.er, rated.ep, rated.ed].map(|rating| rating.to_string());
        all += 1;
        exact += usize::from(found == fields[1..4]);
    }
    assert!(all > 0 && exact * 1000 >= all * wanted, "{exact} of {all}");
}
