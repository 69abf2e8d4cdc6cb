//! A real Tesseract, started by the executor in its sandbox: a photo of a letter and a scanned page are read, and
//! questions are answered from them. The letter is the one of `scripts/ocr_errors.py`.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

const LETTER: &[u8] = include_bytes!("letter.jpg");
/// Dots of the letter, across and down.
const SIZE: (usize, usize) = (1654, 720);

/// A page that is nothing but the letter, as a scanner makes it (ISO 32000-1, 7.4.8 and 8.9).
fn scanned() -> Vec<u8> {
    let (width, height) = SIZE;
    let content = format!("{width} 0 0 {height} 0 0 cm /P Do");
    let parts = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width} {height}]/Contents 4 0 R/Resources<</XObject<</P 5 0 R>>>>>>"
        ),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
    ];
    let mut pdf = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        places.push(pdf.len());
        pdf.extend(format!("{} 0 obj{part}endobj\n", at + 1).bytes());
    }
    places.push(pdf.len());
    let picture = format!(
        "5 0 obj<</Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceGray/BitsPerComponent 8\
         /Filter/DCTDecode/Length {}>>stream\n",
        LETTER.len()
    );
    pdf.extend(picture.bytes());
    pdf.extend(LETTER);
    pdf.extend(b"\nendstream endobj\n");
    let table = pdf.len();
    pdf.extend(b"xref\n0 6\n0000000000 65535 f \n");
    for place in places {
        pdf.extend(format!("{place:010} 00000 n \n").bytes());
    }
    pdf.extend(format!("trailer<</Size 6/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n").bytes());
    pdf
}

/// What is answered to these lines in a home with this file.
fn chat(file: &str, bytes: &[u8], lines: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join(file), bytes).unwrap();
    talk(&home, &folder.path().join("data"), lines)
}

fn talk(home: &Path, data: &Path, lines: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_metnos"))
        .arg("chat")
        .env_clear()
        .env("HOME", home)
        .env("METNOS_DATA_DIR", data)
        .env("LANG", "it_IT.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_photo_of_a_letter_is_read() {
    let said = chat("lettera.jpg", LETTER, "leggi lettera.jpg\n");
    assert!(said.contains("Gentile signora Rossi"), "{said}");
    assert!(
        said.contains("792,48 euro") && said.contains("qualche lettera"),
        "{said}"
    );
}

#[test]
fn a_scanned_page_answers_a_question() {
    let question = "leggi affitto.pdf\nqual è il preavviso per la disdetta dell'affitto?\n";
    let said = chat("affitto.pdf", &scanned(), question);
    assert_eq!(said.matches("sei mesi").count(), 2, "{said}");
    assert!(said.contains("— ~/affitto.pdf"), "{said}");
}

#[test]
fn a_picture_without_words_says_so() {
    // Nothing but white, 400 by 400 (Netpbm's own format would be told by its name).
    let mut white = b"BM".to_vec();
    let (head, points) = (54_u32, 400_u32 * 400 * 3);
    for number in [head + points, 0, head, 40, 400, 400] {
        white.extend(number.to_le_bytes());
    }
    white.extend([1, 0, 24, 0]);
    white.extend([0; 24]);
    white.extend(vec![255; usize::try_from(points).unwrap()]);
    let said = chat("bianca.bmp", &white, "leggi bianca.bmp\n");
    assert!(said.contains("non ci sono parole"), "{said}");
}
