//! Pages of a PDF that are pictures: the picture of each, as a file that a reader of pictures opens. Scanners put one
//! picture on a page: a photo (JPEG), a fax (CCITT) or plain pixels.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_extract::{Dictionary, Document as File, Object, ObjectId, Stream};

use crate::{Unreadable, pdf};

/// Points in one picture; a page at 600 dpi has 35 million.
const POINTS_MAX: i64 = 80_000_000;
/// A picture smaller than this is no page: a logo, a line.
const SIDE_MIN: i64 = 300;

/// The picture of one page.
#[derive(Clone, Debug)]
pub struct Scan {
    /// The page, counted from 1.
    pub page: usize,
    /// The picture: JPEG, PNM or TIFF.
    pub picture: Vec<u8>,
}

/// The pictures of the first `most` of the pages that are wanted, which are counted from 1.
///
/// # Errors
/// See [`Unreadable`]. A page whose picture cannot be had is left out.
pub fn scans(
    bytes: &[u8],
    password: Option<&str>,
    is_wanted: &dyn Fn(usize) -> bool,
    most: usize,
) -> Result<Vec<Scan>, Unreadable> {
    let file = pdf::opened(bytes, password)?;
    let pages = file.get_pages().into_iter();
    let pages = pages.filter_map(|(number, id)| Some((usize::try_from(number).ok()?, id)));
    let scans = pages
        .filter(|(page, _)| is_wanted(*page))
        .take(most)
        .filter_map(|(page, id)| {
            let picture = catch_unwind(AssertUnwindSafe(|| picture(&file, id))).ok()??;
            Some(Scan { page, picture })
        });
    Ok(scans.collect())
}

/// The largest picture of a page.
fn picture(file: &File, page: ObjectId) -> Option<Vec<u8>> {
    let images = file.get_page_images(page).ok()?;
    let fits = |width: i64, height: i64| {
        width >= SIDE_MIN && height >= SIDE_MIN && width.checked_mul(height).is_some_and(|points| points <= POINTS_MAX)
    };
    let image = images
        .into_iter()
        .filter(|image| fits(image.width, image.height))
        .max_by_key(|image| image.width * image.height)?;
    let stream = file.get_object(image.id).ok()?.as_stream().ok()?;
    let size = (u32::try_from(image.width).ok()?, u32::try_from(image.height).ok()?);
    let filters = image.filters.unwrap_or_default();
    match filters.last().map(String::as_str) {
        Some("DCTDecode") if filters.len() == 1 => Some(stream.content.clone()),
        Some("CCITTFaxDecode") if filters.len() == 1 => fax(file, stream, size),
        Some("FlateDecode" | "LZWDecode") | None => {
            pixels(stream, size, image.bits_per_component?, image.color_space.as_deref())
        }
        _ => None,
    }
}

/// Plain pixels as PNM.
fn pixels(stream: &Stream, (width, height): (u32, u32), bits: i64, colors: Option<&str>) -> Option<Vec<u8>> {
    let plain = stream.decompressed_content().ok()?;
    let (width_bytes, mark, max) = match (bits, colors?) {
        (1, "DeviceGray" | "CalGray" | "Indexed") => (width.div_ceil(8), "P4", ""),
        (8, "DeviceGray" | "CalGray") => (width, "P5", "255\n"),
        (8, "DeviceRGB" | "CalRGB") => (width.checked_mul(3)?, "P6", "255\n"),
        // A profile: as many colors as fill the picture.
        (8, "ICCBased") if plain.len() as u64 >= u64::from(width) * u64::from(height) * 3 => {
            (width.checked_mul(3)?, "P6", "255\n")
        }
        (8, "ICCBased") => (width, "P5", "255\n"),
        _ => return None,
    };
    let length = usize::try_from(u64::from(width_bytes) * u64::from(height)).ok()?;
    let mut rows = plain.get(..length)?.to_vec();
    if mark == "P4" {
        // In PNM a set bit is black, in PDF it is white.
        for byte in &mut rows {
            *byte = !*byte;
        }
    }
    let mut picture = format!("{mark}\n{width} {height}\n{max}").into_bytes();
    picture.append(&mut rows);
    Some(picture)
}

/// A fax in a TIFF of one strip (TIFF 6.0, sections 2 and 11).
fn fax(file: &File, stream: &Stream, (width, height): (u32, u32)) -> Option<Vec<u8>> {
    let parms = stream.dict.get(b"DecodeParms").ok()?;
    // Of several filters each has its own; only one is taken here.
    let parms = parms.as_array().ok().and_then(|all| all.first()).unwrap_or(parms);
    let parms = file.dereference(parms).ok()?.1.as_dict().ok()?;
    let number = |name: &[u8]| parms.get(name).and_then(Object::as_i64).ok();
    let flag = |name: &[u8]| parms.get(name).and_then(Object::as_bool).unwrap_or(false);
    let columns = number(b"Columns")
        .and_then(|columns| u32::try_from(columns).ok())
        .unwrap_or(1728);
    let k = number(b"K").unwrap_or(0);
    // Group 4, or group 3 in one or two dimensions.
    let (compression, options) = if k < 0 { (4, 0) } else { (3, u32::from(k > 0)) };
    let is_black_one = flag(b"BlackIs1") || is_inverted(&stream.dict);
    let length = u32::try_from(stream.content.len()).ok()?;
    const ENTRIES: u16 = 9;
    let data_at = 8 + 2 + u32::from(ENTRIES) * 12 + 4;
    let mut tiff = b"II*\0\x08\0\0\0".to_vec();
    tiff.extend(ENTRIES.to_le_bytes());
    let mut entry = |tag: u16, value: u32| {
        tiff.extend(tag.to_le_bytes());
        // LONG, one value.
        tiff.extend([4, 0, 1, 0, 0, 0]);
        tiff.extend(value.to_le_bytes());
    };
    entry(256, columns.max(width));
    entry(257, height);
    entry(258, 1);
    entry(259, compression);
    // 0: zero is white, which is what a fax says.
    entry(262, u32::from(is_black_one));
    entry(273, data_at);
    entry(278, height);
    entry(279, length);
    entry(if compression == 4 { 293 } else { 292 }, options);
    tiff.extend([0; 4]);
    tiff.extend(&stream.content);
    Some(tiff)
}

/// `Decode [1 0]` turns black and white around.
fn is_inverted(dict: &Dictionary) -> bool {
    let decode = dict.get(b"Decode").and_then(Object::as_array);
    decode.is_ok_and(|decode| decode.first().and_then(|first| first.as_float().ok()) == Some(1.0))
}
