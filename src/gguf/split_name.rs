//! The names of a split model's files, by which llama.cpp finds them: `name-00002-of-00005.gguf`.

/// One file's name without its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitName<'a> {
    /// What all parts begin with.
    pub name: &'a str,
    /// From 1.
    pub number: u32,
    pub n_parts: u32,
}

impl<'a> SplitName<'a> {
    /// None where it is no part's name.
    pub fn parse(stem: &'a str) -> Option<Self> {
        let (rest, count) = stem.rsplit_once("-of-")?;
        let (name, number) = rest.rsplit_once('-')?;
        let read = |it: &str| {
            let is_number = it.len() == 5 && it.bytes().all(|it| it.is_ascii_digit());
            if is_number { it.parse().ok() } else { None }
        };
        let (number, n_parts): (u32, u32) = (read(number)?, read(count)?);
        (1..=n_parts).contains(&number).then_some(Self {
            name,
            number,
            n_parts,
        })
    }

    /// The name of another part, without its ending.
    pub fn of_part(&self, number: u32) -> String {
        format!("{}-{number:05}-of-{:05}", self.name, self.n_parts)
    }
}

#[cfg(test)]
mod tests {
    use super::SplitName;

    #[test]
    fn a_part_knows_the_others() {
        let part = SplitName::parse("folder/Q8-of-it-00002-of-00005").unwrap();
        assert_eq!(
            (part.name, part.number, part.n_parts),
            ("folder/Q8-of-it", 2, 5)
        );
        assert_eq!(part.of_part(1), "folder/Q8-of-it-00001-of-00005");
        assert_eq!(SplitName::parse(&part.of_part(5)).unwrap().number, 5);
    }

    #[test]
    fn other_names_are_no_parts() {
        for name in [
            "model",
            "model-00001",
            "model-1-of-5",
            "model-00006-of-00005",
            "model-00000-of-00005",
            "model-0000a-of-00005",
            "00001-of-00005",
        ] {
            assert_eq!(SplitName::parse(name), None, "{name}");
        }
    }
}
