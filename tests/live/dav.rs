//! Calendars and address books on a real server: Radicale behind TLS (`scripts/testbed/dav.sh`). What became of a
//! collection is read from Radicale's own folders on disk, not from what metnos says of it; another program (curl) is
//! the family member who changes things meanwhile.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{collections::BTreeMap, fs, path::PathBuf, process::Command};

use super::{bed, process::Home};

/// The server: its first port, and the folder with its certificates and collections.
struct Bed {
    port: u16,
    folder: PathBuf,
}

impl Bed {
    fn new() -> Self {
        let (port, folder) = bed::told_of("METNOS_LIVE_DAV_URL");
        Self { port, folder }
    }

    /// What somebody else does on the server; the status it answered.
    fn does(&self, user: &str, arguments: &[&str], path: &str) -> String {
        let output = Command::new("curl")
            .args([
                "--silent",
                "--output",
                "/dev/null",
                "--write-out",
                "%{http_code}",
                "--cacert",
            ])
            .arg(self.folder.join("tls/ca.pem"))
            .args(["--user", &format!("{user}:bedpass")])
            .args(arguments)
            .arg(format!("https://localhost:{}{path}", self.port))
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// Empties what this person has, and gives them one calendar and one address book.
    fn fresh(&self, user: &str) {
        self.does(user, &["-X", "DELETE"], &format!("/{user}/"));
        let made = self.does(user, &["-X", "MKCALENDAR"], &format!("/{user}/home/"));
        assert_eq!(made, "201");
        let book = "<D:mkcol xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:carddav\"><D:set><D:prop>\
            <D:resourcetype><D:collection/><C:addressbook/></D:resourcetype></D:prop></D:set></D:mkcol>";
        let made = self.does(user, &["-X", "MKCOL", "-d", book], &format!("/{user}/people/"));
        assert_eq!(made, "201");
    }

    fn puts(&self, user: &str, path: &str, text: &str) {
        let kind = if path.ends_with(".vcf") {
            "text/vcard"
        } else {
            "text/calendar"
        };
        let header = format!("Content-Type: {kind}");
        let arguments = ["-X", "PUT", "-H", header.as_str(), "--data-binary", text];
        let status = self.does(user, &arguments, &format!("/{user}/{path}"));
        assert!(["201", "204"].contains(&status.as_str()), "{status}");
    }

    /// The texts in a collection, as they lie on disk.
    fn texts(&self, user: &str, collection: &str) -> BTreeMap<String, String> {
        let folder = self
            .folder
            .join("collections/collection-root")
            .join(user)
            .join(collection);
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
        let shown = named.filter(|(name, _)| !name.starts_with('.'));
        shown
            .map(|(name, path)| (name, fs::read_to_string(path).unwrap()))
            .collect()
    }

    fn home(&self) -> Home {
        let home = Home::new();
        let ca = self.folder.join("tls/ca.pem");
        home.configure(&format!("[agenda]\nca_file = \"{}\"\n", ca.display()));
        home
    }

    async fn add(&self, home: &Home, service: &str, user: &str, above: u16, password: &str) -> (bool, String) {
        let address = format!("https://localhost:{}/", self.port + above);
        let arguments = ["account", "add", service, &address, "--user", user];
        home.run(&arguments, &format!("{password}\n")).await
    }

    /// A home of somebody with a calendar and an address book here.
    async fn connected(&self, user: &str) -> Home {
        self.fresh(user);
        let home = self.home();
        for service in ["caldav", "carddav"] {
            let (good, said) = self.add(&home, service, user, 0, "bedpass").await;
            assert!(good, "{said}");
        }
        home
    }
}

fn event(uid: &str, summary: &str, start: &str, more: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20260101T000000Z\r\n\
         DTSTART:{start}\r\nDURATION:PT1H\r\nSUMMARY:{summary}\r\n{more}END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

#[tokio::test]
async fn servers_that_are_not_who_they_say_are_told_nothing() {
    let bed = Bed::new();
    bed.fresh("anna");
    let home = bed.home();
    for (above, words) in [
        (2, "another name"),
        (3, "has expired"),
        (4, "Nobody this machine trusts"),
    ] {
        let (good, said) = bed.add(&home, "caldav", "anna", above, "bedpass").await;
        assert!(!good && said.contains(words), "{said}");
    }
    let (good, said) = bed.add(&home, "caldav", "anna", 0, "wrong").await;
    assert!(!good && said.contains("refused the password"), "{said}");
    let (good, said) = home.run(&["account", "add", "caldav", "anna@gmail.com"], "").await;
    assert!(!good && said.contains("secret address"), "{said}");
    let (_, listed) = home.run(&["account", "list"], "").await;
    assert!(listed.contains("No account yet"), "{listed}");
}

#[tokio::test]
async fn accounts_are_looked_at_and_removed() {
    let bed = Bed::new();
    let home = bed.connected("dino").await;
    bed.puts("dino", "home/a.ics", &event("a", "Dentist", "20990105T090000Z", ""));
    let (good, said) = home.run(&["account", "check"], "").await;
    assert!(good, "{said}");
    for words in ["the calendar server answers", "one entry", "the address book answers"] {
        assert!(said.contains(words), "{said}");
    }
    assert!(
        !said.contains("compare everything"),
        "Radicale tells what changed: {said}"
    );
    let (_, said) = home.run(&["doctor"], "").await;
    assert!(said.contains("✓ dino@localhost: the calendar server answers"), "{said}");
    let (good, said) = home.run(&["account", "remove", "dino@localhost"], "").await;
    assert!(good, "{said}");
    assert_eq!(
        home.rows("SELECT count(*) || '' FROM dav_collections WHERE holds = 'events'"),
        ["0"]
    );
}

#[tokio::test]
async fn an_event_goes_to_the_server_moves_there_and_comes_back() {
    let bed = Bed::new();
    let home = bed.connected("anna").await;
    let said = home.chat(&["put dentist tomorrow at 15:30", "y"]).await;
    let texts = bed.texts("anna", "home");
    assert_eq!(texts.len(), 1, "{said}");
    assert!(texts.values().all(|text| text.contains("T153000")), "{texts:?}");
    assert!(!home.path(".calendar").exists(), "it is on the server and nowhere else");
    let said = home.chat(&["move the dentist to 16:45", "y"]).await;
    let texts = bed.texts("anna", "home");
    assert!(texts.values().all(|text| text.contains("T164500")), "{said}\n{texts:?}");
    let said = home.chat(&["undo", "y", "undo", "y"]).await;
    assert_eq!(bed.texts("anna", "home").len(), 0, "{said}");
}

#[tokio::test]
async fn what_the_family_does_is_seen_and_never_written_over() {
    let bed = Bed::new();
    let home = bed.connected("luca").await;
    home.chat(&["put dentist tomorrow at 15:30", "y"]).await;
    let (name, text) = bed.texts("luca", "home").pop_first().unwrap();
    bed.puts("luca", &format!("home/{name}"), &text.replace("T153000", "T101500"));
    let said = home.chat(&["undo", "y"]).await;
    assert!(said.contains("changed since"), "{said}");
    assert!(bed.texts("luca", "home")[&name].contains("T101500"));
}

#[tokio::test]
async fn one_of_a_series_moves_and_the_others_stay() {
    let bed = Bed::new();
    let daily = event("s", "Pilates", "20260101T180000Z", "RRULE:FREQ=DAILY\r\n");
    let home = bed.connected("carla").await;
    bed.puts("carla", "home/s.ics", &daily);
    let (good, said) = home.run(&["account", "check"], "").await;
    assert!(good, "{said}");
    let said = home.chat(&["move pilates of tomorrow to 21:00", "1", "y"]).await;
    let text = &bed.texts("carla", "home")["s.ics"];
    assert!(
        text.contains("RECURRENCE-ID") && text.contains("FREQ=DAILY"),
        "{said}\n{text}"
    );
    let said = home.chat(&["undo", "y"]).await;
    assert!(!bed.texts("carla", "home")["s.ics"].contains("RECURRENCE-ID"), "{said}");
}

#[tokio::test]
async fn contacts_are_found_and_kept_on_the_server() {
    let bed = Bed::new();
    let home = bed.connected("dino").await;
    let card =
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:m\r\nFN:Marta Neri\r\nN:Neri;Marta;;;\r\nTEL:+39055123\r\nEND:VCARD\r\n";
    bed.puts("dino", "people/m.vcf", card);
    let said = home.chat(&["what is Marta's number?"]).await;
    assert!(said.contains("+39055123"), "{said}");
}

#[tokio::test]
async fn a_calendar_at_an_address_is_read_and_never_written() {
    let bed = Bed::new();
    let home = bed.home();
    let feed = event("f", "School trip", "20260101T080000Z", "RRULE:FREQ=DAILY\r\n");
    let feed = feed.replace("VERSION:2.0", "VERSION:2.0\r\nX-WR-CALNAME:School Verdi");
    fs::write(bed.folder.join("feed/school-secret.ics"), feed).unwrap();
    let address = format!("webcal://localhost:{}/school-secret.ics", bed.port + 1);
    let (good, said) = home.run(&["account", "add", "calendar", &address], "").await;
    assert!(good && said.contains("School Verdi"), "{said}");
    let said = home.chat(&["what's on my calendar tomorrow?"]).await;
    assert!(said.contains("School trip"), "{said}");
    let (_, listed) = home.run(&["account", "list"], "").await;
    assert!(!listed.contains("school-secret"), "the address is a secret: {listed}");
    // Gone from the web, it is shown as it was, with the hour.
    fs::remove_file(bed.folder.join("feed/school-secret.ics")).unwrap();
    let (good, said) = home.run(&["account", "check"], "").await;
    assert!(good || said.contains("isn't there"), "{said}");
    let said = home.chat(&["what's on my calendar tomorrow?"]).await;
    assert!(said.contains("School trip"), "{said}");
}
