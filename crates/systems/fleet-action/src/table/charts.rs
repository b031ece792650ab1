//! The printed tables as chart cards.

use crate::mines_and_submarines::depth_charges_need;
use crate::rule;
use crate::rules::{RANGE_BANDS, Rules};
use crate::weapons::LOSS_ORDER;
use crate::words::{Approach, AttackType, Column, Control, Density, Depth};
use flagplot_referee::Chart;

const FIVE: [&str; RANGE_BANDS] = ["1", "2", "3", "4", "5"];

fn signed(n: i32) -> String {
    if n == 0 { "0".to_owned() } else { format!("{n:+}").replace('-', "−") }
}

/// Faces that give the same answer, one after the other, as one row.
fn runs<T: PartialEq>(faces: std::ops::RangeInclusive<u8>, of: impl Fn(u8) -> T) -> Vec<(String, T)> {
    let mut runs: Vec<(u8, u8, T)> = Vec::new();
    for face in faces {
        let value = of(face);
        match runs.last_mut() {
            Some((_, last, held)) if *held == value => *last = face,
            _ => runs.push((face, face, value)),
        }
    }
    runs.into_iter()
        .map(|(first, last, value)| (if first == last { first.to_string() } else { format!("{first}-{last}") }, value))
        .collect()
}

pub(crate) fn charts(rules: &Rules) -> Vec<Chart> {
    let need = |control| (1..=RANGE_BANDS as i32).map(move |band| rules.guns_need(control, band));
    let guns = Chart::new("gunnery", "Guns at ships", rule::S9_5, "control", "d20 needed by range band")
        .columns(FIVE)
        .row("directed", need(Control::Directed))
        .row("local", need(Control::Local))
        .note("Roll the number or more on a d20, with all modifiers added to the die.");
    let bands = rules.band_labels();
    let many = Chart::new("guns", "Guns that fire", rule::S9_5, "", "guns")
        .columns(bands.iter().map(|(_, label)| label))
        .row("modifier", bands.iter().map(|(guns, _)| signed(rules.guns_modifier(*guns))))
        .row("band", bands.iter().map(|(guns, _)| rules.band(*guns)))
        .note("The band is also the number of chances of a critical.");
    let torpedo = Chart::new("torpedo", "Torpedoes", rule::S9_7, "", "d20 needed by range band")
        .columns(FIVE)
        .row("needs", (1..=RANGE_BANDS as i32).map(|band| rules.torpedoes_need(band)))
        .note(format!(
            "Into the bow arc {}, into the stern arc {}. One die for each band of torpedoes.",
            signed(rules.bow_arc),
            signed(rules.stern_arc)
        ));
    let points = rules.hit_point_labels();
    let saves = Chart::new("hit-points", "Saving throws of aircraft", rule::S9_9, "", "hit points")
        .columns(points.iter().map(|(_, label)| label))
        .row("modifier", points.iter().map(|(n, _)| signed(rules.hit_points(*n))));
    let mut attacks = Chart::new("air-attack", "Types of air attack", rule::S9_11, "attack", "")
        .columns(["modifier"])
        .note(format!("Every attack needs {} on a d20, with all modifiers added to the die.", rules.needs.air_attack));
    for attack in AttackType::ALL {
        attacks = attacks.row(attack.word(), [signed(rules.attack_type(*attack))]);
    }
    let others = Chart::new("to-hit", "Light guns, flak and fighters", rule::S9_8, "attack", "")
        .columns(["d20 needed"])
        .row("light guns", [rules.needs.crf_mrf])
        .row("anti-aircraft fire", [rules.needs.aa_fire])
        .row("air combat", [rules.needs.air_combat]);
    let mut mines = Chart::new("mines", "Minefields", rule::C_31, "density", "").columns(["d20 needed"]);
    for density in Density::ALL {
        mines = mines.row(density.word(), [rules.mine.needs(*density)]);
    }
    let mut charges = Chart::new("depth-charges", "Depth charges", rule::C_30, "depth", "").columns(["d20 needed"]);
    for depth in Depth::ALL {
        charges = charges.row(depth.word(), [depth_charges_need(*depth)]);
    }
    let near = "to the spotting distance and visibility";
    let radar = format!("{near}; +1 with gunnery radar");
    let sight = Chart::new("who-may-shoot", "When guns and torpedoes may fire", rule::S9_1, "target", "")
        .columns(["guns", "torpedoes, aimed", "torpedoes, wide spread"])
        .row("day", [&radar, near, near])
        .row(
            "beyond-or-obscured",
            [
                "with gunnery radar only, to the spotting distance, after a Crew Test",
                "no",
                "near enough, after a Crew Test",
            ],
        )
        .row("night, illuminated", [&radar, near, near])
        .row("night", ["after a Crew Test", "after a Crew Test", near]);
    let mut losses =
        Chart::new("weapon-loss", "Loss of weapons", rule::S10_8, "mount, in order of loss", "").columns(["cost"]);
    for (place, mount) in LOSS_ORDER.into_iter().enumerate() {
        losses = losses.row(mount, [rules.weapon_cost(place)]);
    }
    losses = losses.row("torpedo mount", [rules.torpedo_mount_cost]).note("A main mount uses up all of its critical.");
    let critical = |id, title, rule, read: &dyn Fn(u8) -> crate::rules::ProtectedRow| {
        let mut chart = Chart::new(id, title, rule, "d20", "").columns(["struck", "protected by"]);
        for (faces, (row, area)) in runs(1..=20, |face| {
            let read = read(face);
            (read.row.name(), read.area.map_or("the mount".to_owned(), |area| area.word().to_owned()))
        }) {
            chart = chart.row(faces, [row, area]);
        }
        chart
    };
    let structural = critical("structural", "Structural criticals", rule::STRUCTURAL, &|face| rules.structural(face));
    let carrier =
        critical("carrier", "Criticals of carriers and air bases", rule::CARRIER, &|face| rules.carrier(face));
    let mut under = Chart::new("underwater", "Underwater criticals", rule::UNDERWATER, "d20", "where she is struck")
        .columns(Column::WORDS);
    for (faces, rows) in
        runs(1..=20, |face| Column::ALL.iter().map(|column| rules.underwater(*column, face).name()).collect::<Vec<_>>())
    {
        under = under.row(faces, rows);
    }
    let mut location = Chart::new("location", "Where a torpedo or mine strikes", rule::C_9, "d10", "it comes from")
        .columns(Approach::WORDS);
    for (faces, places) in runs(1..=10, |face| {
        Approach::ALL.iter().map(|from| rules.location(*from, face).to_string()).collect::<Vec<_>>()
    }) {
        location = location.row(faces, places);
    }
    vec![
        sight, guns, many, torpedo, others, saves, attacks, mines, charges, losses, structural, carrier, under,
        location,
    ]
}
