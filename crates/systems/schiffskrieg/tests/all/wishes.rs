//! The table of wishes for day or night.

use dashu_ratio::RBig;
use flagplot_kernel::{BySide, Side};
use flagplot_schiffskrieg::battle::{Battle, Ground, Place, UnitState};
use flagplot_schiffskrieg::day_night::{Action, Waters};
use flagplot_schiffskrieg::faction::{ByRole, Role};
use flagplot_schiffskrieg::files;
use flagplot_schiffskrieg::rules::Rules;
use flagplot_schiffskrieg::unit::{Factors, Kind, Sheet, Short};
use flagplot_schiffskrieg::wishes::{mix, table};

type Table = Vec<Vec<RBig>>;
type Mix = Vec<(Action, u64)>;

/// Bombers with two dice by day against a small ship with a gun that cannot reach them.
fn by_hand(hold_vp: i64) -> (Table, [Mix; 2]) {
    let rules = Rules::read(&files()).unwrap();
    let sheet = |id: &str, kind, front: Factors| Sheet {
        id: Short::new(id).unwrap(),
        name: Short::new(id).unwrap(),
        kind,
        damage: front.defense,
        front,
        back: None,
        vp: 4,
    };
    let sheets = BySide {
        first: vec![sheet("bombers", Kind::Lba, Factors { airstrike: 2, defense: 3, ..Factors::default() })],
        second: vec![sheet("corvette", Kind::Cruiser, Factors { gunnery: 1, defense: 2, ..Factors::default() })],
    };
    let names = BySide { first: "Bombers".to_owned(), second: "Corvette".to_owned() };
    let waters = Waters { all_sea: false, nearest_air_base: ByRole::default() };
    let started_damaged = BySide::new_with(|_| vec![false]);
    let ground = Ground {
        rules: &rules,
        sheets: &sheets,
        names: &names,
        started_damaged: &started_damaged,
        waters,
        fixed_actions: [None; 2],
        hold_vp,
        hold_scores: hold_vp,
    };
    let units = BySide::new_with(|_| vec![UnitState { damaged: false, place: Place::Ready }]);
    let battle = Battle::new(Side::First, &units, &BySide::new_with(|_| vec![0]));
    (table(&ground, &battle).unwrap(), Role::BOTH.map(|role| mix(&ground, &battle, role).unwrap()))
}

fn written(table: &[Vec<RBig>]) -> Vec<String> {
    table.iter().flatten().map(ToString::to_string).collect()
}

#[test]
fn the_table_of_wishes_is_the_one_worked_by_hand() {
    // A die gives no point 30 times in 36, one point once, more five times: two dice sink a ship of two with
    // 1 - (30·30 + 2·30)/36² = 7/27, which is worth 4 points. The phasing side's wish for day beats the wish for night
    // 21 times in 36; the other side's wish for day fails 10 times in 36.
    let (table, mixes) = by_hand(0);
    assert_eq!(written(&table), ["28/27", "49/81", "182/243", "0"]);
    assert_eq!(mixes, [vec![(Action::Day, 1), (Action::Night, 0)], vec![(Action::Day, 0), (Action::Night, 1)]]);
    // The ship is still in line 13 times in 27, and three against two hold nothing; otherwise the bombers hold a hex
    // worth 3.
    let (table, mixes) = by_hand(3);
    assert_eq!(written(&table), ["70/27", "245/162", "455/243", "0"]);
    assert_eq!(mixes[0][0], (Action::Day, 1));
}
