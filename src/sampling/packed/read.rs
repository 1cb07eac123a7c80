//! Reads traces from bytes, whatever they are.

use super::{
    AFTER_IS_BEFORE, CHANGED_TOP, HAS_EARLIER, HAS_LEGAL, HAS_MASK_TIME, HAS_NEW_TOP, HAS_SHIFT,
    HEADS_BEFORE, LEFT_THE_REST, MOST_ENTRIES, PackError, STAGES, TOOK_NO_MASS, WANTED_IS_LEFT,
};
use crate::sampling::{Candidate, Span, Stage, StageEffect, Standing, TokenId, TokenTrace, Touch};

/// Reads the packed form. Never reads beyond the bytes' end, and takes no more memory than a few times their number.
#[derive(Debug)]
pub struct Unpacker<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Unpacker<'a> {
    /// Begins at the first of the bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Whether all bytes were read.
    pub fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// Reads one byte.
    pub fn byte(&mut self) -> Result<u8, PackError> {
        let byte = self.bytes.get(self.at).copied();
        let byte = byte.ok_or_else(|| self.error("more bytes"))?;
        self.at += 1;
        Ok(byte)
    }

    /// Reads a whole number.
    pub fn number(&mut self) -> Result<u64, PackError> {
        let start = self.at;
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        self.at = start;
        Err(self.error("a number of at most 64 bits"))
    }

    /// A length and that many bytes.
    pub fn run(&mut self) -> Result<&'a [u8], PackError> {
        let n = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        let left = &self.bytes[self.at..];
        let run = left.get(..n).ok_or_else(|| self.error("more bytes"))?;
        self.at += n;
        Ok(run)
    }

    /// A length and that many bytes of text.
    pub fn text(&mut self) -> Result<String, PackError> {
        let start = self.at;
        let run = self.run()?.to_vec();
        String::from_utf8(run).map_err(|_bytes| PackError {
            at: start,
            expected: "text in UTF-8",
        })
    }

    /// How many entries follow.
    pub fn count(&mut self) -> Result<u32, PackError> {
        let n = self.short()?;
        // Each entry takes a byte at least.
        if n > MOST_ENTRIES || n as usize > self.bytes.len() - self.at {
            return Err(self.error("fewer entries"));
        }
        Ok(n)
    }

    /// A number of at most 32 bits.
    pub fn short(&mut self) -> Result<u32, PackError> {
        let start = self.at;
        let number = self.number()?;
        u32::try_from(number).map_err(|_number| PackError {
            at: start,
            expected: "a number of at most 32 bits",
        })
    }

    /// Reads one trace.
    pub fn trace(&mut self) -> Result<TokenTrace, PackError> {
        let flags = self.short()?;
        let has = |flag: u32| flags & flag != 0;
        let before = self.list(Unpacker::short)?;
        let wanted = match before.first() {
            Some(it) if has(HEADS_BEFORE) => it.token,
            _ => self.short()?,
        };
        let probability = self.share(&before)?;
        let rank = self.short()?;
        let after = if has(AFTER_IS_BEFORE) {
            before.clone()
        } else {
            self.list(|it| it.place(&before))?
        };
        let chosen_after = self.standing(&after)?;
        let wanted_after = has(WANTED_IS_LEFT).then(|| self.standing(&after));
        let entropy = self.float()?;
        let n_effects = self.count()?;
        let effects: Result<_, _> = (0..n_effects).map(|_| self.effect(&before)).collect();
        let effects = effects?;
        let n_touches = self.count()?;
        let touches: Result<_, _> = (0..n_touches).map(|_| self.touch(&before)).collect();
        Ok(TokenTrace {
            wanted,
            probability,
            rank,
            chosen_after,
            wanted_after: wanted_after.transpose()?,
            entropy,
            touches: touches?,
            before,
            after,
            effects,
            n_legal: has(HAS_LEGAL).then(|| self.short()).transpose()?,
            mask_us: has(HAS_MASK_TIME).then(|| self.short()).transpose()?,
        })
    }

    fn list(
        &mut self,
        token: impl Fn(&mut Self) -> Result<TokenId, PackError>,
    ) -> Result<Vec<Candidate>, PackError> {
        let n = self.count()?;
        let entry = |_| {
            let token = token(self)?;
            let probability = self.float()?;
            Ok(Candidate { token, probability })
        };
        (0..n).map(entry).collect()
    }

    fn standing(&mut self, after: &[Candidate]) -> Result<Standing, PackError> {
        let rank = self.short()?;
        let probability = self.share(after)?;
        Ok(Standing { rank, probability })
    }

    fn effect(&mut self, before: &[Candidate]) -> Result<StageEffect, PackError> {
        let (stage, bits) = self.stage()?;
        let n_removed = self.short()?;
        let (removed_mass, kept_mass) = if bits & TOOK_NO_MASS != 0 {
            (0.0, 1.0)
        } else {
            let removed = self.float()?;
            let left_the_rest = bits & LEFT_THE_REST != 0;
            let kept = if left_the_rest {
                1.0 - removed
            } else {
                self.float()?
            };
            (removed, kept)
        };
        let new_top = (bits & HAS_NEW_TOP != 0).then(|| self.place(before));
        Ok(StageEffect {
            stage,
            n_removed,
            removed_mass,
            kept_mass,
            changed_top: bits & CHANGED_TOP != 0,
            new_top: new_top.transpose()?,
        })
    }

    fn touch(&mut self, before: &[Candidate]) -> Result<Touch, PackError> {
        let (stage, bits) = self.stage()?;
        let token = self.place(before)?;
        let shift = (bits & HAS_SHIFT != 0).then(|| self.float()).transpose()?;
        let earlier = if bits & HAS_EARLIER != 0 {
            let start = self.short()?;
            let end = start.wrapping_add(self.short()?);
            Some(Span { start, end })
        } else {
            None
        };
        Ok(Touch {
            stage,
            token,
            shift,
            earlier,
        })
    }

    /// A byte with a stage in its lowest four bits, and the byte.
    fn stage(&mut self) -> Result<(Stage, u8), PackError> {
        let byte = self.byte()?;
        Ok((STAGES[usize::from(byte & 15)], byte))
    }

    fn place(&mut self, before: &[Candidate]) -> Result<TokenId, PackError> {
        match self.entry(before)? {
            Some(it) => Ok(it.token),
            None => self.short(),
        }
    }

    fn share(&mut self, list: &[Candidate]) -> Result<f32, PackError> {
        match self.entry(list)? {
            Some(it) => Ok(it.probability),
            None => self.float(),
        }
    }

    /// An entry of a list by 1 + its index; none for 0.
    fn entry(&mut self, list: &[Candidate]) -> Result<Option<Candidate>, PackError> {
        let start = self.at;
        let Some(index) = (self.short()? as usize).checked_sub(1) else {
            return Ok(None);
        };
        let entry = list.get(index).copied();
        entry.map(Some).ok_or(PackError {
            at: start,
            expected: "the place of a candidate that is listed",
        })
    }

    /// A number, which a probability and a shift must be, so that it can be shown and recorded.
    fn float(&mut self) -> Result<f32, PackError> {
        let bytes = self.bytes[self.at..].first_chunk();
        let value = bytes.map(|it| f32::from_le_bytes(*it));
        let value = value.filter(|it| it.is_finite());
        let value = value.ok_or_else(|| self.error("a number in single precision"))?;
        self.at += 4;
        Ok(value)
    }

    /// What is wrong with the bytes here.
    pub fn error(&self, expected: &'static str) -> PackError {
        PackError {
            at: self.at,
            expected,
        }
    }
}
