//! A stack of fixed capacity that lives where it is made.
//!
//! A `Vec` would ask the allocator once or twice per puzzle, and a puzzle takes
//! less than a microsecond.

use std::mem::MaybeUninit;

/// At most `N` items.
pub(super) struct Stack<T: Copy, const N: usize> {
    items: [MaybeUninit<T>; N],
    len: usize,
}

impl<T: Copy, const N: usize> Stack<T, N> {
    #[inline(always)]
    pub fn new() -> Stack<T, N> {
        Stack {
            items: [const { MaybeUninit::uninit() }; N],
            len: 0,
        }
    }

    /// Puts an item on top. Panics beyond the capacity.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        self.items[self.len].write(item);
        self.len += 1;
    }

    /// Takes the top item off.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: every item below the old `len` was written by `push`, and
        // `T: Copy` has nothing to drop.
        Some(unsafe { self.items[self.len].assume_init() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_item_comes_first() {
        let mut stack: Stack<u32, 3> = Stack::new();
        assert_eq!(stack.pop(), None);
        stack.push(1);
        stack.push(2);
        assert_eq!(stack.pop(), Some(2));
        stack.push(3);
        assert_eq!(
            (stack.pop(), stack.pop(), stack.pop()),
            (Some(3), Some(1), None)
        );
    }
}
