//! Tests of the room's parts that need no server; those with one are in `tests/downloads`.

mod names;

use std::time::Duration;

use url::Url;

use super::network::Network;
use super::progress::Pace;
use super::proxy::Proxies;
use super::{Patience, Progress, Stage, catalogue, progress_text};
use crate::store::{Surroundings, System};

fn surroundings(variables: &[(&str, &str)]) -> Surroundings {
    let variables = variables.iter().map(|it| (it.0.to_owned(), it.1.into()));
    Surroundings {
        system: System::Linux,
        home: "/no/such/home".into(),
        root: "/".into(),
        variables: variables.collect(),
    }
}

#[track_caller]
fn check_proxy(variables: &[(&str, &str)], url: &str, expected: Option<&str>) {
    let proxies = Proxies::find(&surroundings(variables));
    assert_eq!(proxies.of(&Url::parse(url).unwrap()), expected, "{url}");
}

#[test]
fn each_scheme_has_its_proxy_and_small_letters_count_first() {
    let both = [("HTTPS_PROXY", "http://s:1"), ("HTTP_PROXY", "http://p:2")];
    check_proxy(&both, "https://a.example", Some("http://s:1"));
    check_proxy(&both, "http://a.example", Some("http://p:2"));
    let all = [
        ("ALL_PROXY", "http://all:3"),
        ("https_proxy", ""),
        ("HTTPS_PROXY", "http://s:1"),
    ];
    check_proxy(&all, "https://a.example", Some("http://s:1"));
    check_proxy(&all, "http://a.example", Some("http://all:3"));
    let small = [
        ("HTTPS_PROXY", "http://s:1"),
        ("https_proxy", "http://small:4"),
    ];
    check_proxy(&small, "https://a.example", Some("http://small:4"));
    check_proxy(&[], "https://a.example", None);
}

#[test]
fn hosts_left_out_are_reached_directly_with_all_below_them() {
    let lists = [
        "a.example",
        ".a.example",
        "*.a.example",
        "x, A.EXAMPLE:443 ,y",
        "*",
    ];
    for list in lists {
        let variables = [("ALL_PROXY", "http://p:1"), ("NO_PROXY", list)];
        check_proxy(&variables, "https://a.example/x", None);
        check_proxy(&variables, "https://b.a.example", None);
    }
    let variables = [("ALL_PROXY", "http://p:1"), ("no_proxy", "a.example,")];
    check_proxy(&variables, "https://notthea.example", Some("http://p:1"));
    check_proxy(&variables, "https://a.example.org", Some("http://p:1"));
}

#[test]
fn paths_are_put_behind_the_endpoint_s_own_and_escaped() {
    let variables = [("HF_ENDPOINT", "https://mirror.example/hub/?x=1")];
    let network = Network::of(&surroundings(&variables)).unwrap();
    let url = network.url(["a", "b", "resolve", "main", "a b%#?.gguf"]);
    let expected = "https://mirror.example/hub/a/b/resolve/main/a%20b%25%23%3F.gguf";
    assert_eq!(url.as_str(), expected);
    assert!(network.is_home(&url));
    for other in [
        "http://mirror.example/",
        "https://mirror.example:444/",
        "https://x.mirror.example/",
    ] {
        assert!(!network.is_home(&Url::parse(other).unwrap()), "{other}");
    }
}

#[test]
fn a_pace_is_that_of_the_last_seconds() {
    let mut pace = Pace::default();
    assert_eq!(pace.per_second(), None);
    pace.note(Duration::ZERO, 0);
    pace.note(Duration::from_millis(100), 9_000);
    assert_eq!(pace.per_second(), None, "too short to tell");
    for second in 1..=10 {
        pace.note(Duration::from_secs(second), 1_000_000 * second);
    }
    for second in 11..=20 {
        pace.note(
            Duration::from_secs(second),
            10_000_000 + 2_000 * (second - 10),
        );
    }
    let rate = pace.per_second().unwrap();
    assert!((rate - 2_000.0).abs() < 1.0, "{rate}");
}

#[test]
fn waits_grow_to_a_bound_and_follow_the_server_within_reason() {
    let patience = Patience::default();
    let wait = |n_fruitless, asked: Option<u64>| {
        let asked = asked.map(Duration::from_secs);
        patience.wait(n_fruitless, asked).map(|it| it.as_millis())
    };
    let own: Vec<_> = (1..=8).filter_map(|it| wait(it, None)).collect();
    assert_eq!(
        own,
        [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]
    );
    assert_eq!(wait(u32::MAX, None), Some(20_000));
    assert_eq!(wait(1, Some(7)), Some(7_000));
    assert_eq!(wait(1, Some(120)), Some(120_000));
    assert_eq!(wait(1, Some(121)), None);
}

#[test]
fn progress_is_put_into_words() {
    let mut progress = Progress {
        stage: Stage::Transferring,
        done: 123_400_000,
        total: Some(491_400_032),
        per_second: Some(12_300_000.0),
        left: Some(Duration::from_secs(30)),
        ..Progress::default()
    };
    assert_eq!(
        progress_text(&progress),
        "123.4 MB of 491.4 MB · 12.3 MB/s · 30 s left"
    );
    progress.part = Some((2, 3));
    progress.total = None;
    progress.left = None;
    assert_eq!(
        progress_text(&progress),
        "part 2 of 3 · 123.4 MB · 12.3 MB/s"
    );
    progress.part = None;
    progress.stage = Stage::Waiting {
        why: "the connection was cut".to_owned(),
        wait: Duration::from_millis(1_500),
    };
    assert_eq!(
        progress_text(&progress),
        "the connection was cut; trying again in 1 s"
    );
}

#[test]
fn the_catalogue_is_whole_and_in_order() {
    let offers = catalogue();
    assert!(offers.len() >= 8);
    assert!(offers.iter().filter(|it| it.in_the_finding).count() >= 2);
    assert!(
        offers.windows(2).all(|it| it[0].bytes < it[1].bytes),
        "the smallest first"
    );
    let mut names: Vec<_> = offers.iter().map(|it| &it.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), offers.len());
    for offer in offers {
        // A hash is of one file for ever; the newest revision's may change.
        let is_fixed =
            offer.revision.len() == 40 && offer.revision.bytes().all(|it| it.is_ascii_hexdigit());
        assert_eq!(offer.sha256.is_some(), is_fixed, "{}", offer.name);
        let is_hash = |it: &String| {
            it.len() == 64 && it.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
        };
        assert!(offer.sha256.iter().all(is_hash), "{}", offer.name);
        assert!(offer.bytes < 3_000_000_000, "small ones");
        assert!(!offer.licence.is_empty() && !offer.about.is_empty());
        let read_back = super::Wanted::parse(&offer.wanted().to_string()).unwrap();
        assert_eq!(read_back, offer.wanted());
    }
}
