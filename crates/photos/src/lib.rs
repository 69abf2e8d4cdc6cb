//! What a camera wrote into a picture (EXIF): when it was taken, where, with what and which way up. Called by the
//! executors that look at files, inside their sandboxed process. It opens no file, decodes a picture only to change it,
//! and takes at most [`BYTES_MAX`] of one to look; what is damaged is left out, never guessed.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use exif::{Error, Exif, Field, In, Reader, Tag, Value};
use jiff::{
    Timestamp,
    civil::{self, date},
    tz::{Offset, TimeZone},
};

mod change;
mod named;
mod places;
mod seen;
mod video;
mod webp;

pub use change::{Changed, Format, Turn, Unchanged, Wanted, change};
pub use named::day_in_name;
pub use places::{Town, Towns, places_named};
pub use seen::{likeness, shown, size};
pub use video::{ENDINGS as VIDEO_ENDINGS, Video, video};

/// Most bytes read of one picture; what is skipped does not count. A TIFF is read whole: a larger one tells nothing.
pub const BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Endings of files that may hold it.
pub const ENDINGS: [&str; 9] = ["jpg", "jpeg", "heic", "heif", "avif", "png", "webp", "tif", "tiff"];
/// Longest name of a camera that is kept, in characters.
const NAME_CHARS_MAX: usize = 64;

/// What a picture tells of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Photo {
    /// What the camera's clock said when it was taken, else when it was digitized, else when it was last written.
    pub taken: Option<civil::DateTime>,
    /// How far that clock was from UTC, where the camera knew.
    pub offset: Option<Offset>,
    /// EXIF's orientation, 1 to 8.
    pub orientation: Option<u8>,
    /// Where it was taken.
    pub place: Option<Place>,
    /// Who made the camera.
    pub make: Option<String>,
    /// Which camera.
    pub model: Option<String>,
}

/// A point on the earth, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// North of the equator; south is negative.
    pub latitude: f64,
    /// East of Greenwich; west is negative.
    pub longitude: f64,
}

impl Photo {
    /// When it was taken; where the camera knew no offset its clock showed the time of this zone.
    pub fn moment(&self, zone: &TimeZone) -> Option<Timestamp> {
        let taken = self.taken?;
        match self.offset {
            Some(offset) => offset.to_timestamp(taken).ok(),
            None => Some(taken.to_zoned(zone.clone()).ok()?.timestamp()),
        }
    }
}

/// Reads what a picture tells of itself; `None` where it tells nothing, or is no picture that could.
pub fn read<R: BufRead + Seek>(picture: R) -> Option<Photo> {
    let mut bounded = Bounded {
        inner: picture,
        left: BYTES_MAX,
    };
    let mut reader = Reader::new();
    reader.continue_on_error(true);
    let told = reader.read_from_container(&mut bounded);
    // What is whole of a damaged one counts.
    let told = told.or_else(|error: Error| error.distill_partial_result(|_damaged| {}));
    let told = told.ok().or_else(|| reader.read_raw(webp::block(&mut bounded)?).ok())?;
    Some(photo(&told))
}

fn photo(told: &Exif) -> Photo {
    let field = |tag: Tag| told.get_field(tag, In::PRIMARY);
    let clocks = [
        (Tag::DateTimeOriginal, Tag::OffsetTimeOriginal),
        (Tag::DateTimeDigitized, Tag::OffsetTimeDigitized),
        (Tag::DateTime, Tag::OffsetTime),
    ];
    let clock = clocks
        .iter()
        .find_map(|(tag, offset)| Some((field(*tag).and_then(clock)?, *offset)));
    let orientation = field(Tag::Orientation).and_then(|field| field.value.get_uint(0));
    let name = |tag: Tag| field(tag).and_then(name);
    Photo {
        taken: clock.map(|(taken, _)| taken),
        offset: clock.and_then(|(_, tag)| offset(field(tag)?)),
        orientation: orientation
            .and_then(|turn| u8::try_from(turn).ok())
            .filter(|turn| (1..=8).contains(turn)),
        place: place(told),
        make: name(Tag::Make),
        model: name(Tag::Model),
    }
}

fn text(field: &Field) -> Option<String> {
    let Value::Ascii(lines) = &field.value else { return None };
    let line = lines.iter().find(|line| !line.is_empty())?;
    Some(String::from_utf8_lossy(line).into_owned())
}

/// `2018:02:05 15:11:44`. A camera whose clock was never set writes blanks or zeros.
fn clock(field: &Field) -> Option<civil::DateTime> {
    let text = text(field)?;
    let told = exif::DateTime::from_ascii(text.trim().as_bytes()).ok()?;
    let part = |number: u8| i8::try_from(number).ok();
    let day = civil::Date::new(i16::try_from(told.year).ok()?, part(told.month)?, part(told.day)?).ok()?;
    let time = civil::Time::new(part(told.hour)?, part(told.minute)?, part(told.second)?, 0).ok()?;
    (day >= date(1800, 1, 1)).then(|| day.to_datetime(time))
}

/// `+01:00`.
fn offset(field: &Field) -> Option<Offset> {
    let text = text(field)?;
    let text = text.trim();
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let (hours, minutes) = text.get(1..)?.split_once(':')?;
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    Offset::from_seconds(sign * (hours * 3_600 + minutes * 60)).ok()
}

fn name(field: &Field) -> Option<String> {
    let text: String = text(field)?
        .trim_matches(['\0', ' '])
        .chars()
        .take(NAME_CHARS_MAX)
        .collect();
    (!text.is_empty()).then_some(text)
}

fn place(told: &Exif) -> Option<Place> {
    let degrees = |tag: Tag, reference: Tag, negative: char, most: f64| {
        let field = told.get_field(tag, In::PRIMARY)?;
        let Value::Rational(parts) = &field.value else {
            return None;
        };
        // A receiver without a fix writes 0/0.
        let part = |at: usize| {
            parts
                .get(at)
                .map_or(Some(0.0), |part| (part.denom != 0).then(|| part.to_f64()))
        };
        parts.first()?;
        let size = part(0)? + part(1)? / 60.0 + part(2).unwrap_or(0.0) / 3_600.0;
        let side = told.get_field(reference, In::PRIMARY).and_then(text);
        let is_negative = side?.trim().to_ascii_uppercase().starts_with(negative);
        let size = if is_negative { -size } else { size };
        (size.is_finite() && size.abs() <= most).then_some(size)
    };
    let place = Place {
        latitude: degrees(Tag::GPSLatitude, Tag::GPSLatitudeRef, 'S', 90.0)?,
        longitude: degrees(Tag::GPSLongitude, Tag::GPSLongitudeRef, 'W', 180.0)?,
    };
    // Nobody takes pictures there; a receiver without a fix writes it.
    (place.latitude != 0.0 || place.longitude != 0.0).then_some(place)
}

/// Gives no more than so many bytes.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R> Bounded<R> {
    fn spend(&mut self, bytes: usize) -> io::Result<()> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.left = self
            .left
            .checked_sub(bytes)
            .ok_or_else(|| io::Error::other("too much of one picture"))?;
        Ok(())
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.spend(read)?;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(io::Error::other("too much of one picture"));
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.left = self.left.saturating_sub(u64::try_from(amount).unwrap_or(u64::MAX));
        self.inner.consume(amount);
    }
}

impl<R: Seek> Seek for Bounded<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

#[cfg(test)]
mod tests;
