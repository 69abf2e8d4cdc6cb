//! Pictures made here, with the fields that cameras write.

use std::io::Cursor;

use exif::{Field, In, Rational, Tag, Value, experimental::Writer};
use jiff::{
    civil::datetime,
    tz::{TimeZone, offset},
};

use super::{Place, read};

fn ascii(text: &str) -> Value {
    Value::Ascii(vec![text.as_bytes().to_vec()])
}

fn degrees(parts: [(u32, u32); 3]) -> Value {
    Value::Rational(parts.map(|(num, denom)| Rational { num, denom }).to_vec())
}

/// A TIFF with these fields and no picture.
fn picture(fields: Vec<(Tag, Value)>) -> Vec<u8> {
    let fields: Vec<Field> = fields
        .into_iter()
        .map(|(tag, value)| Field {
            tag,
            ifd_num: In::PRIMARY,
            value,
        })
        .collect();
    let mut writer = Writer::new();
    fields.iter().for_each(|field| writer.push_field(field));
    let mut bytes = Cursor::new(Vec::new());
    writer.write(&mut bytes, false).unwrap();
    bytes.into_inner()
}

fn of(fields: Vec<(Tag, Value)>) -> super::Photo {
    read(Cursor::new(picture(fields))).unwrap()
}

#[test]
fn when_it_was_taken_goes_before_when_it_was_written() {
    let photo = of(vec![
        (Tag::DateTime, ascii("2024:05:01 10:00:00")),
        (Tag::DateTimeOriginal, ascii("2019:08:14 18:30:05")),
        (Tag::OffsetTimeOriginal, ascii("-03:00")),
        (Tag::Orientation, Value::Short(vec![6])),
        (Tag::Model, ascii("iPhone 8")),
    ]);
    assert_eq!(photo.taken, Some(datetime(2019, 8, 14, 18, 30, 5, 0)));
    assert_eq!(photo.offset, Some(offset(-3)));
    assert_eq!((photo.orientation, photo.model.as_deref()), (Some(6), Some("iPhone 8")));
    let moment = photo.moment(&TimeZone::UTC).unwrap();
    assert_eq!(moment.to_string(), "2019-08-14T21:30:05Z");
}

#[test]
fn a_camera_without_an_offset_shows_the_time_of_the_home() {
    let photo = of(vec![(Tag::DateTimeOriginal, ascii("2019:08:14 18:30:05"))]);
    let zone = TimeZone::fixed(offset(2));
    assert_eq!(photo.moment(&zone).unwrap().to_string(), "2019-08-14T16:30:05Z");
}

#[test]
fn a_clock_that_was_never_set_tells_nothing() {
    for text in [
        "0000:00:00 00:00:00",
        "    :  :     :  :  ",
        "2019:13:40 25:00:00",
        "yesterday",
        "",
    ] {
        assert_eq!(of(vec![(Tag::DateTimeOriginal, ascii(text))]).taken, None, "{text:?}");
    }
}

#[test]
fn south_and_west_are_negative_and_a_receiver_without_a_fix_is_nowhere() {
    let place = |latitude: [(u32, u32); 3], longitude: [(u32, u32); 3]| {
        of(vec![
            (Tag::GPSLatitude, degrees(latitude)),
            (Tag::GPSLatitudeRef, ascii("S")),
            (Tag::GPSLongitude, degrees(longitude)),
            (Tag::GPSLongitudeRef, ascii("W")),
        ])
        .place
    };
    let somewhere = place([(22, 1), (54, 1), (0, 1)], [(43, 1), (12, 1), (36, 1)]);
    assert_eq!(
        somewhere,
        Some(Place {
            latitude: -22.9,
            longitude: -43.21
        })
    );
    assert_eq!(place([(0, 1), (0, 1), (0, 1)], [(0, 1), (0, 1), (0, 1)]), None);
    assert_eq!(place([(0, 0), (0, 0), (0, 0)], [(0, 0), (0, 0), (0, 0)]), None);
    assert_eq!(place([(95, 1), (0, 1), (0, 1)], [(43, 1), (0, 1), (0, 1)]), None);
}

#[test]
fn a_webp_whose_block_begins_as_in_a_jpeg_is_read_too() {
    let block = picture(vec![(Tag::DateTimeOriginal, ascii("2019:08:14 18:30:05"))]);
    let whole = |block: &[u8]| {
        let chunk = |name: &[u8], bytes: &[u8]| {
            let mut chunk = name.to_vec();
            chunk.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
            chunk.extend(bytes);
            chunk.resize(chunk.len().next_multiple_of(2), 0);
            chunk
        };
        let inner = [b"WEBP".to_vec(), chunk(b"VP8 ", b"odd"), chunk(b"EXIF", block)].concat();
        chunk(b"RIFF", &inner)
    };
    for prefix in ["", "Exif\0\0"] {
        let bytes = whole(&[prefix.as_bytes(), &block].concat());
        let photo = read(Cursor::new(bytes)).unwrap();
        assert_eq!(photo.taken, Some(datetime(2019, 8, 14, 18, 30, 5, 0)), "{prefix:?}");
    }
    let mut cut = whole(b"Exif\0\0");
    cut.truncate(cut.len() - 3);
    assert_eq!(read(Cursor::new(cut)), None);
}

#[test]
fn what_is_no_picture_or_damaged_tells_nothing_and_breaks_nothing() {
    assert_eq!(read(Cursor::new(b"this is no picture".to_vec())), None);
    let whole = picture(vec![
        (Tag::DateTimeOriginal, ascii("2019:08:14 18:30:05")),
        (Tag::Model, ascii("iPhone 8")),
    ]);
    for length in 0..whole.len() {
        let cut = whole.get(..length).unwrap().to_vec();
        // Whatever is left of it, it ends.
        let told = read(Cursor::new(cut));
        assert!(told.is_none_or(|photo| photo.taken.is_none_or(|taken| taken.year() == 2019)));
    }
}

#[test]
fn a_picture_beside_the_middle_of_a_city_is_of_the_city() {
    let towns = crate::Towns::load();
    let of = |latitude: f64, longitude: f64| towns.near(Place { latitude, longitude });
    let trevi = of(41.9009, 12.4833);
    let names = trevi.names();
    assert!(
        ["Rome", "Roma", "Italia", "Italy"]
            .iter()
            .all(|name| names.contains(name)),
        "{names:?}"
    );
    assert_eq!(trevi.shown("en").split(',').next(), Some("Rome"));
    let eiffel = of(48.8584, 2.2945);
    assert!(
        eiffel.names().contains(&"Paris") && eiffel.names().contains(&"Parigi"),
        "{eiffel:?}"
    );
    let riccione = of(43.9994, 12.6569);
    assert!(
        riccione.names().contains(&"Riccione") && riccione.names().contains(&"Emilia-Romagna"),
        "{riccione:?}"
    );
    let sea = of(35.0, -40.0);
    assert!(sea.name.is_empty() && sea.city.is_empty(), "{sea:?}");
}
