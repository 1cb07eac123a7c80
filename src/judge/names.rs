//! Whether one key is another under a new name.

/// Whether `found` looks like `wanted`, renamed: `quantity` for `qty`, `confidence_score` for `confidence`.
pub(super) fn is_renamed(wanted: &str, found: &str) -> bool {
    let (wanted, found) = (letters(wanted), letters(found));
    if wanted.is_empty() || found.is_empty() {
        return false;
    }
    let (short, long) = if wanted.len() <= found.len() {
        (&wanted, &found)
    } else {
        (&found, &wanted)
    };
    contains(long, short) || abbreviates(short, long) || distance(short, long) * 4 <= long.len()
}

/// Case, `_`, `-`, dots and spaces around a name say nothing.
fn letters(name: &str) -> Vec<char> {
    name.chars()
        .filter(|it| it.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(64)
        .collect()
}

fn contains(long: &[char], short: &[char]) -> bool {
    let enough = short.len() >= 3 || short.len() == long.len();
    enough && long.windows(short.len()).any(|it| it == short)
}

/// `qty` abbreviates `quantity`: the same first letter, and the others in order.
fn abbreviates(short: &[char], long: &[char]) -> bool {
    let mut rest = long.iter();
    short.len() >= 2 && short[0] == long[0] && short.iter().all(|c| rest.any(|it| it == c))
}

/// Edits between two names (Levenshtein 1966).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
