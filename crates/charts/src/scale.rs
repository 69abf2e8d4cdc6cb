//! Round numbers along an axis. Called by `plot`.

/// How many lines an axis has, about.
const LINES: f64 = 6.0;

/// An axis from one round number to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    step: f64,
}

impl Scale {
    /// One that has room for all of these, and for nothing (0) too where `from_zero`.
    pub(crate) fn of(values: impl Iterator<Item = f64> + Clone, from_zero: bool) -> Self {
        let zero = if from_zero { 0.0 } else { f64::NAN };
        let low = values.clone().fold(zero, f64::min);
        let high = values.fold(zero, f64::max);
        let wide = match high - low {
            wide if wide > 0.0 && wide.is_finite() => wide,
            // One number alone stands in the middle.
            _ => low.abs().clamp(1.0, f64::MAX / 4.0),
        };
        let rough = wide / LINES;
        let power = 10_f64.powf(rough.log10().floor());
        let step = match rough / power {
            times if times <= 1.0 => power,
            times if times <= 2.0 => power * 2.0,
            times if times <= 5.0 => power * 5.0,
            _ => power * 10.0,
        };
        let (mut first, mut last) = ((low / step).floor() * step, (high / step).ceil() * step);
        if first >= last {
            (first, last) = (low - step, high + step);
        }
        Self {
            low: first,
            high: last,
            step,
        }
    }

    /// The round numbers, and how many places behind the point they need.
    pub(crate) fn ticks(&self) -> (Vec<f64>, usize) {
        let count = ((self.high - self.low) / self.step).round().clamp(0.0, LINES * 3.0) as u32;
        let ticks = (0..=count).map(|number| self.low + f64::from(number) * self.step);
        let places = (-self.step.log10().floor()).clamp(0.0, 6.0) as usize;
        (ticks.collect(), places)
    }

    /// Where a number stands: 0 at the low end, 1 at the high one.
    pub(crate) fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}
