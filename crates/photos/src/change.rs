//! Changes a picture: another format, smaller, turned. Called by the executor that does so, inside its sandboxed
//! process. What the camera wrote stays with it where the new format has a place for it, with the way up put right. It
//! decodes within bounds, and changes only what is asked for.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder, ImageEncoder, ImageError, ImageFormat, ImageReader, Limits,
    codecs::{
        bmp::BmpEncoder, gif::GifEncoder, jpeg::JpegEncoder, png::PngEncoder, tiff::TiffEncoder, webp::WebPEncoder,
    },
    imageops::FilterType,
    metadata::Orientation,
};

/// Most pixels of a side.
const SIDE_MAX: u32 = 20_000;
/// Most memory that decoding takes, in bytes: a picture of 100 megapixels in colour.
const MEMORY_MAX: u64 = 400_000_000;
/// How much of it is kept where a format leaves something out: 100 is all.
const QUALITY: u8 = 90;

/// A format that pictures are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JPEG: small, and never quite the same.
    Jpeg,
    /// PNG.
    Png,
    /// WebP, without loss.
    Webp,
    /// GIF, of one picture.
    Gif,
    /// BMP.
    Bmp,
    /// TIFF.
    Tiff,
}

impl Format {
    /// The format of this name or ending.
    pub fn parse(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "jpg" | "jpeg" => Some(Self::Jpeg),
            "png" => Some(Self::Png),
            "webp" => Some(Self::Webp),
            "gif" => Some(Self::Gif),
            "bmp" => Some(Self::Bmp),
            "tif" | "tiff" => Some(Self::Tiff),
            _ => None,
        }
    }

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Gif => "gif",
            Self::Bmp => "bmp",
            Self::Tiff => "tiff",
        }
    }

    fn of(format: ImageFormat) -> Option<Self> {
        Self::parse(format.extensions_str().first()?)
    }
}

/// Which way a picture is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// By a quarter, as a clock goes.
    Right,
    /// By a quarter, the other way.
    Left,
    /// By half.
    Around,
}

/// What is wanted; what is not said stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Another format.
    pub format: Option<Format>,
    /// The longer side has at most so many pixels; a smaller picture stays as large as it is.
    pub longest: Option<u32>,
    /// Turned, after it was put upright.
    pub turn: Option<Turn>,
}

/// A picture that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its format.
    pub format: Format,
    /// Pixels across and down.
    pub size: (u32, u32),
}

/// Why a picture cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unchanged {
    /// None of the formats that are known.
    Unknown,
    /// It would take more memory than it may.
    TooLarge,
    /// It is damaged.
    Broken,
}

/// What decoding may take.
pub(crate) fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_MAX);
    limits.max_image_height = Some(SIDE_MAX);
    limits.max_alloc = Some(MEMORY_MAX);
    limits
}

/// The picture as it is wanted.
///
/// # Errors
/// It is none, or cannot be decoded within bounds.
pub fn change(bytes: &[u8], wanted: &Wanted) -> Result<Changed, Unchanged> {
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = reader.map_err(|_unreadable| Unchanged::Unknown)?;
    let known = reader.format().and_then(Format::of).ok_or(Unchanged::Unknown)?;
    reader.limits(limits());
    let mut decoder = reader.into_decoder().map_err(|error| why(&error))?;
    let mut exif = decoder.exif_metadata().ok().flatten();
    let profile = decoder.icc_profile().ok().flatten();
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(|error| why(&error))?;
    image.apply_orientation(orientation);
    if let Some(exif) = &mut exif {
        // It was put upright: who shows it must not turn it again.
        let _said = Orientation::remove_from_exif_chunk(exif);
    }
    if let Some(longest) = wanted
        .longest
        .filter(|longest| image.width().max(image.height()) > *longest)
    {
        image = image.resize(longest.max(1), longest.max(1), FilterType::Lanczos3);
    }
    image = match wanted.turn {
        Some(Turn::Right) => image.rotate90(),
        Some(Turn::Left) => image.rotate270(),
        Some(Turn::Around) => image.rotate180(),
        None => image,
    };
    let format = wanted.format.unwrap_or(known);
    let size = (image.width(), image.height());
    let bytes = written(image, format, exif, profile).map_err(|error| why(&error))?;
    Ok(Changed { bytes, format, size })
}

fn written(
    image: DynamicImage,
    format: Format,
    exif: Option<Vec<u8>>,
    profile: Option<Vec<u8>>,
) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    match format {
        Format::Jpeg => {
            // There is nothing to see through in it.
            let encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
            put(encoder, &DynamicImage::ImageRgb8(over_white(&image)), exif, profile)?;
        }
        Format::Png => put(PngEncoder::new(&mut bytes), &image, exif, profile)?,
        Format::Webp => {
            let image = DynamicImage::ImageRgba8(image.into_rgba8());
            put(WebPEncoder::new_lossless(&mut bytes), &image, exif, profile)?;
        }
        Format::Gif => {
            let frame = image::Frame::new(image.into_rgba8());
            GifEncoder::new(&mut bytes).encode_frame(frame)?;
        }
        Format::Bmp => {
            let image = DynamicImage::ImageRgba8(image.into_rgba8());
            put(BmpEncoder::new(&mut bytes), &image, None, None)?;
        }
        Format::Tiff => {
            let mut file = Cursor::new(&mut bytes);
            let image = DynamicImage::ImageRgba8(image.into_rgba8());
            put(TiffEncoder::new(&mut file), &image, None, profile)?;
        }
    }
    Ok(bytes)
}

/// Writes a picture with what belongs to it; a format that has no place for something goes without.
fn put(
    mut encoder: impl ImageEncoder,
    image: &DynamicImage,
    exif: Option<Vec<u8>>,
    profile: Option<Vec<u8>>,
) -> Result<(), ImageError> {
    if let Some(exif) = exif {
        drop(encoder.set_exif_metadata(exif));
    }
    if let Some(profile) = profile {
        drop(encoder.set_icc_profile(profile));
    }
    image.write_with_encoder(encoder)
}

fn over_white(image: &DynamicImage) -> image::RgbImage {
    if !image.color().has_alpha() {
        return image.to_rgb8();
    }
    let seen = image.to_rgba8();
    image::RgbImage::from_fn(seen.width(), seen.height(), |x, y| {
        let image::Rgba([red, green, blue, alpha]) = *seen.get_pixel(x, y);
        let over = |part: u8| {
            let mixed = u32::from(part) * u32::from(alpha) + 255 * (255 - u32::from(alpha));
            u8::try_from(mixed / 255).unwrap_or(u8::MAX)
        };
        image::Rgb([over(red), over(green), over(blue)])
    })
}

fn why(error: &ImageError) -> Unchanged {
    match error {
        ImageError::Limits(_) => Unchanged::TooLarge,
        ImageError::Unsupported(_) => Unchanged::Unknown,
        ImageError::Decoding(_) | ImageError::Encoding(_) | ImageError::Parameter(_) | ImageError::IoError(_) => {
            Unchanged::Broken
        }
    }
}
