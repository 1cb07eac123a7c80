//! Whether one key is another under a new name.

use super::fold;

/// Names that small models put for each other, in English, Chinese and Korean; one meaning a row.
const MEANINGS: &[&[&str]] = &[
    &[
        "name", "title", "label", "product", "article", "名称", "名字", "姓名", "品名", "이름",
        "명칭", "성명", "품명", "名前",
    ],
    &[
        "qty", "quantity", "count", "amount", "number", "num", "units", "数量", "个数", "수량",
        "개수", "갯수",
    ],
    &[
        "items",
        "item",
        "products",
        "list",
        "entries",
        "goods",
        "shoppinglist",
        "项目",
        "物品",
        "商品",
        "清单",
        "항목",
        "품목",
        "물건",
        "목록",
    ],
    &[
        "email",
        "mail",
        "邮箱",
        "电子邮件",
        "邮件",
        "이메일",
        "메일",
    ],
    &[
        "phone",
        "tel",
        "telephone",
        "mobile",
        "cell",
        "电话",
        "手机",
        "电话号码",
        "전화",
        "전화번호",
        "휴대폰",
        "연락처",
    ],
    &["date", "day", "when", "日期", "날짜", "일자"],
    &["time", "when", "时间", "시간", "시각"],
    &["city", "town", "城市", "도시"],
    &[
        "address", "location", "place", "地址", "地点", "주소", "장소",
    ],
    &["year", "年", "年份", "연도", "년도"],
    &["age", "年龄", "나이"],
    &[
        "mood",
        "emotion",
        "feeling",
        "sentiment",
        "tone",
        "心情",
        "情绪",
        "기분",
        "감정",
    ],
    &[
        "speaker",
        "person",
        "who",
        "author",
        "说话人",
        "说话者",
        "화자",
        "말하는사람",
    ],
    &[
        "reply", "response", "answer", "回复", "回答", "답변", "응답", "대답",
    ],
    &[
        "answer", "result", "solution", "答案", "结果", "답", "정답", "결과",
    ],
    &[
        "reasoning",
        "reason",
        "explanation",
        "thoughts",
        "steps",
        "rationale",
        "推理",
        "理由",
        "过程",
        "추론",
        "이유",
        "풀이",
    ],
    &[
        "category",
        "type",
        "class",
        "kind",
        "类别",
        "分类",
        "类型",
        "카테고리",
        "분류",
        "유형",
        "종류",
    ],
    &[
        "confidence",
        "score",
        "certainty",
        "probability",
        "置信度",
        "信心",
        "신뢰도",
        "확신도",
    ],
    &[
        "action", "activity", "task", "动作", "行动", "活动", "행동", "활동", "동작",
    ],
    &["price", "cost", "价格", "가격"],
    &[
        "description",
        "text",
        "content",
        "描述",
        "内容",
        "설명",
        "내용",
    ],
    &["event", "what", "事件", "活动", "행사", "사건"],
];

/// Whether `found` looks like `wanted`, renamed: `quantity` for `qty`, `confidence_score` for `confidence`.
pub(super) fn is_renamed(wanted: &str, found: &str) -> bool {
    let (wanted, found) = (letters(wanted), letters(found));
    if wanted.is_empty() || found.is_empty() {
        return false;
    }
    if means_same(&wanted, &found) {
        return true;
    }
    let (short, long) = if wanted.len() <= found.len() {
        (&wanted, &found)
    } else {
        (&found, &wanted)
    };
    same_stem(short, long)
        || contains(long, short)
        || abbreviates(short, long)
        || distance(short, long) * 4 <= long.len()
}

/// How far two names are from each other, for choosing between several that look alike.
pub(super) fn unlikeness(wanted: &str, found: &str) -> usize {
    let (wanted, found) = (letters(wanted), letters(found));
    if means_same(&wanted, &found) {
        return 1;
    }
    distance(&wanted, &found)
}

/// Whether two names are one word in two languages or two words for one thing.
fn means_same(a: &[char], b: &[char]) -> bool {
    let (a, b): (String, String) = (a.iter().collect(), b.iter().collect());
    let has =
        |names: &[&str], name: &str| names.contains(&name) || names.contains(&fold::stem(name));
    MEANINGS.iter().any(|it| has(it, &a) && has(it, &b))
}

/// Case, `_`, `-`, dots and spaces around a name say nothing.
fn letters(name: &str) -> Vec<char> {
    name.chars()
        .filter(|it| it.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(64)
        .collect()
}

/// One is the plural of the other.
fn same_stem(short: &[char], long: &[char]) -> bool {
    let text = |it: &[char]| it.iter().collect::<String>();
    fold::stem(&text(short)) == fold::stem(&text(long))
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
