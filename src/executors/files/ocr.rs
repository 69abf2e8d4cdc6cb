//! Words in pictures, for `read_files`: photos of letters, scans. Tesseract reads them where it is installed; it is the
//! one program that the sandbox of that executor lets it start. What comes of it is a reading and may be wrong in some
//! letters, which the answer says.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Where the program may be.
const PROGRAMS: [&str; 3] = [
    "/usr/bin/tesseract",
    "/usr/local/bin/tesseract",
    "/run/current-system/sw/bin/tesseract",
];
/// Where what it has learned may be.
const LEARNED: [&str; 4] = [
    "/usr/share/tesseract-ocr",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/run/current-system/sw/share/tessdata",
];
/// What it and its libraries are loaded from.
const LIBRARIES: [&str; 7] = [
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/nix/store",
];
/// What the kernel loads a program with.
const LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];
/// Languages it is asked to read, in this order, as far as they are there.
const LANGUAGES: [&str; 2] = ["ita", "eng"];
/// What tells which way up a page is.
const UPRIGHT: &str = "osd";
/// Words of a line up to which what stands beside it belongs to it: longer ones are columns of a newspaper.
const SHORT_WORDS: usize = 5;
/// Black and white are told apart piece by piece (Sauvola): with one threshold for all, of a page with a shadow on it
/// more than half of the letters are wrong (`scripts/ocr_errors.py`).
const EVEN_LIGHT: &str = "thresholding_method=2";
/// Kinds of pictures it opens.
const PICTURES: [&str; 6] = ["png", "jpg", "gif", "tiff", "bmp", "webp"];

/// Why a picture gives no words.
#[derive(Debug)]
pub(super) enum OcrError {
    /// The program is not there, or none of the languages.
    Missing,
    /// It could not be started, or not make anything of the picture.
    Failed(String),
}

/// The program, if it is installed.
pub(crate) fn program() -> Option<PathBuf> {
    PROGRAMS.iter().map(PathBuf::from).find(|path| path.is_file())
}

/// The languages that it reads here.
pub(crate) fn languages() -> Vec<&'static str> {
    let is_there = |language: &&&str| has_learned(language);
    LANGUAGES.iter().filter(is_there).copied().collect()
}

/// Files that may be run for it: itself, and what loads it.
pub(in crate::executors) fn runs() -> Vec<PathBuf> {
    let loaders = LOADERS.iter().map(PathBuf::from).filter(|path| path.exists());
    program().into_iter().chain(loaders).collect()
}

/// Folders and files that it reads.
pub(in crate::executors) fn reads() -> Vec<PathBuf> {
    let all = LIBRARIES.iter().chain(&LEARNED).map(PathBuf::from);
    all.filter(|path| path.exists()).collect()
}

/// Whether a kind of file, as people name it, is a picture that may hold words.
pub(super) fn is_picture(kind: &str) -> bool {
    PICTURES.contains(&kind)
}

/// The words in a picture, line by line; empty where there are none.
pub(super) fn words(picture: &[u8]) -> Result<String, OcrError> {
    let program = program().ok_or(OcrError::Missing)?;
    let languages = languages();
    if languages.is_empty() {
        return Err(OcrError::Missing);
    }
    let failed = |error: io::Error| OcrError::Failed(error.to_string());
    // 1 finds out which way up the page is, 3 takes it as it lies.
    let layout = if has_learned(UPRIGHT) { "1" } else { "3" };
    let mut child = Command::new(program)
        .args([
            "stdin",
            "stdout",
            "-l",
            &languages.join("+"),
            "--psm",
            layout,
            "-c",
            EVEN_LIGHT,
            "tsv",
        ])
        .env_clear()
        // Its threads only wait for each other on pages of this size.
        .env("OMP_THREAD_LIMIT", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take()
        && let Err(error) = stdin.write_all(picture)
    {
        // It closes its input where it can make nothing of it, and says so by how it ends.
        if error.kind() != io::ErrorKind::BrokenPipe {
            return Err(failed(error));
        }
    }
    let output = child.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        return Err(OcrError::Failed(output.status.to_string()));
    }
    Ok(laid_out(&words_of(&String::from_utf8_lossy(&output.stdout))))
}

/// One word, and where it stands in the picture.
struct Word<'a> {
    /// The block, the paragraph and the line it was read in.
    line: (u32, u32, u32),
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
    text: &'a str,
}

/// Words of Tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, sureness, text.
fn words_of(table: &str) -> Vec<Word<'_>> {
    // The first line names the columns, and says no number.
    table.lines().filter_map(word_of).collect()
}

fn word_of(row: &str) -> Option<Word<'_>> {
    let cells: Vec<&str> = row.split('\t').collect();
    let text = cells.get(11).map(|text| text.trim()).filter(|text| !text.is_empty())?;
    let number = |at: usize| cells.get(at).and_then(|cell| cell.parse::<u32>().ok());
    let (left, top) = (number(6)?, number(7)?);
    Some(Word {
        line: (number(2)?, number(3)?, number(4)?),
        left,
        top,
        right: left + number(8)?,
        bottom: top + number(9)?,
        text,
    })
}

/// Words in lines: as they were read, but with what stands side by side in short lines put into one, so that a name and
/// its amount are not torn apart. A tab stands where a gap is wide.
fn laid_out(words: &[Word<'_>]) -> String {
    let mut lines: Vec<Vec<&Word<'_>>> = Vec::new();
    for word in words {
        match lines
            .last_mut()
            .filter(|line| line.first().is_some_and(|first| first.line == word.line))
        {
            Some(line) => line.push(word),
            None => lines.push(vec![word]),
        }
    }
    let mut rows: Vec<Vec<&Word<'_>>> = Vec::new();
    let is_short = |line: &[&Word<'_>]| line.len() <= SHORT_WORDS;
    for line in lines {
        let takes = |row: &&mut Vec<&Word<'_>>| {
            let mut parts = row.chunk_by(|one, next| one.line == next.line);
            is_short(&line) && parts.all(is_short) && are_beside(row, &line)
        };
        match rows.iter_mut().find(takes) {
            Some(row) => row.extend(line),
            None => rows.push(line),
        }
    }
    // What was joined may have stood further up or down.
    let is_table = rows.iter().any(|row| {
        row.iter()
            .any(|word| row.first().is_some_and(|first| first.line != word.line))
    });
    if is_table {
        rows.sort_by_key(|row| row.iter().map(|word| word.top).min());
    }
    let mut text = String::new();
    let mut below = None;
    for mut row in rows {
        row.sort_by_key(|word| word.left);
        let height = row.iter().map(|word| word.bottom - word.top).max().unwrap_or_default();
        let top = row.iter().map(|word| word.top).min().unwrap_or_default();
        if below.is_some_and(|bottom: u32| top > bottom + height) {
            text.push('\n');
        }
        below = row.iter().map(|word| word.bottom).max();
        let mut right = None;
        for word in row {
            if let Some(right) = right {
                text.push(if word.left > right + 2 * height { '\t' } else { ' ' });
            }
            text.push_str(word.text);
            right = Some(word.right);
        }
        text.push('\n');
    }
    text.trim().to_owned()
}

/// Whether two lines stand side by side: at one height, and one behind the other.
fn are_beside(row: &[&Word<'_>], line: &[&Word<'_>]) -> bool {
    let edges = |words: &[&Word<'_>]| {
        let left = words.iter().map(|word| word.left).min().unwrap_or_default();
        let right = words.iter().map(|word| word.right).max().unwrap_or_default();
        let top = words.iter().map(|word| word.top).min().unwrap_or_default();
        let bottom = words.iter().map(|word| word.bottom).max().unwrap_or_default();
        (left, right, top, bottom)
    };
    let (left, right, top, bottom) = edges(row);
    let (other_left, other_right, other_top, other_bottom) = edges(line);
    let common = bottom.min(other_bottom).saturating_sub(top.max(other_top));
    let height = (bottom - top).min(other_bottom.saturating_sub(other_top));
    2 * common > height && (right <= other_left || other_right <= left)
}

/// Whether what this is read by was installed.
fn has_learned(name: &str) -> bool {
    let file = format!("{name}.traineddata");
    let versions = |folder: &Path| {
        let below = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        below.map(|entry| entry.path().join("tessdata")).collect::<Vec<_>>()
    };
    LEARNED.iter().map(Path::new).any(|folder| {
        let mut folders = versions(folder);
        folders.push(folder.to_owned());
        folders.iter().any(|folder| folder.join(&file).is_file())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n";

    fn word((block, line): (u32, u32), (left, top, width): (u32, u32, u32), text: &str) -> String {
        format!("5\t1\t{block}\t1\t{line}\t1\t{left}\t{top}\t{width}\t20\t90\t{text}\n")
    }

    #[test]
    fn columns_of_a_receipt_come_together_again() {
        let table = [
            HEAD.to_owned(),
            word((1, 1), (10, 10, 80), "Bread"),
            word((1, 2), (10, 40, 80), "TOTAL"),
            word((2, 1), (400, 12, 40), "3,20"),
            word((2, 2), (400, 42, 40), "3,20"),
        ];
        assert_eq!(laid_out(&words_of(&table.concat())), "Bread\t3,20\nTOTAL\t3,20");
    }

    #[test]
    fn columns_of_a_newspaper_stay_apart() {
        let line = |block: u32, left: u32| -> String {
            let words = ["one", "two", "three", "four", "five", "six"].iter().enumerate();
            words
                .map(|(at, text)| {
                    let left = left + u32::try_from(at).unwrap() * 50;
                    word((block, 1), (left, 10, 40), text)
                })
                .collect()
        };
        let text = laid_out(&words_of(&format!("{HEAD}{}{}", line(1, 0), line(2, 600))));
        assert_eq!(text, "one two three four five six\none two three four five six");
    }
}
