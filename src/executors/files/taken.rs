//! When a picture was taken, which is what people mean by the date of one: the file is younger wherever it was copied.
//! Called by `find`.

use std::{fs::File, io::BufReader, path::Path};

use jiff::{Timestamp, tz::TimeZone};

/// Endings of pictures that tell nothing of themselves.
const SILENT: [&str; 3] = ["gif", "bmp", "svg"];

/// Whether a pattern such as `*.{jpg,png}` is for pictures and nothing else.
pub(super) fn are_pictures(pattern: &str) -> bool {
    let Some((_, endings)) = pattern.rsplit_once("*.") else {
        return false;
    };
    let endings = endings.trim_matches(['{', '}']).to_ascii_lowercase();
    let endings: Vec<&str> = endings.split(',').map(str::trim).collect();
    let tells = |ending: &&str| metnos_photos::ENDINGS.contains(ending);
    endings.iter().any(tells) && endings.iter().all(|ending| tells(ending) || SILENT.contains(ending))
}

/// By what the camera wrote into it, else by the day in its name; `None` where neither tells.
pub(super) fn taken(path: &Path, zone: &TimeZone) -> Option<Timestamp> {
    let photo = File::open(path)
        .ok()
        .and_then(|file| metnos_photos::read(BufReader::new(file)));
    if let Some(moment) = photo.and_then(|photo| photo.moment(zone)) {
        return Some(moment);
    }
    let named = metnos_photos::day_in_name(&path.file_name()?.to_string_lossy())?;
    Some(named.to_zoned(zone.clone()).ok()?.timestamp())
}
