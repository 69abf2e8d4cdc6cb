//! Words on a picture, in letters that come with the program. Called by `plot`. A letter it does not have is shown
//! without its marks, else as a question mark: nothing is left out unseen.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, RasterizedChar, get_raster, get_raster_width};

use crate::canvas::{Canvas, Color};

/// How large letters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Beside what is drawn.
    Small,
    /// Above it.
    Large,
}

impl Size {
    fn raster(self) -> RasterHeight {
        match self {
            Self::Small => RasterHeight::Size20,
            Self::Large => RasterHeight::Size24,
        }
    }

    /// Pixels from one line to the next.
    pub(crate) fn height(self) -> f64 {
        self.raster().val() as f64
    }

    fn letter(self) -> f64 {
        get_raster_width(FontWeight::Regular, self.raster()) as f64
    }

    /// How wide words are.
    pub(crate) fn width(self, words: &str) -> f64 {
        words.chars().count() as f64 * self.letter()
    }

    /// Words that are no wider than this; what is left out is seen to be.
    pub(crate) fn cut(self, words: &str, width: f64) -> String {
        let room = (width / self.letter()).max(0.0) as usize;
        if words.chars().count() <= room {
            return words.to_owned();
        }
        let kept: String = words.chars().take(room.saturating_sub(CUT.len())).collect();
        format!("{}{CUT}", kept.trim_end())
    }
}

/// What stands for the rest of words that are too long.
const CUT: &str = "..";
/// The sign of the euro is drawn of these, one over the other: the letters do not have it.
const EURO: char = '€';
const EURO_OF: [char; 2] = ['C', '='];

/// Writes words with their upper left corner here.
pub(crate) fn write(canvas: &mut Canvas, words: &str, (left, top): (f64, f64), size: Size, color: Color) {
    for (at, letter) in words.chars().enumerate() {
        let left = (left + at as f64 * size.letter()).round() as i64;
        let parts: &[char] = if letter == EURO { &EURO_OF } else { &[letter] };
        for part in parts {
            put(canvas, &raster(*part, size), (left, top.round() as i64), color);
        }
    }
}

fn raster(letter: char, size: Size) -> Option<RasterizedChar> {
    let known = |letter: char| get_raster(letter, FontWeight::Regular, size.raster());
    known(plain(letter)).or_else(|| known('?'))
}

/// Signs that look the same, and are not among the letters.
fn plain(letter: char) -> char {
    match letter {
        '’' | '‘' => '\'',
        '“' | '”' => '"',
        '–' | '—' | '−' => '-',
        '\u{a0}' | '\u{202f}' => ' ',
        other => other,
    }
}

fn put(canvas: &mut Canvas, raster: &Option<RasterizedChar>, (left, top): (i64, i64), color: Color) {
    let rows = raster.iter().flat_map(RasterizedChar::rows);
    for (y, row) in (top..).zip(rows) {
        for (x, cover) in (left..).zip(row.iter()) {
            canvas.dab(x, y, color, f64::from(*cover) / 255.0);
        }
    }
}
