//! What a phone wrote into a video (MP4, MOV): when, how long, and where. Only the boxes that say so are read; sizes
//! are never believed beyond the bytes that are there.

use std::io::{Read, Seek, SeekFrom};

use jiff::Timestamp;

use crate::Place;

/// Endings of videos.
pub const ENDINGS: [&str; 4] = ["mp4", "mov", "m4v", "3gp"];
/// From 1904, when these clocks begin, to 1970, in seconds.
const EPOCH_S: i64 = 2_082_844_800;
/// Most bytes of a box that says something.
const BOX_BYTES_MAX: u64 = 1 << 20;
/// Most boxes that are looked at.
const BOXES_MAX: usize = 2_000;

/// What a video tells of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Video {
    /// When it was made.
    pub taken: Option<Timestamp>,
    /// How long it is, in seconds.
    pub seconds: Option<f64>,
    /// Where.
    pub place: Option<Place>,
}

/// Reads what a video tells of itself; `None` where it is none.
pub fn video<R: Read + Seek>(mut file: R) -> Option<Video> {
    let end = file.seek(SeekFrom::End(0)).ok()?;
    let mut told = Video::default();
    let mut left = BOXES_MAX;
    let is_one = walk(&mut file, (0, end), &mut told, &mut left)?;
    is_one.then_some(told)
}

/// Looks through the boxes of a stretch; whether the one that describes the film is among them.
fn walk<R: Read + Seek>(file: &mut R, (mut at, end): (u64, u64), told: &mut Video, left: &mut usize) -> Option<bool> {
    let mut is_one = false;
    while at + 8 <= end {
        *left = left.checked_sub(1)?;
        file.seek(SeekFrom::Start(at)).ok()?;
        let mut head = [0; 8];
        file.read_exact(&mut head).ok()?;
        let (short, kind) = (u64::from(be32(&head, 0)?), head.get(4..8)?.to_owned());
        let (size, begin) = match short {
            0 => (end - at, 8),
            1 => {
                let mut long = [0; 8];
                file.read_exact(&mut long).ok()?;
                (u64::from_be_bytes(long), 16)
            }
            size => (size, 8),
        };
        let next = at.checked_add(size)?;
        if size < begin || next > end {
            return Some(is_one);
        }
        let inside = (at + begin, next);
        match kind.as_slice() {
            b"moov" => {
                is_one = true;
                walk(file, inside, told, left)?;
            }
            b"udta" => drop(walk(file, inside, told, left)?),
            b"mvhd" => head_of(&contents(file, inside)?, told),
            b"\xa9xyz" => told.place = told.place.or_else(|| place(&contents_of(file, inside)?)),
            _ => {}
        }
        at = next;
    }
    Some(is_one)
}

fn contents<R: Read + Seek>(file: &mut R, (begin, end): (u64, u64)) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(begin)).ok()?;
    let size = (end - begin).min(BOX_BYTES_MAX);
    file.take(size).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// A text box: its size, its language, and the text.
fn contents_of<R: Read + Seek>(file: &mut R, inside: (u64, u64)) -> Option<String> {
    let bytes = contents(file, inside)?;
    Some(String::from_utf8_lossy(bytes.get(4..)?).into_owned())
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn be64(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_be_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// `mvhd`: when it was made, the clock of the film, and how long it is by that clock.
fn head_of(bytes: &[u8], told: &mut Video) {
    let is_long = bytes.first() == Some(&1);
    let (made, clock, length) = if is_long {
        (be64(bytes, 4), be32(bytes, 20), be64(bytes, 24))
    } else {
        let wide = |at: usize| be32(bytes, at).map(u64::from);
        (wide(4), be32(bytes, 12), wide(16))
    };
    // A clock that was never set shows 1904.
    let made = made.filter(|made| *made > 0).and_then(|made| i64::try_from(made).ok());
    told.taken = made.and_then(|made| Timestamp::from_second(made.checked_sub(EPOCH_S)?).ok());
    if let (Some(clock), Some(length)) = (clock.filter(|clock| *clock > 0), length) {
        #[expect(clippy::cast_precision_loss, reason = "seconds of a film, shown to people")]
        let seconds = length as f64 / f64::from(clock);
        told.seconds = Some(seconds);
    }
}

/// `+41.8902+012.4922+021.0/` (ISO 6709).
fn place(text: &str) -> Option<Place> {
    let text = text.trim_end_matches(['/', '\0']);
    let second = text.get(1..)?.find(['+', '-'])? + 1;
    let (latitude, rest) = text.split_at_checked(second)?;
    let end = rest.get(1..)?.find(['+', '-']).map_or(rest.len(), |at| at + 1);
    let place = Place {
        latitude: latitude.parse().ok()?,
        longitude: rest.get(..end)?.parse().ok()?,
    };
    let is_on_earth = place.latitude.abs() <= 90.0 && place.longitude.abs() <= 180.0;
    (is_on_earth && (place.latitude != 0.0 || place.longitude != 0.0)).then_some(place)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn boxed(kind: &[u8; 4], inside: &[u8]) -> Vec<u8> {
        let size = u32::try_from(inside.len() + 8).unwrap();
        [&size.to_be_bytes()[..], kind, inside].concat()
    }

    fn film(made: u32, xyz: &str) -> Vec<u8> {
        let head = [
            &[0; 4][..],
            &made.to_be_bytes(),
            &[0; 4],
            &600_u32.to_be_bytes(),
            &6_000_u32.to_be_bytes(),
        ]
        .concat();
        let text = [&[0, 0, 0x15, 0xc7], xyz.as_bytes()].concat();
        let inside = [boxed(b"mvhd", &head), boxed(b"udta", &boxed(b"\xa9xyz", &text))].concat();
        [
            boxed(b"ftyp", b"qt  "),
            boxed(b"mdat", &[0; 100]),
            boxed(b"moov", &inside),
        ]
        .concat()
    }

    #[test]
    fn a_film_tells_when_where_and_how_long() {
        let told = video(Cursor::new(film(3_648_474_605, "+41.8902+012.4922+021.0/"))).unwrap();
        assert_eq!(told.taken.unwrap().to_string(), "2019-08-12T17:10:05Z");
        assert_eq!(told.seconds, Some(10.0));
        let place = told.place.unwrap();
        assert!((place.latitude - 41.8902).abs() < 1e-6 && (place.longitude - 12.4922).abs() < 1e-6);
        assert_eq!(video(Cursor::new(film(0, "nowhere"))).unwrap().taken, None);
    }

    #[test]
    fn what_is_cut_or_lies_about_its_size_is_left_out() {
        let whole = film(3_648_474_605, "+41+012/");
        for end in 0..whole.len() {
            let _ = video(Cursor::new(&whole[..end]));
        }
        let lying = [&u32::MAX.to_be_bytes()[..], b"moov"].concat();
        assert_eq!(video(Cursor::new(lying)), None);
        let endless = [&8_u32.to_be_bytes()[..], b"free"].concat().repeat(3_000);
        assert_eq!(video(Cursor::new(endless)), None);
        assert_eq!(video(Cursor::new(b"no film")), None);
    }
}
