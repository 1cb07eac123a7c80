//! Knobs as a preset file holds them: keys and numbers, and nothing that is neutral.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{CharClass, Knob, KnobError, Knobs, LogitBias, Order, Scope};

const ORDER: &str = "order";
const PENALTY_SCOPE: &str = "penalty_scope";
const NGRAM_SCOPE: &str = "ngram_scope";
const STOP: &str = "stop";
const LOGIT_BIAS: &str = "logit_bias";
const TOKEN_BAN: &str = "token_ban";
const DRY_BREAKERS: &str = "dry_sequence_breakers";

impl Knobs {
    /// Every key that [`Self::from_map`] reads.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        let others = [
            ORDER,
            PENALTY_SCOPE,
            NGRAM_SCOPE,
            STOP,
            LOGIT_BIAS,
            TOKEN_BAN,
            DRY_BREAKERS,
        ];
        Knob::ALL.into_iter().map(|it| it.spec().key).chain(others)
    }

    /// Takes the knobs' keys out of `map` and leaves what it does not know. A missing key means neutral; names of
    /// other tools are not read here. Fails on the first value out of range; `map` has lost some keys then.
    pub fn from_map(map: &mut Map<String, Value>) -> Result<Self, KnobError> {
        let mut knobs = Self::neutral();
        for knob in Knob::ALL {
            let spec = knob.spec();
            if let Some(value) = map.shift_remove(spec.key) {
                let number = value
                    .as_f64()
                    .ok_or_else(|| spec.error(value.to_string()))?;
                knobs.set(knob, number)?;
            }
        }
        if let Some(value) = map.shift_remove(ORDER) {
            knobs.order = Order::from_value(&value)?;
        }
        if let Some(value) = map.shift_remove(PENALTY_SCOPE) {
            knobs.penalty_scope = read_scope(PENALTY_SCOPE, &value)?;
        }
        if let Some(value) = map.shift_remove(NGRAM_SCOPE) {
            knobs.ngram_scope = read_scope(NGRAM_SCOPE, &value)?;
        }
        if let Some(value) = map.shift_remove(STOP) {
            knobs.stop = read_texts(STOP, &value)?;
        }
        knobs.read_lexical(map)?;
        Ok(knobs)
    }

    /// The knobs that speak of tokens by their text.
    fn read_lexical(&mut self, map: &mut Map<String, Value>) -> Result<(), KnobError> {
        if let Some(value) = map.shift_remove(LOGIT_BIAS) {
            self.logit_bias = LogitBias::read_all(&value)?;
        }
        if let Some(value) = map.shift_remove(TOKEN_BAN) {
            self.token_ban = CharClass::read_all(&value)?;
        }
        if let Some(value) = map.shift_remove(DRY_BREAKERS) {
            self.dry_breakers = read_texts(DRY_BREAKERS, &value)?;
        }
        Ok(())
    }

    /// Seed, token limit and order always; of the rest what is not neutral.
    pub fn to_map(&self) -> Map<String, Value> {
        let mut map = Map::new();
        for knob in Knob::ALL {
            if !self.is_neutral(knob) || matches!(knob, Knob::Seed | Knob::MaxTokens) {
                map.insert(knob.spec().key.to_owned(), number(self.get(knob)));
            }
        }
        map.insert(ORDER.to_owned(), self.order.to_value());
        for (key, scope) in [
            (PENALTY_SCOPE, self.penalty_scope),
            (NGRAM_SCOPE, self.ngram_scope),
        ] {
            if scope != Scope::default() {
                map.insert(key.to_owned(), scope.key().into());
            }
        }
        if !self.stop.is_empty() {
            map.insert(STOP.to_owned(), self.stop.clone().into());
        }
        self.write_lexical(&mut map);
        map
    }

    fn write_lexical(&self, map: &mut Map<String, Value>) {
        if !self.logit_bias.is_empty() {
            map.insert(
                LOGIT_BIAS.to_owned(),
                LogitBias::write_all(&self.logit_bias),
            );
        }
        if !self.token_ban.is_empty() {
            let classes = self.token_ban.iter().map(CharClass::key).collect();
            map.insert(TOKEN_BAN.to_owned(), classes);
        }
        if self.dry_breakers != Self::usual_breakers() {
            map.insert(DRY_BREAKERS.to_owned(), self.dry_breakers.clone().into());
        }
    }
}

impl Serialize for Knobs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_map().serialize(serializer)
    }
}

/// Ignores keys that it does not know; `Knobs::from_map` keeps them.
impl<'de> Deserialize<'de> for Knobs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut map = Map::deserialize(deserializer)?;
        Self::from_map(&mut map).map_err(serde::de::Error::custom)
    }
}

fn read_scope(key: &str, value: &Value) -> Result<Scope, KnobError> {
    value
        .as_str()
        .and_then(Scope::from_key)
        .ok_or_else(|| KnobError {
            key: key.to_owned(),
            value: value.to_string(),
            range: "\"prompt_and_reply\" or \"reply\"".to_owned(),
        })
}

fn read_texts(key: &str, value: &Value) -> Result<Vec<String>, KnobError> {
    let texts: Option<Vec<_>> = value.as_array().and_then(|items| {
        items
            .iter()
            .map(|it| it.as_str().filter(|it| !it.is_empty()).map(str::to_owned))
            .collect()
    });
    texts.ok_or_else(|| KnobError {
        key: key.to_owned(),
        value: value.to_string(),
        range: "a list of texts, none of them empty".to_owned(),
    })
}

/// A whole number without a decimal point, so that files read as people write them.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 {
        Value::from(value as i64)
    } else {
        Value::from(value)
    }
}
