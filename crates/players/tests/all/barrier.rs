//! Policies cannot touch the state of the real game: such code does not compile.

use flagplot_kernel::{Chance, Game, Seat, Standing, Viewer};
use flagplot_players::Knowledge;

#[test]
fn a_policy_that_touches_a_state_does_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/barrier/*.rs");
}

/// What a policy may do: imagine a world from what the seat knows, and look at what a viewer would know in it.
fn policy<G: Game>(knowledge: &Knowledge<'_, G>, chance: &mut Chance) -> Standing {
    let world = knowledge.imagine(chance);
    let view = world.view(knowledge.game(), Viewer::Seat(knowledge.seat()));
    knowledge.game().evaluate(&view, knowledge.side())
}

#[test]
fn a_policy_that_imagines_worlds_does() {
    let system = flagplot_schiffskrieg::System::new(&flagplot_schiffskrieg::files()).unwrap();
    let game = system.game("midway-1942", &serde_json::Value::Null).unwrap();
    let view = game.view(&game.setup(), Viewer::Seat(Seat(0)));
    let seen = policy(&Knowledge::new(&game, &view, &[], Seat(0)), &mut Chance::seeded(1));
    assert_eq!(seen, game.evaluate(&view, flagplot_kernel::Side::First), "the imagined world looks like the true one");
}
