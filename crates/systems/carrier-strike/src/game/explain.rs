//! What a player may want to know before a decision.

use super::CarrierGame;
use super::action::Action;
use super::piece::{SquadronId, Squads};
use super::state::{Form, Phase, State};
use super::view::View;
use crate::combat::{Line, Striker};
use crate::fuel::{Homing, ditching};
use crate::geometry::LENGTH;
use crate::procedures::{DogfightInput, SquadronFacts, ValueMatrix, dogfight_odds, instinctive_dogfight, stance_matrix, strike_matrix, written};
use crate::victory::verdict;
use crate::walk::{Course, Hazards, Waypoints, stride};
use crate::words::{Markers, Role, Stance, name};
use dashu_ratio::RBig;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Answer, Insight, SeatQuestion, Side};
use flagplot_odds::{Budget, Dist, Exact, enumerate};
use serde_json::Value;

impl CarrierGame {
    pub(super) fn explain_question(&self, view: &View, _: &[Answer], question: &SeatQuestion, value: Option<&Value>) -> Vec<Insight> {
        let state = &view.seen;
        let side = question.seat.side();
        match question.prompt.code {
            "choose-action" => match value.and_then(|value| serde_json::from_value::<Action>(value.clone()).ok()) {
                Some(action) => self.explain_action(state, side, &action),
                None => vec![self.explain_standing(state)],
            },
            "detection-number" => vec![self.explain_search(state)],
            "stance" => self.explain_stance(state, side),
            "contact" => self.explain_contact(state),
            "strike-next" => self.explain_strikes(state, side, self.can_strike(state), state.carriers[side.other()].hits),
            "path" | "resume" | "after-strike" => {
                let path = value.and_then(|value| serde_json::from_value::<Vec<Point>>(value["path"].clone()).ok());
                path.map(|path| self.explain_walk(state, side, &state.act.order, &path)).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn explain_action(&self, state: &State, side: Side, action: &Action) -> Vec<Insight> {
        match action {
            Action::Move { squadrons, path: Some(path), .. } => self.explain_walk(state, side, squadrons, path.points()),
            Action::Strike { squadrons, path } => {
                let mut all = self.explain_walk(state, side, squadrons, path.points());
                let able = squadrons.iter().copied().filter(|id| state[*id].ordnance == Some(true)).collect();
                all.extend(self.explain_strikes(state, side, able, state.carriers[side.other()].hits));
                all
            }
            Action::FlyHome { squadron, .. } | Action::Land { squadron } if state[*squadron].rl <= 1 => self.explain_fuel(state, *squadron),
            Action::Detect { .. } => vec![self.explain_mixes()],
            Action::Pass => vec![self.explain_pass(state, side), self.explain_standing(state)],
            _ => Vec::new(),
        }
    }

    /// Will the walk make contact, with whom, and does the fuel last?
    fn explain_walk(&self, state: &State, side: Side, squadrons: &[SquadronId], path: &[Point]) -> Vec<Insight> {
        let (Some(lead), waypoints) = (squadrons.first(), Waypoints::from(path)) else { return Vec::new() };
        if !path.iter().all(|point| self.in_sea_room(*point)) {
            return Vec::new();
        }
        let groups = state.groups(&self.book.geometry, side.other());
        let enemies: Vec<(Point, u8)> =
            groups.iter().enumerate().flat_map(|(n, group)| group.without(state.act.met).iter().map(move |id| (id, n as u8))).map(|(id, n)| (state[id].pos, n)).collect();
        let cards: Vec<Point> = state.carriers[side.other()].on_table().filter(|_| state.carriers[side.other()].undetected()).map(|(_, card)| card).collect();
        let hazards = Hazards { squadrons: &enemies, hidden: &[], seers: 0, guns: &[], targets: 0 };
        let mut movers: Vec<Point> = squadrons.iter().map(|id| state[*id].pos).collect();
        let mut course = Course::new(state[*lead].pos, waypoints);
        let stop = stride(&self.book.geometry, &mut course, &mut movers, &hazards);
        let mut walk = Insight::exact("The walk").line(format!("{} thousandths of a card length.", waypoints.length(state[*lead].pos)));
        walk = if stop.contact == 0 {
            walk.line("It makes no contact.")
        } else {
            let met: Vec<String> = groups.iter().enumerate().filter(|(n, _)| stop.contact & (1 << n) != 0).map(|(_, group)| group.names()).collect();
            walk.line(format!("It meets {} after {} thousandths, at {}, {}.", met.join(" and "), course.flown, course.lead.x, course.lead.y))
        };
        for card in cards {
            let nearest = self.book.geometry.to_card(waypoints.end(state[*lead].pos), card);
            walk = walk.line(format!("It ends {nearest} thousandths from the card at {}, {}.", card.x, card.y));
        }
        let end = waypoints.end(state[*lead].pos) - state[*lead].pos;
        for id in squadrons {
            let Some(home) = state.carriers[side].real_card() else { continue };
            let rl = i64::from(state[*id].rl);
            let reach = if rl <= 2 { 3 * LENGTH } else { (6 * (rl - 2) + 3) * LENGTH };
            let margin = reach - self.book.geometry.to_card(state[*id].pos + end, home);
            walk = walk.line(if margin >= 0 {
                format!("{id}: {margin} thousandths of fuel to spare for the way home.")
            } else {
                format!("{id}: {} thousandths short of fuel for the way home.", -margin)
            });
        }
        vec![walk]
    }

    /// Hits of every number of squadrons in their best order, guns and crews instinctive.
    fn explain_strikes(&self, state: &State, side: Side, able: Squads, hits: u8) -> Vec<Insight> {
        let enemy = side.other();
        if hits >= self.book.carrier.steps {
            return Vec::new();
        }
        let mut order: Vec<SquadronId> = able.iter().collect();
        order.sort_by_key(|id| std::cmp::Reverse(state[*id].strength));
        let mut all = Vec::new();
        let mut standing: Dist<u8> = Dist::certain(hits);
        for (n, id) in order.iter().enumerate() {
            let striker =
                Striker { strength: state[*id].strength, kamikaze: self.kamikaze.has(*id), stance: Stance::Instinctive, markers: self.usual_markers(side, Role::Strike) };
            let next = standing.then(|hits| {
                if *hits >= self.book.carrier.steps {
                    return Ok(Dist::certain(*hits));
                }
                enumerate::<_, Exact>(Budget::default(), |ask| Ok(self.book.strike(ask, &striker, Stance::Instinctive, *hits, &self.aa[enemy])?.cv_hits))
            });
            let Ok(next) = next else { break };
            standing = next;
            let mut insight = Insight::exact(format!("Hits after {} strike{}, all instinctive", n + 1, if n == 0 { "" } else { "s" }));
            let mut totals: Vec<u8> = standing.iter().map(|(hits, _)| *hits).collect();
            totals.sort_unstable();
            for total in totals {
                insight = insight.chance(format!("{total} hits"), standing.chance(&total).to_string());
            }
            insight = insight.chance("crippled or worse", standing.chance_of(|hits| *hits >= self.book.carrier.crippled_at).to_string());
            insight = insight.chance("sunk", standing.chance_of(|hits| *hits >= self.book.carrier.steps).to_string());
            all.push(insight);
        }
        all
    }

    fn usual_markers(&self, side: Side, role: Role) -> Markers {
        Markers { red: self.skill(side, role).markers(), blue: 0 }
    }

    fn explain_fuel(&self, state: &State, id: SquadronId) -> Vec<Insight> {
        let distance = state.to_home(&self.book, id);
        let strength = state[id].strength;
        let (now, _) = ditching(&self.book, strength, distance, state[id].ditched);
        let mut insight = Insight::exact(format!("{id} on its last fuel")).line(format!("{} of {strength} aircraft ditch now.", now.lost));
        if let (Homing::Move, Some(distance)) = (now.then, distance) {
            let left = (distance - self.book.speeds.squadron_move).max(0);
            let (next, _) = ditching(&self.book, strength - now.lost, Some(left), true);
            insight = insight.line(format!("It ends about {left} thousandths from the card; {} more ditch next turn unless the carriers come nearer.", next.lost));
        }
        vec![insight]
    }

    fn explain_mixes(&self) -> Insight {
        Insight::exact("Searching")
            .line("A combat squadron or carrier group: play 1 or 4, 2, and 3 each one time in three.")
            .line("A scout: play each number one time in four. The hider does the same.")
            .chance("a combat squadron or carrier group finds its target", "1/3")
            .chance("a scout finds its target", "3/4")
    }

    fn explain_search(&self, state: &State) -> Insight {
        let scout = state.act.search.and_then(|search| search.by).is_some_and(SquadronId::is_recce);
        let mix = if scout { "each number one time in four" } else { "1 or 4, 2, and 3 each one time in three" };
        Insight::exact("The mix that cannot be outguessed").line(format!("Both sides: {mix}.")).chance("found", if scout { "3/4" } else { "1/3" })
    }

    fn matrix(title: &str, rows: &str, columns: &str, matrix: &ValueMatrix, own_rows: bool) -> Insight {
        let mut insight = Insight::exact(title).line(format!("Worth {} aircraft to {rows}.", written(&matrix.play.value)));
        for (own, row) in Stance::ALL.into_iter().zip(&matrix.cells) {
            let cells: Vec<String> = Stance::ALL
                .into_iter()
                .zip(row)
                .map(|(enemy, cell)| format!("{enemy} {}", cell.last().map_or_else(String::new, |(_, payoff)| written(payoff))))
                .collect();
            insight = insight.line(format!("{rows} {own} against {columns}: {}.", cells.join(", ")));
        }
        let mix = if own_rows { &matrix.play.rows } else { &matrix.play.columns };
        for (stance, share) in Stance::ALL.into_iter().zip(mix) {
            insight = insight.chance(format!("play {stance}"), written(share));
        }
        insight
    }

    /// The nine cells and the mix.
    fn explain_stance(&self, state: &State, side: Side) -> Vec<Insight> {
        match state.phase {
            Phase::Combat => {
                let Some((first, second)) = state.fight.current else { return Vec::new() };
                let facts = [first, second].map(|set| set.iter().map(|id| (state[id].strength, state[id].rl)).collect::<Vec<_>>());
                let line =
                    |n: usize, set: Squads| Line { role: self.fights_as(state, set), squadrons: &facts[n], stance: Stance::Instinctive, markers: Markers::default() };
                let matrix = stance_matrix(&self.book, &line(0, first), &line(1, second), &RBig::ONE);
                let own_rows = first.first().is_some_and(|id| id.side() == side);
                vec![Self::matrix("Stances, a forced break-off worth one aircraft, markers left out", &first.names(), &second.names(), &matrix, own_rows)]
            }
            Phase::StrikeRun(id) => {
                let striker = Striker { strength: state[id].strength, kamikaze: self.kamikaze.has(id), stance: Stance::Instinctive, markers: Markers::default() };
                let enemy = id.side().other();
                let matrix = strike_matrix(&self.book, &striker, state.carriers[enemy].hits, &self.aa[enemy], &RBig::from(3));
                vec![Self::matrix("Stances, a step of the carrier group worth three aircraft, markers left out", id.name(), "the guns", &matrix, id.side() == side)]
            }
            _ => Vec::new(),
        }
    }

    /// What an interception would come to, everybody instinctive.
    fn explain_contact(&self, state: &State) -> Vec<Insight> {
        let fighters: Vec<SquadronId> = state.act.enemy.iter().filter(|id| state[*id].role == Some(Role::Fighter) && state[*id].rl >= 2).collect();
        if fighters.is_empty() {
            return vec![Insight::exact("Giving way").line("No fighter of the group can intercept: it gives way by three lengths.")];
        }
        let defender = |id: SquadronId| {
            let squadron = &state[id];
            let guessed = match squadron.report.map(|report| report.class) {
                Some(super::state::Class::Fighters) => Role::Fighter,
                _ => Role::Strike,
            };
            (id.to_string(), squadron.role.unwrap_or(guessed), squadron.strength.clamp(1, 12), squadron.rl)
        };
        let attackers = fighters.iter().map(|id| SquadronFacts { id: id.to_string(), strength: state[*id].strength.max(1), rl: state[*id].rl.clamp(2, 6) }).collect();
        let input: DogfightInput = instinctive_dogfight(attackers, state.act.group.iter().map(defender).collect());
        let budget = Budget { branches: 400_000, states: 60_000, give_up: None };
        let mut insight = Insight {
            title: "Intercepting, everybody instinctive".into(),
            basis: "exact for the strengths last seen; unknown roles taken for strike aircraft".into(),
            chances: Vec::new(),
            lines: Vec::new(),
        };
        match dogfight_odds(&self.book, &input, budget) {
            None => insight.lines.push("The fight is too large for exact odds here.".into()),
            Some([own, enemy, through]) => {
                for (what, dist) in [("own aircraft lost", &own), ("enemy aircraft lost", &enemy), ("enemy bombers still on course", &through)] {
                    let mut values: Vec<u8> = dist.iter().map(|(value, _)| *value).collect();
                    values.sort_unstable();
                    for value in values {
                        insight = insight.chance(format!("{what}: {value}"), dist.chance(&value).to_string());
                    }
                }
            }
        }
        vec![insight, Insight::exact("Giving way").line("The group moves three lengths away and is not met again in this action; what passes can strike.")]
    }

    fn explain_pass(&self, state: &State, side: Side) -> Insight {
        let enemy = side.other();
        let up: Squads = state.up(enemy).iter().filter(|id| !state[*id].acted).collect();
        let mut insight = Insight::exact("What the other side can still do this turn");
        if state.passed[enemy] {
            return insight.line(format!("{} has passed: the turn ends.", name(enemy)));
        }
        insight = insight.line(if up.is_empty() { "None of its dice in the air has an action left.".to_owned() } else { format!("{} have not acted.", up.names()) });
        if state.carriers[enemy].in_play() && !state.carriers[enemy].acted {
            insight = insight.line("Its carriers have not moved.");
        }
        insight
    }

    /// The level held, and what would change it.
    fn explain_standing(&self, state: &State) -> Insight {
        let verdict = verdict(&self.scenario, &self.position(state, false));
        let held = |side: Side| format!("{} holds: {}.", name(side), verdict.levels[side].word());
        let mut insight = Insight::exact("If it ended now").line(held(Side::First)).line(held(Side::Second));
        for side in Side::BOTH {
            let carrier = &state.carriers[side];
            if matches!(carrier.form, Form::Hidden | Form::Revealed) {
                let next = (carrier.hits + 1..=self.book.carrier.steps).find(|hits| {
                    let mut position = self.position(state, false);
                    position.sides[side].cv_hits = *hits;
                    crate::victory::verdict(&self.scenario, &position).levels != verdict.levels
                });
                insight = insight.line(match next {
                    Some(hits) => format!("{} hit{} on {} would change that.", hits - carrier.hits, if hits - carrier.hits == 1 { "" } else { "s" }, name(side)),
                    None => format!("No number of hits on {} alone would change that.", name(side)),
                });
            }
        }
        insight
    }
}
