//! A WebP picture whose EXIF begins as in a JPEG, with `Exif` and two zeros: the format does not want them, and phones
//! and converters write them all the same. Called by `read` where the reader of the format found nothing.

use std::io::{Read, Seek, SeekFrom};

/// What the format does not want.
const PREFIX: &[u8] = b"Exif\0\0";
/// Longest EXIF, in bytes: in a JPEG it has no more room.
const BLOCK_BYTES_MAX: u32 = 64 * 1024;

/// The EXIF of such a picture, without its beginning.
pub(crate) fn block<R: Read + Seek>(picture: &mut R) -> Option<Vec<u8>> {
    picture.seek(SeekFrom::Start(0)).ok()?;
    let mut head = [0; 12];
    picture.read_exact(&mut head).ok()?;
    if !head.starts_with(b"RIFF") || !head.ends_with(b"WEBP") {
        return None;
    }
    loop {
        let mut chunk = [0; 8];
        picture.read_exact(&mut chunk).ok()?;
        let [name @ .., a, b, c, d] = chunk;
        let length = u32::from_le_bytes([a, b, c, d]);
        if name == *b"EXIF" {
            if length > BLOCK_BYTES_MAX {
                return None;
            }
            let mut block = vec![0; usize::try_from(length).ok()?];
            picture.read_exact(&mut block).ok()?;
            return block.strip_prefix(PREFIX).map(<[u8]>::to_vec);
        }
        // Chunks begin at even places.
        picture
            .seek(SeekFrom::Current(i64::from(length) + i64::from(length % 2)))
            .ok()?;
    }
}
