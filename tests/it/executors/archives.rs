//! Files into a ZIP file and out of it: what went in comes out, nothing is replaced, undo removes what was made, and an
//! archive that would leave its folder is refused as a whole.

use std::{
    fs,
    io::{Cursor, Write},
};

use serde_json::json;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::Bench;

/// An archive of these names.
fn zip(entries: &[(&str, &[u8])], links: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    for (name, target) in links {
        zip.add_symlink(*name, *target, SimpleFileOptions::default()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn code(result: &metnos::domain::run::ToolResult) -> &str {
    result.error.as_ref().map_or("", |error| error.message.key.as_str())
}

#[tokio::test]
async fn what_goes_in_comes_out() {
    let bench = Bench::new();
    bench.put("rome/a.txt", "a");
    bench.put("rome/deep/b.txt", "bb");
    bench.put("c.txt", "ccc");
    let packed = bench
        .run(
            "compress_files",
            json!({"paths": ["~/rome", "~/c.txt"], "new_name": "trip"}),
        )
        .await;
    assert_eq!(packed.body["count"], 3, "{packed:?}");
    let archive = bench.home().join("trip.zip");
    assert!(archive.is_file());
    let again = bench
        .run("compress_files", json!({"paths": ["~/c.txt"], "new_name": "trip"}))
        .await;
    assert!(
        again.body["path"].as_str().unwrap().ends_with("trip 2.zip"),
        "{again:?}"
    );
    let unpacked = bench.run("extract_files_zip", json!({"paths": ["~/trip.zip"]})).await;
    assert_eq!(unpacked.body["count"], 3, "{unpacked:?}");
    let text = |name: &str| fs::read_to_string(bench.home().join("trip").join(name)).unwrap();
    assert_eq!(
        (text("rome/a.txt"), text("rome/deep/b.txt"), text("c.txt")),
        ("a".into(), "bb".into(), "ccc".into())
    );
    bench.undo(&unpacked).await;
    assert!(!bench.home().join("trip").exists() && archive.is_file());
    bench.undo(&packed).await;
    assert!(!archive.exists() && bench.home().join("c.txt").is_file());
}

#[tokio::test]
async fn an_archive_goes_where_it_is_to_go() {
    let bench = Bench::new();
    bench.put("rome/a.txt", "a");
    for (goal, there) in [
        ("~/backup/trip.zip", "backup/trip.zip"),
        ("~/new/deep", "new/deep/rome.zip"),
    ] {
        let packed = bench
            .run("compress_files", json!({"paths": ["~/rome"], "dst": goal}))
            .await;
        assert!(bench.home().join(there).is_file(), "{packed:?}");
        bench.undo(&packed).await;
        assert!(!bench.home().join(there).exists());
    }
    assert!(!bench.home().join("new").exists(), "folders that were made go as well");
}

#[tokio::test]
async fn an_archive_that_leaves_its_folder_is_refused_as_a_whole() {
    let bench = Bench::new();
    for bytes in [
        zip(&[("good.txt", b"good"), ("../out.txt", b"out")], &[]),
        zip(&[("good.txt", b"good"), ("/etc/out.txt", b"out")], &[]),
        zip(&[("good.txt", b"good")], &[("link", "/etc")]),
    ] {
        bench.put("evil.zip", bytes.as_slice());
        let refused = bench.run("extract_files_zip", json!({"paths": ["~/evil.zip"]})).await;
        let is_inside = bench.home().join("evil/etc/out.txt").is_file();
        assert!(code(&refused) == "executors-archive-unsafe" || is_inside, "{refused:?}");
        assert!(!bench.home().join("out.txt").exists() && !bench.home().join("evil/link").exists());
        fs::remove_dir_all(bench.home().join("evil")).ok();
    }
}

#[tokio::test]
async fn what_is_damaged_or_no_archive_is_said() {
    let bench = Bench::new();
    bench.put("note.zip", "no archive");
    let mut cut = zip(&[("a.txt", &[7; 5_000])], &[]);
    cut.truncate(60);
    bench.put("cut.zip", cut.as_slice());
    for name in ["~/note.zip", "~/cut.zip"] {
        let refused = bench.run("extract_files_zip", json!({"paths": [name]})).await;
        assert_eq!(code(&refused), "executors-archive-broken", "{refused:?}");
    }
    let missing = bench.run("compress_files", json!({"paths": ["~/nothing"]})).await;
    assert!(missing.error.is_some(), "{missing:?}");
}

/// Locked by 7-Zip's way (AES) and by the old one, with the same password.
const LOCKED: [&[u8]; 2] = [
    include_bytes!("../fixtures/locked-aes.zip"),
    include_bytes!("../fixtures/locked-zipcrypto.zip"),
];

#[tokio::test]
async fn a_locked_archive_makes_nothing_before_its_password_is_right() {
    let bench = Bench::new();
    for (number, bytes) in LOCKED.iter().enumerate() {
        let name = format!("keys{number}");
        bench.put(&format!("{name}.zip"), bytes);
        let args = json!({"paths": [format!("~/{name}.zip")]});
        let shut = [
            bench.run("extract_files_zip", args.clone()).await,
            bench.opens("extract_files_zip", &args, "libeccio").await,
        ];
        for result in shut {
            let error = result.error.as_ref().unwrap();
            assert!(error.wants_password, "{error:?}");
            assert_eq!(code(&result), "executors-file-password");
            assert_eq!(result.reversals, []);
            assert!(!bench.path(&name).exists());
            assert!(!format!("{result:?}").contains("libeccio"), "{result:?}");
        }
        let opened = bench.opens("extract_files_zip", &args, "tramontana").await;
        assert_eq!(opened.error, None);
        assert_eq!(
            bench.text(&format!("{name}/note.txt")),
            "The key is under the third pot.\n"
        );
    }
    // An archive that is not locked takes no notice.
    bench.put("open.zip", zip(&[("a.txt", b"a")], &[]));
    let args = json!({"paths": ["~/open.zip"]});
    assert_eq!(bench.opens("extract_files_zip", &args, "tramontana").await.error, None);
}
