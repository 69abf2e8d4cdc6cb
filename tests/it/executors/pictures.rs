//! Pictures in another format, smaller, or turned: a new file beside the old one, upright and with what the camera
//! wrote, nothing replaced; what is no picture, or would take all memory, is said to be that.

use std::fs;

use serde_json::json;

use super::Bench;

/// A PPM-made picture: left half red, right half blue.
fn png(width: u32, height: u32) -> Vec<u8> {
    let pixel = |x: u32| {
        if x < width / 2 { [255, 0, 0] } else { [0, 0, 255] }
    };
    let mut raw = Vec::new();
    for _row in 0..height {
        raw.push(0);
        raw.extend((0..width).flat_map(pixel));
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], data: &[u8]| {
        let mut body = kind.to_vec();
        body.extend_from_slice(data);
        png.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        png.extend(&body);
        png.extend(crc(&body).to_be_bytes());
    };
    let mut head = Vec::new();
    head.extend(width.to_be_bytes());
    head.extend(height.to_be_bytes());
    head.extend([8, 2, 0, 0, 0]);
    chunk(b"IHDR", &head);
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &raw).unwrap();
    chunk(b"IDAT", &packed.finish().unwrap());
    chunk(b"IEND", b"");
    png
}

/// PNG's checksum.
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn code(result: &metnos::domain::run::ToolResult) -> &str {
    result.error.as_ref().map_or("", |error| error.message.key.as_str())
}

#[tokio::test]
async fn a_picture_is_made_anew_beside_the_old_one() {
    let bench = Bench::new();
    bench.put("photos/rome.png", png(40, 20));
    let one = |args: serde_json::Value| {
        let mut all = json!({"paths": ["~/photos/rome.png"]});
        all.as_object_mut().unwrap().extend(args.as_object().unwrap().clone());
        bench.run("change_files_format", all)
    };
    let jpeg = one(json!({"to_format": "jpg"})).await;
    assert_eq!(
        (&jpeg.body["width"], &jpeg.body["height"]),
        (&json!(40), &json!(20)),
        "{jpeg:?}"
    );
    let bytes = fs::read(bench.home().join("photos/rome.jpg")).unwrap();
    assert!(bytes.starts_with(b"\xff\xd8"));
    let small = one(json!({"longest": 10})).await;
    assert_eq!(
        (&small.body["width"], &small.body["height"]),
        (&json!(10), &json!(5)),
        "{small:?}"
    );
    assert!(
        small.body["path"].as_str().unwrap().ends_with("rome 2.png"),
        "{small:?}"
    );
    let turned = one(json!({"turn": "right"})).await;
    assert_eq!(
        (&turned.body["width"], &turned.body["height"]),
        (&json!(20), &json!(40)),
        "{turned:?}"
    );
    // A small one stays as large as it is.
    let same = one(json!({"smaller": true})).await;
    assert_eq!(same.body["width"], 40, "{same:?}");
    assert_eq!(fs::read(bench.home().join("photos/rome.png")).unwrap(), png(40, 20));
    bench.undo(&jpeg).await;
    assert!(!bench.home().join("photos/rome.jpg").exists());
}

#[tokio::test]
async fn what_is_no_picture_or_takes_too_much_is_said_to_be_that() {
    let bench = Bench::new();
    bench.put("letter.txt", "Dear all");
    let mut cut = png(40, 20);
    cut.truncate(60);
    bench.put("cut.png", &cut);
    // A megabyte that says it is a picture of ten thousand megapixels.
    let mut bomb = png(40, 20);
    bomb[16..24].copy_from_slice(&[0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0]);
    let head = crc(&bomb[12..29]);
    bomb[29..33].copy_from_slice(&head.to_be_bytes());
    bench.put("bomb.png", &bomb);
    for (name, key) in [
        ("letter.txt", "executors-picture-unknown"),
        ("cut.png", "executors-picture-broken"),
        ("bomb.png", "executors-picture-too-large"),
    ] {
        let path = format!("~/{name}");
        let result = bench
            .run("change_files_format", json!({"paths": [path], "to_format": "jpg"}))
            .await;
        assert_eq!(code(&result), key, "{name}: {result:?}");
    }
    let nothing = bench.run("change_files_format", json!({"paths": ["~/cut.png"]})).await;
    assert_eq!(code(&nothing), "executors-picture-how", "{nothing:?}");
}

/// A JPEG of this size with a mark of which way up it is, as a camera writes it.
async fn jpeg(bench: &Bench, name: &str, (width, height): (u32, u32), orientation: u8) {
    bench.put("from.png", png(width, height));
    let made = bench
        .run(
            "change_files_format",
            json!({"paths": ["~/from.png"], "to_format": "jpg"}),
        )
        .await;
    let plain = fs::read(made.body["path"].as_str().unwrap()).unwrap();
    let mut exif = b"\xff\xe1\x00\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0]);
    let bytes = [&plain[..2], &exif[..], &plain[2..]].concat();
    fs::remove_file(made.body["path"].as_str().unwrap()).unwrap();
    fs::remove_file(bench.home().join("from.png")).unwrap();
    bench.put(name, bytes);
}

#[tokio::test]
async fn pictures_become_the_pages_of_one_pdf() {
    let bench = Bench::new();
    jpeg(&bench, "scans/1.jpg", (400, 320), 6).await;
    jpeg(&bench, "scans/2.jpg", (640, 400), 1).await;
    bench.put("scans/3.png", png(320, 480));
    let scan = |name: &str| fs::read(bench.home().join("scans").join(name)).unwrap();
    let args = json!({"paths": ["~/scans/2.jpg", "~/scans/1.jpg", "~/scans/3.png"], "new_name": "letter"});
    let made = bench.run("change_images_pdf", args).await;
    assert_eq!(made.body["pages"], 3, "{made:?}");
    let pdf = fs::read(bench.home().join("scans/letter.pdf")).unwrap();
    let scans = metnos_documents::scans(&pdf, None, &|_| true, 9).unwrap();
    let sizes: Vec<_> = scans
        .iter()
        .map(|scan| metnos_photos::size(std::io::Cursor::new(&scan.picture)))
        .collect();
    assert_eq!(sizes, [Some((640, 400)), Some((400, 320)), Some((320, 480))]);
    // As they are, without what the camera wrote.
    let is_inside = |needle: &[u8]| pdf.windows(needle.len()).any(|part| part == needle);
    assert!(is_inside(&scan("2.jpg")[200..]) && !is_inside(b"Exif"));
    bench.undo(&made).await;
    assert!(!bench.home().join("scans/letter.pdf").exists() && bench.home().join("scans/1.jpg").exists());
}

#[tokio::test]
async fn what_is_no_picture_leaves_no_pdf() {
    let bench = Bench::new();
    bench.put("a.png", png(40, 20));
    bench.put("letter.txt", "Dear all");
    bench.put("cut.jpg", b"\xff\xd8\xff\xc0");
    let many: Vec<String> = (0..101).map(|at| format!("~/{at}.png")).collect();
    for (paths, key) in [
        (json!(["~/a.png", "~/letter.txt"]), "executors-picture-unknown"),
        (json!(["~/a.png", "~/cut.jpg"]), "executors-picture-broken"),
        (json!(many), "executors-pdf-too-large"),
    ] {
        let refused = bench.run("change_images_pdf", json!({"paths": paths})).await;
        assert_eq!(code(&refused), key, "{refused:?}");
    }
    assert!(!bench.home().join("a.pdf").exists());
}
