//! What this computer has to give, and what this process has taken of it: memory.

/// Memory that a new allocation can have, in bytes, within the limit set on this process if there is one; none where
/// the system does not say.
pub fn free_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    return linux::free_memory();
    #[cfg(not(target_os = "linux"))]
    {
        let mut system = sysinfo::System::new();
        system.refresh_memory();
        Some(system.available_memory()).filter(|it| *it > 0)
    }
}

/// Memory that this process takes, in bytes, with the parts of files that it has read in; none where the system does
/// not say.
pub fn resident_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    return linux::resident_memory();
    #[cfg(not(target_os = "linux"))]
    memory_stats::memory_stats().map(|it| it.physical_mem as u64)
}

/// How many processes the system has ended so far because memory ran out; none where it does not say.
pub fn n_killed_for_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    return linux::n_killed_for_memory();
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;

    pub(super) fn resident_memory() -> Option<u64> {
        in_bytes(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
    }

    pub(super) fn n_killed_for_memory() -> Option<u64> {
        let text = fs::read_to_string("/proc/vmstat").ok()?;
        let line = text.lines().find_map(|it| it.strip_prefix("oom_kill "))?;
        line.trim().parse().ok()
    }

    pub(super) fn free_memory() -> Option<u64> {
        let text = fs::read_to_string("/proc/meminfo").ok()?;
        let available = in_bytes(&text, "MemAvailable:")?;
        Some(control_group_free().map_or(available, |it| it.min(available)))
    }

    /// The line of that name, which counts in kilobytes.
    pub(super) fn in_bytes(text: &str, name: &str) -> Option<u64> {
        let line = text.lines().find_map(|it| it.strip_prefix(name))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        kilobytes.checked_mul(1_024)
    }

    /// What the control group still allows; pages of files can be given back and count as free.
    fn control_group_free() -> Option<u64> {
        let read = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
        let max: u64 = read("memory.max")?.trim().parse().ok()?;
        let current: u64 = read("memory.current")?.trim().parse().ok()?;
        let file_pages = read("memory.stat")
            .and_then(|it| {
                it.lines()
                    .find_map(|it| it.strip_prefix("inactive_file "))?
                    .parse()
                    .ok()
            })
            .unwrap_or(0);
        Some(max.saturating_sub(current.saturating_sub(file_pages)))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read_in_kilobytes() {
        let text =
            "MemTotal:       24684044 kB\nMemFree:        1 kB\nMemAvailable:   22378588 kB\n";
        let available = |it| linux::in_bytes(it, "MemAvailable:");
        assert_eq!(available(text), Some(22_378_588 * 1_024));
        assert_eq!(available("MemTotal: 1 kB\n"), None);
        assert_eq!(available("MemAvailable: many kB\n"), None);
    }

    #[test]
    fn this_process_takes_some_memory() {
        let taken = resident_memory().unwrap();
        assert!(taken > 1 << 20 && taken < 1 << 40, "{taken}");
        assert!(n_killed_for_memory().is_some());
    }

    #[test]
    fn this_computer_has_some_memory_free() {
        assert!(free_memory().unwrap() > 1 << 20);
    }
}
