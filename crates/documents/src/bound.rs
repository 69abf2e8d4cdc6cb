//! Pictures as pages of one PDF. Called by the executor that binds them, with JPEG files: each goes in as it is,
//! turned upright by how it is placed and without what a camera wrote beside it, such as where it was taken.

use pdf_extract::{
    Dictionary, Document as File, Object, ObjectId, Stream,
    content::{Content, Operation},
    dictionary,
};

/// A4 in points; a picture that is wider than high lies across.
const SHORT: f64 = 595.0;
const LONG: f64 = 842.0;
/// Room around a picture.
const EDGE: f64 = 18.0;
/// Of the format.
const VERSION: &str = "1.5";

/// A JPEG file that can stand in a PDF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    bytes: Vec<u8>,
    size: (u16, u16),
    is_grey: bool,
    orientation: u8,
}

impl Leaf {
    /// From the bytes of a JPEG file and its EXIF orientation, 1 to 8. `None` for what is none, is not whole, or has
    /// colours of print: such a picture has to be made anew.
    #[must_use]
    pub fn of_jpeg(jpeg: &[u8], orientation: u8) -> Option<Self> {
        let mut bytes = jpeg.get(..2).filter(|start| *start == [0xff, 0xd8])?.to_vec();
        let mut frame = None;
        let mut at = 2;
        loop {
            let [0xff, kind] = *jpeg.get(at..at + 2)? else {
                return None;
            };
            if kind == 0xff {
                // Bytes that fill.
                at += 1;
                continue;
            }
            let length = usize::from(u16::from_be_bytes([*jpeg.get(at + 2)?, *jpeg.get(at + 3)?]));
            let end = at.checked_add(2 + length)?;
            let segment = jpeg.get(at..end).filter(|_| length >= 2)?;
            match kind {
                // Start of a frame: 8 bits, lines, columns, parts.
                0xc0..=0xc2 => {
                    let [8, high, low, left, right, parts, ..] = segment.get(4..)? else {
                        return None;
                    };
                    let size = (u16::from_be_bytes([*left, *right]), u16::from_be_bytes([*high, *low]));
                    frame = Some((size, *parts));
                    bytes.extend_from_slice(segment);
                }
                // Frames that readers of PDF do not know.
                0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => return None,
                // What a camera wrote, and remarks; how colours are kept (0 and 14) belongs to the picture.
                0xe1..=0xed | 0xef | 0xfe => {}
                0xda => {
                    let length = length_of_scans(jpeg.get(at..)?)?;
                    bytes.extend_from_slice(jpeg.get(at..at + length)?);
                    break;
                }
                _other => bytes.extend_from_slice(segment),
            }
            at = end;
        }
        let ((width, height), parts) = frame?;
        let is_grey = match parts {
            1 => true,
            3 => false,
            _print => return None,
        };
        (width > 0 && height > 0).then_some(Self {
            bytes,
            size: (width, height),
            is_grey,
            orientation: if (1..=8).contains(&orientation) { orientation } else { 1 },
        })
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Its picture, across and down, once it stands upright.
    fn upright(&self) -> (f64, f64) {
        let (width, height) = (f64::from(self.size.0), f64::from(self.size.1));
        if self.orientation >= 5 {
            (height, width)
        } else {
            (width, height)
        }
    }

    /// The page, across and down, and how its picture is placed there (PDF 32000-1, 8.3.4).
    fn placed(&self) -> ((f64, f64), [f64; 6]) {
        let (width, height) = self.upright();
        let page = if width > height { (LONG, SHORT) } else { (SHORT, LONG) };
        let scale = ((page.0 - 2.0 * EDGE) / width).min((page.1 - 2.0 * EDGE) / height);
        let (w, h) = (width * scale, height * scale);
        let (x, y) = ((page.0 - w) / 2.0, (page.1 - h) / 2.0);
        let matrix = match self.orientation {
            2 => [-w, 0.0, 0.0, h, x + w, y],
            3 => [-w, 0.0, 0.0, -h, x + w, y + h],
            4 => [w, 0.0, 0.0, -h, x, y + h],
            5 => [0.0, -h, -w, 0.0, x + w, y + h],
            6 => [0.0, -h, w, 0.0, x, y + h],
            7 => [0.0, h, w, 0.0, x, y],
            8 => [0.0, h, -w, 0.0, x + w, y],
            _upright => [w, 0.0, 0.0, h, x, y],
        };
        (page, matrix)
    }
}

/// From where the first scan begins to the end of the picture; `None` where it has none.
fn length_of_scans(rest: &[u8]) -> Option<usize> {
    let ends = |pair: &[u8]| pair == [0xff, 0xd9];
    rest.windows(2).position(ends).map(|at| at + 2)
}

/// One PDF of these pages, in their order. `None` where it could not be written, or there are none.
#[must_use]
pub fn bound(leaves: Vec<Leaf>) -> Option<Vec<u8>> {
    if leaves.is_empty() {
        return None;
    }
    let mut file = File::with_version(VERSION);
    let all = file.new_object_id();
    let mut pages: Vec<Object> = Vec::new();
    for leaf in leaves {
        pages.push(page(&mut file, leaf, all)?.into());
    }
    let count = i64::try_from(pages.len()).ok()?;
    file.objects.insert(
        all,
        Object::Dictionary(dictionary! { "Type" => "Pages", "Kids" => pages, "Count" => count }),
    );
    let catalog = file.add_object(dictionary! { "Type" => "Catalog", "Pages" => all });
    file.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).ok()?;
    Some(bytes)
}

fn page(file: &mut File, leaf: Leaf, all: ObjectId) -> Option<ObjectId> {
    let ((across, down), matrix) = leaf.placed();
    let picture: Dictionary = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Image",
        "Width" => i64::from(leaf.size.0),
        "Height" => i64::from(leaf.size.1),
        "ColorSpace" => if leaf.is_grey { "DeviceGray" } else { "DeviceRGB" },
        "BitsPerComponent" => 8,
        "Filter" => "DCTDecode",
    };
    let picture = file.add_object(Stream::new(picture, leaf.bytes).with_compression(false));
    let content = Content {
        operations: vec![
            Operation::new("q", Vec::new()),
            Operation::new("cm", matrix.iter().map(|number| number_of(*number)).collect()),
            Operation::new("Do", vec!["P".into()]),
            Operation::new("Q", Vec::new()),
        ],
    };
    let content = file.add_object(Stream::new(dictionary! {}, content.encode().ok()?));
    Some(file.add_object(dictionary! {
        "Type" => "Page",
        "Parent" => all,
        "MediaBox" => vec![0.into(), 0.into(), number_of(across), number_of(down)],
        "Resources" => dictionary! { "XObject" => dictionary! { "P" => picture } },
        "Contents" => content,
    }))
}

fn number_of(number: f64) -> Object {
    Object::Real(number as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Segments of a JPEG file of 400 by 300 pixels; its scan is none.
    fn jpeg(parts: u8, between: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0xff, 0xd8];
        bytes.extend_from_slice(between);
        bytes.extend([0xff, 0xc0, 0, 8 + 3, 8, 1, 44, 1, 144, parts, 1, 2, 3]);
        bytes.extend([0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]);
        bytes
    }

    #[test]
    fn what_a_camera_wrote_stays_out_and_what_follows_too() {
        let gps = [0xff, 0xe1, 0, 6, b'G', b'P', b'S', b'!'];
        let mut with = jpeg(3, &gps);
        with.extend(b"a film behind it");
        let leaf = Leaf::of_jpeg(&with, 6).unwrap();
        assert_eq!(leaf.bytes, jpeg(3, &[]));
        assert_eq!((leaf.size, leaf.is_grey), ((400, 300), false));
        let adobe = [0xff, 0xee, 0, 3, 1];
        assert_eq!(Leaf::of_jpeg(&jpeg(1, &adobe), 1).unwrap().bytes, jpeg(1, &adobe));
    }

    #[test]
    fn what_cannot_go_in_as_it_is_is_told() {
        let whole = jpeg(3, &[]);
        for length in 0..whole.len() {
            assert_eq!(Leaf::of_jpeg(&whole[..length], 1), None, "{length}");
        }
        assert_eq!(Leaf::of_jpeg(&jpeg(4, &[]), 1), None);
        assert_eq!(Leaf::of_jpeg(&jpeg(3, &[0xff, 0xe1, 0, 1]), 1), None);
        assert_eq!(Leaf::of_jpeg(b"\x89PNG\r\n", 1), None);
        assert_eq!(bound(Vec::new()), None);
    }

    /// Where the corner of the picture that is stored first stands once it is upright, from EXIF 2.32, 4.6.4: at the
    /// left or right, and at the top or bottom.
    #[test]
    fn every_orientation_stands_upright() {
        let corners = [
            (1, (false, true)),
            (2, (true, true)),
            (3, (true, false)),
            (4, (false, false)),
            (5, (false, true)),
            (6, (true, true)),
            (7, (true, false)),
            (8, (false, false)),
        ];
        for (orientation, (is_right, is_top)) in corners {
            let leaf = Leaf::of_jpeg(&jpeg(3, &[]), orientation).unwrap();
            let ((across, down), [a, b, c, d, e, f]) = leaf.placed();
            assert_eq!(across > down, orientation < 5, "{orientation}");
            // The first pixel is at the left and at the top of the unit square.
            let (x, y) = (c + e, d + f);
            assert_eq!((x > across / 2.0, y > down / 2.0), (is_right, is_top), "{orientation}");
            // The end of the first line: across for the first four, down or up for the others.
            let moves_down = b.abs() > a.abs();
            assert_eq!(moves_down, orientation >= 5, "{orientation}");
        }
    }

    #[test]
    fn pages_come_in_their_order_and_are_read_again() {
        let leaf = |parts| Leaf::of_jpeg(&jpeg(parts, &[]), 1).unwrap();
        let bytes = bound(vec![leaf(3), leaf(1), leaf(3)]).unwrap();
        let file = File::load_mem(&bytes).unwrap();
        let pages = file.get_pages();
        assert_eq!(pages.keys().copied().collect::<Vec<_>>(), [1, 2, 3]);
        let scans = crate::scans(&bytes, None, &|_| true, 10).unwrap();
        assert_eq!(scans.iter().map(|scan| scan.page).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(scans[0].picture, jpeg(3, &[]));
        assert_eq!(scans[1].picture, jpeg(1, &[]));
    }
}
