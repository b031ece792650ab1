//! Torpedo tubes at a table: empty after a launch, loaded again where the rules reload them.

use flagplot_fleet_action::tubes::{launch, ready, refused, reload, remark};
use flagplot_fleet_action::words::Arc;
use flagplot_referee::LibraryItem;
use flagplot_referee::table::Object;
use serde_json::json;

fn destroyer(torpedo: &str) -> Object {
    let mount = |arc: &str, tubes: i64| json!({"type": "torpedo", "tubes": tubes, "arc": arc, "lost": false});
    let value = json!({"torpedo_mounts": [mount("fwd", 4), mount("mid", 4), mount("aft", 2)]});
    let item = LibraryItem { id: "yukikaze".into(), name: "Yukikaze".into(), kind: "ship".into(), value };
    let mut object = Object::new(item, 0);
    object.marks.insert("torpedo".into(), torpedo.into());
    object
}

#[test]
fn a_launch_empties_whole_mounts_and_those_that_bear_first() {
    let mut ship = destroyer("type-93");
    assert_eq!((ready(&ship, None), ready(&ship, Some(Arc::Stern))), (Some(10), Some(2)));
    launch(&mut ship, 2, Some(Arc::Stern), 1);
    assert_eq!(ready(&ship, None), Some(8));
    assert!(refused(&ship, 1, Some(Arc::Stern)).unwrap().message.contains("No loaded tube of Yukikaze bears"));
    launch(&mut ship, 5, None, 1);
    assert_eq!(ready(&ship, None), Some(0));
    assert!(refused(&ship, 1, None).unwrap().message.contains("are empty"));
}

#[test]
fn tubes_are_loaded_again_once_and_not_before_their_turn() {
    let mut ship = destroyer("type-93");
    launch(&mut ship, 10, None, 1);
    reload(&mut ship, 3);
    assert_eq!(ready(&ship, None), Some(0));
    reload(&mut ship, 4);
    assert_eq!(ready(&ship, None), Some(10), "three turns after the launch");
    launch(&mut ship, 10, None, 5);
    reload(&mut ship, 99);
    assert_eq!(ready(&ship, None), Some(0), "there is one reload");
    // Other torpedoes are not reloaded at sea.
    let mut other = destroyer("g7a");
    launch(&mut other, 10, None, 1);
    reload(&mut other, 99);
    assert_eq!((ready(&other, None), remark(&other)), (Some(0), None));
}
