//! What is looked at and kept of the papers and photos of a home, and how long that may take. Part of `limits`, whose
//! names it is read by.

use std::time::Duration;

/// Most documents of a home that questions are answered from.
pub const PAPERS_MAX: usize = 5_000;
/// The largest of them, in bytes.
pub const PAPER_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Letters kept of what one says, about 60 pages.
pub const PAPER_TEXT_CHARS_MAX: usize = 200_000;
/// Documents that one question is looked for in, the likeliest first.
pub const PAPERS_ASKED: usize = 8;
/// How long a turn waits for documents to be read that are new.
pub const PAPERS_WAIT: Duration = Duration::from_millis(1_500);
/// The same for a question that is about them.
pub const PAPERS_ANSWER_WAIT: Duration = Duration::from_secs(20);
/// The same for a night.
pub const PAPERS_NIGHT: Duration = Duration::from_secs(45 * 60);
/// Most pictures and videos of a home that are known by when and where they were taken.
pub const PHOTOS_MAX: usize = 100_000;
/// Pictures that are looked at by one process.
pub const PHOTOS_AT_ONCE: usize = 200;
/// The same where they are decoded, which takes long: fewer, so that the time that is given is kept.
pub const PHOTOS_DECODED_AT_ONCE: usize = 20;
/// How long a question about photos waits for new ones to be looked at.
pub const PHOTOS_ANSWER_WAIT: Duration = Duration::from_secs(20);
/// The same for a night.
pub const PHOTOS_NIGHT: Duration = Duration::from_secs(60 * 60);
/// Photos that a model writes a caption for in one night.
pub const PHOTO_CAPTIONS_A_NIGHT: usize = 200;
/// Pixels of the longer side of a photo that a model is shown.
pub const PHOTO_SHOWN_PIXELS: u32 = 768;
/// Most characters kept of a caption.
pub const PHOTO_CAPTION_CHARS_MAX: usize = 300;
/// Most captions that may fit a request, the newest photos first.
pub const PHOTO_CAPTIONS_ASKED: usize = 500;
/// Bits in which two pictures that are nearly the same may differ, of the 64 that say what one looks like.
pub const PHOTOS_ALIKE_BITS_MAX: u32 = 6;
