//! The five stages as tables: what becomes of a family, and what stops it where.

use std::sync::Arc;

use super::*;
use crate::{
    catalog::composite,
    domain::{ids::ActorId, kind::Class},
    engine::{composite::parameter as open, fixtures::shipped},
};

fn member(text: &str, folder: &str, by: &str) -> Member {
    Member {
        text: text.to_owned(),
        hash: text.to_owned(),
        plan: json!({"steps": [
            {"tool": "list_dirs", "args": {"path": folder}},
            {"tool": "sort_entries", "args": {"from_step": 1, "by": by, "desc": true}}
        ]}),
        uses: 7,
    }
}

fn family(intent: &str, members: Vec<Member>) -> Cluster {
    Cluster {
        actor: ActorId::from("host"),
        key: "key".to_owned(),
        intent: intent.to_owned(),
        members,
        uses: 21,
        since_ms: 0,
    }
}

fn sorted() -> Vec<Member> {
    vec![
        member("sort the files in ~/docs by size", "~/docs", "size"),
        member("sort the files in ~/in by size", "~/in", "size"),
        member("sort the files in ~/old by size", "~/old", "size"),
    ]
}

fn drafted(cluster: &Cluster, named: Option<&str>, missing: &str) -> Result<Draft, Stopped> {
    let all = shipped();
    let manifest = |name: &ExecutorName| -> Option<Arc<Manifest>> {
        let found = all.iter().find(|one| one.name == *name).cloned();
        found.filter(|one| one.name.as_str() != missing)
    };
    let words = |lang: Lang, example: &str| Words {
        purpose: format!("{}: {example}", lang.code()),
        not: "else".to_owned(),
        out: "entries".to_owned(),
    };
    draft(
        cluster,
        &Workshop {
            manifest: &manifest,
            named,
            words: &words,
            said: &|_| Vec::new(),
        },
    )
}

#[test]
fn a_family_becomes_a_tool_with_what_differs_as_its_arguments() {
    let cluster = family("sort|files", sorted());
    let draft = drafted(&cluster, None, "").unwrap();
    let manifest = &draft.manifest;
    assert_eq!(manifest.name.as_str(), "sort_files");
    let args: Vec<(&str, Class, bool)> = manifest
        .args
        .iter()
        .map(|arg| (arg.name.as_str(), arg.class(), arg.required))
        .collect();
    assert_eq!(args, [("path", Class::Folder, true)]);
    let Kind::Composite { plan } = &manifest.kind else {
        panic!("{:?}", manifest.kind);
    };
    assert_eq!(plan["steps"][0]["args"]["path"], json!(open("path")));
    assert_eq!(
        plan["steps"][1]["args"]["by"],
        json!("size"),
        "what is always the same stays"
    );
    assert_eq!(manifest.affinity, ["sort the files in by size"]);
    assert_eq!(
        manifest.description[&Lang::IT].purpose,
        "it: sort the files in ~/docs by size"
    );
    assert_eq!(draft.tests.len(), 3);
    assert_eq!(draft.tests[1].args["path"], json!("~/in"));
}

#[test]
fn two_arguments_of_one_name_are_told_apart() {
    let moved = |from: &str, to: &str| Member {
        text: format!("tidy {from} into {to}"),
        hash: from.to_owned(),
        plan: json!({"steps": [
            {"tool": "list_dirs", "args": {"path": from}},
            {"tool": "list_dirs", "args": {"path": to}}
        ]}),
        uses: 7,
    };
    let cluster = family(
        "list|places",
        vec![moved("~/a", "~/x"), moved("~/b", "~/y"), moved("~/c", "~/z")],
    );
    let draft = drafted(&cluster, None, "").unwrap();
    let names: Vec<&str> = draft.manifest.args.iter().map(|arg| arg.name.as_str()).collect();
    assert_eq!(names, ["path", "path_2"]);
}

#[test]
fn each_stage_stops_with_its_reason() {
    let mut differs = sorted();
    differs[1].plan["steps"][1]["args"]["by"] = json!("${step1.entries.0.name}");
    let listed = |folder: &str| Member {
        plan: json!({"steps": [
            {"tool": "list_dirs", "args": {"path": "~/all"}},
            {"tool": "list_dirs", "args": {"path": folder}}
        ]}),
        ..member(folder, folder, "size")
    };
    let beside = |first: &str, folder: &str| {
        let mut member = listed(folder);
        member.plan["steps"][0]["args"]["path"] = json!(first);
        member
    };
    for (cluster, named, missing, expected) in [
        (
            family("sort|files", sorted()),
            None,
            "sort_entries",
            (Stage::Name, "draft-part-missing"),
        ),
        (family("?|files", sorted()), None, "", (Stage::Name, "draft-no-intent")),
        (
            family("sort|files", sorted()),
            Some("sorted"),
            "",
            (Stage::Name, "draft-name-broken"),
        ),
        (
            family("sort|files", sorted()),
            Some("list_dirs"),
            "",
            (Stage::Name, "draft-name-taken"),
        ),
        (
            family("list|dirs", vec![]),
            None,
            "",
            (Stage::Name, "draft-part-missing"),
        ),
        (
            family("sort|files", differs),
            None,
            "",
            (Stage::Signature, "draft-structure-differs"),
        ),
    ] {
        let stop = drafted(&cluster, named, missing).unwrap_err();
        assert_eq!((stop.at, stop.why), expected);
    }
    // Whoever asks for folders and gets them sorted asked for that, in whatever words.
    let draft = drafted(&family("list|dirs", sorted()), None, "").unwrap();
    assert_eq!(draft.manifest.name.as_str(), "sort_dirs");
    // A name that is taken gets a qualifier out of what is always the same; without one the host must choose.
    let sized = ["~/a", "~/b", "~/c"].map(|folder| beside("~/size", folder));
    let draft = drafted(&family("list|dirs", sized.to_vec()), None, "").unwrap();
    assert_eq!(draft.manifest.name.as_str(), "list_dirs_size");
    let cluster = family("list|dirs", vec![listed("~/a"), listed("~/b"), listed("~/c")]);
    assert_eq!(drafted(&cluster, None, "").unwrap_err().why, "draft-needs-name");
    let draft = drafted(&cluster, Some("list_dirs_history"), "").unwrap();
    assert_eq!(draft.manifest.name.as_str(), "list_dirs_history");
}

/// What is written parses back to the same tool, and its tests still hold.
#[test]
fn what_is_written_is_the_tool() {
    let cluster = family("sort|files", sorted());
    let shipped = |name: &ExecutorName| {
        let shipped = crate::catalog::install::SHIPPED
            .iter()
            .find(|(shipped, _)| *shipped == name.as_str())?;
        let parsed = crate::catalog::parse::parse(shipped.1.as_bytes()).unwrap();
        Some(Arc::new(parsed.manifest))
    };
    let words = |_: Lang, example: &str| Words {
        purpose: example.to_owned(),
        not: "else".to_owned(),
        out: "entries".to_owned(),
    };
    let workshop = Workshop {
        manifest: &shipped,
        named: None,
        words: &words,
        said: &|_| vec![("sort the files in ⟨path⟩ by size".to_owned(), vec![json!("~/docs")])],
    };
    let draft = draft(&cluster, &workshop).unwrap();
    let text = composite::written(&draft.manifest).unwrap();
    let parsed = crate::catalog::parse::parse(text.as_bytes()).unwrap().manifest;
    let same = Manifest {
        digest: parsed.digest.clone(),
        ..draft.manifest
    };
    assert_eq!(parsed, same);
    assert_eq!(failed_tests(&parsed, &draft.tests, &shipped), 0);
}
