use flagplot_kernel::{Answer, Ask, Asked, Chance, Game, Outcome, Seat, Side, Standing, Viewer};

/// What a seat knows when it is asked: its view of the checkpoint and the answers of the step so far.
///
/// Every policy starts from this and nothing else. There is no way from here to the state of the real game: the only
/// states to be had are [`World`]s, which are imagined from the view.
#[derive(Debug)]
pub struct Knowledge<'a, G: Game> {
    game: &'a G,
    view: &'a G::View,
    answers: &'a [Answer],
    seat: Seat,
    side: Side,
}

impl<'a, G: Game> Knowledge<'a, G> {
    /// What `seat` knows.
    #[must_use]
    pub fn new(game: &'a G, view: &'a G::View, answers: &'a [Answer], seat: Seat) -> Self {
        let side = game.seats().get(usize::from(seat.0)).map_or(seat.side(), |info| info.side);
        Self { game, view, answers, seat, side }
    }

    /// What the seat knew when only so many answers of the step stood.
    #[must_use]
    pub fn after(&self, answers: usize) -> Self {
        Self { answers: &self.answers[..answers.min(self.answers.len())], ..*self }
    }

    /// The rules, tables and scenario, which every seat knows.
    #[must_use]
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The seat's view of the checkpoint.
    #[must_use]
    pub fn view(&self) -> &'a G::View {
        self.view
    }

    /// The answers of the step so far.
    #[must_use]
    pub fn answers(&self) -> &'a [Answer] {
        self.answers
    }

    /// Who knows it.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The side it plays on.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// A world that the seat cannot tell from the true one.
    #[must_use]
    pub fn imagine(&self, chance: &mut Chance) -> World<G> {
        World { state: self.game.imagine(self.view, chance) }
    }
}

/// A world imagined by a seat. It can be played on and judged; its state cannot be taken out, nor another one put in.
#[derive(Debug)]
pub struct World<G: Game> {
    state: G::State,
}

impl<G: Game> Clone for World<G> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone() }
    }
}

impl<G: Game> World<G> {
    /// One step of the rules in this world.
    pub fn step(&mut self, game: &G, ask: &mut impl Ask) -> Asked<()> {
        flagplot_kernel::work::tick();
        game.step(&mut self.state, ask)
    }

    /// How the game ends in this world, once it has.
    #[must_use]
    pub fn outcome(&self, game: &G) -> Option<Outcome> {
        game.outcome(&self.state)
    }

    /// The same without words.
    #[must_use]
    pub fn result(&self, game: &G) -> Option<Outcome> {
        game.result(&self.state)
    }

    /// What a viewer would know in this world.
    #[must_use]
    pub fn view(&self, game: &G, viewer: Viewer) -> G::View {
        game.view(&self.state, viewer)
    }

    /// Whether this world is at a moment at which it can be judged.
    #[must_use]
    pub fn settled(&self, game: &G) -> bool {
        game.settled(&self.state)
    }

    /// How good this world is for a side, everything in it being known.
    #[must_use]
    pub fn evaluate(&self, game: &G, side: Side) -> Standing {
        game.evaluate(&game.view(&self.state, Viewer::Everything), side)
    }
}
