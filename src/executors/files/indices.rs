//! `get_images_indices`: what pictures and videos tell of themselves: when, where, with what, how large, and, where it
//! is asked for, what they look like, as a number or small. What stands in one is `metnos_photos`' to read; here files
//! are opened within bounds.

use std::{
    fs::File,
    io::{BufReader, Read, Seek},
    path::Path,
    sync::OnceLock,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::tz::TimeZone;
use metnos_photos::Towns;
use serde_json::{Map, Value, json};

use super::{
    super::{
        Call,
        batch::{Batch, Failure},
        object, paths,
    },
    read::targets,
};
use crate::domain::{
    failure::ToolError,
    limits::{PHOTO_SHOWN_PIXELS, PICTURE_BYTES_MAX},
    run::ToolResult,
};

/// In names that phones give to pictures of their screen.
const SCREENS: [&str; 4] = ["screenshot", "screen shot", "schermata", "screen_"];

/// Endings of pictures whose own head says how they are turned.
const UPRIGHT: [&str; 3] = ["heic", "heif", "avif"];

/// What is told of a picture that has to be decoded for it.
#[derive(Clone, Copy)]
struct Also {
    /// What it looks like, as a number.
    likeness: bool,
    /// A small JPEG of it, as text (base64).
    small: bool,
}

/// What these pictures tell.
pub(in crate::executors) fn get_images_indices(call: &Call) -> Result<ToolResult, ToolError> {
    let (targets, available) = targets(call)?;
    let also = Also {
        likeness: call.flag("likeness", false)?,
        small: call.flag("small", false)?,
    };
    let towns = OnceLock::new();
    let mut batch = Batch::default();
    for target in targets {
        let told = target.and_then(|path| {
            let file = File::open(&path).map_err(|error| Failure::io(&path, &error))?;
            Ok(entry(&path, &file, call.context.now.time_zone(), &towns, also))
        });
        batch.push(told);
    }
    let mut others = object(json!({"available_total": available}));
    others.insert("used".to_owned(), json!(batch.done.len()));
    Ok(batch.finish("entries", others))
}

fn entry(path: &Path, file: &File, zone: &TimeZone, towns: &OnceLock<Towns>, also: Also) -> Value {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ending = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    let mut told = Map::new();
    let mut put = |name: &str, value: Value| drop(told.insert(name.to_owned(), value));
    put("path", json!(paths::show(path)));
    let mut place = None;
    let mut taken = None;
    let mut sort = "photo";
    if metnos_photos::VIDEO_ENDINGS.contains(&ending.as_str()) {
        sort = "video";
        if let Some(video) = metnos_photos::video(file) {
            (taken, place) = (video.taken, video.place);
            put("seconds", json!(video.seconds.map(f64::round)));
        }
    } else {
        let photo = metnos_photos::read(BufReader::new(file)).unwrap_or_default();
        (taken, place) = (photo.moment(zone), photo.place);
        let camera: Vec<String> = photo.make.into_iter().chain(photo.model).collect();
        if !camera.is_empty() {
            put("camera", json!(camera.join(" ")));
        } else if SCREENS.iter().any(|word| name.to_lowercase().contains(word)) {
            sort = "screenshot";
        }
        let size = again(file).and_then(|file| metnos_photos::size(BufReader::new(file)));
        if let Some((width, height)) = size {
            // What HEIC says of its size is upright already.
            let is_upright = UPRIGHT.contains(&ending.as_str());
            let is_turned = !is_upright && photo.orientation.is_some_and(|up| up >= 5);
            let (width, height) = if is_turned { (height, width) } else { (width, height) };
            put("width", json!(width));
            put("height", json!(height));
        }
        if also.likeness {
            let bits = whole(file).and_then(|bytes| metnos_photos::likeness(&bytes));
            put("likeness", json!(bits.map(|bits| format!("{bits:016x}"))));
        }
        if also.small {
            let jpeg = whole(file).and_then(|bytes| metnos_photos::shown(&bytes, PHOTO_SHOWN_PIXELS));
            put("small", json!(jpeg.map(|jpeg| STANDARD.encode(jpeg))));
        }
    }
    let named = || {
        let day = metnos_photos::day_in_name(&name)?;
        Some(day.to_zoned(zone.clone()).ok()?.timestamp())
    };
    put("taken", json!(taken.or_else(named).map(|at| at.to_string())));
    put("sort", json!(sort));
    if let Some(place) = place {
        put("latitude", json!(place.latitude));
        put("longitude", json!(place.longitude));
        told.extend(object(json!(towns.get_or_init(Towns::load).near(place))));
    }
    Value::Object(told)
}

/// The file from its beginning.
fn again(mut file: &File) -> Option<&File> {
    file.rewind().ok()?;
    Some(file)
}

/// All of a picture, if it is not too large to be decoded here.
fn whole(file: &File) -> Option<Vec<u8>> {
    let size = file.metadata().ok()?.len();
    if size > PICTURE_BYTES_MAX {
        return None;
    }
    let mut bytes = Vec::new();
    again(file)?.take(size).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
