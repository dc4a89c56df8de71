//! The fast grounder judged by a slow, obvious one, and facts worth keeping.

use std::collections::BTreeSet;

use planoku_engine::{Budget, Run, Stop};

use super::*;
use crate::model::{Atom, Effect, Formula, TaskRef, Term, Variable};

fn model(domain: &str, problem: &str) -> Model {
    let (model, diagnostics) = crate::read(domain, problem);
    model.unwrap_or_else(|| panic!("{diagnostics:?}\n{domain}\n{problem}"))
}

fn grounded(domain: &str, problem: &str) -> Ground {
    ground(&model(domain, problem), &mut Run::default()).unwrap()
}

/// Ground facts by name, for the slow grounder.
type Fact = (u32, Vec<u32>);
type Binding = Vec<u32>;

/// Enumerates all bindings and repeats every rule until nothing changes.
struct Slow<'a> {
    model: &'a Model,
    init: BTreeSet<Fact>,
    actions: BTreeSet<(u32, Vec<u32>)>,
    /// `(method or u32::MAX for the initial network, binding)`.
    methods: BTreeSet<(u32, Vec<u32>)>,
    reached: BTreeSet<Fact>,
    falsifiable: BTreeSet<Fact>,
    achieved: BTreeSet<(u32, Vec<u32>)>,
}

fn bindings(model: &Model, variables: &[Variable]) -> Vec<Binding> {
    let mut list = vec![vec![]];
    for variable in variables {
        let range = model.range(variable);
        list = list
            .iter()
            .flat_map(|start: &Binding| {
                range
                    .iter()
                    .map(|object| [start.as_slice(), &[object.0]].concat())
            })
            .collect();
    }
    list
}

fn value(term: &Term, binding: &[u32]) -> u32 {
    match term {
        Term::Object(object) => object.0,
        Term::Variable(variable) => binding[variable.index()],
    }
}

fn fact(atom: &Atom, binding: &[u32]) -> Fact {
    let arguments = atom.arguments.iter().map(|t| value(t, binding)).collect();
    (atom.predicate.0, arguments)
}

/// Alternatives: sets of literals.
type Dnf = Vec<BTreeSet<(Fact, bool)>>;

impl<'a> Slow<'a> {
    fn dnf(&self, formula: &Formula, positive: bool, binding: &[u32], all: &[Variable]) -> Dnf {
        let yes = || vec![BTreeSet::new()];
        let decided = |holds: bool| if holds { yes() } else { vec![] };
        let and = |parts: Vec<Dnf>| {
            parts.into_iter().fold(yes(), |left, right| {
                left.iter()
                    .flat_map(|a| right.iter().map(move |b| a | b))
                    .filter(|set: &BTreeSet<(Fact, bool)>| {
                        !set.iter().any(|(f, p)| set.contains(&(f.clone(), !p)))
                    })
                    .collect()
            })
        };
        let join = |parts: Vec<Dnf>, conjunction: bool| match conjunction {
            true => and(parts),
            false => parts.concat(),
        };
        match formula {
            Formula::True => decided(positive),
            Formula::Equal(a, b) => decided((value(a, binding) == value(b, binding)) == positive),
            Formula::Atom(atom) => vec![BTreeSet::from([(fact(atom, binding), positive)])],
            Formula::Not(inner) => self.dnf(inner, !positive, binding, all),
            Formula::And(parts) | Formula::Or(parts) => {
                let is_and = matches!(formula, Formula::And(_));
                let parts = parts.iter().map(|p| self.dnf(p, positive, binding, all));
                join(parts.collect(), is_and == positive)
            }
            Formula::Imply(a, b) => {
                let parts = vec![
                    self.dnf(a, !positive, binding, all),
                    self.dnf(b, positive, binding, all),
                ];
                join(parts, !positive)
            }
            Formula::Forall(ids, body) | Formula::Exists(ids, body) => {
                let is_all = matches!(formula, Formula::Forall(..));
                let inner: Vec<Variable> = ids.iter().map(|id| all[id.index()].clone()).collect();
                let mut parts = Vec::new();
                for values in bindings(self.model, &inner) {
                    let mut binding = binding.to_vec();
                    binding.resize(all.len(), 0);
                    for (id, value) in ids.iter().zip(values) {
                        binding[id.index()] = value;
                    }
                    parts.push(self.dnf(body, positive, &binding, all));
                }
                join(parts, is_all == positive)
            }
        }
    }

    fn possible(&self, formula: &Formula, binding: &[u32], all: &[Variable]) -> bool {
        self.dnf(formula, true, binding, all).iter().any(|set| {
            set.iter().all(|(fact, positive)| match positive {
                true => self.reached.contains(fact),
                false => !self.init.contains(fact) || self.falsifiable.contains(fact),
            })
        })
    }

    fn effects(effect: &Effect, binding: &[u32], add: &mut Vec<Fact>, delete: &mut Vec<Fact>) {
        match effect {
            Effect::Add(atom) => add.push(fact(atom, binding)),
            Effect::Delete(atom) => delete.push(fact(atom, binding)),
            Effect::And(parts) => parts
                .iter()
                .for_each(|part| Self::effects(part, binding, add, delete)),
            _ => {}
        }
    }

    /// The network and variables of a method, or the initial ones.
    fn method(&self, id: u32) -> (&'a crate::model::Network, &'a [Variable], &'a Formula) {
        if id == u32::MAX {
            let network = self.model.network.as_ref().unwrap();
            (&network.network, &network.variables, &Formula::True)
        } else {
            let method = &self.model.methods[id as usize];
            (&method.network, &method.variables, &method.precondition)
        }
    }

    fn head(&self, id: u32, binding: &[u32]) -> (u32, Vec<u32>) {
        if id == u32::MAX {
            return (u32::MAX, vec![]);
        }
        let method = &self.model.methods[id as usize];
        let arguments = method.task_arguments.iter().map(|t| value(t, binding));
        (method.task.0, arguments.collect())
    }

    fn new(model: &'a Model) -> Slow<'a> {
        let init: BTreeSet<Fact> = model
            .init
            .iter()
            .map(|f| (f.predicate.0, f.arguments.iter().map(|o| o.0).collect()))
            .collect();
        let mut slow = Slow {
            model,
            init,
            actions: BTreeSet::new(),
            methods: BTreeSet::new(),
            reached: BTreeSet::new(),
            falsifiable: BTreeSet::new(),
            achieved: BTreeSet::new(),
        };
        for (id, action) in model.actions.iter().enumerate() {
            for binding in bindings(model, &action.variables[..action.arity]) {
                slow.actions.insert((id as u32, binding));
            }
        }
        for (id, method) in model.methods.iter().enumerate() {
            for binding in bindings(model, &method.variables[..method.arity]) {
                slow.methods.insert((id as u32, binding));
            }
        }
        if let Some(network) = &model.network {
            for binding in bindings(model, &network.variables[..network.arity]) {
                slow.methods.insert((u32::MAX, binding));
            }
        }
        slow
    }

    /// Prunes to a fixed point; true if a plan is not ruled out.
    fn run(&mut self) -> bool {
        loop {
            let before = (self.actions.len(), self.methods.len(), self.reached.clone());
            self.round();
            if before == (self.actions.len(), self.methods.len(), self.reached.clone()) {
                break;
            }
        }
        let goal = self.possible(&self.model.goal, &[], &self.model.goal_variables);
        let root = (u32::MAX, vec![]);
        goal && (self.model.network.is_none() || self.achieved.contains(&root))
    }

    fn round(&mut self) {
        self.falsifiable.clear();
        for (id, binding) in &self.actions {
            let (mut add, mut delete) = (vec![], vec![]);
            let effect = &self.model.actions[*id as usize].effect;
            Self::effects(effect, binding, &mut add, &mut delete);
            self.falsifiable
                .extend(delete.into_iter().filter(|fact| !add.contains(fact)));
        }
        self.reached = self.init.clone();
        self.achieved.clear();
        let mut asked = BTreeSet::from([(u32::MAX, vec![])]);
        let mut fired = BTreeSet::new();
        let mut complete = BTreeSet::new();
        loop {
            let size = (self.reached.len(), asked.len(), fired.len(), complete.len());
            if self.model.network.is_none() {
                for action in self.actions.clone() {
                    self.fire(&action, &mut fired);
                }
            }
            for (id, binding) in self.methods.clone() {
                let (network, variables, precondition) = self.method(id);
                let head = self.head(id, &binding);
                if !asked.contains(&head)
                    || !self.possible(precondition, &binding, variables)
                    || !self.possible(&network.constraints, &binding, variables)
                {
                    continue;
                }
                let mut done = vec![false; network.subtasks.len()];
                for _ in 0..done.len() {
                    for (place, subtask) in network.subtasks.iter().enumerate() {
                        let ready = network
                            .ordering
                            .iter()
                            .all(|&(a, b)| b as usize != place || done[a as usize]);
                        if !ready {
                            continue;
                        }
                        let arguments = subtask.arguments.iter().map(|t| value(t, &binding));
                        let arguments: Vec<u32> = arguments.collect();
                        done[place] = match subtask.task {
                            TaskRef::Action(action) => {
                                self.fire(&(action.0, arguments), &mut fired)
                            }
                            TaskRef::Task(task) => {
                                asked.insert((task.0, arguments.clone()));
                                self.achieved.contains(&(task.0, arguments))
                            }
                        };
                    }
                }
                if !done.contains(&false) {
                    complete.insert((id, binding));
                    self.achieved.insert(head);
                }
            }
            if size == (self.reached.len(), asked.len(), fired.len(), complete.len()) {
                break;
            }
        }
        self.keep(&fired, &complete);
    }

    fn fire(&mut self, action: &(u32, Vec<u32>), fired: &mut BTreeSet<(u32, Vec<u32>)>) -> bool {
        if fired.contains(action) {
            return true;
        }
        let schema = &self.model.actions[action.0 as usize];
        let mut binding = action.1.clone();
        binding.resize(schema.variables.len(), 0);
        if !self.actions.contains(action)
            || !self.possible(&schema.precondition, &binding, &schema.variables)
        {
            return false;
        }
        let (mut add, mut delete) = (vec![], vec![]);
        Self::effects(&schema.effect, &binding, &mut add, &mut delete);
        self.reached.extend(add);
        fired.insert(action.clone());
        true
    }

    /// Keeps what is below the root by complete methods.
    fn keep(&mut self, fired: &BTreeSet<(u32, Vec<u32>)>, complete: &BTreeSet<(u32, Vec<u32>)>) {
        if self.model.network.is_none() {
            self.actions = fired.clone();
            self.methods.clear();
            return;
        }
        let mut actions = BTreeSet::new();
        let mut methods = BTreeSet::new();
        let mut tasks = BTreeSet::from([(u32::MAX, vec![])]);
        loop {
            let size = methods.len();
            for (id, binding) in complete {
                if tasks.contains(&self.head(*id, binding)) {
                    methods.insert((*id, binding.clone()));
                    for subtask in &self.method(*id).0.subtasks {
                        let arguments = subtask.arguments.iter().map(|t| value(t, binding));
                        let arguments: Vec<u32> = arguments.collect();
                        match subtask.task {
                            TaskRef::Action(action) => actions.insert((action.0, arguments)),
                            TaskRef::Task(task) => tasks.insert((task.0, arguments)),
                        };
                    }
                }
            }
            if size == methods.len() {
                break;
            }
        }
        self.actions = actions;
        self.methods = methods;
        self.achieved.retain(|task| tasks.contains(task));
    }
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    fn atom(&mut self, terms: &[&str]) -> String {
        match self.below(4) {
            0 => format!("(p {})", self.one_of(terms)),
            1 => format!("(q {} {})", self.one_of(terms), self.one_of(terms)),
            2 => format!("(s {} {})", self.one_of(terms), self.one_of(terms)),
            _ => "(r)".to_string(),
        }
    }

    fn literal(&mut self, terms: &[&str]) -> String {
        match self.below(8) {
            0 | 1 => format!("(not {})", self.atom(terms)),
            2 => format!("(not (= {} {}))", self.one_of(terms), self.one_of(terms)),
            _ => self.atom(terms),
        }
    }

    fn condition(&mut self, terms: &[&str]) -> String {
        let mut text = String::from("(and");
        for _ in 0..self.below(3) {
            text += &self.literal(terms);
        }
        match self.below(7) {
            0 => text += &format!("(or {} {})", self.literal(terms), self.literal(terms)),
            1 => {
                let inner: Vec<&str> = terms.iter().copied().chain(["?z"]).collect();
                text += &format!("(exists (?z) {})", self.literal(&inner));
            }
            2 => {
                let inner: Vec<&str> = terms.iter().copied().chain(["?z"]).collect();
                let (a, b) = (self.atom(&inner), self.literal(&inner));
                text += &format!("(forall (?z) (imply {a} {b}))");
            }
            _ => {}
        }
        text + ")"
    }

    fn effect(&mut self, terms: &[&str]) -> String {
        // `s` stays static.
        let atom = |dice: &mut Dice| match dice.below(3) {
            0 => format!("(p {})", dice.one_of(terms)),
            1 => format!("(q {} {})", dice.one_of(terms), dice.one_of(terms)),
            _ => "(r)".to_string(),
        };
        let mut text = String::from("(and");
        for _ in 0..1 + self.below(2) {
            text += &atom(self);
        }
        if self.below(2) == 0 {
            text += &format!("(not {})", atom(self));
        }
        text + ")"
    }

    fn subtasks(&mut self, terms: &[&str]) -> String {
        let key = self.one_of(&[":ordered-subtasks", ":ordered-subtasks", ":subtasks"]);
        let mut text = format!("{key} (and");
        for _ in 0..self.below(4) {
            let (x, y) = (self.one_of(terms), self.one_of(terms));
            text += &match self.below(5) {
                0 => format!("(t {x})"),
                1 => format!("(u {x} {y})"),
                2 => format!("(a {x})"),
                3 => format!("(b {x} {y})"),
                _ => "(c)".to_string(),
            };
        }
        text + ")"
    }

    fn problem(&mut self) -> (String, String) {
        let mut domain = String::from(
            "(define (domain d) (:types k l - object) (:constants k1 - k)
             (:predicates (p ?x) (q ?x ?y) (r) (s ?x ?y)) (:task t :parameters (?x))
             (:task u :parameters (?x ?y))\n",
        );
        for (name, parameters, terms) in [
            ("a", "(?x)", &["?x", "k1"][..]),
            ("b", "(?x ?y)", &["?x", "?y"]),
            ("c", "()", &["k1"]),
        ] {
            domain += &format!(
                "(:action {name} :parameters {parameters} :precondition {} :effect {})\n",
                self.condition(terms),
                self.effect(terms)
            );
        }
        for number in 0..4 {
            let (task, kind) = match self.below(2) {
                0 => (
                    "(t ?x)",
                    self.one_of(&["?x ?y", "?x ?y - k", "?x - l ?y ?w"]),
                ),
                _ => ("(u ?x ?y)", self.one_of(&["?x ?y", "?x ?y ?w - k"])),
            };
            let terms: Vec<&str> = match kind.contains("?w") {
                true => vec!["?x", "?y", "?w"],
                false => vec!["?x", "?y", "k1"],
            };
            domain += &format!(
                "(:method m{number} :parameters ({kind}) :task {task} :precondition {} {})\n",
                self.condition(&terms),
                self.subtasks(&terms)
            );
        }
        let mut problem =
            String::from("(define (problem p) (:domain d) (:objects k2 - k l1 - l)\n");
        if self.below(5) > 0 {
            problem += &format!(
                "(:htn :parameters (?v) {})\n",
                self.subtasks(&["?v", "k2", "l1"])
            );
        }
        problem += "(:init";
        for _ in 0..2 + self.below(5) {
            problem += &self.atom(&["k1", "k2", "l1"]);
        }
        problem += &format!(") (:goal {}))", self.condition(&["k1", "l1"]));
        (domain + ")", problem)
    }
}

#[test]
fn the_fast_grounder_keeps_what_the_slow_one_keeps() {
    let mut dice = Dice(0x1234_5678_9abc_def1);
    let (mut solvable, mut refuted) = (0, 0);
    for round in 0..1500 {
        let (domain, problem) = dice.problem();
        let model = model(&domain, &problem);
        let mut slow = Slow::new(&model);
        let possible = slow.run();
        let fast = ground(&model, &mut Run::default());
        let texts = format!("round {round}\n{domain}\n{problem}");
        let fast = match fast {
            Err(GroundError::Refuted(_)) => {
                assert!(!possible, "refuted what may be possible: {texts}");
                refuted += 1;
                continue;
            }
            Err(error) => panic!("{error} {texts}"),
            Ok(fast) => fast,
        };
        assert!(possible, "the slow one refutes it: {texts}");
        solvable += 1;
        let objects = |list: &[ObjectId]| list.iter().map(|o| o.0).collect::<Vec<u32>>();
        let actions: BTreeSet<_> = fast
            .actions
            .iter()
            .map(|a| (a.schema.unwrap().0, objects(&a.arguments)))
            .collect();
        assert_eq!(actions, slow.actions, "{texts}");
        let tasks: BTreeSet<_> = fast
            .tasks
            .iter()
            .filter_map(|t| Some((t.schema?.0, objects(&t.arguments))))
            .collect();
        slow.achieved.remove(&(u32::MAX, vec![]));
        assert_eq!(tasks, slow.achieved, "{texts}");
        let methods: BTreeSet<u32> = fast
            .methods
            .iter()
            .filter_map(|m| m.schema)
            .map(|m| m.0)
            .collect();
        let wanted: BTreeSet<u32> = slow
            .methods
            .iter()
            .map(|m| m.0)
            .filter(|&m| m != u32::MAX)
            .collect();
        assert_eq!(methods, wanted, "{texts}");
    }
    // Otherwise nothing was tested.
    assert!(solvable > 200 && refuted > 100, "{solvable} and {refuted}");
}

/// Sudoku's rows: nine columns that only join the static `inc`.
const ROW: &str = "(define (domain rows) (:types num digit - object)
  (:predicates (inc ?a ?b - num) (first ?a - num) (at ?d - digit ?c ?r - num) (ok ?r - num ?d - digit))
  (:task check-row :parameters (?r - num ?d - digit))
  (:action put :parameters (?d - digit ?c ?r - num) :effect (at ?d ?c ?r))
  (:action pass :parameters (?r - num ?d - digit) :effect (ok ?r ?d))
  (:task all :parameters ())
  (:method m-all :parameters () :task (all) :ordered-subtasks (and PUTS CHECKS))
  (:method m-check-row :parameters (?r - num ?d - digit ?c1 ?c2 ?c3 ?c4 ?c5 ?c6 ?c7 ?c8 ?c9 - num)
    :task (check-row ?r ?d)
    :precondition (and (first ?c1) (inc ?c1 ?c2) (inc ?c2 ?c3) (inc ?c3 ?c4) (inc ?c4 ?c5) (inc ?c5 ?c6)
      (inc ?c6 ?c7) (inc ?c7 ?c8) (inc ?c8 ?c9)
      (or (at ?d ?c1 ?r) (at ?d ?c2 ?r) (at ?d ?c3 ?r) (at ?d ?c4 ?r) (at ?d ?c5 ?r)
          (at ?d ?c6 ?r) (at ?d ?c7 ?r) (at ?d ?c8 ?r) (at ?d ?c9 ?r)))
    :ordered-subtasks (and (pass ?r ?d))))";

#[test]
fn nine_columns_that_only_join_ground_to_one_instance() {
    let mut puts = String::new();
    let mut checks = String::new();
    let mut init = String::from("(first n1)");
    for n in 1..9 {
        init += &format!("(inc n{n} n{})", n + 1);
    }
    for n in 1..=9 {
        for d in 1..=9 {
            puts += &format!("(put d{d} n{} n{n})", (n + d) % 9 + 1);
            checks += &format!("(check-row n{n} d{d})");
        }
    }
    let domain = ROW.replace("PUTS", &puts).replace("CHECKS", &checks);
    let names = |letter: char| (1..=9).map(|n| format!("{letter}{n} ")).collect::<String>();
    // The objects are constants here, because the method mentions them.
    let domain = domain.replace(
        "(:predicates",
        &format!(
            "(:constants {}- num {}- digit) (:predicates",
            names('n'),
            names('d')
        ),
    );
    let problem = format!(
        "(define (problem p) (:domain rows) (:htn :ordered-subtasks (and (all))) (:init {init}))"
    );
    let ground = grounded(&domain, &problem);
    let checks = ground.methods.iter().filter(|m| m.arguments.len() == 11);
    assert_eq!(checks.count(), 81);
}

#[test]
fn a_forall_over_static_facts_leaves_the_neighbours_only() {
    // The published STRIPS model: no tile that shares a house has the value.
    let mut init = String::new();
    let mut tiles = String::new();
    for row in 0..9 {
        for column in 0..9 {
            let tile = format!("t{row}{column}");
            let box_ = row / 3 * 3 + column / 3;
            init += &format!(
                "(in {tile} r{row})(in {tile} c{column})(in {tile} b{box_})(empty {tile})"
            );
            tiles += &format!("{tile} ");
        }
    }
    let houses: String = (0..9).map(|n| format!("r{n} c{n} b{n} ")).collect();
    let values: String = (1..=9).map(|n| format!("v{n} ")).collect();
    let ground = grounded(
        "(define (domain a) (:types tile house value) (:predicates (in ?t - tile ?h - house)
          (empty ?t - tile) (has ?t - tile ?v - value))
         (:action assign :parameters (?t - tile ?v - value) :precondition (and (empty ?t)
           (forall (?o - tile ?h - house) (imply (and (in ?t ?h) (in ?o ?h) (not (= ?o ?t)))
             (not (has ?o ?v)))))
          :effect (and (not (empty ?t)) (has ?t ?v))))",
        &format!(
            "(define (problem p) (:domain a) (:objects {tiles}- tile {houses}- house {values}- value)
             (:init {init}) (:goal (forall (?t - tile) (not (empty ?t)))))"
        ),
    );
    assert_eq!(ground.actions.len(), 729);
    for action in &ground.actions {
        assert_eq!(action.precondition.negative.len(), 20);
    }
    assert_eq!(ground.goal.negative.len(), 81);
}

const SWITCHES: &str = "(define (domain switches) (:predicates (on ?x) (wired ?x ?y) (lit ?x))
  (:derived (lit ?x) (or (on ?x) (exists (?y) (and (wired ?y ?x) (lit ?y)))))
  (:action press :parameters (?x) :precondition (not (lit ?x)) :effect (on ?x))
  (:action toggle :parameters (?x) :effect (and (when (on ?x) (not (on ?x))) (when (not (on ?x)) (on ?x)))))";

#[test]
fn derived_predicates_become_axioms_and_conditional_effects_stay() {
    let ground = grounded(
        SWITCHES,
        "(define (problem p) (:domain switches) (:objects a b c)
         (:init (wired a b) (wired b c)) (:goal (lit c)))",
    );
    // on(a), on(b), on(c), lit(a), lit(b), lit(c)
    assert_eq!(ground.facts.len(), 6);
    assert_eq!(ground.axioms.len(), 5);
    let toggles = ground.actions.iter().filter(|a| a.conditional.len() == 2);
    assert_eq!(toggles.count(), 3);
    assert_eq!(ground.goal.positive.len(), 1);
}

#[test]
fn a_derived_predicate_on_its_own_negation_is_refused() {
    let domain =
        "(define (domain d) (:predicates (p) (q)) (:derived (p) (not (q))) (:derived (q) (not (p)))
      (:action a :parameters () :effect (and)))";
    let model = model(
        domain,
        "(define (problem p) (:domain d) (:init) (:goal (p)))",
    );
    let error = ground(&model, &mut Run::default()).unwrap_err();
    assert!(matches!(error, GroundError::Unsupported(_)), "{error}");
}

#[test]
fn wide_disjunctions_do_not_multiply_out() {
    let parts: String = (0..12).map(|n| format!("(or (x a{n}) (x b{n}))")).collect();
    let names: String = (0..12).map(|n| format!("a{n} b{n} ")).collect();
    let ground = grounded(
        "(define (domain d) (:predicates (x ?o) (done)) (:action set :parameters (?o) :effect (x ?o))
          (:action drop :parameters (?o) :effect (not (x ?o))))",
        &format!("(define (problem p) (:domain d) (:objects {names}) (:init) (:goal (and {parts})))"),
    );
    assert_eq!(ground.goal.positive.len(), 12);
    assert_eq!(ground.axioms.len(), 24);
}

#[test]
fn too_big_names_the_schema() {
    let names: String = (0..60).map(|n| format!("o{n} ")).collect();
    let model = model(
        "(define (domain d) (:predicates (p ?a ?b ?c ?d))
          (:action wide :parameters (?a ?b ?c ?d) :effect (p ?a ?b ?c ?d)))",
        &format!(
            "(define (problem p) (:domain d) (:objects {names}) (:init) (:goal (p o1 o2 o3 o4)))"
        ),
    );
    let budget = Budget {
        memory: Some(20 << 20),
        ..Budget::default()
    };
    let error = ground(&model, &mut Run::default().with_budget(budget)).unwrap_err();
    assert!(
        matches!(
            error,
            GroundError::Stopped {
                stop: Stop::Memory,
                ..
            }
        ),
        "{error}"
    );
    assert!(error.to_string().contains("action `wide`"), "{error}");
}

#[test]
fn free_parameters_of_the_network_are_choices_of_the_root() {
    let ground = grounded(
        "(define (domain d) (:types k) (:predicates (p ?x - k) (ok ?x - k)) (:task t :parameters (?x - k))
          (:method m :parameters (?x - k) :task (t ?x) :precondition (ok ?x) :ordered-subtasks (and (a ?x)))
          (:action a :parameters (?x - k) :effect (p ?x)))",
        "(define (problem p) (:domain d) (:objects x y z - k)
          (:htn :parameters (?v - k) :ordered-subtasks (and (t ?v))) (:init (ok x) (ok z)) (:goal (and)))",
    );
    let root = ground.root.unwrap() as usize;
    assert_eq!(ground.tasks[root].methods.len(), 2);
    assert!(ground.ordered);
}

#[test]
fn a_refutation_says_what_is_missing() {
    let domain = "(define (domain d) (:predicates (open ?x) (key ?x) (done))
      (:task enter :parameters (?x))
      (:method m :parameters (?x) :task (enter ?x) :ordered-subtasks (and (unlock ?x) (walk ?x)))
      (:action unlock :parameters (?x) :precondition (key ?x) :effect (open ?x))
      (:action walk :parameters (?x) :precondition (open ?x) :effect (done)))";
    let refuted = |problem: &str| match ground(&model(domain, problem), &mut Run::default()) {
        Err(GroundError::Refuted(refutation)) => refutation.to_string(),
        other => panic!("{other:?}"),
    };
    let text = refuted(
        "(define (problem p) (:domain d) (:objects a b) (:htn :ordered-subtasks (and (enter a)))
          (:init (key b)))",
    );
    assert!(
        text.contains("(enter a)") && text.contains("(key a)"),
        "{text}"
    );
    let text = refuted(
        "(define (problem p) (:domain d) (:objects a b) (:htn :ordered-subtasks (and (enter b)))
          (:init (key b)) (:goal (open a)))",
    );
    assert!(text.contains("(open a)"), "{text}");
}
