//! Measures the exact odds of one salvo and of one critical.

use flagplot_fleet_action::{System, files};
use flagplot_referee::answer;
use std::time::Instant;

fn main() {
    let system = System::new(&files()).expect("the data is sound");
    let cruiser = r#"{"size":1,"f":25,"s":67,"speed":32,"sv":3,"fc":2,"sd":4,"gm":1,"dc":3,"flag_officer":true,"armour":{"belt":5,"deck":2,"ct":3},"main_mounts":[{"type":"turret","ac":8,"guns":3,"arc":"fwd"},{"type":"turret","ac":8,"guns":3,"arc":"fwd"},{"type":"turret","ac":8,"guns":3,"arc":"aft"}],"other_mounts":[{"type":"open","aa":true},{"type":"open","aa":true},{"type":"open","aa":true},{"type":"open","aa":true},{"type":"open","aa":true},{"type":"open","aa":true},{"type":"open","aa":true},{"type":"open","aa":true}],"torpedo_mounts":[{},{}],"mrf":4,"crf":3,"searchlights":true,"ship_planes":true,"gunnery_radar":true,"search_radar":true,"smoke":true}"#;
    let mut requests = vec![(
        "gunnery-salvo".to_owned(),
        format!(
            r#"{{"system":"fleet-action","procedure":"gunnery-salvo","odds":true,"input":{{"range_band":3,"control":"directed","guns":9,"shooter":{{}},"target":{{"speed":0}},"gun":{{"calibre_mm":203}},"ship":{cruiser}}}}}"#
        ),
    )];
    for cv in [5, 9, 13] {
        requests.push((
            format!("structural-critical, CV {cv}"),
            format!(r#"{{"system":"fleet-action","procedure":"structural-critical","odds":true,"input":{{"cv":{cv},"pen":20,"ship":{cruiser}}}}}"#),
        ));
        requests.push((
            format!("the same, one field, CV {cv}"),
            format!(r#"{{"system":"fleet-action","procedure":"structural-critical","odds":true,"field":"ship.status","input":{{"cv":{cv},"pen":20,"ship":{cruiser}}}}}"#),
        ));
        requests.push((
            format!("underwater-critical, CV {cv}"),
            format!(r#"{{"system":"fleet-action","procedure":"underwater-critical","odds":true,"input":{{"cv":{cv},"ship":{cruiser}}}}}"#),
        ));
    }
    let battleship = cruiser.replace(
        r#""size":1,"f":25,"s":67,"speed":32,"sv":3,"fc":2,"sd":4"#,
        r#""size":3,"f":52,"s":137,"speed":28,"sv":4,"fc":3,"sd":5"#,
    );
    for cv in [13, 20, 40] {
        for procedure in ["structural", "underwater"] {
            let pen = if procedure == "structural" { r#""pen":20,"# } else { "" };
            requests.push((
                format!("{procedure}-critical on a battleship, one field, CV {cv}"),
                format!(
                    r#"{{"system":"fleet-action","procedure":"{procedure}-critical","odds":true,"field":"ship.status","input":{{"cv":{cv},{pen}"ship":{battleship}}}}}"#
                ),
            ));
        }
    }
    for (name, request) in requests {
        let start = Instant::now();
        let answer = answer(&system, &request);
        let took = start.elapsed();
        println!("{name}: {took:?} {}", answer.get("error").map_or(String::new(), ToString::to_string));
    }
}
