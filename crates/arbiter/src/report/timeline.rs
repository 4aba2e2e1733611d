//! The counters of a game over its plies, as inline SVG.

use bolshak_rules::Article;
use maud::{Markup, html};

use crate::Language;
use crate::verdict::{Met, PlyFacts};

const WIDTH: usize = 900;
const HEIGHT: usize = 150;
const LEFT: usize = 30;
const BOTTOM: usize = 18;

/// The three counters as lines, and the plies after which articles were met as marks.
pub(super) fn timeline(plies: &[PlyFacts], set: &str, met: &[Met], language: Language) -> Markup {
    let last = plies.len().saturating_sub(1).max(1);
    let road = |facts: &PlyFacts| facts.sets.get(set).map_or(0, |facts| u32::from(facts.road_moves));
    let top = plies.iter().map(|facts| facts.ratio_plies).max().unwrap_or(0).max(10) as usize;
    let x = |ply: usize| LEFT + ply * (WIDTH - LEFT - 10) / last;
    let y = |count: u32| HEIGHT - BOTTOM - count as usize * (HEIGHT - BOTTOM - 14) / top;
    let path = |count: &dyn Fn(&PlyFacts) -> u32| {
        plies.iter().map(|facts| format!("{},{}", x(facts.ply), y(count(facts)))).collect::<Vec<_>>().join(" ")
    };
    let curves = [
        (
            "ratio",
            language.pick(
                "plies with the force ratio unchanged (.3, .4)",
                "полуходы без изменения соотношения сил (.3, .4)",
            ),
            path(&|facts| facts.ratio_plies),
        ),
        (
            "kings",
            language.pick("plies by kings only (.6)", "полуходы только дамками (.6)"),
            path(&|facts| facts.kings_plies),
        ),
        (
            "road",
            language.pick(
                "own moves with the lone king on the main road (.5)",
                "собственные ходы при одинокой дамке на большой дороге (.5)",
            ),
            path(&road),
        ),
    ];
    let marks: Vec<(usize, Article)> = met.iter().map(|met| (met.first_met_ply, met.article)).collect();
    let (axis, view) = (HEIGHT - BOTTOM, format!("0 0 {WIDTH} {HEIGHT}"));
    html! {
        svg class="timeline" viewBox=(view) role="img" aria-label=(language.pick("counters by ply", "счётчики по полуходам")) {
            @for tick in ticks(top) {
                line x1=(LEFT) y1=(y(tick)) x2=(WIDTH - 10) y2=(y(tick)) class="grid" {}
                text x=(LEFT - 4) y=(y(tick) + 4) text-anchor="end" { (tick) }
            }
            @for tick in ticks(last) {
                text x=(x(tick as usize)) y=(HEIGHT - 4) text-anchor="middle" { (tick) }
            }
            line x1=(LEFT) y1=(axis) x2=(WIDTH - 10) y2=(axis) class="axis" {}
            @for (class, _, points) in &curves {
                polyline class=(class) points=(points) {}
            }
            @for (index, (ply, article)) in marks.iter().enumerate() {
                line x1=(x(*ply)) y1="12" x2=(x(*ply)) y2=(axis) class="met" {}
                // Marks that share a ply or lie close are written below each other.
                text x=(x(*ply) - 3) y=(10 + 12 * (index % 4)) text-anchor="end" class="met" {
                    (article.number().trim_start_matches("1.9.1"))
                }
            }
        }
        p class="legend" {
            @for (class, name, _) in &curves {
                span class=(class) { "▬ " (name) } " "
            }
        }
    }
}

/// Round numbers from 0 up to a greatest one, about eight of them.
fn ticks(greatest: usize) -> impl Iterator<Item = u32> {
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|step| greatest / step <= 8).unwrap_or(1000);
    (0..=greatest).step_by(step).filter_map(|tick| u32::try_from(tick).ok())
}
