//! A picture that is drawn on: boxes, lines, parts of a circle. Called by `plot`. What lies outside of it is not drawn.

/// Red, green and blue.
pub(crate) type Color = [u8; 3];

/// A white picture.
pub(crate) struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// How often a pixel at an edge is looked at, across and down.
const LOOKS: u8 = 4;

impl Canvas {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        let bytes = usize::try_from(u64::from(width) * u64::from(height) * 3).unwrap_or(0);
        Self {
            width,
            height,
            pixels: vec![255; bytes],
        }
    }

    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    pub(crate) fn height(&self) -> u32 {
        self.height
    }

    /// Rows of pixels, each in three bytes.
    pub(crate) fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Lays a colour over a pixel: 0 leaves it, 1 covers it.
    pub(crate) fn dab(&mut self, x: i64, y: i64, color: Color, cover: f64) {
        let inside = (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y);
        let Some(at) = usize::try_from((y * i64::from(self.width) + x) * 3)
            .ok()
            .filter(|_| inside)
        else {
            return;
        };
        let cover = cover.clamp(0.0, 1.0);
        for (part, new) in self.pixels.iter_mut().skip(at).take(3).zip(color) {
            *part = (f64::from(*part) * (1.0 - cover) + f64::from(new) * cover).round() as u8;
        }
    }

    /// A box with these corners.
    pub(crate) fn fill(&mut self, from: (f64, f64), to: (f64, f64), color: Color) {
        let (left, right) = (from.0.min(to.0).round() as i64, from.0.max(to.0).round() as i64);
        let (top, bottom) = (from.1.min(to.1).round() as i64, from.1.max(to.1).round() as i64);
        for y in top.max(0)..bottom.min(i64::from(self.height)) {
            for x in left.max(0)..right.min(i64::from(self.width)) {
                self.dab(x, y, color, 1.0);
            }
        }
    }

    /// A line of this width with round ends.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, color: Color) {
        let reach = width / 2.0 + 1.0;
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let square = across * across + down * down;
        let x_range = Self::span(from.0.min(to.0) - reach, from.0.max(to.0) + reach, self.width);
        for x in x_range {
            // Only what is near: a steep line is as high as the picture.
            let near = |end: f64| ((end - from.0) / across).clamp(0.0, 1.0) * down + from.1;
            let (one, other) = match across.abs() < f64::EPSILON {
                true => (from.1, to.1),
                false => (near(x as f64 - reach), near(x as f64 + reach)),
            };
            for y in Self::span(one.min(other) - reach, one.max(other) + reach, self.height) {
                let (right, below) = (x as f64 - from.0, y as f64 - from.1);
                let along = match square > 0.0 {
                    true => ((right * across + below * down) / square).clamp(0.0, 1.0),
                    false => 0.0,
                };
                let distance = (right - along * across).hypot(below - along * down);
                self.dab(x, y, color, width / 2.0 + 0.5 - distance);
            }
        }
    }

    /// The part of a circle between two angles, as shares of a whole turn from the top, as a clock goes.
    pub(crate) fn slice(&mut self, middle: (f64, f64), radius: f64, (begin, end): (f64, f64), color: Color) {
        let looks = f64::from(LOOKS);
        for y in Self::span(middle.1 - radius, middle.1 + radius + 1.0, self.height) {
            for x in Self::span(middle.0 - radius, middle.0 + radius + 1.0, self.width) {
                let is_inside = |(column, row): (u8, u8)| {
                    let right = x as f64 + (f64::from(column) + 0.5) / looks - 0.5 - middle.0;
                    let below = y as f64 + (f64::from(row) + 0.5) / looks - 0.5 - middle.1;
                    let turn = (right.atan2(-below) / std::f64::consts::TAU).rem_euclid(1.0);
                    right.hypot(below) <= radius && (begin..end).contains(&turn)
                };
                let all = (0..LOOKS).flat_map(|column| (0..LOOKS).map(move |row| (column, row)));
                let inside = all.filter(|look| is_inside(*look)).count();
                self.dab(x, y, color, inside as f64 / (looks * looks));
            }
        }
    }

    /// The whole numbers between two, inside the picture.
    fn span(from: f64, to: f64, most: u32) -> std::ops::Range<i64> {
        (from.floor() as i64).max(0)..(to.ceil() as i64).min(i64::from(most))
    }
}
