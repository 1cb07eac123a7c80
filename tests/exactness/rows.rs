//! The grammars that are compared, and the texts that they are walked along.

use stepladder::constraint::{generate_example, grammars};

/// What is known to differ, where something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing but what is never text: control tokens, and bytes that are no UTF-8.
    Exact,
    /// llama.cpp refuses a token that ends within a character if one of the characters that it may become is
    /// forbidden, even when others are allowed: under `[^é]` no half of `è` passes.
    HalvesRefused,
    /// llama.cpp refuses a token that is less than a character where any token may stand, so that `!<n>*` takes no
    /// emoji that is split over tokens.
    PartsRefused,
}

pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) grammar: String,
    pub(crate) known: Known,
}

/// The token that some grammars name, and how its place is marked in their texts.
pub(crate) const TOKEN: u32 = 1_000;
pub(crate) const TOKEN_MARK: &str = "<[1000]>";

/// All grammars: the shipped ones, and one for each thing that the notation has.
pub(crate) fn rows() -> Vec<Row> {
    let shipped = grammars().iter();
    let mut res: Vec<Row> = shipped
        .map(|(name, text)| row(name, text, Known::Exact))
        .collect();
    res.extend(EXACT.iter().map(|it| row(it.0, it.1, Known::Exact)));
    res.extend(
        HALVES
            .iter()
            .map(|it| row(it.0, it.1, Known::HalvesRefused)),
    );
    res.extend(PARTS.iter().map(|it| row(it.0, it.1, Known::PartsRefused)));
    res
}

/// Texts of a grammar, the same ones every time: right ones, and about a third with one character changed.
pub(crate) fn texts(grammar: &str, n_texts: u64, max_chars: usize) -> Vec<String> {
    (0..n_texts)
        .map(|seed| {
            let text = generate_example(grammar, seed, max_chars).unwrap();
            if seed % 3 == 2 {
                spoiled(&text, seed)
            } else {
                text
            }
        })
        .collect()
}

fn spoiled(text: &str, seed: u64) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = (seed as usize * 7 + 3) % (chars.len() + 1);
    match seed % 4 {
        0 if at < chars.len() => {
            chars.remove(at);
        }
        1 => chars.insert(at, '"'),
        2 => chars.insert(at, 'é'),
        _ => chars.insert(at, '7'),
    }
    chars.into_iter().collect()
}

fn row(name: &str, grammar: &str, known: Known) -> Row {
    Row {
        name: name.to_owned(),
        grammar: grammar.to_owned(),
        known,
    }
}

const EXACT: &[(&str, &str)] = &[
    ("one text", r#"root ::= "hello world""#),
    ("two brackets", r#"root ::= "{" "}""#),
    (
        "choice of words",
        r#"root ::= "red" | "green" | "blue" | "reddish" | "re""#,
    ),
    ("nothing", r#"root ::= """#),
    ("empty or not", r#"root ::= | "a" | "ab""#),
    ("optional chain", r#"root ::= "a"? "b"? "c"? "ab"?"#),
    (
        "nullable rules",
        "root ::= a b a \"x\"?\na ::= \"a\"*\nb ::= \"b\"? | a \"c\"",
    ),
    (
        "nullable in a loop",
        "root ::= (ws \"word\" ws)* ws\nws ::= [ \\n]?",
    ),
    ("star of a class", "root ::= [a-z ]*"),
    ("plus and end", r#"root ::= [a-z]+ "." | [a-z]+ "!""#),
    ("exact count", "root ::= [0-9]{4} \"-\" [0-9]{2}"),
    ("lower bound", "root ::= [a-c]{3,} \"z\""),
    ("both bounds", "root ::= \"\\\"\" [a-z]{2,6} \"\\\"\""),
    (
        "long counted string",
        "root ::= \"\\\"\" [^\"\\\\\\x00-\\x1F]{2,60} \"\\\"\"",
    ),
    (
        "upper bound from nothing",
        "root ::= \"<\" [a-z ]{0,12} \">\"",
    ),
    ("counts on a group", "root ::= (\"ab\" | \"c\"){2,4} \"d\"?"),
    (
        "counts on counts",
        "root ::= (([0-9]{1,3} \".\"){0,3} \" \"?){2}",
    ),
    (
        "group in group",
        "root ::= ((\"a\" (\"b\" | \"c\")*)+ | \"d\" (\"e\"))+",
    ),
    (
        "ambiguous words",
        "root ::= w w w\nw ::= [a-z]+ | [a-z]* \" \"",
    ),
    (
        "ambiguous sums",
        "root ::= t | t \"+\" root\nt ::= n | \"(\" root \")\" | n \"*\" t\nn ::= [0-9]+ | \"1\" [0-9]*",
    ),
    (
        "two ways to the same",
        "root ::= (\"x\" | \"x\" \"y\" | \"xy\")* \"z\"?",
    ),
    (
        "dangling else",
        "root ::= s\ns ::= \"if \" s | \"if \" s \" else \" s | \"x\"",
    ),
    ("right recursion", "root ::= \"a\" root | \"b\" root | \"\""),
    (
        "nested brackets",
        "root ::= \"(\" root \")\" root | \"[\" root \"]\" root | \"\"",
    ),
    (
        "palindrome",
        "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"c\"?",
    ),
    ("negated ascii", "root ::= \"'\" [^'\\n]* \"'\""),
    (
        "class with dash and bracket",
        "root ::= [a\\]\\-^-]+ [\\[x-]",
    ),
    (
        "escapes",
        "root ::= \"\\t\\\"\\\\\\x41\\u00e9\\U0001F600\" [\\x30-\\x39\\u4e00-\\u4e2d]*",
    ),
    ("any character", "root ::= . . \"!\""),
    ("any characters", "root ::= \"<\" .* \">\""),
    ("letters of europe", "root ::= [äöüßéèñ]+ (\" \" [à-ÿ]+)?"),
    ("greek to cyrillic", "root ::= [Α-я]{1,8}"),
    ("korean", "root ::= [가-힣]+ (\" \" [가-힣]+)* [.!?]?"),
    (
        "chinese and punctuation",
        "root ::= \"“\" [一-龥，。]+ \"”\"",
    ),
    ("japanese", "root ::= ([ぁ-ん] | [ァ-ヶ] | [一-龥]){2,10}"),
    ("one emoji of some", "root ::= [😀-🙏]+"),
    ("four byte borders", "root ::= [\\U0000FFFD-\\U00010002a]+"),
    ("mixed widths", "root ::= ([a-zé한😀] \",\"?)+"),
    (
        "number",
        "root ::= \"-\"? (\"0\" | [1-9] [0-9]*) (\".\" [0-9]+)? ([eE] [+-]? [0-9]+)?",
    ),
    (
        "e-mail",
        "root ::= [a-z0-9._]+ \"@\" [a-z0-9]+ (\".\" [a-z]{2,4}){1,2}",
    ),
    (
        "table of commas",
        "root ::= line+\nline ::= cell (\",\" cell)* \"\\n\"\ncell ::= [^,\\n\"]* | \"\\\"\" ([^\"] | \"\\\"\\\"\")* \"\\\"\"",
    ),
    (
        "chess",
        "root ::= \"1. \" move \" \" move (\"\\n\" [2-9] \". \" move \" \" move)*\nmove ::= ([NBKQR]? [a-h]? [1-8]? \"x\"? [a-h] [1-8] (\"=\" [NBQR])? | \"O-O\" \"-O\"?) [+#]?",
    ),
    (
        "arithmetic",
        "root ::= (expr \"=\" ws num \"\\n\")+\nexpr ::= term ([-+*/] ws term)*\nterm ::= num | \"(\" ws expr \")\" ws\nnum ::= [0-9]+ ws\nws ::= [ \\t]*",
    ),
    (
        "llama json",
        "root ::= object\nvalue ::= object | array | string | number | (\"true\" | \"false\" | \"null\") ws\nobject ::= \"{\" ws ( string \":\" ws value (\",\" ws string \":\" ws value)* )? \"}\" ws\narray ::= \"[\" ws ( value (\",\" ws value)* )? \"]\" ws\nstring ::= \"\\\"\" ( [^\"\\\\\\x7F\\x00-\\x1F] | \"\\\\\" ([\"\\\\bfnrt] | \"u\" [0-9a-fA-F]{4}) )* \"\\\"\" ws\nnumber ::= (\"-\"? ([0-9] | [1-9] [0-9]{0,15})) (\".\" [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,15})? ws\nws ::= | \" \" | \"\\n\" [ \\t]{0,20}",
    ),
    ("a token behind text", "root ::= \"a\"+ <[1000]> \"b\"?"),
    ("a token by number", "root ::= <[1000]> \"a\" | [b-d]+"),
];

const HALVES: &[(&str, &str)] = &[
    ("negated letter with an accent", "root ::= [^é]{1,6}"),
    ("negated korean", "root ::= \"<\" [^가-깋>]* \">\""),
];

const PARTS: &[(&str, &str)] = &[("any token but one", "root ::= !<[1000]>{1,3} <[1000]>")];
