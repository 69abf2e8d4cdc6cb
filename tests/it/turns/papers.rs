//! Questions that documents and tables of a home answer: the passage or the result with its file, in both languages;
//! what is about something else is never answered with them, and nobody is answered from another's.

use std::{fs, io::Write as _, sync::Arc};

use metnos::domain::{
    attachment::{FileKind, SentFile},
    ids::ChannelKind,
    inbound::InboundBody,
    lang::Lang,
};
use zip::{ZipWriter, write::SimpleFileOptions};

use super::{bot_at, clock, pair, rows};
use crate::support::bot::TestBot;

const AT: &str = "2026-11-25T09:00:00Z";

const FUEL: &str = "date;who;litres;euro\n27/02/2026;Anna;30,1;55,20\n04/03/2026;Nina;41,0;73,80\n19/03/2026;Anna;28,5;51,00\n\
                    02/04/2026;Nina;40,0;72,00\n";

/// A text document of these paragraphs.
fn docx(paragraphs: &[&str]) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut put = |name: &str, text: &str| {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    };
    put(
        "[Content_Types].xml",
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#,
    );
    let body: String = paragraphs
        .iter()
        .map(|text| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"))
        .collect();
    put(
        "word/document.xml",
        &format!(
            r#"<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{body}</w:body></w:document>"#
        ),
    );
    zip.finish().unwrap().into_inner()
}

async fn bot(lang: Lang) -> TestBot {
    let bot = bot_at(&clock(AT), lang).await;
    let put = |name: &str, bytes: &[u8]| {
        let path = bot.home().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    put("car/fuel.csv", FUEL.as_bytes());
    let gym = docx(&[
        "Membership agreement",
        "Between Fit Gym and Mario Rossi, number FG-20931.",
        "The monthly fee is 39,90 €, to be paid by the fifth of the month.",
        "The notice period is two months.",
        "The agreement expires on 30 June 2027.",
    ]);
    put("papers/gym contract.docx", &gym);
    let boiler = docx(&[
        "Rapporto di controllo della caldaia",
        "Tecnico: Luca Bianchi, ditta Calore Srl.",
        "Prossimo controllo entro il 14/10/2027.",
        "Totale da pagare: 120,00 €",
    ]);
    put("papers/caldaia.docx", &boiler);
    bot
}

#[tokio::test]
async fn a_table_answers_what_was_spent() {
    let mut bot = bot(Lang::EN).await;
    for (question, answer) in [
        ("how much did Nina spend on fuel in total?", "145.80"),
        ("how much did we spend on fuel in March?", "124.80"),
        ("what is the average of the litres in fuel?", "34.90"),
    ] {
        let said = bot.says(question).await;
        assert!(said.contains(answer) && said.contains("fuel.csv"), "{question}: {said}");
    }
    let mut bot = self::bot(Lang::IT).await;
    let said = bot.says("quanto ha pagato Nina in tutto di benzina?").await;
    assert!(said.contains("145,80") && said.contains("fuel.csv"), "{said}");
}

#[tokio::test]
async fn a_document_answers_with_its_passage() {
    let mut bot = bot(Lang::EN).await;
    for (question, answer) in [
        ("what is the notice period of the gym contract?", "two months"),
        ("when does the gym contract expire?", "30 June 2027"),
        ("how much is the monthly fee of the gym?", "39,90"),
    ] {
        let said = bot.says(question).await;
        assert!(
            said.contains(answer) && said.contains("gym contract.docx"),
            "{question}: {said}"
        );
    }
    let mut bot = self::bot(Lang::IT).await;
    for (question, answer) in [
        ("chi è il tecnico della caldaia?", "Luca Bianchi"),
        (
            "entro quando va fatto il prossimo controllo della caldaia?",
            "14/10/2027",
        ),
    ] {
        let said = bot.says(question).await;
        assert!(
            said.contains(answer) && said.contains("caldaia.docx"),
            "{question}: {said}"
        );
    }
}

#[tokio::test]
async fn what_is_about_something_else_is_not_answered_with_papers() {
    let mut bot = bot(Lang::EN).await;
    for question in [
        "how much did Paolo spend on fuel?",
        "how much did we spend on fuel in December?",
        "how much did we spend on gifts in March?",
        "when does the swimming pool open?",
        "what is the notice period of the phone contract?",
    ] {
        let said = bot.says(question).await;
        assert!(!said.contains("— ~/") && !said.contains("months"), "{question}: {said}");
    }
}

#[tokio::test]
async fn a_document_that_changes_or_goes_is_known_anew() {
    let mut bot = bot(Lang::EN).await;
    let question = "what is the notice period of the gym contract?";
    assert!(bot.says(question).await.contains("two months"));
    let path = bot.home().join("papers/gym contract.docx");
    fs::write(
        &path,
        docx(&["Gym contract", "The notice period is thirty days from now on."]),
    )
    .unwrap();
    let said = bot.says(question).await;
    assert!(said.contains("thirty days"), "{said}");
    fs::remove_file(&path).unwrap();
    let said = bot.says(question).await;
    assert!(!said.contains("thirty days") && !said.contains("two months"), "{said}");
    assert_eq!(rows(&bot, "SELECT path FROM papers WHERE path LIKE '%gym%'"), [""; 0]);
}

#[tokio::test]
async fn a_guest_is_answered_from_their_own_papers_alone() {
    let mut bot = bot(Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    assert!(bot.says("when does the gym contract expire?").await.contains("30 June"));
    let said = bot.telegram("anna", "when does the gym contract expire?").await;
    assert!(
        !said.contains("30 June") && !said.contains("gym contract.docx"),
        "{said}"
    );
    let guests = metnos::domain::folders::guests(&bot.data_dir());
    let own = fs::read_dir(guests).unwrap().next().unwrap().unwrap().path();
    let membership = docx(&["Gym contract", "It expires on 3 May 2028."]);
    fs::write(own.join("membership.docx"), membership).unwrap();
    let said = bot.telegram("anna", "when does the gym contract expire?").await;
    assert!(said.contains("3 May 2028"), "{said}");
}

#[tokio::test]
async fn a_document_nobody_can_read_is_tried_once() {
    let mut bot = bot(Lang::EN).await;
    fs::write(bot.home().join("papers/broken.pdf"), b"%PDF-1.7 and no more").unwrap();
    assert!(bot.says("when does the gym contract expire?").await.contains("30 June"));
    assert_eq!(
        rows(&bot, "SELECT path FROM papers WHERE parts = ''"),
        ["~/papers/broken.pdf"]
    );
}

/// Sends a letter with these words; what is answered.
async fn letter(bot: &mut TestBot, caption: &str) -> String {
    let bytes = docx(&[
        "Comune di Torino",
        "Tassa sui rifiuti 2026, avviso numero 20931.",
        "Totale da pagare: 186,50 €, entro il 16 dicembre 2026.",
    ]);
    let bytes = Arc::new(bytes);
    bot.app().runtime.fetch_files_with(
        ChannelKind::Telegram,
        Arc::new(move |_handle, path| {
            let bytes = Arc::clone(&bytes);
            Box::pin(async move {
                fs::write(path, bytes.as_slice()).unwrap();
                Ok(())
            })
        }),
    );
    let sent = SentFile {
        handle: "letter".to_owned(),
        kind: FileKind::Document,
        name: Some("rifiuti.docx".to_owned()),
        bytes: None,
        caption: caption.to_owned(),
        is_forwarded: false,
        album: None,
    };
    bot.telegram_does("phone", InboundBody::File(Box::new(sent))).await;
    bot.hears(ChannelKind::Telegram).await.plain()
}

#[tokio::test]
async fn a_letter_that_comes_with_a_question_is_read_and_one_with_a_place_is_filed() {
    for (lang, asked, placed) in [
        (
            Lang::EN,
            ["what does this say?", "how much is it?"],
            "put this with the bills",
        ),
        (
            Lang::IT,
            ["cosa dice?", "quanto devo pagare?"],
            "mettila con le bollette",
        ),
    ] {
        for caption in asked {
            let mut bot = bot(lang).await;
            pair(&mut bot, "phone").await;
            let said = letter(&mut bot, caption).await;
            assert!(said.contains("186,50"), "{caption}: {said}");
        }
        let mut bot = bot(lang).await;
        for folder in ["bills", "bollette"] {
            fs::create_dir_all(bot.home().join(folder)).unwrap();
        }
        pair(&mut bot, "phone").await;
        let asked = letter(&mut bot, placed).await;
        assert!(asked.contains("~/inbox/rifiuti.docx"), "{asked}");
        let said = bot.telegram("phone", if lang == Lang::IT { "sì" } else { "yes" }).await;
        let is_there = |folder: &str| bot.home().join(folder).join("rifiuti.docx").exists();
        assert!(is_there("bills") || is_there("bollette"), "{placed}: {said}");
    }
}

#[tokio::test]
async fn a_column_is_added_up_and_no_line_is_added() {
    for (lang, ask, sum) in [
        (Lang::EN, "add up the euro column in petrol.csv", "252"),
        (Lang::IT, "somma la colonna euro di petrol.csv", "252"),
    ] {
        let mut bot = bot_at(&clock(AT), lang).await;
        // Where there is no such table, none is made of the words.
        let nothing = bot.says(ask).await;
        let made = fs::read_dir(bot.home()).unwrap().flatten();
        let made = made.filter(|one| one.file_name().to_string_lossy().ends_with(".csv"));
        assert_eq!(made.count(), 0, "{nothing}");
        bot.says("no").await;
        bot.file("docs/petrol.csv", FUEL);
        let said = bot.says(ask).await;
        assert!(said.contains(sum), "{said}");
        assert_eq!(
            fs::read_to_string(bot.home().join("docs/petrol.csv")).unwrap(),
            FUEL,
            "{said}"
        );
    }
}
