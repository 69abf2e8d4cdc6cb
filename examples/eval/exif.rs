//! `exif`: what cameras wrote into pictures, through the reading that `find_files` uses. The files lie unpacked beside
//! the cases.

use std::{fs::File, io::BufReader, path::Path};

use metnos_photos::Photo;
use serde_json::{Map, Value, json};

pub(crate) fn predictor(cases: &Path) -> crate::Predictor {
    let folder = cases.parent().unwrap_or(Path::new(".")).join("exif");
    Box::new(move |case| {
        let file = case["file"].as_str().unwrap_or_default();
        let photo = File::open(folder.join(file))
            .ok()
            .and_then(|file| metnos_photos::read(BufReader::new(file)));
        let photo = photo.unwrap_or_default();
        said(&photo)
    })
}

fn said(photo: &Photo) -> Map<String, Value> {
    let offset = photo.offset.map(|offset| {
        let minutes = offset.seconds() / 60;
        let sign = if minutes < 0 { '-' } else { '+' };
        format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
    });
    Map::from_iter([
        ("date".to_owned(), json!(photo.taken.map(|taken| taken.to_string()))),
        ("offset".to_owned(), json!(offset)),
        ("orientation".to_owned(), json!(photo.orientation)),
        ("lat".to_owned(), json!(photo.place.map(|place| place.latitude))),
        ("lon".to_owned(), json!(photo.place.map(|place| place.longitude))),
        ("make".to_owned(), json!(photo.make)),
        ("model".to_owned(), json!(photo.model)),
    ])
}
