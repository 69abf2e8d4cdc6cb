//! When a picture was taken, which is what people mean by the date of one: the file is younger wherever it was copied.
//! Called by `find`.

use std::{
    fs::File,
    io::BufReader,
    path::{Component, Path},
};

use jiff::{Timestamp, tz::TimeZone};

/// Endings of pictures that tell nothing of themselves.
const SILENT: [&str; 3] = ["gif", "bmp", "svg"];

/// Whether a pattern such as `*.{jpg,png}` is for pictures and nothing else.
pub(super) fn are_pictures(pattern: &str) -> bool {
    let Some(endings) = pattern.rsplit_once("*.").map(|(_, endings)| endings) else {
        return false;
    };
    let endings = endings
        .trim_start_matches('{')
        .trim_end_matches('}')
        .to_ascii_lowercase();
    let mut all = endings.split(',').map(str::trim).peekable();
    let tells = |ending: &str| metnos_photos::ENDINGS.contains(&ending);
    endings.split(',').any(|ending| tells(ending.trim())) && all.all(|ending| tells(ending) || SILENT.contains(&ending))
}

/// By what the camera wrote into it, else by the day in its name; `None` where neither tells.
pub(super) fn taken(path: &Path, zone: &TimeZone) -> Option<Timestamp> {
    let photo = File::open(path)
        .ok()
        .and_then(|file| metnos_photos::read(BufReader::new(file)));
    if let Some(moment) = photo.and_then(|photo| photo.moment(zone)) {
        return Some(moment);
    }
    let Some(Component::Normal(name)) = path.components().next_back() else {
        return None;
    };
    let named = metnos_photos::day_in_name(&name.to_string_lossy())?;
    Some(named.to_zoned(zone.clone()).ok()?.timestamp())
}
