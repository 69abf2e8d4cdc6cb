//! Numbers as a picture: bars, lines and shares, as PNG. Called by the executor that draws charts, inside its sandboxed
//! process. It needs no font of the machine, opens no file, and says every number as it is told to. What is drawn was
//! chosen before: nothing is left out, added up or put in order here.
//!
//! ```text
//! Chart → bars | lines | shares → Canvas → PNG
//! ```

mod canvas;
mod letters;
mod plot;
mod scale;

use canvas::Canvas;

/// Most points of a chart.
pub const POINTS_MAX: usize = 2_000;
/// Most bars: each has its line.
pub const BARS_MAX: usize = 40;
/// Most shares that can still be told apart.
pub const SHARES_MAX: usize = 9;

/// How the numbers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A bar for each.
    Bars,
    /// One line through all of them, in their order.
    Lines,
    /// Parts of a whole.
    Shares,
}

/// One number.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What it is of.
    pub label: String,
    /// The number.
    pub value: f64,
    /// Where it stands along a line, such as its day; only the distances count.
    pub at: f64,
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// How the numbers are shown.
    pub form: Form,
    /// The numbers.
    pub points: Vec<Point>,
}

/// Why there is no chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undrawn {
    /// There is no number.
    Empty,
    /// There are more than can be shown so.
    TooMany,
    /// Parts of a whole are never below nothing.
    Negative,
    /// Of nothing there are no parts.
    Nothing,
    /// A number is none.
    Infinite,
    /// The picture could not be written.
    Unwritten,
}

/// A number as it is said: with so many places behind the point.
pub type Say<'a> = &'a dyn Fn(f64, usize) -> String;

/// The chart as a PNG file.
///
/// # Errors
/// See [`Undrawn`].
pub fn draw(chart: &Chart, say: Say<'_>) -> Result<Vec<u8>, Undrawn> {
    let most = match chart.form {
        Form::Bars => BARS_MAX,
        Form::Lines => POINTS_MAX,
        Form::Shares => SHARES_MAX,
    };
    let points = &chart.points;
    if points.is_empty() {
        return Err(Undrawn::Empty);
    }
    if points.len() > most {
        return Err(Undrawn::TooMany);
    }
    if points
        .iter()
        .any(|point| !point.value.is_finite() || !point.at.is_finite())
    {
        return Err(Undrawn::Infinite);
    }
    let canvas = match chart.form {
        Form::Bars => plot::bars(chart, say),
        Form::Lines => plot::lines(chart, say),
        Form::Shares if points.iter().any(|point| point.value < 0.0) => return Err(Undrawn::Negative),
        Form::Shares if points.iter().all(|point| point.value == 0.0) => return Err(Undrawn::Nothing),
        Form::Shares => plot::shares(chart, say),
    };
    written(&canvas).map_err(|_unwritten| Undrawn::Unwritten)
}

fn written(canvas: &Canvas) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, canvas.width(), canvas.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(canvas.pixels())?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
