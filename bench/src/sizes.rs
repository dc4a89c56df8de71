//! The worlds of `models/classical` in three sizes more.
//!
//! `models/classical` ends where a planner needs a second or two. This writes
//! the same eleven worlds beside a copy of their domains, each in three sizes
//! above `large`, drawn from a seed, so that everybody gets the same: too big
//! to be kept as files, and small enough to be made in no time. Every one has a
//! plan, because it was made backwards from one or can be seen to.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use planoku_engine::random::SplitMix;

/// Write the worlds of models/classical in three sizes more.
#[derive(clap::Args)]
pub struct Args {
    /// Where the domains are.
    #[arg(long, default_value = "models/classical")]
    models: PathBuf,
    /// Where to write to; made if it is not there.
    directory: PathBuf,
}

/// A problem as text: objects by type, facts, goals.
#[derive(Default)]
struct Problem {
    objects: String,
    init: String,
    goal: String,
    tail: &'static str,
}

/// Chance that repeats.
struct Dice(SplitMix);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound.max(1) as u64) as usize
    }

    fn shuffled(&mut self, count: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..count).collect();
        for end in (1..count).rev() {
            items.swap(end, self.below(end + 1));
        }
        items
    }
}

/// A world: its name, and a problem of the first, second or third size more.
type World = (&'static str, fn(usize, &mut Dice) -> Problem);

const WORLDS: [World; 11] = [
    ("blocks", blocks),
    ("elevator", elevator),
    ("ferry", ferry),
    ("gripper", gripper),
    ("hanoi", hanoi),
    ("logistics", logistics),
    ("power", power),
    ("rovers", rovers),
    ("sokoban", sokoban),
    ("tiles", tiles),
    ("visit", visit),
];

pub fn run(args: &Args) -> Result<(), String> {
    for (number, (world, make)) in WORLDS.into_iter().enumerate() {
        let folder = args.directory.join(world);
        let failed = |at: &Path, error: std::io::Error| format!("{}: {error}", at.display());
        std::fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
        let domain = args.models.join(world).join("domain.pddl");
        std::fs::copy(&domain, folder.join("domain.pddl"))
            .map_err(|error| failed(&domain, error))?;
        for (size, name) in ["larger", "huge", "vast"].into_iter().enumerate() {
            let mut dice = Dice(SplitMix::new((number * 3 + size) as u64 + 1));
            let it = make(size, &mut dice);
            let text = format!(
                "(define (problem {world}-{name})\n  (:domain {world})\n  (:objects{})\n  \
                 (:init{})\n  (:goal (and{})){})\n",
                it.objects, it.init, it.goal, it.tail
            );
            let file = folder.join(name).with_extension("pddl");
            std::fs::write(&file, text).map_err(|error| failed(&file, error))?;
        }
    }
    Ok(())
}

/// Adds to a text; writing to a string cannot fail.
macro_rules! add {
    ($to:expr, $($text:tt)*) => {{
        let _ = write!($to, "\n    {}", format_args!($($text)*));
    }};
}

/// Names with numbers from 1 on, and their type.
fn names(count: usize, name: &str, kind: &str) -> String {
    let each: Vec<String> = (1..=count).map(|it| format!("{name}{it}")).collect();
    format!("\n    {} - {kind}", each.join(" "))
}

fn blocks(size: usize, dice: &mut Dice) -> Problem {
    let count = [60, 100, 160][size];
    let mut problem = Problem {
        objects: names(count, "b", "block"),
        init: "\n    (hand-empty)".into(),
        ..Problem::default()
    };
    for goal in [false, true] {
        let mut below = None;
        for block in dice.shuffled(count) {
            let starts = dice.below(6) == 0;
            let into = match goal {
                true => &mut problem.goal,
                false => &mut problem.init,
            };
            match below.filter(|_| !starts) {
                Some(below) => add!(into, "(on b{} b{})", block + 1, below + 1),
                None if goal => {}
                None => add!(into, "(on-table b{})", block + 1),
            }
            if let Some(below) = below.filter(|_| starts && !goal) {
                add!(into, "(clear b{})", below + 1);
            }
            below = Some(block);
        }
        if let Some(below) = below.filter(|_| !goal) {
            add!(problem.init, "(clear b{})", below + 1);
        }
    }
    problem
}

fn elevator(size: usize, dice: &mut Dice) -> Problem {
    let (floors, passengers) = [(40, 60), (60, 100), (80, 160)][size];
    let mut problem = Problem {
        objects: names(floors, "f", "floor") + &names(passengers, "p", "passenger"),
        init: "\n    (lift-at f1)".into(),
        ..Problem::default()
    };
    for high in 2..=floors {
        for low in 1..high {
            add!(problem.init, "(above f{high} f{low})");
        }
    }
    for passenger in 1..=passengers {
        let from = dice.below(floors);
        let to = (from + 1 + dice.below(floors - 1)) % floors;
        add!(problem.init, "(waits p{passenger} f{})", from + 1);
        add!(problem.init, "(wants p{passenger} f{})", to + 1);
        add!(problem.goal, "(served p{passenger})");
    }
    problem
}

fn ferry(size: usize, dice: &mut Dice) -> Problem {
    let (ports, cars) = [(25, 60), (35, 100), (50, 160)][size];
    let mut problem = Problem {
        objects: names(ports, "port", "port") + &names(cars, "car", "car"),
        init: "\n    (moored port1) (deck-free) (= (total-cost) 0)".into(),
        tail: "\n  (:metric minimize (total-cost))",
        ..Problem::default()
    };
    let places: Vec<(usize, usize)> = (0..ports)
        .map(|_| (dice.below(20), dice.below(20)))
        .collect();
    for (a, from) in places.iter().enumerate() {
        for (b, to) in places.iter().enumerate().filter(|(b, _)| *b != a) {
            let far = 1 + from.0.abs_diff(to.0) + from.1.abs_diff(to.1);
            add!(problem.init, "(route port{} port{})", a + 1, b + 1);
            add!(
                problem.init,
                "(= (distance port{} port{}) {far})",
                a + 1,
                b + 1
            );
        }
    }
    for car in 1..=cars {
        add!(
            problem.init,
            "(parked car{car} port{})",
            dice.below(ports) + 1
        );
        add!(
            problem.goal,
            "(parked car{car} port{})",
            dice.below(ports) + 1
        );
    }
    problem
}

fn gripper(size: usize, dice: &mut Dice) -> Problem {
    let (balls, rooms) = [(100, 5), (160, 6), (250, 8)][size];
    let objects = names(balls, "ball", "ball") + &names(rooms, "room", "room");
    let mut problem = Problem {
        objects: objects + "\n    left right - hand",
        init: "\n    (robot-in room1) (empty left) (empty right)".into(),
        ..Problem::default()
    };
    for ball in 1..=balls {
        add!(
            problem.init,
            "(ball-in ball{ball} room{})",
            dice.below(rooms) + 1
        );
        add!(
            problem.goal,
            "(ball-in ball{ball} room{})",
            dice.below(rooms) + 1
        );
    }
    problem
}

fn hanoi(size: usize, _: &mut Dice) -> Problem {
    let disks = 11 + size;
    let mut problem = Problem {
        objects: names(disks, "d", "disk") + "\n    left middle right - peg",
        init: "\n    (clear d1) (clear middle) (clear right)".into(),
        ..Problem::default()
    };
    for disk in 1..=disks {
        if disk < disks {
            add!(problem.init, "(on d{disk} d{})", disk + 1);
            add!(problem.goal, "(on d{disk} d{})", disk + 1);
        }
        for larger in disk + 1..=disks {
            add!(problem.init, "(fits d{disk} d{larger})");
        }
        for peg in ["left", "middle", "right"] {
            add!(problem.init, "(fits d{disk} {peg})");
        }
    }
    add!(problem.init, "(on d{disks} left)");
    add!(problem.goal, "(on d{disks} right)");
    problem
}

fn logistics(size: usize, dice: &mut Dice) -> Problem {
    let (cities, parcels) = [(12, 60), (18, 100), (25, 160)][size];
    let places = 4;
    let objects = [
        names(cities, "city", "city"),
        names(cities, "airport", "airport"),
        names(cities * places, "place", "place"),
        names(cities, "van", "van"),
        names(cities / 4, "plane", "plane"),
        names(parcels, "parcel", "parcel"),
    ];
    let mut problem = Problem {
        objects: objects.concat(),
        ..Problem::default()
    };
    for city in 1..=cities {
        add!(
            problem.init,
            "(in-city airport{city} city{city}) (stands van{city} airport{city})"
        );
        for place in 0..places {
            let place = (city - 1) * places + place + 1;
            add!(problem.init, "(in-city place{place} city{city})");
        }
    }
    for plane in 1..=cities / 4 {
        add!(
            problem.init,
            "(stands plane{plane} airport{})",
            dice.below(cities) + 1
        );
    }
    for parcel in 1..=parcels {
        let all = cities * places;
        add!(
            problem.init,
            "(lies parcel{parcel} place{})",
            dice.below(all) + 1
        );
        add!(
            problem.goal,
            "(lies parcel{parcel} place{})",
            dice.below(all) + 1
        );
    }
    problem
}

/// Squares of a grid with holes that can be reached from the first one.
fn island(width: usize, height: usize, holes: usize, dice: &mut Dice) -> BTreeSet<(usize, usize)> {
    let mut land: BTreeSet<(usize, usize)> = (1..=height)
        .flat_map(|y| (1..=width).map(move |x| (x, y)))
        .collect();
    for _ in 0..holes {
        land.remove(&(1 + dice.below(width), 1 + dice.below(height)));
    }
    land.insert((1, 1));
    let (mut reached, mut open) = (BTreeSet::from([(1, 1)]), vec![(1, 1)]);
    while let Some(at) = open.pop() {
        for next in beside(at).filter(|next| land.contains(next)) {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

/// The squares right, left, below and above.
fn beside((x, y): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)].into_iter()
}

fn power(size: usize, dice: &mut Dice) -> Problem {
    let (width, height, holes) = [(7, 6, 3), (9, 8, 5), (12, 10, 8)][size];
    let whole = island(width, height, holes, dice);
    let (mut problem, mut switches) = (Problem::default(), 0);
    let all = (1..=height).flat_map(|y| (1..=width).map(move |x| (x, y)));
    for at in all.clone() {
        add!(problem.objects, "s{}-{} - station", at.0, at.1);
        match whole.contains(&at) {
            true => add!(problem.goal, "(live s{}-{})", at.0, at.1),
            false => add!(problem.init, "(broken s{}-{})", at.0, at.1),
        }
        for to in beside(at).filter(|to| *to > at && to.0 <= width && to.1 <= height) {
            switches += 1;
            add!(problem.objects, "w{switches} - switch");
            for (a, b) in [(at, to), (to, at)] {
                add!(
                    problem.init,
                    "(joins w{switches} s{}-{} s{}-{})",
                    a.0,
                    a.1,
                    b.0,
                    b.1
                );
            }
            // What is switched on already does no harm before a source is joined.
            if dice.below(4) == 0 && whole.contains(&at) == whole.contains(&to) {
                add!(problem.init, "(closed w{switches})");
            }
        }
    }
    add!(problem.init, "(source s1-1)");
    add!(problem.goal, "(not (fault))");
    problem
}

fn rovers(size: usize, dice: &mut Dice) -> Problem {
    let (rovers, sites, peaks) = [(10, 45, 30), (12, 60, 45), (14, 80, 60)][size];
    let objects = names(rovers, "rover", "rover") + &names(sites, "site", "site");
    let mut problem = Problem {
        objects: objects + &names(peaks, "peak", "target"),
        init: "\n    (in-range site1)".into(),
        ..Problem::default()
    };
    for rover in 1..=rovers {
        add!(
            problem.init,
            "(at rover{rover} site{})",
            dice.below(sites) + 1
        );
        add!(
            problem.init,
            "(drill rover{rover}) (store-empty rover{rover}) (camera rover{rover})"
        );
        let target = dice.below(peaks) + 1;
        add!(
            problem.init,
            "(calibration-target rover{rover} peak{target})"
        );
        // A tree with some ways more, both directions.
        for site in 2..=sites {
            let mut ways = vec![dice.below(site - 1) + 1];
            if dice.below(3) == 0 {
                ways.push(dice.below(site - 1) + 1);
            }
            ways.dedup();
            for other in ways {
                add!(
                    problem.init,
                    "(passable rover{rover} site{site} site{other})"
                );
                add!(
                    problem.init,
                    "(passable rover{rover} site{other} site{site})"
                );
            }
        }
    }
    for peak in 1..=peaks {
        add!(
            problem.init,
            "(sees site{} peak{peak})",
            dice.below(sites) + 1
        );
        add!(problem.goal, "(sent-picture peak{peak})");
    }
    for site in (1..=sites).step_by(2) {
        add!(problem.init, "(rock site{site})");
        add!(problem.goal, "(sent-analysis site{site})");
    }
    problem
}

/// Made backwards: from crates in their places, the keeper pulls.
fn sokoban(size: usize, dice: &mut Dice) -> Problem {
    let (width, height, crates) = [(12, 10, 5), (14, 12, 6), (16, 14, 8)][size];
    let land: Vec<_> = island(width, height, width * height / 8, dice)
        .into_iter()
        .collect();
    let names: Vec<String> = land
        .iter()
        .map(|it| format!("x{}y{}", it.0, it.1))
        .collect();
    let squares = names.join(" ");
    let crate_names = self::names(crates, "crate", "crate");
    let mut problem = Problem {
        objects: format!(
            "\n    {squares} - square{crate_names}\n    up down left right - direction"
        ),
        ..Problem::default()
    };
    let order = dice.shuffled(land.len());
    let mut at: Vec<(usize, usize)> = order[..crates].iter().map(|&it| land[it]).collect();
    let mut keeper = land[order[crates]];
    for (number, place) in at.iter().enumerate() {
        add!(
            problem.goal,
            "(at crate{} x{}y{})",
            number + 1,
            place.0,
            place.1
        );
    }
    let free = |at: &[(usize, usize)], square| land.contains(&square) && !at.contains(&square);
    for _ in 0..4000 * crates {
        let way = dice.below(4);
        let next = |(x, y): (usize, usize)| beside((x, y)).nth(way);
        let back = |(x, y): (usize, usize)| beside((x, y)).nth(way ^ 1);
        let Some(to) = next(keeper).filter(|&to| free(&at, to)) else {
            continue;
        };
        // Whoever steps away from a crate may take it along.
        let behind = back(keeper).and_then(|it| at.iter().position(|&place| place == it));
        if let Some(behind) = behind.filter(|_| dice.below(3) > 0) {
            at[behind] = keeper;
        }
        keeper = to;
    }
    add!(problem.init, "(keeper x{}y{})", keeper.0, keeper.1);
    for (number, place) in at.iter().enumerate() {
        add!(
            problem.init,
            "(at crate{} x{}y{})",
            number + 1,
            place.0,
            place.1
        );
    }
    for &(x, y) in &land {
        if (x, y) != keeper && free(&at, (x, y)) {
            add!(problem.init, "(free x{x}y{y})");
        }
        let ways = ["right", "left", "down", "up"];
        for (to, way) in beside((x, y)).zip(ways).filter(|it| land.contains(&it.0)) {
            add!(problem.init, "(next x{x}y{y} x{}y{} {way})", to.0, to.1);
        }
    }
    problem
}

/// Made backwards: a long walk of the gap.
fn tiles(size: usize, dice: &mut Dice) -> Problem {
    let (width, height) = [(5, 4), (5, 5), (6, 6)][size];
    let cells: Vec<(usize, usize)> = (1..=height)
        .flat_map(|y| (1..=width).map(move |x| (x, y)))
        .collect();
    let cell_names: Vec<String> = cells
        .iter()
        .map(|it| format!("x{}y{}", it.0, it.1))
        .collect();
    let mut problem = Problem {
        objects: names(cells.len() - 1, "t", "tile")
            + &format!("\n    {} - cell", cell_names.join(" ")),
        ..Problem::default()
    };
    let mut lies: Vec<usize> = (0..cells.len()).collect();
    let mut gap = cells.len() - 1;
    for _ in 0..20_000 {
        let to = beside(cells[gap]).nth(dice.below(4));
        if let Some(to) = to.and_then(|to| cells.iter().position(|&cell| cell == to)) {
            lies.swap(gap, to);
            gap = to;
        }
    }
    for (place, &tile) in lies.iter().enumerate() {
        match tile == cells.len() - 1 {
            true => add!(problem.init, "(gap {})", cell_names[place]),
            false => add!(problem.init, "(lies t{} {})", tile + 1, cell_names[place]),
        }
        for to in beside(cells[place]) {
            if let Some(to) = cells.iter().position(|&cell| cell == to) {
                add!(
                    problem.init,
                    "(beside {} {})",
                    cell_names[place],
                    cell_names[to]
                );
            }
        }
        if place + 1 < cells.len() {
            add!(problem.goal, "(lies t{} {})", place + 1, cell_names[place]);
        }
    }
    problem
}

fn visit(size: usize, dice: &mut Dice) -> Problem {
    let (width, ponds) = [(30, 120), (40, 220), (50, 350)][size];
    let land = island(width, width, ponds, dice);
    let mut problem = Problem {
        init: "\n    (at s1-1) (seen s1-1)".into(),
        ..Problem::default()
    };
    for &(x, y) in &land {
        add!(problem.objects, "s{x}-{y} - spot");
        add!(problem.goal, "(seen s{x}-{y})");
        for to in beside((x, y)).filter(|to| land.contains(to)) {
            add!(problem.init, "(path s{x}-{y} s{}-{})", to.0, to.1);
        }
    }
    problem
}
