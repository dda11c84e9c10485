//! Prints what the crate `exaloglog` (d = 24) makes of the numbers 0 to n - 1, hashed by splitmix64, a line each:
//! how it was made, precision, n, a digest of its registers (FNV-1a, 64 bits, little-endian words), its estimate
//! by likelihood, and by martingale where it has one.

use exaloglog::ExaLogLogFast;

fn splitmix64(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn of(precision: u32, numbers: std::ops::Range<u64>) -> ExaLogLogFast {
    let mut sketch = ExaLogLogFast::new_dense(precision);
    numbers.for_each(|number| sketch.add_hash(splitmix64(number)));
    sketch
}

fn print(made: &str, people: u64, sketch: &ExaLogLogFast) {
    let mut digest: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in sketch.snapshot().iter().flat_map(|register| register.to_le_bytes()) {
        digest = (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    let martingale = match sketch.estimate_martingale() {
        Some(estimate) => format!("{estimate:.6}"),
        None => "-".to_string(),
    };
    println!(
        "{made} {} {people} {digest:016x} {:.6} {martingale}",
        sketch.precision(),
        sketch.estimate_ml()
    );
}

fn main() {
    for precision in [4, 8, 11, 12, 16] {
        for people in [1, 10, 100, 1000, 10_000, 1_000_000] {
            print("added", people, &of(precision, 0..people));
        }
        for people in [100, 5000] {
            let mut union = of(precision, 0..people);
            union.merge(&of(precision, people / 2..people * 3 / 2)).expect("of one precision");
            print("united", people, &union);
        }
        for people in [100, 100_000] {
            print("reduced", people, &of(16, 0..people).reduce(precision));
        }
    }
}
