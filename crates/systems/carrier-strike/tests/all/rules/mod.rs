//! Rules in play: what is refused and why, the moments that need a table laid out by hand, and that every rule is met.

mod fights;
mod insights;
mod refusals;
mod sea;
mod table;

use fights::*;
use flagplot_carrier_strike::{System, files, rule};
use flagplot_kernel::{Answer, Chance, Game, Progress, Question, Tape, advance};
use flagplot_referee::run_vectors;
use refusals::refusals;
use sea::*;
use serde_json::Value;
use table::*;

#[test]
fn every_refusal_has_its_code() {
    refusals(&mut Met::default());
}

#[test]
fn set_up_is_secret_and_checked() {
    setting_up(&mut Met::default());
}

#[test]
fn contact_makes_both_sides_known_and_giving_way_ends_it() {
    contact_and_giving_way(&mut Met::default());
}

#[test]
fn a_dogfight_has_five_steps() {
    a_whole_dogfight(&mut Met::default());
}

#[test]
fn surplus_squadrons_join_and_losers_break_off() {
    joining_allocating_breaking_off(&mut Met::default());
}

#[test]
fn only_escorts_lead_a_group_away() {
    fighters_alone_do_not_move_away(&mut Met::default());
}

#[test]
fn guns_fire_at_who_stays_after_a_contact() {
    breaking_off_from_over_the_guns(&mut Met::default());
    stopping_over_the_guns(&mut Met::default());
}

#[test]
fn a_crippled_group_sheds_what_it_has_no_room_for() {
    a_strike_that_cripples(&mut Met::default());
}

#[test]
fn dice_under_a_carrier_slide_or_stay() {
    sliding_and_staying(&mut Met::default());
}

#[test]
fn a_group_slips_away_and_leaves() {
    slipping_away_and_leaving(&mut Met::default());
}

#[test]
fn only_a_group_that_was_found_slips_away() {
    who_may_slip_away(&mut Met::default());
}

#[test]
fn nobody_is_told_of_a_landing_without_room() {
    no_room_to_land();
}

#[test]
fn nothing_is_asked_without_a_choice_or_a_reason() {
    questions_without_a_choice(&mut Met::default());
}

#[test]
fn the_defender_breaks_off_first() {
    both_break_off(&mut Met::default());
}

#[test]
fn carriers_that_meet_sink_each_other() {
    surface_action(&mut Met::default());
}

#[test]
fn squadrons_on_their_last_fuel_ditch() {
    last_fuel(&mut Met::default());
}

#[test]
fn dummies_are_exposed() {
    dummies(&mut Met::default());
}

#[test]
fn launches_and_searches_tell_which_card_is_real() {
    conclusions(&mut Met::default());
}

#[test]
fn decks_work_in_secret() {
    deck_work(&mut Met::default());
}

#[test]
fn kamikazes_do_not_return() {
    kamikazes(&mut Met::default());
}

#[test]
fn searches_go_with_moves() {
    searching_and_moving(&mut Met::default());
}

/// Every rule is cited by something that happens: a note, a question, a refusal, a ruling.
#[test]
fn every_rule_is_met() {
    let mut met = Met::default();
    for scene in [
        refusals,
        setting_up,
        contact_and_giving_way,
        a_whole_dogfight,
        joining_allocating_breaking_off,
        both_break_off,
        a_strike_that_cripples,
        sliding_and_staying,
        slipping_away_and_leaving,
        who_may_slip_away,
        questions_without_a_choice,
        surface_action,
        last_fuel,
        dummies,
        conclusions,
        deck_work,
        kamikazes,
        searching_and_moving,
    ] {
        scene(&mut met);
    }
    let system = System::new(&files()).unwrap();
    run_vectors(&system, include_str!("../../vectors.json"), |answer| {
        for note in answer["trace"].as_array().into_iter().flatten() {
            met.0.extend(note["rules"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
            met.0.extend(
                note["modifiers"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|modifier| modifier["rule"].as_str())
                    .map(str::to_owned),
            );
        }
        met.0.extend(answer["error"]["rule"].as_str().map(str::to_owned));
    });
    for scenario in ["santa-cruz", "coral-sea", "hiryu-alone", "pull-back-the-horns"] {
        let game = game(scenario);
        let mut chance = Chance::seeded(5);
        let mut state = game.setup();
        for _ in 0..60 {
            let Some(question) = play(&game, &mut state, Vec::new(), &mut met) else { break };
            let pick = |asked: &flagplot_kernel::SeatQuestion, chance: &mut Chance| {
                chance.pick(&asked.options).unwrap().value.clone()
            };
            let answer = match &question {
                Question::Dice { count, die, .. } => Answer::Dice(chance.faces(*count, *die)),
                Question::Choice(asked) => Answer::Choice(pick(asked, &mut chance)),
                Question::Secret { open, .. } => {
                    Answer::Sealed(open.iter().map(|asked| (asked.seat, pick(asked, &mut chance))).collect())
                }
            };
            // Steps of several questions are not followed here.
            let Ok(Progress::Stepped(next)) = advance(&game, &state, &mut Tape::new(vec![answer])) else { break };
            state = next;
        }
    }
    let unmet: Vec<&str> = rule::ALL.iter().map(|rule| rule.id).filter(|id| !met.0.contains(*id)).collect();
    assert!(unmet.is_empty(), "rules that nothing has met: {}", unmet.join(", "));
}

/// The rules page has a place for every rule.
#[test]
fn the_rules_page_names_every_rule() {
    let page = System::new(&files()).unwrap().rules_page();
    let missing: Vec<&str> =
        rule::ALL.iter().map(|rule| rule.id).filter(|id| !page.contains(&format!("<a id=\"{id}\"></a>"))).collect();
    assert!(missing.is_empty(), "not on the page: {}", missing.join(", "));
}
