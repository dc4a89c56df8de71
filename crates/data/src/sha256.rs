//! SHA-256 (FIPS 180-4): names that anybody can compute again.
//!
//! Ids of boards and checksums of files are its values, so that `sha256sum` and
//! every language's library find the same.

/// A hash in the making.
#[derive(Clone)]
pub struct Sha256 {
    state: [u32; 8],
    /// What does not fill a block yet.
    pending: [u8; 64],
    filled: usize,
    /// Bytes so far.
    length: u64,
}

impl Default for Sha256 {
    fn default() -> Sha256 {
        Sha256 {
            state: START,
            pending: [0; 64],
            filled: 0,
            length: 0,
        }
    }
}

impl Sha256 {
    /// Of nothing so far.
    pub fn new() -> Sha256 {
        Sha256::default()
    }

    /// The hash of these bytes.
    ///
    /// ```
    /// let hash = planoku_data::Sha256::of(b"abc");
    /// assert_eq!(hash[..4], [0xba, 0x78, 0x16, 0xbf]);
    /// ```
    pub fn of(bytes: &[u8]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(bytes);
        hash.finish()
    }

    /// Goes on with these bytes.
    pub fn update(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if self.filled > 0 {
            let take = bytes.len().min(64 - self.filled);
            self.pending[self.filled..self.filled + take].copy_from_slice(&bytes[..take]);
            self.filled += take;
            bytes = &bytes[take..];
            if self.filled == 64 {
                compress(&mut self.state, &self.pending);
                self.filled = 0;
            }
        }
        let (blocks, rest) = bytes.as_chunks::<64>();
        for block in blocks {
            compress(&mut self.state, block);
        }
        if !rest.is_empty() {
            self.pending[..rest.len()].copy_from_slice(rest);
            self.filled = rest.len();
        }
    }

    /// The hash of all that came.
    pub fn finish(mut self) -> [u8; 32] {
        let bits = self.length.wrapping_mul(8);
        self.update(&[0x80]);
        while self.filled != 56 {
            self.update(&[0]);
        }
        self.update(&bits.to_be_bytes());
        let mut hash = [0; 32];
        for (bytes, word) in hash.chunks_exact_mut(4).zip(self.state) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        hash
    }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]));
    digits.collect()
}

const START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The first bits of the cube roots of the first 64 primes.
#[rustfmt::skip]
const ROUND: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

fn compress(state: &mut [u32; 8], block: &[u8; 64]) {
    let mut words = [0u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for at in 16..64 {
        let (old, new) = (words[at - 15], words[at - 2]);
        let low = old.rotate_right(7) ^ old.rotate_right(18) ^ (old >> 3);
        let high = new.rotate_right(17) ^ new.rotate_right(19) ^ (new >> 10);
        words[at] = words[at - 16]
            .wrapping_add(low)
            .wrapping_add(words[at - 7])
            .wrapping_add(high);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in words.into_iter().zip(ROUND) {
        let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first = h
            .wrapping_add(turned)
            .wrapping_add(choice)
            .wrapping_add(constant)
            .wrapping_add(word);
        let turned = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let second = turned.wrapping_add(majority);
        (h, g, f, e, d, c, b, a) = (
            g,
            f,
            e,
            d.wrapping_add(first),
            c,
            b,
            a,
            first.wrapping_add(second),
        );
    }
    for (sum, word) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sum = sum.wrapping_add(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_examples_come_out() {
        let check = |text: &[u8], expected| assert_eq!(hex(&Sha256::of(text)), expected);
        check(
            b"",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        );
        check(
            b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        );
        check(
            &vec![b'a'; 1_000_000],
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
        );
    }

    #[test]
    fn pieces_add_up_to_the_whole() {
        let text: Vec<u8> = (0..=255).cycle().take(1000).collect();
        for size in [1, 3, 55, 56, 63, 64, 65, 200] {
            let mut hash = Sha256::new();
            text.chunks(size).for_each(|piece| hash.update(piece));
            assert_eq!(hash.finish(), Sha256::of(&text), "{size}");
        }
    }
}
