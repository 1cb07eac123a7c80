//! A reader that knows how long its file is: no length that the file claims is believed beyond that.

use std::io::{BufReader, Read, Seek, SeekFrom};

use super::GgufError;

/// Reads little-endian values and counts where it is.
pub(super) struct Bounded<R> {
    inner: BufReader<R>,
    offset: u64,
    n_bytes: u64,
    n_steps_left: u32,
}

/// Items of arrays that are walked one by one in a file. The largest vocabularies have a quarter of a million, four
/// times over; a file with holes could claim any number without a byte on the disk.
const MAX_STEPS: u32 = 1 << 24;

impl<R: Read + Seek> Bounded<R> {
    /// Begins at the file's start, whatever the reader's position was.
    pub(super) fn new(mut file: R) -> Result<Self, GgufError> {
        let n_bytes = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        Ok(Self {
            inner: BufReader::with_capacity(1 << 16, file),
            offset: 0,
            n_bytes,
            n_steps_left: MAX_STEPS,
        })
    }

    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    pub(super) fn u8(&mut self, what: &str) -> Result<u8, GgufError> {
        Ok(u8::from_le_bytes(self.array(what)?))
    }

    pub(super) fn u32(&mut self, what: &str) -> Result<u32, GgufError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    pub(super) fn u64(&mut self, what: &str) -> Result<u64, GgufError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    pub(super) fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], GgufError> {
        self.demand(N as u64, what)?;
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        self.offset += N as u64;
        Ok(bytes)
    }

    /// A string of at most `max` bytes; bytes that are no UTF-8 are replaced.
    pub(super) fn string(&mut self, what: &str, max: u64) -> Result<String, GgufError> {
        let n_bytes = self.string_length(what)?;
        if n_bytes > max {
            let what = format!("the length of {what}");
            return Err(GgufError::out_of_range(
                what,
                &n_bytes,
                "a shorter text was",
            ));
        }
        let mut bytes = Vec::new();
        self.inner.by_ref().take(n_bytes).read_to_end(&mut bytes)?;
        self.offset += n_bytes;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Counts one item that is walked, until there were too many.
    pub(super) fn step(&mut self, what: &str) -> Result<(), GgufError> {
        self.n_steps_left = self.n_steps_left.checked_sub(1).ok_or_else(|| {
            let what = format!("the number of items up to {what}");
            GgufError::out_of_range(what, &format!("more than {MAX_STEPS}"), "fewer")
        })?;
        Ok(())
    }

    pub(super) fn skip_string(&mut self, what: &str) -> Result<(), GgufError> {
        let n_bytes = self.string_length(what)?;
        self.skip(n_bytes, what)
    }

    /// Skips bytes that must be there.
    pub(super) fn skip(&mut self, n_bytes: u64, what: &str) -> Result<(), GgufError> {
        self.demand(n_bytes, what)?;
        let Ok(step) = i64::try_from(n_bytes) else {
            return Err(GgufError::out_of_range(what, &n_bytes, "a shorter length"));
        };
        self.inner.seek_relative(step)?;
        self.offset += n_bytes;
        Ok(())
    }

    fn string_length(&mut self, what: &str) -> Result<u64, GgufError> {
        let n_bytes = self.u64(what)?;
        self.demand(n_bytes, what)?;
        Ok(n_bytes)
    }

    fn demand(&self, needed: u64, what: &str) -> Result<(), GgufError> {
        if needed <= self.n_bytes.saturating_sub(self.offset) {
            return Ok(());
        }
        Err(GgufError::CutHeader {
            what: what.to_owned(),
            offset: self.offset,
            needed,
            file_bytes: self.n_bytes,
        })
    }
}
