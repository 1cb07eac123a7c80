//! Escapes in strings of the tolerant parser: good, bad, cut.

use super::content::Content;
use super::repair::Parser;
use super::{Flag, RepairKind};

impl Parser<'_> {
    /// Reads one escape. A bad one keeps its backslash: dropping it would change paths and patterns.
    pub(super) fn escape(&mut self, out: &mut Content<'_>) {
        let at = self.scan.pos;
        let Some(c) = self.scan.char_at(at + 1) else {
            self.drop_half_escape(at);
            return;
        };
        let plain = match c {
            '"' | '\\' | '/' => Some(c),
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            _ => None,
        };
        if let Some(plain) = plain {
            out.saw_escape(at + 2);
            out.push(plain);
            self.scan.pos = at + 2;
        } else if c == 'u' {
            self.unicode_escape(out);
        } else if c == '\'' || c == '\n' {
            out.saw_escape(at + 2);
            out.depart();
            if c == '\'' {
                out.push(c);
            }
            self.scan.pos = at + 2;
            self.log.edit(
                RepairKind::Escape,
                at..at + 2,
                if c == '\'' { "'" } else { "" },
            );
        } else {
            self.keep_backslash(out);
        }
    }

    fn keep_backslash(&mut self, out: &mut Content<'_>) {
        let at = self.scan.pos;
        out.take(at, 1);
        self.scan.pos = at + 1;
        self.log.flag(Flag::BadEscape);
        self.log.edit(RepairKind::Escape, at..at + 1, "\\\\");
    }

    fn unicode_escape(&mut self, out: &mut Content<'_>) {
        let at = self.scan.pos;
        let unit = match self.hex_unit(at) {
            Unit::Whole(unit) => unit,
            Unit::Cut => return self.drop_half_escape(at),
            Unit::Bad => return self.keep_backslash(out),
        };
        out.saw_escape(at + 6);
        self.scan.pos = at + 6;
        if let Some(c) = char::from_u32(unit) {
            out.push(c);
            return;
        }
        if unit < 0xDC00 {
            let low_at = at + 6;
            match self.hex_unit(low_at) {
                Unit::Whole(low) if (0xDC00..0xE000).contains(&low) => {
                    let code = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                    out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                    out.saw_escape(at + 12);
                    self.scan.pos = at + 12;
                    return;
                }
                Unit::Cut => return self.drop_half_escape(at),
                _ => {}
            }
        }
        out.push('\u{fffd}');
        self.log.flag(Flag::LoneSurrogate);
        self.log.edit(RepairKind::Escape, at..at + 6, "\\ufffd");
    }

    /// What follows as `\u` and four hexadecimal digits.
    fn hex_unit(&self, at: usize) -> Unit {
        let rest = &self.scan.text.as_bytes()[at.min(self.scan.text.len())..];
        let head = &rest[..rest.len().min(6)];
        if head.len() < 6 {
            let is_start = b"\\u".starts_with(&head[..head.len().min(2)])
                && head.iter().skip(2).all(u8::is_ascii_hexdigit);
            return if is_start { Unit::Cut } else { Unit::Bad };
        }
        let digits = &head[2..];
        if !head.starts_with(b"\\u") || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Unit::Bad;
        }
        let digits = std::str::from_utf8(digits).unwrap_or_default();
        u32::from_str_radix(digits, 16).map_or(Unit::Bad, Unit::Whole)
    }

    /// Half an escape at the end of the text is no text.
    fn drop_half_escape(&mut self, at: usize) {
        let end = self.scan.text.len();
        self.log.edit(RepairKind::Truncation, at..end, "");
        self.scan.pos = end;
    }
}

/// A `\u` with four hexadecimal digits that may be there.
enum Unit {
    Whole(u32),
    Cut,
    Bad,
}
