//! Where everything stands on a chart. Called by `draw`, with points that were checked.

use crate::{
    Chart, Point, Say,
    canvas::{Canvas, Color},
    letters::{Size, write},
    scale::Scale,
};

const WIDTH: u32 = 1_000;
const HEIGHT: u32 = 640;
/// Around everything.
const EDGE: f64 = 24.0;
/// From the top to what is drawn below the title.
const HEAD: f64 = 72.0;
/// What is kept below for the numbers or days of an axis.
const FOOT: f64 = 56.0;
/// A bar with the room around it, and the bar alone.
const BAR_ROOM: f64 = 38.0;
const BAR: f64 = 24.0;
/// Most of the width that labels take.
const LABELS: f64 = 300.0;
/// Points up to which each is marked on the line.
const MARKED: usize = 40;
/// Side of the box before a name in the key.
const KEY: f64 = 20.0;

const INK: Color = [40, 44, 52];
const SOFT: Color = [110, 116, 128];
const GRID: Color = [226, 229, 234];
/// Okabe and Ito's colours, which nobody takes for one another, and a grey.
const COLORS: [Color; 9] = [
    [0, 114, 178],
    [230, 159, 0],
    [0, 158, 115],
    [204, 121, 167],
    [86, 180, 233],
    [213, 94, 0],
    [240, 228, 66],
    [90, 90, 90],
    [170, 176, 184],
];

/// A bar in a line of its own for each, from nothing to its number.
pub(crate) fn bars(chart: &Chart, say: Say<'_>) -> Canvas {
    let count = chart.points.len() as f64;
    let height = HEAD + count * BAR_ROOM + FOOT;
    let mut canvas = Canvas::new(WIDTH, height.ceil() as u32);
    title(&mut canvas, &chart.title);
    let scale = Scale::of(chart.points.iter().map(|point| point.value), true);
    let small = Size::Small;
    let widest = chart.points.iter().map(|point| small.width(&point.label));
    let labels = widest.fold(0.0, f64::max).min(LABELS);
    let said: Vec<String> = chart
        .points
        .iter()
        .map(|point| say(point.value, places(point.value)))
        .collect();
    let numbers = said.iter().map(|said| small.width(said)).fold(0.0, f64::max) + KEY;
    let has_both = scale.low < 0.0;
    let left = EDGE + labels + 12.0 + if has_both { numbers } else { 0.0 };
    let right = f64::from(WIDTH) - EDGE - numbers;
    let place = |value: f64| left + scale.share(value) * (right - left);
    let bottom = height - FOOT;
    let (ticks, behind) = scale.ticks();
    let mut free = f64::MIN;
    for tick in ticks {
        let x = place(tick);
        canvas.fill((x, HEAD - 8.0), (x + 1.0, bottom + 4.0), GRID);
        let words = say(tick, behind);
        let begin = x - small.width(&words) / 2.0;
        if begin > free {
            write(&mut canvas, &words, (begin, bottom + 10.0), small, SOFT);
            free = begin + small.width(&words) + 8.0;
        }
    }
    let zero = place(0.0);
    for (at, (point, said)) in chart.points.iter().zip(&said).enumerate() {
        let top = HEAD + at as f64 * BAR_ROOM;
        let text = top + (BAR - small.height()) / 2.0;
        let label = small.cut(&point.label, labels);
        write(
            &mut canvas,
            &label,
            (EDGE + labels - small.width(&label), text),
            small,
            INK,
        );
        let end = place(point.value);
        let color = COLORS[usize::from(point.value < 0.0) * 5];
        canvas.fill((zero, top), (end, top + BAR), color);
        let beside = if point.value < 0.0 {
            end - small.width(said) - 6.0
        } else {
            end + 6.0
        };
        write(&mut canvas, said, (beside, text), small, INK);
    }
    canvas.fill((zero, HEAD - 8.0), (zero + 1.0, bottom + 4.0), SOFT);
    canvas
}

/// One line through all points.
pub(crate) fn lines(chart: &Chart, say: Say<'_>) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT);
    title(&mut canvas, &chart.title);
    let values = || chart.points.iter().map(|point| point.value);
    // A line that begins far from nothing says by its slope what is asked; one near it shows nothing as well.
    let (lowest, highest) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
    let scale = Scale::of(values(), lowest >= 0.0 && lowest < highest / 2.0);
    let small = Size::Small;
    let (ticks, behind) = scale.ticks();
    let said: Vec<String> = ticks.iter().map(|tick| say(*tick, behind)).collect();
    let numbers = said.iter().map(|said| small.width(said)).fold(0.0, f64::max);
    let (left, right) = (EDGE + numbers + 12.0, f64::from(WIDTH) - EDGE - 16.0);
    let bottom = f64::from(HEIGHT) - FOOT;
    let height = |value: f64| bottom - scale.share(value) * (bottom - HEAD);
    for (tick, said) in ticks.iter().zip(&said) {
        let y = height(*tick);
        canvas.fill((left, y), (right, y + 1.0), if *tick == 0.0 { SOFT } else { GRID });
        let text = (left - 12.0 - small.width(said), y - small.height() / 2.0);
        write(&mut canvas, said, text, small, SOFT);
    }
    let places = along(&chart.points, left, right);
    let dots: Vec<(f64, f64)> = places
        .iter()
        .zip(values())
        .map(|(x, value)| (*x, height(value)))
        .collect();
    for pair in dots.windows(2) {
        if let [from, to] = pair {
            canvas.line(*from, *to, 3.0, COLORS[0]);
        }
    }
    if dots.len() <= MARKED {
        for dot in &dots {
            canvas.line(*dot, *dot, 9.0, COLORS[0]);
        }
    }
    let mut free = f64::MIN;
    for (x, point) in places.iter().zip(&chart.points) {
        let label = small.cut(&point.label, LABELS / 2.0);
        let most = f64::from(WIDTH) - EDGE / 2.0 - small.width(&label);
        let begin = (x - small.width(&label) / 2.0).min(most).max(EDGE / 2.0);
        if begin > free {
            canvas.fill((*x, bottom), (x + 1.0, bottom + 6.0), SOFT);
            write(&mut canvas, &label, (begin, bottom + 12.0), small, SOFT);
            free = begin + small.width(&label) + 16.0;
        }
    }
    canvas
}

/// Where points stand between two ends: by their distances, else evenly.
fn along(points: &[Point], left: f64, right: f64) -> Vec<f64> {
    let (first, last) = (
        points.first().map_or(0.0, |point| point.at),
        points.last().map_or(0.0, |point| point.at),
    );
    if points.len() == 1 {
        return vec![(left + right) / 2.0];
    }
    let wide = last - first;
    let even = (points.len().max(2) - 1) as f64;
    let place = |(number, point): (usize, &Point)| match wide > 0.0 {
        true => ((point.at - first) / wide).clamp(0.0, 1.0),
        false => number as f64 / even,
    };
    let places = points.iter().enumerate().map(place);
    places.map(|share| left + share * (right - left)).collect()
}

/// A circle in parts, and a key with the number and the share of each.
pub(crate) fn shares(chart: &Chart, say: Say<'_>) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT);
    title(&mut canvas, &chart.title);
    let whole: f64 = chart.points.iter().map(|point| point.value).sum();
    let radius = (f64::from(HEIGHT) - HEAD - EDGE) / 2.0;
    let middle = (EDGE + radius, HEAD + radius);
    let left = middle.0 + radius + 2.0 * EDGE;
    let small = Size::Small;
    let room = f64::from(HEIGHT) - HEAD - EDGE;
    let line = (room / chart.points.len() as f64).min(54.0);
    let mut top = HEAD + (room - line * chart.points.len() as f64) / 2.0;
    let mut begin = 0.0;
    for (at, point) in chart.points.iter().enumerate() {
        let share = point.value / whole;
        let is_last = at + 1 == chart.points.len();
        let end = if is_last { 1.0 } else { begin + share };
        let color = COLORS[at % COLORS.len()];
        canvas.slice(middle, radius, (begin, end), color);
        canvas.fill((left, top), (left + KEY, top + KEY), color);
        let number = say(point.value, places(point.value));
        let said = format!("{number}  {}%", say(share * 100.0, 1));
        let words = f64::from(WIDTH) - EDGE - left - KEY - 12.0;
        let label = small.cut(&point.label, words);
        write(&mut canvas, &label, (left + KEY + 12.0, top), small, INK);
        let said_at = (left + KEY + 12.0, top + small.height() + 2.0);
        write(&mut canvas, &small.cut(&said, words), said_at, small, SOFT);
        top += line;
        begin = end;
    }
    canvas
}

fn title(canvas: &mut Canvas, words: &str) {
    let large = Size::Large;
    let words = large.cut(words, f64::from(WIDTH) - 2.0 * EDGE);
    write(canvas, &words, (EDGE, EDGE), large, INK);
}

/// A whole number is said as one; else as money is.
fn places(value: f64) -> usize {
    if value.fract().abs() < 0.005 { 0 } else { 2 }
}
