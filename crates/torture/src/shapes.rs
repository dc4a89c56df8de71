//! Problems that are simple and huge: their answer is known without search.
//!
//! Chains of thousands of steps, networks of thousands of tasks, hierarchies
//! thousands of levels deep, recursion a hundred thousand steps long. They ask
//! whether limits hold in every phase, and whether sums and stacks do.

use crate::dice::Dice;
use crate::oracle::Truth;
use crate::problem::{
    Action, Amount, Atom, Effect, Formula, Method, Network, Node, Object, Price, Problem, Subtask,
    Term, Top,
};

/// Each shape, by name.
pub const SHAPES: [&str; 9] = [
    "chain",
    "network",
    "hierarchy",
    "loop",
    "counter",
    "nest",
    "wide",
    "unordered",
    "rooms",
];

/// The largest size of a shape that is worth asking about: recursion of a
/// hundred thousand steps, networks and hierarchies of twenty thousand parts.
pub fn largest(name: &str) -> usize {
    match name {
        "chain" | "loop" | "counter" => 110_000,
        "network" | "hierarchy" | "rooms" => 25_000,
        "wide" => 3_000,
        "nest" => 2_000,
        _ => 300,
    }
}

/// A shape of about `size` parts and what is true of it.
pub fn shape(name: &str, size: usize, dice: &mut Dice<'_>) -> (Problem, Truth) {
    let price = match dice.below(6) {
        0 => Amount::whole(100_000_000),
        1 => Amount::whole(u64::MAX),
        2 => Amount::whole(1 << 63),
        3 => Amount::whole((1 << 32) - 1),
        4 => Amount::whole(0),
        _ => Amount::whole(1),
    };
    match name {
        "chain" => chain(size, price),
        "network" => network(size, price, Some(dice.percent(70)), dice),
        "unordered" => network(size, price, None, dice),
        "hierarchy" => hierarchy(size, price, dice.percent(50)),
        "loop" => walk(size, price),
        "counter" => counter(size, price),
        "nest" => nest(size, dice),
        "rooms" => rooms(size, price),
        _ => wide(size, dice),
    }
}

fn atom(predicate: usize, terms: &[Term]) -> Formula {
    Formula::Atom(Atom {
        predicate,
        terms: terms.to_vec(),
    })
}

fn effect(predicate: usize, terms: &[Term], add: bool) -> Effect {
    Effect {
        each: None,
        when: vec![],
        atom: Atom {
            predicate,
            terms: terms.to_vec(),
        },
        add,
    }
}

fn objects(count: usize) -> Vec<Object> {
    let object = Object {
        kind: 0,
        constant: false,
    };
    vec![object; count]
}

fn found(steps: usize, price: Amount) -> Truth {
    Truth {
        exists: Some(true),
        cheapest: Some(Amount(price.0 * steps as u128)),
    }
}

const X: Term = Term::Variable(0);
const Y: Term = Term::Variable(1);

/// `p0` is where one stands, `p1` what comes after; `a0` steps.
fn road(size: usize, price: Amount) -> Problem {
    Problem {
        types: vec![0],
        objects: objects(size + 1),
        predicates: vec![vec![0], vec![0, 0]],
        actions: vec![Action {
            parameters: vec![0, 0],
            condition: vec![atom(0, &[X]), atom(1, &[X, Y])],
            effects: vec![effect(0, &[X], false), effect(0, &[Y], true)],
            changes: vec![],
            price: Some(Price::Number(price)),
        }],
        init: std::iter::once((0, vec![0]))
            .chain((0..size).map(|at| (1, vec![at, at + 1])))
            .collect(),
        goal: vec![atom(0, &[Term::Object(size)])],
        ..Problem::default()
    }
}

/// A classical problem whose only plan is `size` steps long.
fn chain(size: usize, price: Amount) -> (Problem, Truth) {
    (road(size, price), found(size, price))
}

fn subtask(node: Node, terms: &[Term]) -> Subtask {
    Subtask {
        node,
        terms: terms.to_vec(),
    }
}

/// Many tasks in the initial network, in a row (written as such or as pairs)
/// or in any order.
fn network(
    size: usize,
    price: Amount,
    ordered: Option<bool>,
    dice: &mut Dice<'_>,
) -> (Problem, Truth) {
    let compound = dice.percent(50);
    let node = match compound {
        true => Node::Task(0),
        false => Node::Action(0),
    };
    let problem = Problem {
        types: vec![0],
        predicates: vec![vec![]],
        actions: vec![Action {
            parameters: vec![],
            condition: vec![],
            effects: vec![effect(0, &[], true)],
            changes: vec![],
            price: Some(Price::Number(price)),
        }],
        tasks: vec![vec![]],
        methods: vec![Method {
            parameters: vec![],
            task: 0,
            terms: vec![],
            condition: vec![],
            network: Network {
                subtasks: vec![subtask(Node::Action(0), &[])],
                ..Network::default()
            },
        }],
        top: Some(Top {
            parameters: vec![],
            network: Network {
                subtasks: vec![subtask(node, &[]); size],
                order: match ordered {
                    Some(true) => None,
                    Some(false) => Some((1..size).map(|at| (at - 1, at)).collect()),
                    None => Some(vec![]),
                },
                constraints: vec![],
            },
        }),
        goal: vec![atom(0, &[])],
        ..Problem::default()
    };
    (problem, found(size, price))
}

/// Tasks each carried out by the next, and at the bottom an action.
fn hierarchy(size: usize, price: Amount, with_condition: bool) -> (Problem, Truth) {
    let condition = match with_condition {
        true => vec![Formula::Not(Box::new(atom(0, &[])))],
        false => vec![],
    };
    let methods = (0..size).map(|level| Method {
        parameters: vec![],
        task: level,
        terms: vec![],
        condition: condition.clone(),
        network: Network {
            subtasks: vec![match level + 1 == size {
                true => subtask(Node::Action(0), &[]),
                false => subtask(Node::Task(level + 1), &[]),
            }],
            ..Network::default()
        },
    });
    let (mut problem, truth) = network(1, price, Some(true), &mut Dice::seeded(0));
    problem.methods = methods.collect();
    problem.tasks = vec![vec![]; size];
    if let Some(top) = &mut problem.top {
        top.network.subtasks = vec![subtask(Node::Task(0), &[])];
    }
    (problem, truth)
}

/// A task that steps and does itself again, until the end of the road.
fn walk(size: usize, price: Amount) -> (Problem, Truth) {
    let mut problem = road(size, price);
    let last = Term::Object(size);
    problem.objects[size].constant = true;
    problem.tasks = vec![vec![]];
    problem.methods = vec![
        Method {
            parameters: vec![0, 0],
            task: 0,
            terms: vec![],
            condition: vec![atom(0, &[X]), atom(1, &[X, Y])],
            network: Network {
                subtasks: vec![
                    subtask(Node::Action(0), &[X, Y]),
                    subtask(Node::Task(0), &[]),
                ],
                ..Network::default()
            },
        },
        Method {
            parameters: vec![],
            task: 0,
            terms: vec![],
            condition: vec![atom(0, &[last])],
            network: Network::default(),
        },
    ];
    problem.top = Some(Top {
        parameters: vec![],
        network: Network {
            subtasks: vec![subtask(Node::Task(0), &[])],
            ..Network::default()
        },
    });
    (problem, found(size, price))
}

/// A task that tidies one room and does itself again: as many steps as rooms,
/// in any order, each a choice among all that are left.
fn rooms(size: usize, price: Amount) -> (Problem, Truth) {
    let mut problem = Problem {
        types: vec![0],
        objects: objects(size),
        predicates: vec![vec![0], vec![0]],
        actions: vec![Action {
            parameters: vec![0],
            condition: vec![atom(0, &[X])],
            effects: vec![effect(0, &[X], false), effect(1, &[X], true)],
            changes: vec![],
            price: Some(Price::Number(price)),
        }],
        tasks: vec![vec![]],
        init: (0..size).map(|room| (0, vec![room])).collect(),
        goal: (0..size)
            .map(|room| atom(1, &[Term::Object(room)]))
            .collect(),
        top: Some(Top {
            parameters: vec![],
            network: Network {
                subtasks: vec![subtask(Node::Task(0), &[])],
                ..Network::default()
            },
        }),
        ..Problem::default()
    };
    let again = vec![subtask(Node::Action(0), &[X]), subtask(Node::Task(0), &[])];
    for (parameters, subtasks) in [(vec![0], again), (vec![], vec![])] {
        problem.methods.push(Method {
            parameters,
            task: 0,
            terms: vec![],
            condition: vec![],
            network: Network {
                subtasks,
                ..Network::default()
            },
        });
    }
    (problem, found(size, price))
}

/// A binary counter that a recursive task counts up from 0: a small text and
/// about `size` steps.
fn counter(size: usize, price: Amount) -> (Problem, Truth) {
    let bits = size.max(2).ilog2() as usize;
    let bit = |number: usize| atom(number, &[]);
    let mut problem = Problem {
        types: vec![0],
        predicates: vec![vec![]; bits],
        tasks: vec![vec![]],
        goal: (0..bits).map(bit).collect(),
        top: Some(Top {
            parameters: vec![],
            network: Network {
                subtasks: vec![subtask(Node::Task(0), &[])],
                ..Network::default()
            },
        }),
        ..Problem::default()
    };
    // One action for each bit that becomes 1 and clears those below.
    for number in 0..bits {
        let mut condition: Vec<Formula> = (0..number).map(bit).collect();
        condition.push(Formula::Not(Box::new(bit(number))));
        let mut effects: Vec<Effect> = (0..number).map(|it| effect(it, &[], false)).collect();
        effects.push(effect(number, &[], true));
        problem.actions.push(Action {
            parameters: vec![],
            condition,
            effects,
            changes: vec![],
            price: Some(Price::Number(price)),
        });
        problem.methods.push(Method {
            parameters: vec![],
            task: 0,
            terms: vec![],
            condition: vec![],
            network: Network {
                subtasks: vec![
                    subtask(Node::Action(number), &[]),
                    subtask(Node::Task(0), &[]),
                ],
                ..Network::default()
            },
        });
    }
    problem.methods.push(Method {
        parameters: vec![],
        task: 0,
        terms: vec![],
        condition: (0..bits).map(bit).collect(),
        network: Network::default(),
    });
    (problem, found((1 << bits) - 1, price))
}

/// Methods without subtasks inside methods, each with a condition, beside an
/// action that makes the conditions true or false.
fn nest(size: usize, dice: &mut Dice<'_>) -> (Problem, Truth) {
    if dice.percent(50) {
        return beside(size, dice);
    }
    let depth = size.max(1);
    let solvable = dice.percent(50);
    let (mut problem, mut truth) = hierarchy(depth, Amount::whole(1), false);
    for method in &mut problem.methods {
        if dice.percent(50) {
            method.condition = vec![atom(0, &[])];
        }
    }
    if let Some(last) = problem.methods.last_mut() {
        last.network = Network::default();
        last.condition = vec![atom(0, &[])];
    }
    if let Some(top) = &mut problem.top {
        top.network.subtasks.push(subtask(Node::Action(0), &[]));
        // Before the action nothing holds; after or beside it, it does.
        top.network.order = Some(match (solvable, dice.percent(50)) {
            (false, _) => vec![(0, 1)],
            (true, true) => vec![],
            (true, false) => {
                top.network.subtasks.swap(0, 1);
                vec![(0, 1)]
            }
        });
    }
    if !solvable {
        truth = Truth {
            exists: Some(false),
            cheapest: None,
        };
    }
    (problem, truth)
}

/// A method whose condition has to hold right before its action, after a nest
/// without actions, beside an action that ends the condition: if the former
/// needs the latter there is no plan.
fn beside(size: usize, dice: &mut Dice<'_>) -> (Problem, Truth) {
    let (mut problem, mut truth) = hierarchy(size.max(1) + 1, Amount::whole(1), false);
    let blocked = dice.percent(50);
    problem.init = vec![(0, vec![])];
    problem.predicates = vec![vec![]; 2];
    problem.goal = vec![atom(1, &[])];
    problem.actions[0].effects = vec![effect(0, &[], false)];
    problem.actions.push(Action {
        parameters: vec![],
        condition: match blocked {
            true => vec![Formula::Not(Box::new(atom(0, &[])))],
            false => vec![],
        },
        effects: vec![effect(1, &[], true)],
        changes: vec![],
        price: Some(Price::Number(Amount::whole(1))),
    });
    let outer = &mut problem.methods[0];
    outer.condition = vec![atom(0, &[])];
    outer.network.subtasks.push(subtask(Node::Action(1), &[]));
    if let Some(inner) = problem.methods.last_mut() {
        inner.network = Network::default();
        inner.condition = match dice.percent(50) {
            true => vec![atom(0, &[])],
            false => vec![],
        };
    }
    if let Some(top) = &mut problem.top {
        top.network.subtasks.push(subtask(Node::Action(0), &[]));
        top.network.order = Some(vec![]);
    }
    truth = match blocked {
        true => Truth {
            exists: Some(false),
            cheapest: None,
        },
        false => Truth {
            exists: Some(true),
            cheapest: truth.cheapest.map(|cost| cost + cost),
        },
    };
    (problem, truth)
}

/// One action with two parameters over many objects.
fn wide(size: usize, dice: &mut Dice<'_>) -> (Problem, Truth) {
    let size = size.max(2);
    let (a, b) = (dice.below(size), dice.below(size));
    let problem = Problem {
        types: vec![0],
        objects: objects(size),
        predicates: vec![vec![0], vec![0, 0]],
        actions: vec![Action {
            parameters: vec![0, 0],
            condition: vec![
                atom(0, &[X]),
                atom(0, &[Y]),
                Formula::Not(Box::new(Formula::Equal(X, Y))),
            ],
            effects: vec![effect(1, &[X, Y], true), effect(0, &[X], false)],
            changes: vec![],
            price: None,
        }],
        init: (0..size).map(|object| (0, vec![object])).collect(),
        goal: vec![atom(1, &[Term::Object(a), Term::Object(b)])],
        ..Problem::default()
    };
    let truth = match a == b {
        true => Truth {
            exists: Some(false),
            cheapest: None,
        },
        false => found(1, Amount::whole(1)),
    };
    (problem, truth)
}
