//! Who fights whom.

/// Pairs off squadrons by their order: the i-th against the i-th, those left over join combats 1, 2, … in turn.
/// Sets are masks; neither may be empty. [Air combat 1], R-33
pub fn pair_off(first: u16, second: u16) -> Vec<(u16, u16)> {
    let members = |set: u16| (0..16).map(|at| 1u16 << at).filter(move |bit| set & bit != 0);
    let combats = first.count_ones().min(second.count_ones()) as usize;
    let mut pairs = vec![(0, 0); combats];
    for (at, member) in members(first).enumerate() {
        pairs[at % combats].0 |= member;
    }
    for (at, member) in members(second).enumerate() {
        pairs[at % combats].1 |= member;
    }
    pairs
}
