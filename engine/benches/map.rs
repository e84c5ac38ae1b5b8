//! The basin map and maps over two parameters.

#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::retrier_server::{Config, DEFAULT_CAP, Map, MapJob, judge_range};

fn basin(criterion: &mut Criterion) {
    let config = Config::new(3, 2, 2);
    criterion.bench_function("basin/Q0 0..60", |bencher| {
        bencher.iter(|| black_box(judge_range(&config, 0..=60, 0, DEFAULT_CAP)));
    });
}

fn maps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("map");
    group.sample_size(10);
    group.throughput(Throughput::Elements(256 * 256));
    for (x, y) in [
        ("q0:0..255", "b:0..255"),
        ("q0:0..255", "s:1..256"),
        ("q0:0..255", "t:1..256"),
        ("q0:0..255", "amax:0..255"),
        ("q0:0..255", "qd0:0..255"),
        ("b:0..255", "amax:0..255"),
        ("s:1..256", "t:1..256"),
        ("s:1..256", "amax:0..255"),
        ("b:0..255", "t:1..256"),
    ] {
        let map = Map {
            x: x.parse().expect("a scale"),
            y: y.parse().expect("a scale"),
            config: Config::new(3, 2, 2),
            q0: 18,
            qd0: 0,
            cap: DEFAULT_CAP,
        };
        let draw = || {
            let mut job = MapJob::new(map).expect("a map in range");
            job.advance(usize::MAX);
            job.judged()
        };
        let name = format!("{} x {}", map.x.axis, map.y.axis);
        group.bench_function(name, |bencher| bencher.iter(|| black_box(draw())));
    }
    group.finish();
}

criterion_group!(benches, basin, maps);
criterion_main!(benches);
