//! A small run of generated games; the long one is `cargo run --release -p bolshak-arbiter --example generated_games`.

use crate::common::read;
use crate::generated::{Random, Tally, arbiter, compare, generate};

#[test]
fn every_verdict_is_that_of_the_literal_counter() {
    let (arbiter, mut random, mut tally) = (arbiter(), Random(1), Tally::new());
    for _ in 0..1_500 {
        let record = generate(&mut random);
        let again = read(record.to_pdn().as_bytes()).remove(0);
        assert_eq!((&again.moves, &again.error), (&record.moves, &None));
        compare(&arbiter, &again, &mut tally);
    }
    // Every article that a set has is met: five, five, five and three.
    assert_eq!(tally.len(), 18, "{tally:?}");
    assert!(tally.values().all(|&games| games >= 10), "{tally:?}");
}
