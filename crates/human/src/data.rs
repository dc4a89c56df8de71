//! Steps and ratings as JSON. Every word is one of ours, so that nothing needs
//! to be escaped; rows, columns and houses are counted from 1.

use planoku_sudoku::House;

use crate::{Candidate, Chain, ChainNode, LinkReason, Rated, Step};

impl Step {
    /// The step as a JSON object.
    ///
    /// ```
    /// use planoku_engine::Run;
    /// use planoku_human::{Board, Rater};
    ///
    /// let grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let board = Board::new(&grid.parse().unwrap()).unwrap();
    /// let step = Rater::new().next(&board, &mut Run::limit(1)).unwrap().unwrap();
    /// assert!(step.json().starts_with("{\"technique\":\"hidden-single-box\",\"rating\":1.2,"));
    /// ```
    pub fn json(&self) -> String {
        let causes = self.causes.iter().map(|cause| {
            let role = cause.role.key();
            let candidate = json_candidate(cause.candidate);
            format!("{{\"role\":\"{role}\",\"candidate\":{candidate}}}")
        });
        format!(
            "{{\"technique\":\"{}\",\"rating\":{},\"variant\":{},\"sentence\":\"{}\",\
             \"placement\":{},\"eliminations\":{},\"causes\":{},\"houses\":{},\"chains\":{},\
             \"assumes_uniqueness\":{}}}",
            self.technique.key(),
            self.rating,
            self.variant
                .map_or("null".to_owned(), |text| format!("\"{text}\"")),
            self.sentence(),
            self.placement.map_or("null".to_owned(), json_candidate),
            json_list(self.eliminations.iter().copied().map(json_candidate)),
            json_list(causes),
            json_list(self.houses.iter().map(json_house)),
            json_list(self.chains.iter().map(json_chain)),
            self.assumes_uniqueness()
        )
    }
}

impl Rated {
    /// The members of a JSON object that tell the rating, without its braces:
    /// `"er":7.2,"ep":…,"ed":…,"hardest":…,"steps":…,"histogram":{…}`.
    pub fn json_members(&self) -> String {
        let histogram: Vec<String> = self
            .histogram()
            .map(|(technique, count)| format!("\"{}\":{count}", technique.key()))
            .collect();
        let hardest = self
            .hardest
            .map(|technique| format!("\"{}\"", technique.key()));
        format!(
            "\"er\":{},\"ep\":{},\"ed\":{},\"hardest\":{},\"steps\":{},\"histogram\":{{{}}}",
            self.er,
            self.ep,
            self.ed,
            hardest.as_deref().unwrap_or("null"),
            self.steps(),
            histogram.join(",")
        )
    }
}

fn json_candidate(candidate: Candidate) -> String {
    let cell = candidate.cell.index();
    format!(
        "{{\"row\":{},\"column\":{},\"digit\":{}}}",
        cell / 9 + 1,
        cell % 9 + 1,
        candidate.digit
    )
}

fn json_house(house: &House) -> String {
    format!("\"{house}\"")
}

fn json_chain(chain: &Chain) -> String {
    let nodes = json_list(chain.nodes.iter().map(json_node));
    format!("{{\"nested\":{},\"nodes\":{nodes}}}", chain.nested)
}

fn json_node(node: &ChainNode) -> String {
    let reason = match node.reason {
        LinkReason::Assumed => "assumed".to_owned(),
        LinkReason::Cell => "cell".to_owned(),
        LinkReason::House(house) => house.to_string(),
        LinkReason::Technique(technique) => technique.key().to_owned(),
    };
    // Only where there are chains inside, counted from 0 as parents are.
    let inside = match node.inside.as_slice() {
        [] => String::new(),
        inside => format!(
            ",\"inside\":{}",
            json_list(inside.iter().map(usize::to_string))
        ),
    };
    format!(
        "{{\"candidate\":{},\"on\":{},\"reason\":\"{reason}\",\"parents\":{}{inside}}}",
        json_candidate(node.candidate),
        node.on,
        json_list(node.parents.iter().map(usize::to_string))
    )
}

fn json_list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}
