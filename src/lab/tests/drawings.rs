//! One chart alone: what it must say to be understood without the report.

use super::records::trial;
use crate::lab::{Chart, Measure, Plan, Report, drawing};

fn drawn(title: &str, chart: Chart) -> String {
    let text = r#"{"v": 1, "name": "test", "tasks": ["mood"], "presets": ["greedy"]}"#;
    let mut plan = Plan::parse(text, "test.json").unwrap();
    title.clone_into(&mut plan.title);
    let lamps = [Some(true), Some(false), None];
    let trials = ["greedy", "chat"].map(|it| trial(it, None, lamps));
    drawing(&Report::new(&plan, "greedy".to_owned(), &trials), chart)
}

#[test]
fn a_chart_says_what_it_counts_and_of_which_model() {
    let svg = drawn("Mine", Chart::Rates(Measure::Correct));
    for part in [
        ">Mine<",
        "The value is the known right answer",
        "2 replies",
        ">greedy<",
        ">chat<",
    ] {
        assert!(svg.contains(part), "{part} is not in {svg}");
    }
    assert!(drawn("Mine", Chart::Rungs).contains("rung of the ladder"));
}

#[test]
fn names_in_a_chart_are_text() {
    let svg = drawn("<script>&", Chart::Rungs);
    assert!(svg.contains("&lt;script&gt;&amp;"), "{svg}");
    assert!(!svg.contains("<script>"));
}

#[test]
fn charts_have_names_for_their_files() {
    let name = |it: Chart| it.file_name();
    assert_eq!(name(Chart::Rates(Measure::AsIs)), "chart-as-is");
    assert_eq!(name(Chart::Rates(Measure::LeakFree)), "chart-leak-free");
    assert_eq!(name(Chart::Rungs), "chart-rungs");
}
