//! The slow grounder: obvious, and the judge of the fast one.

use std::collections::BTreeSet;

use crate::model::{Atom, Effect, Formula, Model, TaskRef, Term, Variable};

/// Ground facts by name, for the slow grounder.
type Fact = (u32, Vec<u32>);
type Binding = Vec<u32>;

/// Enumerates all bindings and repeats every rule until nothing changes.
pub(super) struct Slow<'a> {
    model: &'a Model,
    init: BTreeSet<Fact>,
    pub actions: BTreeSet<(u32, Vec<u32>)>,
    /// `(method or u32::MAX for the initial network, binding)`.
    pub methods: BTreeSet<(u32, Vec<u32>)>,
    reached: BTreeSet<Fact>,
    falsifiable: BTreeSet<Fact>,
    pub achieved: BTreeSet<(u32, Vec<u32>)>,
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
            Formula::Compare(_) => unreachable!("nothing here compares numbers"),
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

    pub fn new(model: &'a Model) -> Slow<'a> {
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
    pub fn run(&mut self) -> bool {
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
