//! How orders are put to a player: every unit with its hexes, every target with its attackers. [16.2, 16.3]

use super::attacks::MOST_TAKEN_BACK;
use super::map::{HexAt, UnitAt};
use super::orders::{Order, Orders};
use super::plan;
use super::set::Set;
use super::state::{Attack, Combat, Phase};
use crate::messages::counted;
use crate::rule;
use flagplot_kernel::{Candidate, Chance, Choice, Form, FormItem, OptionView, Prompt, Screen};
use serde_json::{Value, json};

impl Orders<'_> {
    /// The hexes a unit can move to now, with what each costs.
    fn moves(&self, unit: UnitAt) -> Vec<(HexAt, u8)> {
        let Some(from) = self.state.unit(unit).hex else { return Vec::new() };
        if self.state.phase == Phase::Exploit && !self.state.unit(unit).exploiting {
            return Vec::new();
        }
        let terrain = self.game.terrain(self.state, self.state.active);
        let points = self.game.points_left(self.state, unit);
        let reach = self.game.reach(self.state, &terrain, unit, from, points);
        let room = |hex: &HexAt| self.game.has_room(self.state, *hex, unit);
        reach.hexes.iter().filter(room).map(|hex| (hex, reach.cost(hex).unwrap_or(points))).collect()
    }

    /// The ways through a breakthrough: the hex put into, where it ends, what it costs.
    fn exploits(&self, unit: UnitAt) -> Vec<(HexAt, HexAt, u8)> {
        let mut ways = Vec::new();
        for through in self.game.may_exploit(self.state, unit).iter() {
            let fresh = self.game.fresh(self.state, unit, through);
            let terrain = self.game.terrain(self.state, self.state.active);
            let points = self.game.points_left(&fresh, unit);
            let reach = self.game.reach(&fresh, &terrain, unit, through, points);
            let mut hexes = reach.hexes;
            hexes.insert(through);
            let room = |hex: &HexAt| self.game.has_room(self.state, *hex, unit);
            ways.extend(hexes.iter().filter(room).map(|hex| (through, hex, reach.cost(hex).unwrap_or(0))));
        }
        ways
    }

    fn army(&self) -> Vec<UnitAt> {
        self.game.army(self.state, self.state.active).map(|(unit, ..)| unit).collect()
    }

    fn move_options(&self, unit: UnitAt) -> Vec<OptionView> {
        let moves = self.moves(unit).into_iter().map(|(hex, cost)| {
            let label = format!("{}, {}", self.game.map.name(hex), counted(u32::from(cost), "point"));
            let id = self.game.map.id(hex);
            let value = json!({"move": {"unit": self.game.info(unit).id, "to": id}});
            (value, label, id.key(), cost)
        });
        let exploits = self.exploits(unit).into_iter().map(|(through, hex, cost)| {
            let by = if hex == through { String::new() } else { format!(" by {}", self.game.map.name(through)) };
            let label = format!("{}{by}, {}", self.game.map.name(hex), counted(u32::from(cost), "point"));
            let (through, id) = (self.game.map.id(through), self.game.map.id(hex));
            let value = json!({"exploit": {"unit": self.game.info(unit).id, "through": through, "to": id}});
            (value, label, id.key(), cost)
        });
        let each = moves.chain(exploits).map(|(value, label, key, cost)| {
            let mut option = OptionView::new(value, label).at([self.game.info(unit).id.clone(), key]);
            option.tag = cost.to_string();
            option
        });
        each.collect()
    }

    fn move_form(&self) -> Form {
        let ways = self.army().into_iter().filter_map(|unit| {
            let options = self.move_options(unit);
            let info = self.game.info(unit);
            let left = counted(u32::from(self.game.points_left(self.state, unit)), "point");
            let label = format!("{}, {left} left: where to?", info.name);
            let item = FormItem { id: info.id.clone(), label, options };
            (!item.options.is_empty()).then(|| {
                let template = Value::String(format!("${}", info.id));
                (info.name.clone(), Form::Parts { places: Vec::new(), items: vec![item], template })
            })
        });
        self.with_done(ways.collect(), "End movement")
    }

    fn with_done(&self, mut ways: Vec<(String, Form)>, label: &str) -> Form {
        let item = FormItem {
            id: "done".into(),
            label: label.into(),
            options: vec![OptionView::new(json!(Order::Done), label)],
        };
        ways.push((label.into(), Form::Parts { places: Vec::new(), items: vec![item], template: json!("$done") }));
        Form::Choices { ways }
    }

    /// A target with the units that can attack it and the air that can support them.
    fn attack_form(&self, target: HexAt) -> Form {
        let ready = self.game.ready_against(self.state, target);
        let id = self.game.map.id(target);
        let mut items: Vec<FormItem> = Vec::new();
        for unit in ready.iter() {
            let info = self.game.info(unit);
            let attacks = format!("attacks with {}", counted(u32::from(info.factors), "factor"));
            items.push(FormItem {
                id: info.id.clone(),
                label: info.name.clone(),
                options: vec![
                    OptionView::new(Value::Null, "stays out"),
                    OptionView::new(json!(info.id), attacks).at([info.id.clone(), id.key()]),
                ],
            });
        }
        let most = self.game.support_limit(self.game.factors(ready.iter()));
        let most = most.min(u32::from(self.state.air[self.state.active].ready));
        let units: Vec<Value> = ready.iter().map(|unit| json!(format!("${}", self.game.info(unit).id))).collect();
        let mut template = json!({"attack": {"target": id, "units": units}});
        if most > 0 {
            let none = OptionView::new(Value::Null, "no air factors");
            let air = (1..=most).map(|n| OptionView::new(json!(n), counted(n, "air factor")));
            let options = std::iter::once(none).chain(air).collect();
            items.push(FormItem { id: "ground-support".into(), label: "Ground support".into(), options });
            template["attack"]["support"] = json!("$ground-support");
        }
        Form::Parts { places: Vec::new(), items, template }
    }

    fn declare_form(&self) -> Form {
        let targets = self.game.attackable(self.state);
        let mut ways: Vec<(String, Form)> = targets
            .iter()
            .map(|target| (format!("Attack {}", self.game.map.name(target)), self.attack_form(target)))
            .collect();
        for attack in self.state.attacks.iter().filter(|_| self.state.taken_back < MOST_TAKEN_BACK) {
            let (hex, id) = (self.game.map.name(attack.target), self.game.map.id(attack.target));
            let label = format!("Take back the attack on {hex}");
            let value = json!(Order::TakeBack { target: id });
            let item = FormItem {
                id: "back".into(),
                label: label.clone(),
                options: vec![OptionView::new(value, label.clone()).at([id.key()])],
            };
            ways.push((label, Form::Parts { places: Vec::new(), items: vec![item], template: json!("$back") }));
        }
        self.with_done(ways, "All attacks are declared")
    }

    fn attack_label(&self, attack: &Attack) -> String {
        let ratio = self.game.strengths(self.state, attack).ratio();
        format!("{}: {ratio} with {}", self.game.map.name(attack.target), self.game.attackers_named(attack))
    }

    fn attack_candidates(&self) -> Vec<Candidate<Order>> {
        let mut out: Vec<Candidate<Order>> = Vec::new();
        let mut add = |order: Order, label: String, key: String| {
            if out.iter().all(|other| other.value != order) {
                let candidate = Candidate::new(order, label);
                out.push(if key.is_empty() { candidate } else { candidate.at([key]) });
            }
        };
        for attack in plan::cheapest_attacks(self.game, self.state) {
            add(self.named(&attack), self.attack_label(&attack), self.game.map.id(attack.target).key());
        }
        add(Order::Done, "All attacks are declared".into(), String::new());
        for attack in self.state.attacks.iter().filter(|_| self.state.taken_back < MOST_TAKEN_BACK) {
            let id = self.game.map.id(attack.target);
            let label = format!("Take back the attack on {}", self.game.map.name(attack.target));
            add(Order::TakeBack { target: id }, label, id.key());
        }
        out
    }

    fn move_candidates(&self) -> Vec<Candidate<Order>> {
        let suggested = self.instinct(&mut Chance::seeded(0));
        let done = (Order::Done, "End movement".to_owned(), Vec::new(), String::new());
        let mut out: Vec<(Order, String, Vec<String>, String)> = Vec::new();
        for unit in self.army() {
            for option in self.move_options(unit) {
                let Ok(order) = serde_json::from_value::<Order>(option.value) else { continue };
                let label = format!("{} to {}", self.game.info(unit).name, option.label);
                out.push((order, label, option.pieces, option.tag));
            }
        }
        out.push(done);
        if let Some(at) = out.iter().position(|(order, ..)| *order == suggested) {
            out[..=at].rotate_right(1);
        }
        let each = out.into_iter();
        each.map(|(order, label, pieces, tag)| Candidate::new(order, label).at(pieces).tagged(tag)).collect()
    }

    /// Units that cannot do what a player may expect, with the reason.
    fn barred(&self) -> Vec<String> {
        let mut out = Vec::new();
        for (unit, now, _) in self.game.army(self.state, self.state.active) {
            let name = &self.game.info(unit).name;
            match self.state.phase {
                Phase::Movement if now.isolated() && !now.moved => {
                    out.push(format!("{name} is isolated and moves one hex at most. [{}]", rule::C_9));
                }
                Phase::Declare if self.state.combat == Combat::Main && now.isolated() => {
                    out.push(format!("{name} is isolated and cannot attack. [{}]", rule::GROUND_TURN));
                }
                _ => {}
            }
        }
        if self.state.phase == Phase::Declare {
            let ready = self.game.army(self.state, self.state.active);
            let near = ready.fold(Set::default(), |near, (_, _, hex)| near.or(self.game.map.links(hex)));
            for hex in near.and(&self.game.occupied(self.state, self.state.active.other())).iter() {
                if self.state.attacked.contains(hex) && self.state.attack_on(hex).is_none() {
                    let name = self.game.map.name(hex);
                    out.push(format!("{name} has been attacked in this phase. [{}]", rule::GROUND_TURN));
                }
            }
            for hex in self.game.attackable(self.state).iter() {
                let most = self.game.strongest(self.state, hex);
                if most.ratio().column().is_none() {
                    let (name, ratio) = (self.game.map.name(hex), most.ratio());
                    out.push(format!(
                        "{name}: all that can attack it is {ratio}, and attacks below 1:4 are not allowed. [{}]",
                        rule::R_10
                    ));
                }
            }
        }
        out
    }
}

impl Screen for Orders<'_> {
    fn prompt(&self) -> Prompt {
        let air = u32::from(self.state.air[self.state.active].ready);
        let (code, text, rule) = match (self.state.phase, self.state.combat) {
            (Phase::Movement, _) => ("movement", "Which unit moves, and where to?".to_owned(), rule::C_25),
            (Phase::Exploit, _) => {
                let hexes: Vec<String> = self.state.breakthroughs.iter().map(|hex| self.game.map.name(hex)).collect();
                let text = format!("Breakthrough at {}. Which armor goes through, and where to?", hexes.join(", "));
                ("exploit", text, rule::C_9)
            }
            (_, Combat::Main) => {
                let text = format!("Which hex do you attack? You have {} ready.", counted(air, "air factor"));
                ("declare", text, rule::C_33)
            }
            (_, Combat::Exploitation) => {
                let air = counted(air, "air factor");
                let text = format!("Which hex do the exploiting units attack? You have {air} ready.");
                ("declare", text, rule::C_33)
            }
        };
        self.barred().into_iter().fold(Prompt::new(code, text, rule), Prompt::missing)
    }

    fn candidates(&self) -> Vec<Candidate<Order>> {
        match self.state.phase {
            Phase::Declare => self.attack_candidates(),
            _ => self.move_candidates(),
        }
    }

    fn form(&self) -> Form {
        match self.state.phase {
            Phase::Declare => self.declare_form(),
            _ => self.move_form(),
        }
    }
}
