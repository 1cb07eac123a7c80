//! The replies that a plan asks for.

use super::plan::{Plan, PlanError};
use super::preset::{Preset, style_key};
use crate::prompt::{ExampleValues, PromptStyle, Task};
use crate::sampling::Knob;

/// More replies than this are a slip of the pen.
const MAX_REPLIES: usize = 1_000_000;

/// One reply that a plan asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Names the cell in its plan: task, input, style, preset, seed.
    pub key: String,
    pub task: String,
    /// From 0.
    pub input: usize,
    /// With the cell's style and seed in it.
    pub preset: Preset,
    pub examples: ExampleValues,
}

impl Plan {
    /// Every reply that the plan asks for, in the order in which they are written: inputs outermost, so that a plan
    /// that is broken off has seen all presets; then those with the same prompt, which is evaluated once.
    pub fn cells(&self, tasks: &[Task], presets: &[Preset]) -> Result<Vec<Cell>, PlanError> {
        self.reference(presets)?;
        let mut res = Vec::new();
        for id in &self.tasks {
            let task = tasks.iter().find(|it| it.id == *id).ok_or_else(|| {
                let known: Vec<_> = tasks.iter().map(|it| it.id.as_str()).collect();
                let advice = format!("choose from {}", known.join(", "));
                self.error(&format!("there is no task {id}"), &advice)
            })?;
            for input in self
                .inputs
                .of(task)
                .map_err(|it| self.input_error(task, it))?
            {
                self.cells_of((task, input), presets, &mut res)?;
            }
        }
        if res.is_empty() {
            return Err(self.error("it asks for no reply", "name tasks with inputs"));
        }
        Ok(res)
    }

    /// At most so many tokens may be written.
    pub fn n_tokens(&self, cells: &[Cell]) -> u64 {
        let of = |it: &Cell| it.preset.knobs.count(Knob::MaxTokens) as u64;
        cells.iter().map(of).sum::<u64>() * u64::from(self.retry.n_attempts())
    }

    fn cells_of(
        &self,
        (task, input): (&Task, usize),
        presets: &[Preset],
        acc: &mut Vec<Cell>,
    ) -> Result<(), PlanError> {
        let begin = acc.len();
        for preset in presets {
            let own_style = [preset.style];
            let own_seed = [preset.knobs.count(Knob::Seed) as u32];
            for style in either(&self.styles, &own_style) {
                for seed in either(&self.seeds, &own_seed) {
                    let cell = self.cell(task, input, (preset, *style, *seed))?;
                    acc.extend(self.with_examples(task, cell)?);
                }
            }
            if acc.len() > MAX_REPLIES {
                let what = format!("it asks for more than {MAX_REPLIES} replies");
                return Err(self.error(&what, "leave out inputs, seeds or presets"));
            }
        }
        let values = |it: &Cell| {
            self.examples
                .iter()
                .position(|values| *values == it.examples)
        };
        acc[begin..].sort_by_key(|it| (it.preset.style as u8, values(it)));
        Ok(())
    }

    fn cell(
        &self,
        task: &Task,
        input: usize,
        (preset, style, seed): (&Preset, PromptStyle, u32),
    ) -> Result<Cell, PlanError> {
        let mut preset = preset.clone();
        preset.style = style;
        preset
            .knobs
            .set(Knob::Seed, f64::from(seed))
            .map_err(|it| self.error(&it.to_string(), "choose another seed"))?;
        Ok(Cell {
            key: format!(
                "{}/{}/{}/{}/{seed}",
                task.id,
                input + 1,
                style_key(style),
                preset.name
            ),
            task: task.id.clone(),
            input,
            preset,
            examples: ExampleValues::Own,
        })
    }

    /// One cell for each choice of values in the examples, where the prompt shows examples.
    fn with_examples(&self, task: &Task, cell: Cell) -> Result<Vec<Cell>, PlanError> {
        if self.examples.is_empty() || cell.preset.style != PromptStyle::Example {
            return Ok(vec![cell]);
        }
        let with = |values: &ExampleValues| {
            if values.put_into(task, cell.input).is_none() {
                let what = format!("task {} has too few inputs with answers to swap", task.id);
                return Err(self.error(&what, "leave out \"swapped\" or add inputs with answers"));
            }
            let key = match values {
                ExampleValues::Own => cell.key.clone(),
                other => format!("{}/{}", cell.key, other.key()),
            };
            Ok(Cell {
                key,
                examples: *values,
                ..cell.clone()
            })
        };
        self.examples.iter().map(with).collect()
    }
}

fn either<'a, T>(wish: &'a [T], own: &'a [T]) -> &'a [T] {
    if wish.is_empty() { own } else { wish }
}
