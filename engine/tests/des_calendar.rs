//! The calendar against a sorted list.

use engine::des::{Appointment, Calendar, Lane, Time};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Move {
    Schedule(u64),
    LineUp(u8, u64),
    Cancel(usize),
    Pop,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        2 => (0u64..50).prop_map(Move::Schedule),
        4 => (0u8..3, 0u64..50).prop_map(|(lane, at)| Move::LineUp(lane, at)),
        2 => (0usize..200).prop_map(Move::Cancel),
        3 => Just(Move::Pop),
    ];
    prop::collection::vec(one, 0..400)
}

proptest! {
    /// Events come by time, those of one instant in the order of scheduling; the cancelled ones never, and cancelling
    /// what has passed does nothing, even when its place has been given to another. Through which lane an event is
    /// entered, and whether the lane's events come in order, makes no difference.
    #[test]
    fn events_come_in_order_and_cancelled_ones_do_not(moves in moves()) {
        let mut calendar = Calendar::with_capacity(4);
        let mut expected: Vec<(u64, usize)> = Vec::new();
        let mut appointments: Vec<(Appointment, u64)> = Vec::new();
        for step in moves {
            match step {
                Move::Schedule(at) | Move::LineUp(_, at) => {
                    let event = appointments.len();
                    let appointment = match step {
                        Move::LineUp(lane, _) => calendar.line_up(Lane(lane), Time(at), event),
                        _ => calendar.schedule(Time(at), event),
                    };
                    appointments.push((appointment, at));
                    expected.push((at, event));
                }
                Move::Cancel(event) => {
                    let Some(&(appointment, at)) = appointments.get(event) else { continue };
                    let place = expected.iter().position(|&(_, other)| other == event);
                    prop_assert_eq!(calendar.cancel(appointment), place.map(|_| Time(at)));
                    if let Some(place) = place {
                        expected.remove(place);
                    }
                }
                Move::Pop => {
                    let first = expected.iter().copied().min();
                    prop_assert_eq!(calendar.pop(), first.map(|(at, event)| (Time(at), event)));
                    expected.retain(|entry| Some(*entry) != first);
                }
            }
            prop_assert_eq!(calendar.len(), expected.len());
            prop_assert_eq!(calendar.next().map(|(at, _)| at.0), expected.iter().map(|entry| entry.0).min());
        }
    }
}
