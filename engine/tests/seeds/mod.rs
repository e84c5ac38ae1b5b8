//! The same run with many seeds, on all cores.

use engine::ecs::experiment::Estimate;

/// The seeds of a claim.
pub const SEEDS: u64 = 10;

/// Does something with each seed.
pub fn each_seed<T: Send>(with: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let with = &with;
    let mut found: Vec<(u64, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                let seeds = (first..SEEDS).step_by(threads as usize);
                scope.spawn(move || seeds.map(|seed| (seed, with(seed))).collect::<Vec<_>>())
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("a run went through"))
            .collect()
    });
    found.sort_by_key(|(seed, _)| *seed);
    found.into_iter().map(|(_, value)| value).collect()
}

/// The mean of one figure over the seeds, with its interval.
pub fn estimate<T>(runs: &[T], figure: impl Fn(&T) -> f64) -> Estimate {
    Estimate::of(&runs.iter().map(figure).collect::<Vec<_>>()).expect("there are seeds")
}

/// A figure to print: mean and half the width of its 95% interval.
pub fn show(estimate: Estimate) -> String {
    format!("{:.1} ± {:.1}", estimate.mean, estimate.half_width())
}
