//! Photos by where and when they were taken, and those that are nearly the same: asked in both languages, without a
//! model, of pictures made here with what a camera writes into them.

use std::fs;

use metnos::domain::lang::Lang;

use crate::support::bot::{Setup, TestBot};

/// An entry of a directory of a TIFF file.
struct Field {
    tag: u16,
    kind: u16,
    count: u32,
    bytes: Vec<u8>,
}

fn ascii(tag: u16, text: &str) -> Field {
    let bytes = [text.as_bytes(), &[0]].concat();
    Field {
        tag,
        kind: 2,
        count: u32::try_from(bytes.len()).unwrap(),
        bytes,
    }
}

fn degrees(tag: u16, value: f64) -> Field {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a latitude or a longitude"
    )]
    let millionth = (value.abs() * 1_000_000.0) as u32;
    let parts = [millionth, 1_000_000, 0, 1, 0, 1];
    Field {
        tag,
        kind: 5,
        count: 3,
        bytes: parts.iter().flat_map(|part| part.to_le_bytes()).collect(),
    }
}

fn pointer(tag: u16, to: usize) -> Field {
    Field {
        tag,
        kind: 4,
        count: 1,
        bytes: u32::try_from(to).unwrap().to_le_bytes().to_vec(),
    }
}

/// A directory that begins at this place, with its values behind it.
fn directory(at: usize, fields: &[Field]) -> Vec<u8> {
    let mut head = u16::try_from(fields.len()).unwrap().to_le_bytes().to_vec();
    let mut values = Vec::new();
    let begin = at + 2 + fields.len() * 12 + 4;
    for field in fields {
        head.extend(field.tag.to_le_bytes());
        head.extend(field.kind.to_le_bytes());
        head.extend(field.count.to_le_bytes());
        let mut bytes = field.bytes.clone();
        if bytes.len() <= 4 {
            bytes.resize(4, 0);
            head.extend(bytes);
        } else {
            head.extend(u32::try_from(begin + values.len()).unwrap().to_le_bytes());
            values.extend(bytes);
        }
    }
    head.extend([0; 4]);
    [head, values].concat()
}

/// What a camera writes: when, where, and that it was one.
pub(super) fn exif(taken: &str, (latitude, longitude): (f64, f64)) -> Vec<u8> {
    let side = |value: f64, sides: [&'static str; 2]| if value < 0.0 { sides[1] } else { sides[0] };
    let shape = |photo: usize, gps: usize| [ascii(0x0110, "Phone"), pointer(0x8769, photo), pointer(0x8825, gps)];
    let first = directory(8, &shape(0, 0)).len();
    let photo = directory(8 + first, &[ascii(0x9003, taken)]);
    let gps = 8 + first + photo.len();
    let where_it_was = [
        ascii(1, side(latitude, ["N", "S"])),
        degrees(2, latitude),
        ascii(3, side(longitude, ["E", "W"])),
        degrees(4, longitude),
    ];
    [
        b"II*\0\x08\0\0\0".to_vec(),
        directory(8, &shape(8 + first, gps)),
        photo,
        directory(gps, &where_it_was),
    ]
    .concat()
}

/// A picture whose brightness goes by this rule, with what the camera wrote.
pub(super) fn png((width, height): (u32, u32), shade: impl Fn(u32, u32) -> u8, exif: Option<Vec<u8>>) -> Vec<u8> {
    let mut raw = Vec::new();
    for y in 0..height {
        raw.push(0);
        raw.extend((0..width).map(|x| shade(x, y)));
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], data: &[u8]| {
        let body = [kind.as_slice(), data].concat();
        let mut crc = flate2::Crc::new();
        crc.update(&body);
        png.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        png.extend(&body);
        png.extend(crc.sum().to_be_bytes());
    };
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    chunk(b"IHDR", &head);
    if let Some(exif) = exif {
        chunk(b"eXIf", &exif);
    }
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &raw).unwrap();
    chunk(b"IDAT", &packed.finish().unwrap());
    chunk(b"IEND", b"");
    png
}

pub(super) const ROME: (f64, f64) = (41.8902, 12.4922);
const FLORENCE: (f64, f64) = (43.7731, 11.2560);
const PARIS: (f64, f64) = (48.8584, 2.2945);

async fn house(lang: Lang) -> TestBot {
    let bot = TestBot::with(Setup {
        lang,
        ..Setup::default()
    })
    .await;
    let put = |name: &str, bytes: Vec<u8>| {
        let path = bot.home().join("photos").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let slope = |x: u32, y: u32| u8::try_from((x * 2 + y) % 256).unwrap();
    let stripes = |x: u32, _y: u32| if (x / 8).is_multiple_of(2) { 0 } else { 255 };
    put(
        "colosseo.png",
        png((64, 48), slope, Some(exif("2019:08:14 18:30:05", ROME))),
    );
    put(
        "trevi.png",
        png((64, 48), stripes, Some(exif("2021:05:01 10:00:00", ROME))),
    );
    put(
        "duomo.png",
        png(
            (48, 48),
            |_, y| u8::try_from(y * 5).unwrap(),
            Some(exif("2019:08:16 11:00:00", FLORENCE)),
        ),
    );
    put(
        "eiffel.png",
        png(
            (48, 64),
            |x, y| u8::try_from(x * y % 251).unwrap(),
            Some(exif("2022:10:02 21:00:00", PARIS)),
        ),
    );
    // The same picture, sent around: smaller, and nothing of the camera left.
    put(
        "IMG-20190815-WA0001.png",
        png((32, 24), |x, y| slope(x * 2, y * 2), None),
    );
    bot
}

#[tokio::test]
async fn photos_are_found_by_where_and_when_they_were_taken() {
    let mut bot = house(Lang::EN).await;
    // The first question looks at them: which places there are is known from then on.
    bot.says("which photos are nearly the same?").await;
    let said = bot.says("photos from Rome").await;
    assert!(
        said.contains("colosseo") && said.contains("trevi") && !said.contains("duomo"),
        "{said}"
    );
    let said = bot.says("show me the photos from Rome in 2019").await;
    assert!(said.contains("colosseo") && !said.contains("trevi"), "{said}");
    let said = bot.says("find the pictures taken in Tuscany").await;
    assert!(said.contains("duomo") && !said.contains("colosseo"), "{said}");
    let said = bot.says("photos from France").await;
    assert!(
        said.contains("eiffel") && said.contains("Paris") && !said.contains("duomo"),
        "{said}"
    );
    let said = bot.says("how many photos do I have from Rome?").await;
    assert!(said.contains("You have 2"), "{said}");
    // Nobody was there: no photo of another place is shown for it.
    let said = bot.says("photos from Berlin").await;
    assert!(!said.contains("colosseo") && !said.contains("eiffel"), "{said}");
}

#[tokio::test]
async fn le_foto_si_trovano_per_luogo() {
    let mut bot = house(Lang::IT).await;
    bot.says("quali foto sono quasi uguali?").await;
    let said = bot.says("foto di Roma").await;
    assert!(
        said.contains("colosseo") && said.contains("trevi") && !said.contains("duomo"),
        "{said}"
    );
    let said = bot.says("le foto di Firenze").await;
    assert!(said.contains("duomo") && !said.contains("trevi"), "{said}");
    let said = bot.says("mostrami le foto scattate a Parigi").await;
    assert!(said.contains("eiffel"), "{said}");
    let said = bot.says("quante foto di Roma ho?").await;
    assert!(said.contains("Ne hai 2"), "{said}");
}

#[tokio::test]
async fn what_is_nearly_the_same_is_shown_beside_what_would_stay() {
    let mut bot = house(Lang::EN).await;
    let said = bot.says("which photos are nearly the same?").await;
    assert!(
        said.contains("WA0001") && said.contains("nearly the same as ~/photos/colosseo.png"),
        "{said}"
    );
    assert!(!said.contains("trevi") && !said.contains("duomo"), "{said}");
    fs::remove_file(bot.home().join("photos/IMG-20190815-WA0001.png")).unwrap();
    let said = bot.says("which photos are nearly the same?").await;
    assert!(!said.contains("WA0001"), "{said}");
}

#[tokio::test]
async fn a_home_without_photos_says_so() {
    let mut bot = TestBot::new().await;
    let said = bot.says("which photos are nearly the same?").await;
    assert!(said.contains("no photos here yet"), "{said}");
}
