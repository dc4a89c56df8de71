//! SHA-256 (FIPS 180-4): names that anybody can compute again.
//!
//! Ids of boards and checksums of files are its values, so that `sha256sum` and
//! every language's library find the same.

use sha2::Digest;

/// The hash of these bytes.
///
/// ```
/// let hash = planoku_data::sha256(b"abc");
/// assert_eq!(planoku_data::hex(&hash[..4]), "ba7816bf");
/// ```
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    sha2::Sha256::digest(bytes).into()
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    let both = |byte: &u8| [digit(byte >> 4), digit(byte & 15)];
    bytes.iter().flat_map(both).collect()
}
