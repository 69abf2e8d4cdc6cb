//! What a picture looks like, as a number: two pictures that look alike have numbers that differ in few bits; and
//! small, for whoever is shown it. Called by the executor that looks at pictures, inside its sandboxed process; it
//! decodes within the bounds of `change`.

use std::io::{BufRead, Cursor, Seek};

use image::{DynamicImage, ImageDecoder, ImageReader, codecs::jpeg::JpegEncoder, imageops::FilterType};

use crate::change::limits;

/// Brightness is compared at so many places across, and one fewer pairs.
const ACROSS: u32 = 9;
/// Rows of them.
const DOWN: u32 = 8;
/// How much is kept of a picture that somebody is only shown: 100 is all.
const SHOWN_QUALITY: u8 = 80;

/// Pixels across and down, as the head of the file says; `None` of what is none of the formats that are known. A
/// decoder would tell it as well, and read a JPEG to its end before.
pub fn size<R: BufRead + Seek>(picture: R) -> Option<(u32, u32)> {
    let size = imagesize::reader_size(picture).ok()?;
    Some((u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?))
}

/// What it looks like: whether it gets brighter from place to place (Krawetz' difference hash), put upright first.
pub fn likeness(bytes: &[u8]) -> Option<u64> {
    let small = upright(bytes)?
        .resize_exact(ACROSS, DOWN, FilterType::Triangle)
        .to_luma8();
    let mut bits = 0_u64;
    for (_, row) in small.enumerate_rows() {
        let row: Vec<u8> = row.map(|(_, _, pixel)| pixel.0[0]).collect();
        for pair in row.windows(2) {
            bits = bits << 1 | u64::from(pair.first() < pair.last());
        }
    }
    Some(bits)
}

/// A small JPEG of it, put upright, with nothing of what the camera wrote; the longer side has at most so many pixels.
pub fn shown(bytes: &[u8], longest: u32) -> Option<Vec<u8>> {
    let mut picture = upright(bytes)?;
    if picture.width().max(picture.height()) > longest {
        picture = picture.resize(longest.max(1), longest.max(1), FilterType::Triangle);
    }
    let mut jpeg = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut jpeg, SHOWN_QUALITY);
    picture.to_rgb8().write_with_encoder(encoder).ok()?;
    Some(jpeg)
}

fn upright(bytes: &[u8]) -> Option<DynamicImage> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    reader.limits(limits());
    let mut decoder = reader.into_decoder().ok()?;
    let up = decoder.orientation().ok();
    let mut picture = DynamicImage::from_decoder(decoder).ok()?;
    if let Some(up) = up {
        picture.apply_orientation(up);
    }
    Some(picture)
}
