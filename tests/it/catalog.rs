//! The catalog on a real disk: what is trusted, what is refused and why, what a start repairs and what it never does.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

mod manifest;

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use metnos::{
    catalog::{
        Catalog, CatalogError, CatalogHandle, HasCode, RejectReason, Rejected, lint::LintError, parse::ParseError,
        sign_one,
    },
    domain::ids::ExecutorName,
};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

const FIND_FILES: &str = r#"
manifest_format = "1.0"
name = "find_files"
version = "1.0.0"
kind = "builtin"
affinity = ["find files", "trova file"]
effect = "read"
risk = "low"
feed = "none"
capabilities = ["fs:read"]

[description.en]
purpose = "Finds files by name."
pattern = "base_path"
not = "Not for reading them: read_files."
out = "entries"

[description.it]
purpose = "Trova file per nome."
pattern = "base_path"
not = "Non per leggerli: read_files."
out = "entries"

[[args]]
name = "base_path"
kind = "folder"
schema = { type = "string" }
description = { en = "Where to look.", it = "Dove cercare." }

[output]
entry_fields = ["path"]

[presentation]
entries = [{ source = "path", format = "path" }]
"#;

/// A data folder with a catalog in it.
struct House {
    dir: TempDir,
}

impl House {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.path().join("catalog").join(name)
    }

    fn manifest(&self, name: &str) -> PathBuf {
        self.folder(name).join("manifest.toml")
    }

    fn start(&self) -> CatalogHandle {
        self.start_shipping(FIND_FILES)
    }

    fn start_shipping(&self, text: &'static str) -> CatalogHandle {
        CatalogHandle::open_shipping(self.path(), &[("find_files", text)], every_code()).unwrap()
    }

    /// Puts a folder into the catalog as a person would, unsigned.
    fn put(&self, name: &str, text: &str) {
        fs::create_dir_all(self.folder(name)).unwrap();
        fs::write(self.manifest(name), text).unwrap();
    }

    fn load(&self) -> Catalog {
        Catalog::load(self.path(), &|_| true).unwrap()
    }

    fn only_reason(&self) -> RejectReason {
        let catalog = self.load();
        let [rejected] = catalog.rejected() else {
            panic!("not one rejected folder: {:?}", catalog.rejected());
        };
        rejected.reason.clone()
    }
}

fn every_code() -> HasCode {
    Arc::new(|_| true)
}

fn name(text: &str) -> ExecutorName {
    ExecutorName::from(text)
}

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.all().iter().map(|manifest| manifest.name.as_str()).collect()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn the_first_start_makes_a_key_and_signs_what_is_shipped() {
    let house = House::new();
    let catalog = house.start().current();
    assert_eq!(names(&catalog), ["find_files"]);
    assert!(catalog.rejected().is_empty());
    assert_eq!(mode(&house.path().join("keys")), 0o700);
    assert_eq!(mode(&house.path().join("keys/author_priv.bin")), 0o600);
    let signature = fs::read(house.folder("find_files").join("manifest.toml.sig")).unwrap();
    assert_eq!(signature.len(), 64);
}

#[test]
fn a_manifest_changed_after_signing_is_refused_and_never_healed() {
    let house = House::new();
    house.start();
    let changed = FIND_FILES.replace("fs:read", "fs:read\", \"network:http");
    fs::write(house.manifest("find_files"), &changed).unwrap();
    let catalog = house.start().current();
    assert!(catalog.is_empty());
    assert_eq!(house.only_reason(), RejectReason::NotVerified);
    assert_eq!(fs::read_to_string(house.manifest("find_files")).unwrap(), changed);
    sign_one(house.path(), &name("find_files")).unwrap();
    assert_eq!(names(&house.load()), ["find_files"]);
}

#[test]
fn a_folder_that_is_gone_comes_back() {
    let house = House::new();
    house.start();
    fs::remove_dir_all(house.folder("find_files")).unwrap();
    assert_eq!(names(&house.start().current()), ["find_files"]);
}

#[test]
fn an_older_verifying_copy_is_upgraded_and_a_newer_one_stays() {
    let house = House::new();
    house.start_shipping(FIND_FILES);
    let newer: &'static str = FIND_FILES.replace("1.0.0", "1.1.0").leak();
    let current = house.start_shipping(newer).current();
    assert_eq!(current.get(&name("find_files")).unwrap().version, "1.1.0");
    let own = newer.replace("1.1.0", "9.0.0");
    fs::write(house.manifest("find_files"), own).unwrap();
    sign_one(house.path(), &name("find_files")).unwrap();
    let current = house.start_shipping(newer).current();
    assert_eq!(current.get(&name("find_files")).unwrap().version, "9.0.0");
}

#[test]
fn every_way_to_be_untrusted_has_its_own_reason() {
    let house = House::new();
    house.start();
    let keys = house.path().join("keys");
    let signature = house.folder("find_files").join("manifest.toml.sig");
    let bytes = fs::read(&signature).unwrap();

    fs::remove_file(&signature).unwrap();
    assert_eq!(house.only_reason(), RejectReason::SignatureMissing);
    fs::write(&signature, bytes.get(..63).unwrap()).unwrap();
    assert_eq!(house.only_reason(), RejectReason::NotVerified);
    fs::write(&signature, &bytes).unwrap();

    set_mode(&keys.join("author_priv.bin"), 0o640);
    assert_eq!(
        house.only_reason(),
        RejectReason::KeyExposed(keys.join("author_priv.bin"))
    );
    set_mode(&keys.join("author_priv.bin"), 0o600);
    set_mode(&keys, 0o770);
    assert_eq!(house.only_reason(), RejectReason::KeyExposed(keys.clone()));
    set_mode(&keys, 0o700);
    assert_eq!(names(&house.load()), ["find_files"]);

    fs::remove_file(keys.join("author_pub.bin")).unwrap();
    assert_eq!(house.only_reason(), RejectReason::NoTrustedKeys);
    fs::write(keys.join("author_pub.bin"), b"short").unwrap();
    assert!(matches!(house.only_reason(), RejectReason::Keys(_)));
}

#[test]
fn every_public_key_in_the_folder_is_trusted() {
    let (house, other) = (House::new(), House::new());
    house.start();
    other.start_shipping(FIND_FILES.replace("1.0.0", "2.0.0").leak());
    for file in ["manifest.toml", "manifest.toml.sig"] {
        fs::copy(
            other.folder("find_files").join(file),
            house.folder("find_files").join(file),
        )
        .unwrap();
    }
    assert_eq!(house.only_reason(), RejectReason::NotVerified);
    let friend = house.path().join("keys/friend_pub.bin");
    fs::copy(other.path().join("keys/author_pub.bin"), friend).unwrap();
    assert_eq!(names(&house.load()), ["find_files"]);
}

#[test]
fn a_key_that_others_can_read_is_not_signed_with() {
    let house = House::new();
    house.start();
    set_mode(&house.path().join("keys/author_priv.bin"), 0o644);
    let error = sign_one(house.path(), &name("find_files")).unwrap_err();
    assert!(matches!(error, CatalogError::Key(_)), "{error}");
}

#[test]
fn a_lost_private_key_is_replaced_and_what_it_signed_stays_trusted() {
    let house = House::new();
    house.start();
    let keys = house.path().join("keys");
    fs::remove_file(keys.join("author_priv.bin")).unwrap();
    assert_eq!(names(&house.start().current()), ["find_files"]);
    house.put("list_files", &FIND_FILES.replace("\"find_files\"", "\"list_files\""));
    sign_one(house.path(), &name("list_files")).unwrap();
    assert_eq!(names(&house.load()), ["find_files", "list_files"]);
    let other = House::new();
    other.start();
    fs::copy(other.path().join("keys/author_pub.bin"), keys.join("author_pub.bin")).unwrap();
    assert!(matches!(
        sign_one(house.path(), &name("list_files")).unwrap_err(),
        CatalogError::Key(_)
    ));
}

fn program(digest: &str) -> String {
    format!(
        "{}\n[code]\nfiles = [\"run.py\", \"lib.py\"]\ndigest = \"sha256:{digest}\"\n",
        FIND_FILES.replace("\"builtin\"", "\"program\"")
    )
}

#[test]
fn changed_code_is_refused_until_it_is_signed_again() {
    let house = House::new();
    CatalogHandle::open_shipping(house.path(), &[], every_code()).unwrap();
    house.put("find_files", &program(&"0".repeat(64)));
    fs::write(house.folder("find_files").join("run.py"), "print(1)").unwrap();
    fs::write(house.folder("find_files").join("lib.py"), "x = 1").unwrap();
    sign_one(house.path(), &name("find_files")).unwrap();
    let catalog = house.load();
    assert_eq!(
        catalog.code_dir(&name("find_files")),
        Ok(Some(house.folder("find_files").as_path()))
    );
    let digest: String = Sha256::digest("print(1)x = 1")
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert!(
        fs::read_to_string(house.manifest("find_files"))
            .unwrap()
            .contains(&digest)
    );

    fs::write(house.folder("find_files").join("lib.py"), "x = 2").unwrap();
    let changed = catalog.code_dir(&name("find_files")).unwrap_err();
    assert_eq!(changed.reason, RejectReason::DigestMismatch, "known before any reload");
    assert_eq!(house.only_reason(), RejectReason::DigestMismatch);
    fs::remove_file(house.folder("find_files").join("lib.py")).unwrap();
    symlink("/etc/hostname", house.folder("find_files").join("lib.py")).unwrap();
    assert!(matches!(house.only_reason(), RejectReason::Unreadable { .. }));
}

#[test]
fn a_builtin_without_code_and_a_folder_of_another_name_are_refused() {
    let house = House::new();
    house.start();
    let catalog = Catalog::load(house.path(), &|_| false).unwrap();
    assert_eq!(catalog.rejected().first().unwrap().reason, RejectReason::NoCode);
    fs::rename(house.folder("find_files"), house.folder("list_files")).unwrap();
    assert_eq!(house.only_reason(), RejectReason::FolderName("find_files".to_owned()));
    assert!(sign_one(house.path(), &name("list_files")).is_err());
    assert!(sign_one(house.path(), &name("../catalog/list_files")).is_err());
}

#[test]
fn a_fourth_name_part_needs_its_third() {
    let house = House::new();
    CatalogHandle::open_shipping(house.path(), &[], every_code()).unwrap();
    let put_signed = |full: &str| {
        house.put(full, &FIND_FILES.replace("\"find_files\"", &format!("\"{full}\"")));
        sign_one(house.path(), &name(full)).unwrap();
    };
    put_signed("find_files_pdf_invoices");
    let wanted = LintError::MissingPrefix("find_files_pdf".to_owned());
    assert_eq!(house.only_reason(), RejectReason::Manifest(ParseError::Lint(wanted)));
    put_signed("find_files_pdf");
    assert_eq!(names(&house.load()), ["find_files_pdf", "find_files_pdf_invoices"]);
}

#[tokio::test]
async fn a_change_on_disk_reloads_and_the_old_catalog_stays_with_its_turn() {
    let house = House::new();
    let handle = Arc::new(house.start());
    let _guard = handle.watch().unwrap();
    let turn_under_way = handle.current();
    house.put("list_files", &FIND_FILES.replace("\"find_files\"", "\"list_files\""));
    sign_one(house.path(), &name("list_files")).unwrap();
    let mut waits = 0;
    while handle.current().get(&name("list_files")).is_none() {
        waits += 1;
        assert!(waits < 100, "no reload within ten seconds");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(names(&turn_under_way), ["find_files"]);
}

#[test]
fn every_reason_has_a_sentence_in_every_language() {
    let reasons = [
        RejectReason::Unreadable {
            file: "run.py".to_owned(),
            why: "gone".to_owned(),
        },
        RejectReason::SignatureMissing,
        RejectReason::NoTrustedKeys,
        RejectReason::NotVerified,
        RejectReason::DigestMismatch,
        RejectReason::KeyExposed(PathBuf::from("/k")),
        RejectReason::Keys("broken".to_owned()),
        RejectReason::Manifest(ParseError::Presentation),
        RejectReason::FolderName("find_files".to_owned()),
        RejectReason::NoCode,
    ];
    for lang in ["en", "it"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("locales/{lang}/catalog.ftl"));
        let texts = fs::read_to_string(path).unwrap();
        for reason in &reasons {
            let message = Rejected {
                path: PathBuf::from("/c/find_files"),
                reason: reason.clone(),
            }
            .message();
            let line = texts
                .lines()
                .find(|line| line.starts_with(&format!("{} =", message.key)))
                .unwrap();
            for value in message.args.keys() {
                assert!(line.contains(&format!("{{ ${value} }}")), "{lang} {line}");
            }
        }
    }
}
