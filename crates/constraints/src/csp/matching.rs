//! Matchings: a value for every member of a set, no value twice.
//!
//! A member without a value takes a free one, or one whose holder can move to
//! another in the same manner: an augmenting path. If no path exists, the
//! members met on the way have too few values between them, and there is no
//! matching at all (H. Kuhn, "The Hungarian method", 1955, after König).

use super::values::bits;

/// The holder of a value that nobody holds, the value of a member that has none.
pub(crate) const NONE: u8 = u8::MAX;

/// A partial matching between up to 64 members and 64 values.
pub(crate) struct Matching<'m> {
    /// The value of each member.
    pub matched: &'m mut [u8],
    /// The member that has each value.
    pub holder: &'m mut [u8; 64],
}

impl Matching<'_> {
    /// Gives every member a value out of `values(member)`, keeping what it can
    /// of the values they have. On failure, a set of members too large for its
    /// values.
    pub(crate) fn complete(&mut self, values: &impl Fn(usize) -> u64) -> Result<(), u64> {
        *self.holder = [NONE; 64];
        for (member, value) in self.matched.iter_mut().enumerate() {
            if *value != NONE && values(member) >> *value & 1 == 1 {
                self.holder[*value as usize] = member as u8;
            } else {
                *value = NONE;
            }
        }
        for member in 0..self.matched.len() {
            let mut met = 0;
            if self.matched[member] == NONE && !self.augment(values, member, &mut met) {
                return Err(met);
            }
        }
        Ok(())
    }

    fn augment(&mut self, values: &impl Fn(usize) -> u64, member: usize, met: &mut u64) -> bool {
        *met |= 1 << member;
        let wanted = values(member);
        let free = bits(wanted).find(|value| self.holder[*value as usize] == NONE);
        let won = free.or_else(|| {
            bits(wanted).find(|value| {
                let holder = self.holder[*value as usize] as usize;
                *met >> holder & 1 == 0 && self.augment(values, holder, met)
            })
        });
        if let Some(value) = won {
            self.matched[member] = value as u8;
            self.holder[value as usize] = member as u8;
        }
        won.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(values: &[u64]) -> Result<Vec<u8>, u64> {
        let mut matched = vec![NONE; values.len()];
        Matching {
            matched: &mut matched,
            holder: &mut [NONE; 64],
        }
        .complete(&|member| values[member])
        .map(|()| matched)
    }

    #[test]
    fn holders_move_to_make_room() {
        assert_eq!(complete(&[0b011, 0b001, 0b110]), Ok(vec![1, 0, 2]));
    }

    #[test]
    fn a_failure_names_too_many_members() {
        // Members 0, 2 and 3 share two values; member 1 is not involved.
        assert_eq!(complete(&[0b0011, 0b1100, 0b0011, 0b0011]), Err(0b1101));
    }
}
