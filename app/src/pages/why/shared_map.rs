//! A map drawn by as many workers as it is worth.

use super::job::Job;
use crate::worker::why::{MapSoFar, Request, Response};
use engine::retrier_server::{Map, Share};
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

/// From so many cells on a map is worth more than one worker.
const WIDE: u64 = 100_000;

/// Most workers for one map.
const MOST_WORKERS: usize = 8;

/// How many workers draw `map`: one where it takes less time than it takes to start others.
fn workers(map: &Map) -> usize {
    let is_quick = map.config.is_monotone() && map.x.count() * map.y.count() < WIDE;
    let cores = window().navigator().hardware_concurrency() as usize;
    match is_quick {
        true => 1,
        false => cores.clamp(1, MOST_WORKERS),
    }
}

/// Draws `map` anew; `so_far` shows what is known of it.
pub fn draw(job: Job, map: Map, so_far: RwSignal<Option<MapSoFar>>) {
    so_far.set(None);
    let parts = workers(&map);
    let requests = (0..parts).map(|part| Request::Map(map, Share { part, parts }));
    // What each share has told last of its own stride and judgements.
    let told = RefCell::new(vec![(usize::MAX, 0); parts]);
    let on_answer = move |part: usize, response| {
        let Response::Map(piece) = response else {
            return false;
        };
        let is_last = piece.stride == 0;
        let mut told = told.borrow_mut();
        told[part] = (piece.stride, piece.judged);
        so_far.update(|so_far| match so_far {
            None => *so_far = Some(piece),
            Some(whole) => take_in(whole, &piece, &told),
        });
        is_last
    };
    job.share(requests.collect(), Rc::new(on_answer));
}

/// Takes a share's cells into the whole.
fn take_in(whole: &mut MapSoFar, piece: &MapSoFar, told: &[(usize, usize)]) {
    for (cell, &found) in whole.cells.iter_mut().zip(&piece.cells) {
        *cell = found.or(*cell);
    }
    whole.known = whole.cells.iter().flatten().count();
    whole.judged = told.iter().map(|&(_, judged)| judged).sum();
    // The coarsest of those that have told of any.
    let strides = told.iter().map(|&(stride, _)| stride);
    whole.stride = strides
        .filter(|&stride| stride < usize::MAX)
        .max()
        .unwrap_or(0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::{Config, MapJob, Verdict};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn shares_taken_in_one_by_one_make_the_map_up() {
        let map = Map {
            x: "q0:0..30".parse().expect("a scale"),
            y: "b:0..20".parse().expect("a scale"),
            config: Config::default(),
            q0: 18,
            qd0: 0,
            cap: 80,
        };
        let piece = |share| {
            let mut job = MapJob::share(map, share).expect("a good map");
            job.advance(usize::MAX);
            MapSoFar {
                cells: job.cells().to_vec(),
                stride: job.stride(),
                known: job.known(),
                judged: job.judged(),
            }
        };
        let mut whole = piece(Share { part: 0, parts: 3 });
        let mut told = vec![(0, whole.judged), (usize::MAX, 0), (usize::MAX, 0)];
        for part in 1..3 {
            assert!(whole.known < whole.cells.len());
            let next = piece(Share { part, parts: 3 });
            told[part] = (next.stride, next.judged);
            take_in(&mut whole, &next, &told);
        }
        assert_eq!((whole.known, whole.stride), (whole.cells.len(), 0));
        let alone: Vec<Option<Verdict>> = piece(Share::ALL).cells;
        assert_eq!(whole.cells, alone);
    }
}
