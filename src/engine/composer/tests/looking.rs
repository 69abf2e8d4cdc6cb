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
    // A document is something to read, where nothing else says which; whoever asks which one it is gets its name.
    (
        "quali documenti di maggio",
        "find_files{base_path:~,pattern:*.{pdf,doc,docx,odt,rtf,txt,md,tex,pages,xls,xlsx,ods,csv,ppt,pptx,odp,epub},modified_window:2026-05}",
    ),
    (
        "the biggest document in ~/docs",
        "find_files{base_path:~/docs,pattern:*.{pdf,doc,docx,odt,rtf,txt,md,tex,pages,xls,xlsx,ods,csv,ppt,pptx,odp,epub}} → sort_entries{from_step:1,by:size,desc:true,top:1}",
    ),
    ("documents about taxes", "find_files{base_path:~,about:taxes|tassa}"),
    ("list the documents in ~/docs", "list_dirs{path:~/docs}"),
    (
        "qual è la bolletta più recente",
        "find_files{base_path:~,named:bolletta|bill,keep:newest} → sort_entries{from_step:1,by:mtime,desc:true,top:1}",
    ),
    (
        "leggimi la lettera più recente",
        "find_files{base_path:~,named:lettera,keep:newest} → sort_entries{from_step:1,by:mtime,desc:true,top:1} → read_files{from_step:2,only_one:true}",
    ),
    (
        "open the photos in ~/in",
        "find_files{base_path:~/in,pattern:*.{jpg,jpeg,png,gif,webp,heic,bmp,tiff,svg}}",
    ),
    // What has been is of the season that has been, and what is still to come is not.
    (
        "fammi vedere le foto di quest'estate",
        "find_files{base_path:~,pattern:*.{jpg,jpeg,png,gif,webp,heic,bmp,tiff,svg},modified_window:2026-06-21/2026-09-20}",
    ),
    (
        "files from this winter",
        "find_files{base_path:~,modified_window:2025-12-21/2026-03-20}",
    ),
    (
        "files from this autumn",
        "find_files{base_path:~,modified_window:2026-09-21/2026-12-20}",
    ),
    (
        "is there anything in ~/notes that mentions tomatoes",
        "find_files{base_path:~/notes,about:tomatoes}",
    ),
    (
        "in quale documento si parla di pomodori",
        "find_files{base_path:~,about:pomodori}",
    ),
    (
        "what does the letter from the bank say?",
        "find_files{base_path:~,named:letter bank|banca} → read_files{from_step:1,only_one:true}",
    ),
    (
        "show me the pancake recipe",
        "find_files{base_path:~,named:pancake recipe|ricetta} → read_files{from_step:1,only_one:true}",
    ),
    (
        "cosa dice la lettera della nonna",
        "find_files{base_path:~,named:lettera nonna|grandmother|grandma} → read_files{from_step:1,only_one:true}",
    ),
    (
        "fammi vedere la lista dei regali",
        "find_files{base_path:~,named:regali|gift|present} → read_files{from_step:1,only_one:true}",
    ),
    (
        "the first two lines of my diary",
        "find_files{base_path:~,named:diary|journal} → read_files{from_step:1,only_one:true} → filter_texts_lines{from_step:2,first:2}",
    ),
    (
        "quante righe ha il mio diario",
        "find_files{base_path:~,named:diario|journal} → read_files{from_step:1,only_one:true} → filter_texts_lines{from_step:2} | ${step3.count}",
    ),
    (
        "what is still to do on my todo",
        "find_files{base_path:~,named:todo} → read_files{from_step:1,only_one:true} → filter_texts_lines{from_step:2,undone:true}",
    ),
    (
        "cosa resta da fare nella lista della festa",
        "find_files{base_path:~,named:festa} → read_files{from_step:1,only_one:true} → filter_texts_lines{from_step:2,undone:true}",
    ),
    (
        "when does the lease expire?",
        "find_files{base_path:~,named:lease|locazione} → read_files{from_step:1} → filter_texts_lines{from_step:2,around:lease|locazione}",
    ),
    (
        "quanto devo pagare di condominio e quando?",
        "find_files{base_path:~,named:condominio} → read_files{from_step:1} → filter_texts_lines{from_step:2,around:condominio}",
    ),
    (
        "chi porta la torta? l'ho scritto da qualche parte",
        "find_files{base_path:~,named:porta torta|cake} → read_files{from_step:1} → filter_texts_lines{from_step:2,around:porta torta|cake}",
    ),
    (
        "dov'è il ristorante più vicino? è aperto ora?",
        "get_location{} → get_places{kind:restaurant,near:${step1.point}}",
    ),
    (
        "which is the nearest restaurant, and is it open now?",
        "get_location{} → get_places{kind:restaurant,near:${step1.point}}",
    ),
    (
        "which is the nearest restaurant open now?",
        "get_location{} → find_places{kind:restaurant,near:${step1.point},open_now:true}",
    ),
    (
        "di che cosa parla ~/docs/lettera.txt?",
        "read_files{paths:[~/docs/lettera.txt]} → describe_entries{from_step:1}",
    ),
    // The noun beside a paper belongs to its name; a noun that something else belongs to is what is spoken of.
    (
        "where is the lease of the flat?",
        "find_files{base_path:~,named:lease|locazione flat}",
    ),
    (
        "dov'è la bolletta della luce",
        "find_files{base_path:~,named:bolletta|bill luce|electricity|elettricita}",
    ),
    (
        "where is the letter from the pharmacy",
        "find_files{base_path:~,named:letter pharmacy}",
    ),
    (
        "where's my phone bill",
        "find_files{base_path:~,named:phone|telephone|telefono bill|bolletta}",
    ),
    (
        "leggimi il contratto del telefono fisso",
        "find_files{base_path:~,named:contratto telefono|phone|telephone fisso} → read_files{from_step:1,only_one:true}",
    ),
    ("turn on the light of the kitchen", "no devices"),
    ("set the colour of the light to red", "no devices"),
    ("the phone number of Marta", "no contacts"),
    ("apri la mail ricevuta ieri", "no messages"),
    ("where is the recipe book", "unsure where is,recipe,book"),
    // Whether a thing is on a list, and no other question about it.
    (
        "is milk on the shopping list?",
        "find_files{base_path:~,named:shopping|groceries|spesa} → read_files{from_step:1,only_one:true} → filter_texts_lines{from_step:2,things:milk}",
    ),
    (
        "c'è il caffè sulla lista della spesa?",
        "find_files{base_path:~,named:spesa|shopping|groceries} → read_files{from_step:1,only_one:true} → filter_texts_lines{from_step:2,things:caffè}",
    ),
    (
        "il pane e le uova sono già nella lista della spesa?",
        "find_files{base_path:~,named:spesa|shopping|groceries} → read_files{from_step:1,only_one:true} → filter_texts_lines{from_step:2,things:pane\\nuova}",
    ),
    (
        "il pane è già nella lista della spesa?",
        "find_files{base_path:~,named:spesa|shopping|groceries} → read_files{from_step:1,only_one:true} → filter_texts_lines{from_step:2,things:pane}",
    ),
    // Typed without its accent, "è" is written as "and" is.
    (
        "il pane e già nella lista della spesa?",
        "find_files{base_path:~,named:spesa|shopping|groceries} → read_files{from_step:1,only_one:true} → filter_texts_lines{from_step:2,things:pane}",
    ),
    (
        "look for milk on the shopping list",
        "find_files{base_path:~,named:shopping|groceries|spesa} → read_files{from_step:1,only_one:true} → filter_texts_lines{from_step:2,things:milk}",
    ),
    (
        "cerca il pane nella lista della spesa",
        "find_files{base_path:~,named:spesa|shopping|groceries} → read_files{from_step:1,only_one:true} → filter_texts_lines{from_step:2,things:pane}",
    ),
    // A list that is looked for is known by its name.
    (
        "find my shopping list",
        "find_files{base_path:~,named:shopping|groceries|spesa}",
    ),
    (
        "trova la lista della spesa",
        "find_files{base_path:~,named:spesa|shopping|groceries}",
    ),
    ("is there milk?", "unsure milk"),
    ("is milk on the table?", "unsure milk,table"),
    ("is milk not on the shopping list?", "unsure milk,not,shopping"),
    ("was milk on the shopping list?", "unsure milk,shopping"),
    (
        "does Anna think milk is on the shopping list?",
        "unsure Anna,think,milk,shopping",
    ),
    ("who is on the guest list?", "unsure who,guest"),
    ("remind me of the bill of the phone", "unsure bill,phone"),
];

/// What stays unsaid, and the words in the way.
pub(super) const NOT_LOOKED_FOR: &[(&str, &str)] = &[
    ("is there anything to eat", "unsure anything,eat"),
    ("did anything happen yesterday", "unsure did,anything,happen"),
    ("hai qualcosa da dirmi oggi", "unsure hai,qualcosa"),
    ("delete what has not been touched for a year", "unsure delete"),
    ("move the biggest file to ~/b", "unsure"),
    ("which of my plants haven't been touched for a year", "unsure plants"),
    ("show me the weather", "unsure weather"),
    ("show me the neighbours", "unsure neighbours"),
    ("when does the boat leave", "unsure when does,boat,leave"),
    (
        "quante uova per le lasagne e quante per il tiramisu",
        "unsure uova,per,lasagne,per,tiramisu",
    ),
    (
        "quante uova ci vogliono per le lasagne e quante per il tiramisu",
        "unsure uova,ci vogliono,per,lasagne,per,tiramisu",
    ),
    ("read me the riot act about ~/a.txt", "unsure riot,act"),
    ("when do I pay 35 euros to Anna", "unsure when do,pay,Anna"),
    ("delete the recipe", "unsure recipe"),
    ("che cosa devo fare oggi", "unsure che cosa devo fare"),
    ("di cosa parla Marta", "unsure Marta"),
];
