//! Whole objects: read, repeated, changed, written and read again.

use jiff::{Timestamp, civil::date, tz::TimeZone};
use proptest::prelude::*;

use crate::{
    Attendee, Birthday, Broken, Card, CardChange, Change, Extent, Moved, NewEvent, Object, Value, When, Window,
    home_time, occurrences,
};

const SERIES: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\
    BEGIN:VEVENT\r\nUID:yoga\r\nSUMMARY:yoga\r\nDTSTART;TZID=Europe/Rome:20261102T180000\r\n\
    DTEND;TZID=Europe/Rome:20261102T190000\r\n\
    RRULE:FREQ=WEEKLY;BYDAY=MO\r\nEXDATE;TZID=Europe/Rome:20261116T180000\r\nX-OTHER;X-P=1:kept\r\n\
    BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:yoga\r\nSUMMARY:yoga outside\r\nRECURRENCE-ID;TZID=Europe/Rome:20261123T180000\r\n\
    DTSTART;TZID=Europe/Rome:20261123T180000\r\nDTEND;TZID=Europe/Rome:20261123T190000\r\nEND:VEVENT\r\n\
    END:VCALENDAR\r\n";

fn rome() -> TimeZone {
    TimeZone::get("Europe/Rome").unwrap()
}

fn now() -> Timestamp {
    "2026-11-01T08:00:00Z".parse().unwrap()
}

fn shown(object: &Object) -> Vec<String> {
    let window = Window {
        start: "2026-11-01T00:00:00Z".parse().unwrap(),
        end: "2026-12-15T00:00:00Z".parse().unwrap(),
    };
    let found = occurrences(object, &rome(), window).found;
    let one = |one: &crate::Occurrence<'_>| {
        let at = match &one.start {
            crate::At::Day(day) => day.to_string(),
            crate::At::Instant(at) => at.strftime("%m-%d %H:%M").to_string(),
        };
        format!("{at} {}", one.event.summary)
    };
    found.iter().map(one).collect()
}

fn instance(day: i8) -> When {
    When::Zoned(date(2026, 11, day).at(18, 0, 0, 0), "Europe/Rome".to_owned())
}

fn changed(day: i8, extent: Extent, change: &Change) -> (Object, Option<Object>) {
    let mut object = Object::parse(SERIES).unwrap();
    let split = object
        .change(("yoga", &instance(day), extent), change, (&rome(), now(), "yoga-2"))
        .unwrap();
    // What is written is what is read again.
    let again = |object: &Object| {
        let text = object.to_text();
        let read = Object::parse(&text).unwrap();
        assert_eq!(shown(&read), shown(object), "{text}");
        read
    };
    (again(&object), split.as_ref().map(again))
}

#[test]
fn one_of_a_series_moves_alone() {
    let friday = Change {
        start: Some(Moved::Day(date(2026, 11, 13))),
        ..Change::default()
    };
    let (object, split) = changed(9, Extent::One, &friday);
    assert!(split.is_none());
    let expected = [
        "11-02 18:00 yoga",
        "11-13 18:00 yoga",
        "11-23 18:00 yoga outside",
        "11-30 18:00 yoga",
        "12-07 18:00 yoga",
        "12-14 18:00 yoga",
    ];
    assert_eq!(shown(&object), expected);
    assert!(object.to_text().contains("X-OTHER;X-P=1:kept"));
}

#[test]
fn all_of_a_series_move_with_what_was_left_out_and_made_different() {
    let tuesday = Change {
        start: Some(Moved::At(date(2026, 11, 3).at(19, 30, 0, 0))),
        ..Change::default()
    };
    let (object, _) = changed(2, Extent::All, &tuesday);
    let expected = [
        "11-03 19:30 yoga",
        "11-10 19:30 yoga",
        "11-24 19:30 yoga outside",
        "12-01 19:30 yoga",
        "12-08 19:30 yoga",
    ];
    assert_eq!(shown(&object), expected);
    assert!(object.to_text().contains("SEQUENCE:1"), "others see that it changed");
}

#[test]
fn from_one_on_a_series_becomes_two() {
    let later = Change {
        start: Some(Moved::Time(jiff::civil::time(20, 0, 0, 0))),
        summary: Some("late yoga".to_owned()),
        ..Change::default()
    };
    let (object, split) = changed(23, Extent::Later, &later);
    assert_eq!(shown(&object), ["11-02 18:00 yoga", "11-09 18:00 yoga"]);
    let split = split.unwrap();
    assert_eq!(
        shown(&split),
        [
            "11-23 20:00 yoga outside",
            "11-30 20:00 late yoga",
            "12-07 20:00 late yoga",
            "12-14 20:00 late yoga"
        ]
    );
    assert!(split.has("yoga-2") && !split.has("yoga"));
}

#[test]
fn an_instance_its_followers_or_all_are_taken_out() {
    let removed = |extent| {
        let mut object = Object::parse(SERIES).unwrap();
        let is_left = object.remove(("yoga", &instance(23), extent), &rome(), now()).unwrap();
        (is_left, shown(&object))
    };
    let before = ["11-02 18:00 yoga", "11-09 18:00 yoga"].map(str::to_owned).to_vec();
    let mut without = before.clone();
    without.extend(["11-30 18:00 yoga", "12-07 18:00 yoga", "12-14 18:00 yoga"].map(str::to_owned));
    assert_eq!(removed(Extent::One), (true, without));
    assert_eq!(removed(Extent::Later), (true, before));
    assert_eq!(removed(Extent::All), (false, Vec::new()));
}

/// Another program finds the same components and properties in a text.
fn read_by_another(text: &str) -> Vec<(String, usize)> {
    let Ok(read) = calcard::icalendar::ICalendar::parse(text) else {
        return Vec::new();
    };
    let parts = read.components.iter();
    parts
        .map(|part| (part.component_type.as_str().to_owned(), part.entries.len()))
        .collect()
}

#[test]
fn another_program_reads_what_is_written() {
    let mut written = read_by_another(&Object::parse(SERIES).unwrap().to_text());
    let mut original = read_by_another(SERIES);
    written.sort();
    original.sort();
    assert!(written == original && written.len() == 4, "{written:?} {original:?}");
    let friday = Change {
        start: Some(Moved::Day(date(2026, 11, 13))),
        ..Change::default()
    };
    let (object, _) = changed(9, Extent::One, &friday);
    let kinds: Vec<String> = read_by_another(&object.to_text())
        .into_iter()
        .map(|(kind, _)| kind)
        .collect();
    assert_eq!(kinds.iter().filter(|kind| *kind == "VEVENT").count(), 3);
    assert!(
        kinds.iter().any(|kind| kind == "VTIMEZONE"),
        "the zone is told: {kinds:?}"
    );
}

#[test]
fn a_new_event_names_its_zone_and_tells_it() {
    let start = home_time(date(2026, 12, 1).at(15, 30, 0, 0), &rome());
    let event = NewEvent {
        uid: "d".to_owned(),
        summary: "dentist; bring\nBEGIN:VEVENT".to_owned(),
        end: Some(start.with_civil(date(2026, 12, 1).at(16, 30, 0, 0))),
        start,
        location: None,
        description: None,
        attendees: vec![
            Attendee {
                name: "Rossi, Anna".to_owned(),
                address: "anna@example.org\r\nX:y".to_owned(),
            },
            Attendee {
                name: "Luca".to_owned(),
                ..Attendee::default()
            },
        ],
        rule: None,
        now: now(),
    };
    let text = event.to_object().to_text();
    assert!(
        text.contains("TZID:Europe/Rome") && text.contains("BEGIN:VTIMEZONE"),
        "{text}"
    );
    let object = Object::parse(&text).unwrap();
    assert_eq!(
        shown(&object),
        ["12-01 15:30 dentist; bring\nBEGIN:VEVENT"],
        "no text begins another event"
    );
    assert!(
        text.contains("ATTENDEE;SCHEDULE-AGENT=NONE"),
        "nobody is told by a server: {text}"
    );
    let people = object.events().flat_map(|event| &event.attendees);
    let people: Vec<(&str, &str)> = people.map(|who| (who.name.as_str(), who.address.as_str())).collect();
    assert_eq!(people, [("Rossi, Anna", "anna@example.orgX:y"), ("Luca", "")]);
}

#[test]
fn zones_of_other_programs_are_known_and_the_rest_is_told() {
    let of = |zone: &str| {
        let text = format!(
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:z\r\nSUMMARY:z\r\n\
            DTSTART;TZID=\"{zone}\":20261201T100000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        );
        let object = Object::parse(&text).unwrap();
        (shown(&object), object.unknown_zones(&rome()))
    };
    for (zone, shown, unknown) in [
        ("Europe/London", "12-01 11:00 z", 0),
        ("GMT Standard Time", "12-01 11:00 z", 0),
        ("/freeassociation.sourceforge.net/Europe/London", "12-01 11:00 z", 0),
        ("Office of Nowhere", "12-01 10:00 z", 1),
    ] {
        let (found, names) = of(zone);
        assert_eq!(
            (found.as_slice(), names.len()),
            ([shown.to_owned()].as_slice(), unknown),
            "{zone}"
        );
    }
}

#[test]
fn what_costs_too_much_is_refused() {
    let deep = "BEGIN:X\r\n".repeat(20) + &"END:X\r\n".repeat(20);
    assert_eq!(Object::parse(&deep).err(), Some(Broken::TooManyParts));
    let many = format!(
        "BEGIN:VCALENDAR\r\n{}END:VCALENDAR\r\n",
        "BEGIN:VEVENT\r\nEND:VEVENT\r\n".repeat(30_000)
    );
    assert_eq!(Object::parse(&many).err(), Some(Broken::TooManyParts));
    assert_eq!(Object::parse(&"x".repeat(9_000_000)).err(), Some(Broken::TooLarge));
    assert_eq!(Object::parse("hello").err(), Some(Broken::Unreadable));
    let endless = SERIES.replace("FREQ=WEEKLY;BYDAY=MO", "FREQ=SECONDLY");
    let object = Object::parse(&endless).unwrap();
    let window = Window {
        start: "2026-11-01T00:00:00Z".parse().unwrap(),
        end: "2036-11-01T00:00:00Z".parse().unwrap(),
    };
    assert!(occurrences(&object, &rome(), window).is_cut);
}

#[test]
fn a_card_keeps_what_nobody_changes() {
    let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:anna\r\nFN:Anna Rossi\r\nN:Rossi;Anna;;;\r\n\
    NICKNAME:mum,Nina\r\nTEL;TYPE=CELL:+39 333 1234567\r\n\
        BDAY;X-APPLE-OMIT-YEAR=1604:1604-03-09\r\nX-ODD;A=b:c\r\nEND:VCARD\r\n";
    let mut card = Card::parse_all(text).unwrap().remove(0);
    let contact = card.contact();
    assert_eq!((contact.name.as_str(), contact.given.as_str()), ("Anna Rossi", "Anna"));
    assert_eq!(contact.nicknames, ["mum", "Nina"]);
    assert_eq!(
        contact.birthday,
        Some(Birthday {
            year: None,
            month: 3,
            day: 9
        })
    );
    let phone = Value {
        text: "+39 333 7654321".to_owned(),
        kind: String::new(),
    };
    card.change(&CardChange {
        phone: Some(phone),
        ..CardChange::default()
    });
    let again = Card::parse_all(&card.to_text()).unwrap().remove(0);
    assert_eq!(
        again.contact().phones,
        [Value {
            text: "+39 333 7654321".to_owned(),
            kind: "cell".to_owned()
        }]
    );
    assert!(again.to_text().contains("X-ODD"));
}

#[test]
fn who_was_born_on_a_leap_day_has_a_birthday_every_year() {
    let born = Birthday::on(date(2000, 2, 29));
    assert_eq!(born.next(date(2027, 1, 1)), Some((date(2027, 2, 28), Some(27))));
    assert_eq!(born.next(date(2027, 3, 1)), Some((date(2028, 2, 29), Some(28))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_text_breaks_the_reader(lines in proptest::collection::vec("(BEGIN|END|DTSTART|DTEND|RRULE|EXDATE|RDATE|UID|DURATION|TZID)(;TZID=[A-Za-z/]{0,9})?:(VEVENT|VCALENDAR|VCARD|FREQ=DAILY|[0-9]{8}T[0-9]{6}Z?|-?P[0-9]{1,9}[DW]|\\PC{0,12})", 0..12)) {
        let text = format!("BEGIN:VCALENDAR\r\n{}\r\nEND:VCALENDAR\r\n", lines.join("\r\n"));
        if let Ok(object) = Object::parse(&text) {
            shown(&object);
            object.to_text();
        }
        drop(Card::parse_all(&text));
    }
}
