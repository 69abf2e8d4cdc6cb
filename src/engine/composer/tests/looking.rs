//! What households look for in their own words: the biggest of all, what nobody touched for long, what mentions
//! something.

/// Requests and their plans, in both languages.
pub(super) const LOOKING: &[(&str, &str)] = &[
    (
        "what is the biggest file I have",
        "find_files{base_path:~,keep:largest} → sort_entries{from_step:1,by:size,desc:true,top:1}",
    ),
    (
        "the two biggest files anywhere",
        "find_files{base_path:~,keep:largest} → sort_entries{from_step:1,by:size,desc:true,top:2}",
    ),
    (
        "i due file più grandi di ~/docs, dal più grande",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:2}",
    ),
    (
        "i file più grandi di 3 MB in ~/docs",
        "find_files{base_path:~/docs,min_size:3000000}",
    ),
    (
        "which files in ~/docs have not been changed for over two years",
        "find_files{base_path:~/docs,modified_window:older-2y}",
    ),
    (
        "quali file in ~/docs non sono stati modificati da più di due anni",
        "find_files{base_path:~/docs,modified_window:older-2y}",
    ),
    (
        "did I change anything yesterday?",
        "find_files{base_path:~,modified_window:yesterday}",
    ),
    (
        "abbiamo modificato qualcosa ieri?",
        "find_files{base_path:~,modified_window:yesterday}",
    ),
    (
        "is there anything in ~/notes that mentions tomatoes",
        "find_files{base_path:~/notes,about:tomatoes}",
    ),
    (
        "in quale documento si parla di pomodori",
        "find_files{base_path:~,about:pomodori}",
    ),
];

/// What stays unsaid, and the words in the way.
pub(super) const NOT_LOOKED_FOR: &[(&str, &str)] = &[
    ("is there anything to eat", "unsure anything,eat"),
    ("did anything happen yesterday", "unsure did,anything,happen"),
    ("hai qualcosa da dirmi oggi", "unsure hai,qualcosa"),
    ("delete what has not been touched for a year", "unsure delete"),
    ("move the biggest file to ~/b", "unsure"),
    ("which of my plants haven't been touched for a year", "unsure plants"),
];
