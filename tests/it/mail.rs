//! Mail at the wire: an account is asked for in the chat, and then mails are found, moved, marked, read and sent, on a
//! server that has everything and on others that lack something.

use metnos::{app::DATABASE, domain::ids::ChannelKind};

use crate::support::{
    bot::TestBot,
    mailbox::{FakeMail, Lacks},
};

/// A bot whose host has a mailbox on this server, told in the chat.
async fn connected(fake: &FakeMail) -> TestBot {
    let mut bot = TestBot::new().await;
    let said = bot.says("any unread mail?").await;
    assert!(said.contains("What is your mail address?"), "{said}");
    let said = bot.says("anna@localhost.test").await;
    assert!(said.contains("IMAP server"), "{said}");
    let said = bot.says(&format!("localhost:{}", fake.imap)).await;
    assert!(said.contains("SMTP server"), "{said}");
    let said = bot.says(&format!("localhost:{}", fake.smtp)).await;
    assert!(said.contains("password"), "{said}");
    let said = bot.says("wrong").await;
    assert!(said.contains("refused the password"), "{said}");
    let said = bot.says("right").await;
    assert!(said.contains("anna@localhost.test works"), "{said}");
    // What was asked for at first is answered now.
    bot.hears(ChannelKind::Terminal).await;
    bot
}

/// Says something, and yes where it is shown first.
async fn does(bot: &mut TestBot, text: &str) -> String {
    let said = bot.says(text).await;
    if said.contains("May I") {
        bot.says("yes").await
    } else {
        said
    }
}

const SPAM: &str = "\"service@bank.example\" <win@lottery.example>";

#[tokio::test]
async fn a_password_is_sealed_and_stands_nowhere_else() {
    let fake = FakeMail::start(Lacks::default()).await;
    fake.put("INBOX", "Luca <luca@example.org>", "Dinner", "At eight?");
    let mut bot = connected(&fake).await;
    let said = bot.says("any unread mail from Luca?").await;
    assert!(said.contains("Dinner"), "{said}");
    bot.stop().await;
    for entry in std::fs::read_dir(bot.data_dir()).into_iter().flatten().flatten() {
        if let Ok(bytes) = std::fs::read(entry.path()) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            assert!(
                !text.contains("\"right\"") && !text.contains("right\n"),
                "{:?}",
                entry.path()
            );
        }
    }
    assert!(bot.data_dir().join(DATABASE).exists());
}

#[tokio::test]
async fn spam_goes_to_the_trash_and_back_whatever_the_server_lacks() {
    for lacks in [
        Lacks::default(),
        Lacks {
            special_use: true,
            ..Lacks::default()
        },
        Lacks {
            moving: true,
            ..Lacks::default()
        },
        Lacks {
            special_use: true,
            moving: true,
            uidplus: true,
        },
    ] {
        let fake = FakeMail::start(lacks).await;
        fake.put("INBOX", SPAM, "You won", "Click here.");
        fake.put("INBOX", "Luca <luca@example.org>", "Dinner", "At eight?");
        fake.put("Posta indesiderata", "x <x@y.example>", "Pills", "Buy.");
        let mut bot = connected(&fake).await;
        let said = does(&mut bot, "find the spam mail and move it to trash").await;
        assert!(said.contains("Moved 2 mails to Cestino"), "{lacks:?}: {said}");
        assert_eq!(fake.subjects("INBOX"), ["Dinner"], "{lacks:?}");
        assert_eq!(fake.subjects("Cestino").len(), 2, "{lacks:?}");
        let said = bot.says("undo").await;
        assert_eq!(fake.subjects("Cestino").len(), 0, "{lacks:?}: {said}");
        assert_eq!(fake.subjects("Posta indesiderata"), ["Pills"], "{lacks:?}");
        assert_eq!(fake.subjects("INBOX"), ["Dinner", "You won"], "{lacks:?}");
        assert!(
            fake.mails("INBOX").iter().all(|mail| mail.flags.is_empty()),
            "{lacks:?}"
        );
    }
}

#[tokio::test]
async fn what_was_shown_is_read_answered_and_passed_on_by_its_place_or_as_it() {
    let fake = FakeMail::start(Lacks::default()).await;
    fake.put("INBOX", "Luca <luca@example.org>", "Dinner", "At eight?");
    fake.put("INBOX", "Luca <luca@example.org>", "Photos", "Of the sea.");
    let mut bot = connected(&fake).await;
    bot.says("show me the mails from Luca").await;
    let said = bot.says("read the second").await;
    assert!(said.contains("At eight?") || said.contains("Of the sea."), "{said}");
    let said = bot.says("answer that I'll be there at six").await;
    assert!(
        said.contains("luca@example.org") && said.contains("I'll be there at six"),
        "{said}"
    );
    bot.says("no").await;
    // What is set with the same words is not what is meant.
    bot.says("tell me when a mail from Luca comes").await;
    bot.says("delete the mails from Luca").await;
    let said = bot.says("cancel").await;
    let tasks = bot.says("what is set").await;
    assert!(tasks.contains("a mail from Luca"), "{said}\n{tasks}");
}

#[tokio::test]
async fn a_mail_is_shown_whole_and_sent_on_a_yes_only() {
    let fake = FakeMail::start(Lacks::default()).await;
    let mut bot = connected(&fake).await;
    let request = "send a mail to luca@example.org saying the train is late";
    let said = bot.says(request).await;
    assert!(
        said.contains("luca@example.org") && said.contains("the train is late"),
        "{said}"
    );
    bot.says("no").await;
    assert!(fake.taken().is_empty());
    // A time in what is dictated puts nothing off.
    for text in ["dinner is at eight", "the train leaves at 15:30"] {
        let said = bot
            .says(&format!("send a mail to luca@example.org saying {text}"))
            .await;
        assert!(said.contains("Shall I send") && said.contains(text), "{said}");
        bot.says("no").await;
    }
    // What was refused is not offered again in the same words.
    bot.says("send a mail to luca@example.org saying the bus is late").await;
    let said = bot.says("yes").await;
    assert!(said.contains("Sent to luca@example.org"), "{said}");
    let taken = fake.taken();
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].0, ["luca@example.org"]);
    assert!(taken[0].1.contains("the bus is late"), "{}", taken[0].1);
    assert_eq!(fake.mails("Posta inviata").len(), 1);
}

#[tokio::test]
async fn people_are_known_by_the_address_book_and_a_text_names_one_day() {
    let fake = FakeMail::start(Lacks::default()).await;
    let mut bot = connected(&fake).await;
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:m\r\nFN:Maria Rossi\r\nN:Rossi;Maria;;;\r\nNICKNAME:mum\r\n\
        EMAIL:maria@example.org\r\nEND:VCARD\r\n";
    bot.file(".contacts/maria.vcf", card);
    fake.put("INBOX", "maria@example.org", "Dinner", "At eight?");
    let said = bot.says("show me the mails from Mum").await;
    assert!(said.contains("Dinner"), "{said}");
    // No day of a calendar is both: whoever wrote it meant one of the two.
    let said = bot
        .says("send a mail to luca@example.org saying we meet on Friday 25 December 2026")
        .await;
    assert!(said.contains("25 December"), "{said}");
    let said = bot
        .says("send a mail to luca@example.org saying we meet on Monday 25 December 2026")
        .await;
    assert!(said.contains("that day is a Friday"), "{said}");
    assert!(fake.taken().is_empty());
}

#[tokio::test]
async fn what_a_mail_says_is_changed_on_its_card_and_shown_again() {
    let fake = FakeMail::start(Lacks::default()).await;
    let mut bot = connected(&fake).await;
    let said = bot
        .says("send a mail to luca@example.org saying the train is late")
        .await;
    assert!(said.contains("the train is late"), "{said}");
    let asked = bot.says("change").await;
    assert!(asked.contains("How should it read?"), "{asked}");
    assert!(fake.taken().is_empty());
    let card = bot.says("The bus is late. See you at nine.").await;
    assert!(
        card.contains("luca@example.org") && card.contains("See you at nine") && !card.contains("train"),
        "{card}"
    );
    assert!(fake.taken().is_empty());
    let said = bot.says("yes").await;
    assert!(said.contains("Sent to luca@example.org"), "{said}");
    let taken = fake.taken();
    assert_eq!(taken.len(), 1);
    assert!(
        taken[0].1.contains("The bus is late. See you at nine.") && !taken[0].1.contains("train"),
        "{}",
        taken[0].1
    );
    // Given up in the middle, nothing goes out.
    bot.says("send a mail to luca@example.org saying the plane is late")
        .await;
    bot.says("change").await;
    let said = bot.says("cancel").await;
    assert_eq!(fake.taken().len(), 1, "{said}");
}

#[tokio::test]
async fn what_may_have_gone_out_is_said_to_be_unknown() {
    let fake = FakeMail::start(Lacks::default()).await;
    fake.breaks_after_messages();
    let mut bot = connected(&fake).await;
    bot.says("send a mail to luca@example.org saying the train is late")
        .await;
    let said = bot.says("yes").await;
    assert!(said.contains("don't know whether"), "{said}");
    assert_eq!(fake.taken().len(), 1, "it was sent again");
}

#[tokio::test]
async fn a_mail_that_is_watched_for_is_told_as_soon_as_its_server_says_so() {
    let fake = FakeMail::start(Lacks::default()).await;
    fake.put("INBOX", "Luca <luca@example.org>", "Dinner", "At eight?");
    let mut bot = connected(&fake).await;
    bot.says("tell me when a mail from the school comes").await;
    // The first look takes the picture that news is told by; then the mailbox is listened to.
    while !fake.is_listened_to() {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let before = tokio::time::Instant::now();
    fake.put("INBOX", "School <office@school.example>", "Trip", "On Friday.");
    let said = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(said.contains("Trip"), "{said}");
    assert!(before.elapsed().as_secs() < 60, "it came with the next look");
}

/// A mail with an invitation of this method, to dinner at this hour.
fn invitation(method: &str, hour: u8) -> String {
    format!(
        "From: Luca <luca@example.org>\r\nTo: anna@localhost.test\r\nSubject: Dinner\r\nMIME-Version: 1.0\r\n\
         Message-ID: <{method}{hour}@example.org>\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nCome to dinner.\r\n\
         --b\r\nContent-Type: text/calendar; method={method}; charset=utf-8\r\n\r\n\
         BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:dinner@example.org\r\n\
         DTSTART:20361127T{hour}0000Z\r\nDTEND:20361127T230000Z\r\nSUMMARY:Dinner at Luca's\r\n\
         ORGANIZER:mailto:luca@example.org\r\nATTENDEE:mailto:anna@localhost.test\r\nEND:VEVENT\r\n\
         END:VCALENDAR\r\n--b--\r\n"
    )
}

#[tokio::test]
async fn an_invitation_stands_in_the_calendar_when_that_is_asked_for_and_once() {
    let fake = FakeMail::start(Lacks::default()).await;
    fake.put_raw("INBOX", &invitation("REQUEST", 19));
    let mut bot = connected(&fake).await;
    let said = bot.says("read the mail from Luca").await;
    assert!(
        said.contains("invitation") && said.contains("Dinner at Luca's"),
        "{said}"
    );
    let folder = bot.home().join(".calendar");
    assert!(!folder.exists(), "it was put in before anybody asked");
    let said = bot.says("put it in my calendar").await;
    assert!(said.contains("It's in your calendar"), "{said}");
    let files = || -> Vec<String> {
        let all = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        all.map(|file| std::fs::read_to_string(file.path()).unwrap()).collect()
    };
    assert_eq!(files().len(), 1);
    assert!(
        files()[0].contains("T190000Z") && !files()[0].contains("METHOD"),
        "{:?}",
        files()
    );
    // Moved by who invites: it is the same one.
    fake.put_raw("INBOX", &invitation("REQUEST", 20));
    bot.says("read the mail from Luca").await;
    let said = bot.says("put it in my calendar").await;
    assert_eq!(files().len(), 1, "{said}");
    assert!(files()[0].contains("T200000Z"), "{said}");
    bot.says("undo").await;
    assert!(files()[0].contains("T190000Z"));
    // What is taken back puts nothing in.
    fake.put_raw("INBOX", &invitation("CANCEL", 21));
    let said = bot.says("read the mail from Luca").await;
    assert!(said.contains("cancelled"), "{said}");
    let said = bot.says("put it in my calendar").await;
    assert!(said.contains("cancelled") && files().len() == 1, "{said}");
    assert!(fake.taken().is_empty(), "nobody is answered");
}

/// A mail of a newsletter with these headers.
fn newsletter(from: &str, headers: &str) -> String {
    format!(
        "From: {from}\r\nTo: anna@localhost.test\r\nSubject: Offers\r\nDate: Tue, 24 Nov 2026 10:00:00 +0000\r\n\
         Message-ID: <{}@shop.example>\r\n{headers}\r\nBuy now.\r\n",
        from.len()
    )
}

#[tokio::test]
async fn a_newsletter_is_left_by_the_way_it_names_after_a_yes() {
    let fake = FakeMail::start(Lacks::default()).await;
    let by_mail = "List-Unsubscribe: <mailto:leave@shop.example?subject=leave%20anna>\r\n";
    fake.put_raw("INBOX", &newsletter("Shop <news@shop.example>", by_mail));
    let mut bot = connected(&fake).await;
    bot.says("show me the mails from Shop").await;
    let said = bot.says("unsubscribe me from this newsletter").await;
    assert!(
        said.contains("Shall I unsubscribe") && said.contains("leave@shop.example") && said.contains("Shop"),
        "{said}"
    );
    assert!(fake.taken().is_empty());
    let said = bot.says("yes").await;
    assert!(said.contains("You are unsubscribed from"), "{said}");
    let taken = fake.taken();
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].0, ["leave@shop.example"]);
    assert!(taken[0].1.contains("Subject: leave anna"), "{}", taken[0].1);
}

#[tokio::test]
async fn a_list_that_names_no_safe_way_is_not_asked() {
    let one_click = "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n";
    for (headers, why) in [
        (
            format!("List-Unsubscribe: <https://127.0.0.1:9/leave>\r\n{one_click}"),
            "inside your own network",
        ),
        (
            "List-Unsubscribe: <https://shop.example/leave>\r\n".to_owned(),
            "https://shop.example/leave",
        ),
        ("Precedence: bulk\r\n".to_owned(), "do not say how"),
        (
            format!("X-Spam-Flag: YES\r\nList-Unsubscribe: <https://127.0.0.1:9/leave>\r\n{one_click}"),
            "forged",
        ),
    ] {
        let fake = FakeMail::start(Lacks::default()).await;
        fake.put_raw("INBOX", &newsletter("Shop <news@shop.example>", &headers));
        let mut bot = connected(&fake).await;
        bot.says("show me the mails from Shop").await;
        let mut said = bot.says("unsubscribe me from this newsletter").await;
        if said.contains("Shall I") {
            said = bot.says("yes").await;
        }
        assert!(said.contains(why), "{headers}: {said}");
        assert!(fake.taken().is_empty(), "{headers}");
    }
}

#[tokio::test]
async fn the_last_mail_of_somebody_goes_and_a_new_one_has_the_subject_and_the_whole_text_that_were_said() {
    let fake = FakeMail::start(Lacks::default()).await;
    fake.put("INBOX", "Luca <luca@example.org>", "Dinner", "At eight?");
    fake.put("INBOX", "Ada <ada@example.org>", "Rent", "It is due.");
    fake.put("INBOX", "Luca <luca@example.org>", "Photos", "Of the sea.");
    let mut bot = connected(&fake).await;
    let said = bot.says("forward the last mail about 'Dinner' to ada and luca").await;
    let card = ["ada@example.org", "luca@example.org", "Fwd: Dinner"];
    assert!(card.iter().all(|part| said.contains(part)), "{said}");
    bot.says("no").await;
    does(&mut bot, "delete my last mail from luca").await;
    assert_eq!(fake.subjects("INBOX"), ["Dinner", "Rent"]);
    let said = bot
        .says("send a mail to ada saying 'the house is 'Casa Blu', number 3' and title it 'Sunday'")
        .await;
    let card = [
        "to: Ada <ada@example.org>",
        "subject: Sunday",
        "the house is 'Casa Blu', number 3",
    ];
    assert!(card.iter().all(|part| said.contains(part)), "{said}");
}
