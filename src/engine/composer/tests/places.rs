//! Requests for places and for files to be brought, in the words of a household.

/// Requests and what each becomes, or what stands in its way.
pub(super) const PLACES: &[(&str, &str)] = &[
    (
        "the nearest pharmacy",
        "get_location{} → find_places{kind:pharmacy,near:${step1.point}}",
    ),
    (
        "nearest pharmacy",
        "get_location{} → find_places{kind:pharmacy,near:${step1.point}}",
    ),
    (
        "where is the nearest pharmacy?",
        "get_location{} → find_places{kind:pharmacy,near:${step1.point}}",
    ),
    (
        "find a pharmacy near me that is open now",
        "get_location{} → find_places{kind:pharmacy,near:${step1.point},open_now:true}",
    ),
    (
        "show me the restaurants nearby please",
        "get_location{} → find_places{kind:restaurant,near:${step1.point}}",
    ),
    (
        "restaurants near Piazza Navona",
        "find_places{kind:restaurant,near:Piazza Navona}",
    ),
    (
        "find restaurants near \"Piazza Navona\"",
        "find_places{kind:restaurant,near:Piazza Navona}",
    ),
    ("restaurants in Rome", "find_places{kind:restaurant,near:Rome}"),
    (
        "bars near Via Torino 7, Milano",
        "find_places{kind:bar,near:Via Torino 7, Milano}",
    ),
    (
        "the nearest pharmacy to Piazza Navona",
        "find_places{kind:pharmacy,near:Piazza Navona}",
    ),
    (
        "sushi near me",
        "get_location{} → find_places{query:sushi,near:${step1.point}}",
    ),
    (
        "farmacia più vicina",
        "get_location{} → find_places{kind:pharmacy,near:${step1.point}}",
    ),
    (
        "dov'è la farmacia più vicina?",
        "get_location{} → find_places{kind:pharmacy,near:${step1.point}}",
    ),
    (
        "trovami una farmacia qui vicino",
        "get_location{} → find_places{kind:pharmacy,near:${step1.point}}",
    ),
    (
        "bar aperti vicino a me",
        "get_location{} → find_places{kind:bar,near:${step1.point},open_now:true}",
    ),
    (
        "c'è una farmacia aperta nei dintorni?",
        "get_location{} → find_places{kind:pharmacy,near:${step1.point},open_now:true}",
    ),
    (
        "ristoranti vicino a Piazza Navona",
        "find_places{kind:restaurant,near:Piazza Navona}",
    ),
    (
        "cerca un ristorante vicino alla stazione Termini",
        "find_places{kind:restaurant,near:stazione Termini}",
    ),
    ("ristoranti a Roma", "find_places{kind:restaurant,near:Roma}"),
    ("send me ~/docs/a.pdf", "send_files{paths:[~/docs/a.pdf]}"),
    ("send me the photo ~/photos/x.jpg", "send_files{paths:[~/photos/x.jpg]}"),
    ("mandami la foto ~/photos/x.jpg", "send_files{paths:[~/photos/x.jpg]}"),
    ("inviami il file ~/docs/a.pdf", "send_files{paths:[~/docs/a.pdf]}"),
    (
        "mandami i pdf in ~/docs",
        "find_files{base_path:~/docs,pattern:*.pdf} → send_files{from_step:1}",
    ),
    ("send ~/docs/a.pdf to Marco", "unsure Marco"),
    (
        "find files about the bar in ~/docs",
        "find_files{base_path:~/docs,about:bar}",
    ),
    ("bars near the station", "unsure near,station"),
];
