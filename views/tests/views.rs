//! What is on the page follows what is described, with as little change as it takes. In a browser.

#![cfg(target_arch = "wasm32")]

use leptos::prelude::Owner;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use views::html;
use views::mount::{Mounted, mount_to};
use views::prelude::{
    Effect, IntoView, Memo, NodeRef, RwSignal, Signal, StoredValue, document, on_cleanup,
};
use views::svg;
use views::tachys::html::element::{button, div, em, input, li, p, span, strong, title, ul};
use views::tachys::html::event;
use views::task::tick;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement, HtmlInputElement};

wasm_bindgen_test_configure!(run_in_browser);

/// A place of its own on the page, with a view in it.
struct Shown {
    place: HtmlElement,
    mounted: Option<Mounted>,
}

impl Shown {
    fn new<V: IntoView>(view: impl FnOnce() -> V) -> Self {
        let place: HtmlElement = document()
            .create_element("section")
            .unwrap()
            .unchecked_into();
        document().body().unwrap().append_child(&place).unwrap();
        let mounted = mount_to(&place, view);
        Self {
            place,
            mounted: Some(mounted),
        }
    }

    fn html(&self) -> String {
        self.place.inner_html().replace("<!---->", "")
    }

    fn find(&self, css: &str) -> Element {
        self.place.query_selector(css).unwrap().expect(css)
    }

    fn press(&self, css: &str) {
        self.find(css).unchecked_into::<HtmlElement>().click();
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.mounted.take();
        self.place.remove();
    }
}

#[wasm_bindgen_test]
async fn what_is_fixed_stands_as_it_is_described() {
    let shown = Shown::new(|| {
        div()
            .child((
                p().child("a"),
                "b",
                3_u32,
                Some("c"),
                None::<&str>,
                vec!["d", "e"],
            ))
            .class("wide")
            .id("here")
            .hidden(false)
            .disabled(true)
            .title(None::<String>)
    });
    assert_eq!(
        shown.html(),
        r#"<div class="wide" id="here" disabled=""><p>a</p>b3cde</div>"#
    );
}

#[wasm_bindgen_test]
async fn what_stands_in_svg_is_svg() {
    let shown = Shown::new(|| div().child(svg::svg().child((title().child("a"), svg::g()))));
    let spaces = ["svg", "title", "g"].map(|css| shown.find(css).namespace_uri());
    assert!(
        spaces
            .iter()
            .all(|space| space.as_deref() == Some("http://www.w3.org/2000/svg")),
        "{spaces:?}"
    );
}

#[wasm_bindgen_test]
async fn an_element_stays_while_what_is_set_on_it_changes() {
    let n = RwSignal::new(1);
    let shown = Shown::new(move || {
        div()
            .child(move || n.get())
            .class(("odd", move || n.get() % 2 == 1))
            .style(("width", move || format!("{}px", n.get())))
            .title(move || (n.get() > 1).then_some("many"))
    });
    let before = shown.find("div");
    assert_eq!(
        before.outer_html().replace("<!---->", ""),
        r#"<div class="odd" style="width: 1px;">1</div>"#
    );
    n.set(2);
    tick().await;
    let after = shown.find("div");
    assert!(before.is_same_node(Some(&after)));
    assert_eq!(
        shown.html(),
        r#"<div class="" style="width: 2px;" title="many">2</div>"#
    );
    n.set(1);
    tick().await;
    assert_eq!(
        shown.html(),
        r#"<div class="odd" style="width: 1px;">1</div>"#
    );
}

#[wasm_bindgen_test]
async fn a_view_made_anew_changes_the_elements_that_are_there() {
    let n = RwSignal::new(1);
    let shown = Shown::new(move || {
        div().child(move || {
            span()
                .child((strong().child(n.get()), " of 3"))
                .id(format!("at-{}", n.get()))
        })
    });
    let (span, strong) = (shown.find("span"), shown.find("strong"));
    n.set(2);
    tick().await;
    assert_eq!(
        shown.html(),
        r#"<div><span id="at-2"><strong>2</strong> of 3</span></div>"#
    );
    assert!(span.is_same_node(Some(&shown.find("span"))));
    assert!(strong.is_same_node(Some(&shown.find("strong"))));
}

#[wasm_bindgen_test]
async fn another_element_takes_the_place_of_the_one_before() {
    let is_loud = RwSignal::new(false);
    let shown = Shown::new(move || {
        div().child((
            "a",
            move || {
                if is_loud.get() {
                    strong().child("b").into_view()
                } else {
                    em().child("b").into_view()
                }
            },
            "c",
        ))
    });
    assert_eq!(shown.html(), "<div>a<em>b</em>c</div>");
    is_loud.set(true);
    tick().await;
    assert_eq!(shown.html(), "<div>a<strong>b</strong>c</div>");
}

#[wasm_bindgen_test]
async fn a_list_grows_and_shrinks_where_it_stands() {
    let items = RwSignal::new(vec!["a", "b"]);
    let shown = Shown::new(move || {
        ul().child((
            li().child("first"),
            move || {
                items
                    .get()
                    .into_iter()
                    .map(|item| li().child(item))
                    .collect::<Vec<_>>()
            },
            li().child("last"),
        ))
    });
    let says = |items: &str| {
        let words = shown.place.text_content().unwrap();
        assert_eq!(words, format!("first{items}last"));
    };
    says("ab");
    let kept = shown.find("li:nth-child(2)");
    for (next, said) in [
        (vec!["a", "b", "c", "d"], "abcd"),
        (vec!["x"], "x"),
        (vec!["y", "z"], "yz"),
    ] {
        items.set(next);
        tick().await;
        says(said);
        assert!(kept.is_same_node(Some(&shown.find("li:nth-child(2)"))));
    }
    items.set(Vec::new());
    tick().await;
    says("");
    items.set(vec!["e"]);
    tick().await;
    says("e");
}

#[wasm_bindgen_test]
async fn lists_within_lists_keep_their_places() {
    let sizes = RwSignal::new(vec![1, 0, 2]);
    let shown = Shown::new(move || {
        div().child((
            move || {
                let rows = sizes.get().into_iter().enumerate();
                rows.map(|(row, size)| {
                    (0..size)
                        .map(move |i| format!("[{row}{i}]"))
                        .collect::<Vec<_>>()
                })
                .collect::<Vec<_>>()
            },
            "end",
        ))
    });
    assert_eq!(shown.html(), "<div>[00][20][21]end</div>");
    for (next, said) in [
        (vec![2, 1, 1], "[00][01][10][20]end"),
        (vec![0, 0], "end"),
        (vec![0, 2, 0, 1], "[10][11][30]end"),
    ] {
        sizes.set(next);
        tick().await;
        assert_eq!(shown.html(), format!("<div>{said}</div>"));
    }
}

#[wasm_bindgen_test]
async fn what_is_taken_away_ends_at_once_with_all_that_it_holds() {
    let (is_there, n) = (RwSignal::new(true), RwSignal::new(0));
    let (worked, ended) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let shown = Shown::new({
        let (worked, ended) = (worked.clone(), ended.clone());
        move || {
            move || {
                let (worked, ended) = (worked.clone(), ended.clone());
                is_there.get().then(move || {
                    // It is read by a part within the part that goes.
                    let own = RwSignal::new(1);
                    let ended = send_wrapper::SendWrapper::new(ended);
                    on_cleanup(move || ended.set(ended.get() + 1));
                    div().child(move || {
                        let worked = worked.clone();
                        p().title(move || {
                            worked.set(worked.get() + 1);
                            (n.get() + own.get()).to_string()
                        })
                    })
                })
            }
        }
    });
    assert_eq!((worked.get(), ended.get()), (1, 0));
    n.set(1);
    tick().await;
    assert_eq!((worked.get(), ended.get()), (2, 0));
    // What goes is told of the same change: it must not read what has ended.
    is_there.set(false);
    n.set(2);
    tick().await;
    assert_eq!((worked.get(), ended.get()), (2, 1));
    assert_eq!(shown.html(), "");
    is_there.set(true);
    tick().await;
    assert_eq!(shown.html(), r#"<div><p title="3"></p></div>"#);
}

#[wasm_bindgen_test]
async fn a_handler_is_the_latest_and_hears_nothing_once_it_is_gone() {
    let said = Rc::new(RefCell::new(Vec::new()));
    let n = RwSignal::new(1);
    let mut shown = Shown::new({
        let said = said.clone();
        move || {
            move || {
                let (now, said) = (n.get(), said.clone());
                button().on(event::click, move |_| said.borrow_mut().push(now))
            }
        }
    });
    shown.press("button");
    n.set(2);
    tick().await;
    shown.press("button");
    let gone: HtmlElement = shown.find("button").unchecked_into();
    shown.mounted.take();
    gone.click();
    assert_eq!(*said.borrow(), [1, 2]);
}

#[wasm_bindgen_test]
async fn a_property_follows_what_it_shows_and_not_what_was_typed() {
    let text = RwSignal::new(Some("a".to_owned()));
    let shown = Shown::new(move || input().prop("value", move || text.get()));
    let field: HtmlInputElement = shown.find("input").unchecked_into();
    assert_eq!(field.value(), "a");
    field.set_value("typed");
    text.set(Some("b".to_owned()));
    tick().await;
    assert_eq!(field.value(), "b");
    text.set(None);
    tick().await;
    assert_eq!(field.value(), "");
}

#[wasm_bindgen_test]
async fn a_reference_is_told_of_its_element_once() {
    let told = Rc::new(Cell::new(0));
    let n = RwSignal::new(0);
    let shown = Shown::new({
        let told = told.clone();
        move || {
            let reference = NodeRef::<html::Div>::new();
            Effect::new(move || {
                if reference.get().is_some() {
                    told.set(told.get() + 1);
                }
            });
            move || div().child(n.get()).node_ref(reference)
        }
    });
    tick().await;
    assert_eq!(told.get(), 1);
    n.set(1);
    tick().await;
    tick().await;
    assert_eq!((shown.html().as_str(), told.get()), ("<div>1</div>", 1));
}

#[wasm_bindgen_test]
async fn a_memo_is_followed_only_where_it_is_another() {
    let (asked, followed) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let n = RwSignal::new(2);
    let shown = Shown::new({
        let (asked, followed) = (asked.clone(), followed.clone());
        move || {
            let half = Memo::new(move |_| {
                asked.set(asked.get() + 1);
                n.get() / 2
            });
            p().child(move || {
                followed.set(followed.get() + 1);
                half.get()
            })
        }
    });
    assert_eq!((asked.get(), followed.get()), (1, 1));
    n.set(3);
    tick().await;
    assert_eq!((asked.get(), followed.get()), (2, 1));
    n.set(4);
    tick().await;
    assert_eq!((asked.get(), followed.get()), (3, 2));
    assert_eq!(shown.html(), "<p>2</p>");
}

#[wasm_bindgen_test]
async fn signals_of_every_origin_read_alike() {
    let owner = Owner::new();
    owner.with(|| {
        let n = RwSignal::new(1);
        let memo = Memo::new(move |before: Option<&i32>| before.copied().unwrap_or(10) + n.get());
        let all: [Signal<i32>; 4] = [
            n.into(),
            memo.into(),
            Signal::derive(move || n.get() * 100),
            Signal::stored(7),
        ];
        let read = || all.map(|signal| signal.get_untracked());
        assert_eq!(read(), [1, 11, 100, 7]);
        n.set(2);
        assert_eq!(read(), [2, 13, 200, 7]);
        n.update(|n| *n += 1);
        assert_eq!(n.try_update(|n| *n), Some(3));
    });
}

#[wasm_bindgen_test]
async fn what_has_ended_says_so_when_it_is_read_and_passes_over_what_is_set() {
    let owner = Owner::new();
    let (n, kept) = owner.with(|| (RwSignal::new(1), StoredValue::new(1)));
    n.set(2);
    assert_eq!(n.try_get_untracked(), Some(2));
    owner.cleanup();
    n.set(3);
    n.update(|n| *n += 1);
    n.notify();
    kept.set_value(3);
    assert_eq!(n.try_update(|n| *n), None);
    assert_eq!(n.try_get_untracked(), None);
    assert_eq!(kept.try_get_value(), None);
}

#[wasm_bindgen_test]
async fn a_field_that_is_taken_away_as_it_is_typed_in_hears_nothing_more() {
    let is_there = RwSignal::new(true);
    let heard = Rc::new(RefCell::new(Vec::new()));
    let shown = {
        let heard = heard.clone();
        Shown::new(move || {
            p().child(move || {
                let told = heard.clone();
                is_there.get().then(|| {
                    let its_own = RwSignal::new("there");
                    let hear = move |event: &'static str| {
                        let told = told.clone();
                        move |_: web_sys::Event| {
                            told.borrow_mut().push((event, its_own.get_untracked()))
                        }
                    };
                    let (changed, left) = (hear("change"), hear("blur"));
                    input()
                        .on(event::change, changed)
                        .on(event::blur, move |event| left(event.into()))
                })
            })
        })
    };
    let field: HtmlInputElement = shown.find("input").unchecked_into();
    field.focus().unwrap();
    let typed = web_sys::Event::new("change").unwrap();
    field.dispatch_event(&typed).unwrap();
    assert_eq!(*heard.borrow(), [("change", "there")]);
    is_there.set(false);
    tick().await;
    field.dispatch_event(&typed).unwrap();
    assert_eq!(heard.borrow().len(), 1, "and none as it goes");
    assert!(shown.place.query_selector("input").unwrap().is_none());
}

#[wasm_bindgen_test]
async fn what_is_mounted_goes_with_its_handle() {
    let mut shown = Shown::new(|| (p().child("a"), p().child("b")));
    assert_eq!(shown.html(), "<p>a</p><p>b</p>");
    shown.mounted.take();
    assert_eq!(shown.html(), "");
}

#[wasm_bindgen_test]
async fn a_button_hears_after_what_is_around_it_was_described_anew() {
    let n = RwSignal::new(1);
    let heard = Rc::new(Cell::new(0));
    let shown = {
        let heard = heard.clone();
        Shown::new(move || {
            div().child(move || {
                let heard = heard.clone();
                let count = n.get();
                let even = Memo::new(move |_| count % 2 == 0);
                div().child(move || {
                    let heard = heard.clone();
                    vec![
                        button()
                            .child(even.get().to_string())
                            .on(event::click, move |_| heard.set(heard.get() + 1)),
                    ]
                })
            })
        })
    };
    shown.press("button");
    assert_eq!(heard.get(), 1);
    n.set(2);
    tick().await;
    shown.press("button");
    assert_eq!(heard.get(), 2);
    n.set(3);
    tick().await;
    tick().await;
    shown.press("button");
    assert_eq!(heard.get(), 3);
}
