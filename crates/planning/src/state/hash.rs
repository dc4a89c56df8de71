//! Hashes of states and of sets of facts.

/// A hash of a row of words, good in its low bits.
#[inline]
pub(crate) fn hash_words(words: &[u64]) -> u64 {
    let mut hash = 0u64;
    for &word in words {
        // Without the shift, high bits of a word would hardly reach low ones.
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 29;
    }
    hash = hash.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash ^ (hash >> 32)
}

/// Spreads a number over all bits.
pub(crate) fn mix(number: u128) -> u128 {
    let half = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    let (high, low) = ((number >> 64) as u64, number as u64);
    let first = half(low.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ half(high));
    let second = half(first.wrapping_add(low) ^ 0xD1B5_4A32_D192_ED03);
    u128::from(first) << 64 | u128::from(second)
}
