//! What the registers of x86-64 have in common, whatever their width.

/// Operators on two registers, an instruction each.
///
/// # Soundness
/// `$name` says why the instructions are there wherever a method of it runs.
macro_rules! operators {
    ($name:ident: $($trait:ident $method:ident $intrinsic:ident),+) => {$(
        impl $trait for $name {
            type Output = $name;
            #[inline(always)]
            fn $method(self, other: $name) -> $name {
                // SAFETY: the instruction is there (see the type), and touches
                // registers only.
                $name(unsafe { $intrinsic(self.0, other.0) }, self.1)
            }
        }
    )+};
}
pub(super) use operators;

/// A register as bits and as bytes. Between the widths nothing differs but the
/// names of the intrinsics.
///
/// # Soundness
/// As for [`operators`].
macro_rules! register {
    (
        $(#[$about:meta])*
        struct $name:ident($inner:ident, $token:ty) of $bytes:literal bytes;
        $and:ident $or:ident $xor:ident $andnot:ident $splat:ident $shl:ident $shr:ident
        $load:ident $store:ident $low:ident $high:ident $least:ident
        $({ $($more:item)* })?
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub(in super::super) struct $name($inner, $token);

        operators!($name: BitAnd bitand $and, BitOr bitor $or, BitXor bitxor $xor);

        impl Words for $name {
            type Token = $token;

            #[inline(always)]
            fn token(self) -> $token {
                self.1
            }

            #[inline(always)]
            fn filled(token: $token, value: u32) -> $name {
                // SAFETY: the instruction is there (see the type), and touches
                // registers only. So it is below, where nothing else is said.
                $name(unsafe { $splat(value as i32) }, token)
            }

            #[inline(always)]
            fn without(self, other: $name) -> $name {
                // SAFETY: as above.
                $name(unsafe { $andnot(other.0, self.0) }, self.1)
            }

            #[inline(always)]
            fn shl<const N: i32>(self) -> $name {
                // SAFETY: as above.
                $name(unsafe { $shl(self.0, _mm_cvtsi32_si128(N)) }, self.1)
            }

            #[inline(always)]
            fn shr<const N: i32>(self) -> $name {
                // SAFETY: as above.
                $name(unsafe { $shr(self.0, _mm_cvtsi32_si128(N)) }, self.1)
            }

            $($($more)*)?
        }

        impl Bytes for $name {
            const BYTES: usize = $bytes;

            #[inline(always)]
            fn load(token: $token, bytes: &[u8]) -> $name {
                let bytes: &[u8; $bytes] = bytes.first_chunk().expect("as many bytes");
                // SAFETY: as above; it reads the array, wherever that lies.
                $name(unsafe { $load(bytes.as_ptr().cast()) }, token)
            }

            #[inline(always)]
            fn store(self, bytes: &mut [u8]) {
                let bytes: &mut [u8; $bytes] = bytes.first_chunk_mut().expect("as many bytes");
                // SAFETY: as above; it writes the array, wherever that lies.
                unsafe { $store(bytes.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            fn byte(&self, nth: usize) -> u8 {
                // SAFETY: a register that lies in memory is that many bytes there.
                let bytes: &[u8; $bytes] = unsafe { &*(&raw const self.0).cast() };
                bytes[nth]
            }

            #[inline(always)]
            fn low_bytes(self, other: $name) -> $name {
                // SAFETY: as above.
                $name(unsafe { $low(self.0, other.0) }, self.1)
            }

            #[inline(always)]
            fn high_bytes(self, other: $name) -> $name {
                // SAFETY: as above.
                $name(unsafe { $high(self.0, other.0) }, self.1)
            }

            #[inline(always)]
            fn least_bytes(self, other: $name) -> $name {
                // SAFETY: as above.
                $name(unsafe { $least(self.0, other.0) }, self.1)
            }
        }
    };
}
pub(super) use register;
