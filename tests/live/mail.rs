//! Mail on a real server: Dovecot behind TLS, and an SMTP server that hands everything to it
//! (`scripts/testbed/mail.sh`). What became of a mailbox is read from Dovecot's own folders on disk, not from what
//! metnos says of it.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    fs,
    io::{BufRead as _, BufReader, ErrorKind, Write as _},
    net::TcpStream,
    path::PathBuf,
    time::{Duration, Instant},
};

use super::{
    bed,
    figures::resident_mb,
    process::{Home, pairing_code},
    servers::telegram_url,
    telegram::{Phone, TOKEN},
};

/// How long a server may take for what it does after an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// The mail server: its first port, and the folder with its certificates and boxes.
struct Bed {
    port: u16,
    folder: PathBuf,
}

impl Bed {
    fn new() -> Self {
        let (port, folder) = bed::told_of("METNOS_LIVE_MAIL");
        Self { port, folder }
    }

    /// A home that trusts this bed's authority, with an empty mailbox of this name.
    async fn home(&self, user: &str) -> Home {
        let home = Home::new();
        self.empties(user);
        self.configure(&home, 0);
        let (good, said) = self.add(&home, user, self.port, "bedpass").await;
        assert!(good, "{said}");
        home
    }

    /// Takes away what was left in a person's box.
    fn empties(&self, user: &str) {
        if let Err(error) = fs::remove_dir_all(self.folder.join("box").join(user)) {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
        }
    }

    fn configure(&self, home: &Home, hold_s: u64) {
        let ca = self.folder.join("tls/ca.pem");
        home.configure(&format!("[mail]\nca_file = \"{}\"\nhold_s = {hold_s}\n", ca.display()));
    }

    async fn add(&self, home: &Home, user: &str, imap: u16, password: &str) -> (bool, String) {
        let address = format!("{user}@bed.local");
        let (imap, smtp) = (format!("localhost:{imap}"), format!("localhost:{}", self.port + 3));
        let arguments = ["account", "add", "mail", &address, "--imap", &imap, "--smtp", &smtp];
        home.run(&arguments, &format!("{password}\n")).await
    }

    /// Somebody sends this person a mail.
    fn delivers(&self, user: &str, headers: &str, text: &str) {
        let stream = TcpStream::connect(("127.0.0.1", self.port + 2)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut stream = stream;
        let mut reply = |expected: char| {
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if line.as_bytes().get(3) != Some(&b'-') {
                    assert!(line.starts_with(expected), "{line}");
                    break;
                }
            }
        };
        reply('2');
        for (line, expected) in [
            ("LHLO test".to_owned(), '2'),
            ("MAIL FROM:<someone@example.org>".to_owned(), '2'),
            (format!("RCPT TO:<{user}@bed.local>"), '2'),
            ("DATA".to_owned(), '3'),
            (format!("{headers}\r\n\r\n{text}\r\n."), '2'),
        ] {
            stream.write_all(format!("{line}\r\n").as_bytes()).unwrap();
            reply(expected);
        }
    }

    /// The mails in a folder of a person's box, as they lie on disk: name of the file, and its text.
    fn box_of(&self, user: &str, folder: &str) -> Vec<(String, String)> {
        let root = self.folder.join("box").join(user);
        let root = if folder == "INBOX" {
            root
        } else {
            root.join(format!(".{folder}"))
        };
        let read = |sub: &str| {
            let entries = fs::read_dir(root.join(sub)).into_iter().flatten().flatten();
            let mails = entries.map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                (
                    name,
                    String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned(),
                )
            });
            mails.collect::<Vec<_>>()
        };
        [read("new"), read("cur")].concat()
    }

    fn subjects(&self, user: &str, folder: &str) -> Vec<String> {
        let subject = |text: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix("Subject: "));
            line.unwrap_or_default().to_owned()
        };
        let mut subjects: Vec<String> = self
            .box_of(user, folder)
            .iter()
            .map(|(_, text)| subject(text))
            .collect();
        subjects.sort();
        subjects
    }

    /// Waits until a folder holds so many mails.
    async fn holds(&self, user: &str, folder: &str, count: usize) {
        let begun = Instant::now();
        while self.box_of(user, folder).len() != count {
            assert!(begun.elapsed() < PATIENCE, "{:?}", self.subjects(user, folder));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

fn headers(from: &str, subject: &str) -> String {
    let id = subject.replace(' ', "-");
    format!("From: {from}\r\nTo: you@bed.local\r\nSubject: {subject}\r\nMessage-ID: <{id}@example.org>")
}

const SPAM: &str = "\"service@bank.example\" <win@lottery.example>";

#[tokio::test]
async fn servers_that_are_not_who_they_say_are_told_nothing() {
    let bed = Bed::new();
    let home = Home::new();
    bed.configure(&home, 0);
    for (port, words) in [
        (5, "another name"),
        (6, "has expired"),
        (7, "Nobody this machine trusts"),
    ] {
        let (good, said) = bed.add(&home, "anna", bed.port + port, "bedpass").await;
        assert!(!good && said.contains(words), "{said}");
    }
    let (good, said) = bed.add(&home, "anna", bed.port, "wrong").await;
    assert!(!good && said.contains("refused the password"), "{said}");
    let (good, said) = home.run(&["account", "add", "mail", "anna@outlook.com"], "x\n").await;
    assert!(!good && said.contains("takes no passwords"), "{said}");
    let (_, listed) = home.run(&["account", "list"], "").await;
    assert!(listed.contains("No account yet"), "{listed}");
}

#[tokio::test]
async fn an_account_is_looked_at() {
    let bed = Bed::new();
    let home = bed.home("checked").await;
    let (good, said) = home.run(&["account", "check"], "").await;
    assert!(good, "{said}");
    for words in ["reads mail", "sends mail", "trash: Trash", "spam: Junk"] {
        assert!(said.contains(words), "{said}");
    }
    let (good, said) = home.run(&["account", "remove", "checked@bed.local"], "").await;
    assert!(good, "{said}");
}

#[tokio::test]
async fn the_spam_goes_to_the_trash_and_comes_back() {
    let bed = Bed::new();
    let home = bed.home("spam").await;
    bed.delivers("spam", &headers(SPAM, "You won"), "Click here.");
    bed.delivers("spam", &headers("Luca <luca@example.org>", "Dinner"), "At eight?");
    // The second line is a yes to the card, if one is shown; otherwise it answers nothing.
    let said = home.chat(&["find the spam mail and move it to trash", "y"]).await;
    assert!(said.contains("Moved one mail to Trash"), "{said}");
    assert_eq!(bed.subjects("spam", "INBOX"), ["Dinner"]);
    assert_eq!(bed.subjects("spam", "Trash"), ["You won"]);
    let said = home.chat(&["undo"]).await;
    assert_eq!(bed.subjects("spam", "Trash"), [""; 0], "{said}");
    assert_eq!(bed.subjects("spam", "INBOX"), ["Dinner", "You won"]);
    // Nothing was marked as read by being looked at.
    let seen = bed
        .box_of("spam", "INBOX")
        .iter()
        .filter(|(name, _)| name.split_once(":2,").is_some_and(|(_, flags)| flags.contains('S')))
        .count();
    assert_eq!(seen, 0);
}

#[tokio::test]
async fn mails_are_found_by_who_and_read_out() {
    let bed = Bed::new();
    let home = bed.home("reader").await;
    bed.delivers(
        "reader",
        &headers("Scuola Verdi <info@school.example>", "Trip on Friday"),
        "Bring a hat.\r\n\r\nOn Mon, 2 Mar 2026, Anna wrote:\r\n> When is it?\r\n> Where?",
    );
    bed.delivers("reader", &headers("Luca <luca@example.org>", "Dinner"), "At eight?");
    let said = home.chat(&["any unread mail from Scuola Verdi?"]).await;
    assert!(said.contains("Trip on Friday") && !said.contains("Dinner"), "{said}");
    let said = home.chat(&["read me the mail from Scuola Verdi"]).await;
    assert!(said.contains("Bring a hat.") && !said.contains("When is it"), "{said}");
    assert!(said.contains("folded"), "{said}");
}

#[tokio::test]
async fn a_mail_is_shown_and_goes_out_once() {
    let bed = Bed::new();
    let home = bed.home("writer").await;
    bed.empties("reader2");
    let request = "send a mail to reader2@bed.local saying the train is late";
    let said = home.chat(&[request, "no"]).await;
    assert!(
        said.contains("reader2@bed.local") && said.contains("the train is late"),
        "{said}"
    );
    assert_eq!(bed.box_of("reader2", "INBOX").len(), 0, "{said}");
    let said = home.chat(&[request, "yes"]).await;
    assert!(said.contains("Sent to reader2@bed.local"), "{said}");
    bed.holds("reader2", "INBOX", 1).await;
    bed.holds("writer", "Sent", 1).await;
    let rows = home.rows("SELECT state FROM sent_mail ORDER BY at");
    assert_eq!(rows, ["sent"]);
}

#[tokio::test]
async fn killed_while_it_could_be_taken_back_nothing_went_out_and_it_goes_out_once() {
    let bed = Bed::new();
    let home = bed.home("killed").await;
    bed.empties("reader3");
    bed.configure(&home, 60);
    let mut talk = home.talk();
    talk.says("send a mail to reader3@bed.local saying the train is late")
        .await;
    talk.prints("Shall I send").await;
    talk.says("y").await;
    let begun = Instant::now();
    while home.rows("SELECT state FROM sent_mail") != ["written"] {
        assert!(begun.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(talk); // kills it
    assert_eq!(bed.box_of("reader3", "INBOX").len(), 0);
    bed.configure(&home, 0);
    let said = home.chat(&["what time is it"]).await;
    let went = bed.box_of("reader3", "INBOX").len();
    assert!(went <= 1, "{said}");
    assert!(!said.contains("cannot know"), "{said}");
}

#[tokio::test]
async fn attachments_are_saved_under_plain_names_and_taken_back() {
    let bed = Bed::new();
    let home = bed.home("bills").await;
    let mime = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x";
    let text = "--x\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--x\r\n\
        Content-Type: application/pdf; name=\"../../bill.pdf\"\r\nContent-Disposition: attachment\r\n\r\n%PDF-1.4\r\n--x--";
    let head = format!(
        "{}\r\n{mime}",
        headers("Dentist Rossi <studio@dentist.example>", "Bill for March")
    );
    bed.delivers("bills", &head, text);
    let request = "save the attachments of the mails from Dentist Rossi to ~/docs/bills";
    let said = home.chat(&[request, "y"]).await;
    assert!(home.path("docs/bills/bill.pdf").exists(), "{said}");
    let said = home.chat(&["undo"]).await;
    assert!(!home.path("docs/bills/bill.pdf").exists(), "{said}");
}

/// Two accounts whose connections are held, each waiting for mail: what they add to the memory of a metnos that idles
/// and watches something else.
#[tokio::test]
async fn two_idle_accounts_take_at_most_eight_megabytes() {
    const MORE_MB_MAX: f64 = 8.0;
    let bed = Bed::new();
    let home = bed.home("memory1").await;
    bed.empties("memory2");
    let mut resident = Vec::new();
    for has_accounts in [false, true] {
        let none = Home::new();
        none.write("notes/one.txt", "1");
        none.write("notes/two.txt", "2");
        if has_accounts {
            let (good, said) = bed.add(&home, "memory2", bed.port, "bedpass").await;
            assert!(good, "{said}");
        }
        let mut talk = if has_accounts { home.talk() } else { none.talk() };
        talk.says("what time is it").await;
        talk.prints("It's").await;
        if has_accounts {
            talk.says("any unread mail?").await;
            talk.prints("no such mail").await;
            for account in ["memory1", "memory2"] {
                talk.says(&format!("tell me when a mail about {account} comes")).await;
                talk.prints("I keep watch").await;
            }
        } else {
            for file in ["one", "two"] {
                talk.says(&format!("tell me when ~/notes/{file}.txt changes")).await;
                talk.prints("I keep watch").await;
            }
        }
        // Both listen by then.
        tokio::time::sleep(Duration::from_secs(5)).await;
        resident.push(resident_mb(talk.service.id()));
        talk.ends().await;
    }
    let more = resident[1] - resident[0];
    assert!(more <= MORE_MB_MAX, "{resident:?} MB: {more:.1} more");
}

/// Two people of one house on Telegram, each with a mailbox of their own.
#[tokio::test]
async fn over_telegram_each_has_their_own_mail_and_a_text_is_changed_before_it_goes() {
    let bed = Bed::new();
    let home = bed.home("host1").await;
    bed.empties("guest1");
    let ca = bed.folder.join("tls/ca.pem");
    home.configure(&format!(
        "[telegram]\napi_url = \"{}\"\npoll_s = 2\n[mail]\nca_file = \"{}\"\nhold_s = 0\n",
        telegram_url(),
        ca.display()
    ));
    bed.delivers(
        "host1",
        &headers("School <info@school.example>", "Trip on Friday"),
        "Bring a hat.",
    );
    bed.delivers("host1", &headers(SPAM, "You won"), "Click here.");
    let host = Phone::new(181, "en").await;
    let guest = host.beside(182);
    let mut service = home.serve(&[("METNOS_TELEGRAM_TOKEN", TOKEN)]);
    let code = pairing_code(&service.prints("/pair ").await);
    host.asks(&format!("/pair {code}"), "User").await;
    let (_, printed) = home.run(&["pair"], "").await;
    guest
        .asks(&format!("/pair {}", pairing_code(&printed)), "Welcome")
        .await;

    host.asks("any new mail from the school?", "Trip on Friday").await;
    host.asks("read me the mail from the school", "Bring a hat.").await;
    let card = host
        .asks("find the spam mail and move it to trash", "May I move these mails?")
        .await;
    host.taps(&card, &card.buttons[0].0).await;
    let moved = host.hears(card.id, "to Trash").await;
    bed.holds("host1", "Trash", 1).await;
    host.taps(&moved, "✓").await;

    let card = host
        .asks(
            "send a mail to guest1@bed.local saying dinner is at eight",
            "dinner is at eight",
        )
        .await;
    host.taps(&card, "Change").await;
    host.hears(card.id, "How should it read?").await;
    let card = host.asks("Dinner is at nine.", "Dinner is at nine.").await;
    assert_eq!(bed.box_of("guest1", "INBOX").len(), 0);
    host.taps(&card, &card.buttons[0].0).await;
    host.hears(card.id, "Sent to guest1@bed.local").await;
    bed.holds("guest1", "INBOX", 1).await;

    guest.asks("any new mail?", "What is your mail address?").await;
    guest.asks("guest1@bed.local", "IMAP server").await;
    guest.asks(&format!("localhost:{}", bed.port), "SMTP server").await;
    guest.asks(&format!("localhost:{}", bed.port + 3), "password").await;
    guest.asks("bedpass", "guest1@bed.local works").await;
    guest.hears(0, "inner").await;
    let shown = guest.shown().await;
    assert!(
        shown.iter().all(|one| !one.text.contains("Trip on Friday")),
        "{shown:?}"
    );
    service.terminate().await;
}
