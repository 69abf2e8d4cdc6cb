//! Requests that name files by words of their names, over a home with files in it.

use super::{LANGUAGE, home_of, line};
use crate::{
    domain::lang::Lang,
    engine::{composer::compose, fixtures::shipped},
};

const FILES: [&str; 10] = [
    "notes/shopping.txt",
    "notes/todo.md",
    "docs/cv_marta.docx",
    "docs/cv_marta_old.docx",
    "docs/invoice 1.pdf",
    "docs/invoice 2.pdf",
    "photos/sea.jpg",
    "films/trip.mp4",
    "notes/diary.md",
    "docs/work/bolletta_luce.pdf",
];

/// Requests and what each becomes, in English and in Italian.
const BY_NAME: &[(&str, &str)] = &[
    // Two names in a folder are those two, and nothing else of it.
    (
        "move shopping.txt and todo.md from notes to docs",
        "move_files{paths:[~/notes/shopping.txt,~/notes/todo.md],dst_dir:~/docs}",
    ),
    (
        "sposta shopping.txt, todo.md da notes a docs",
        "move_files{paths:[~/notes/shopping.txt,~/notes/todo.md],dst_dir:~/docs}",
    ),
    (
        "delete sea.jpg and trip.mp4",
        "delete_files{paths:[~/photos/sea.jpg,~/films/trip.mp4]}",
    ),
    (
        "move sea.jpg to docs",
        "move_files{paths:[~/photos/sea.jpg],dst_dir:~/docs}",
    ),
    ("sposta sea.jpg in docs e shopping.txt in photos", "several"),
    (
        "move the txt files in notes and the pdf files in docs to photos",
        "several",
    ),
    // An article names no file, and one file is not all of them.
    ("move the file a from notes to docs", "unsure"),
    ("read the file in notes", "unsure"),
    ("sposta il file a da notes a docs", "unsure"),
    (
        "move every file from notes to docs",
        "find_files{base_path:~/notes,recursive:false} → move_files{from_step:1,dst_dir:~/docs}",
    ),
    // A folder stays one, whatever stands behind its name.
    (
        "find the pdf files in docs sorted by size",
        "find_files{base_path:~/docs,pattern:*.pdf} → sort_entries{from_step:1,by:size,desc:true}",
    ),
    (
        "find the jpg files in photos newest first",
        "find_files{base_path:~/photos,pattern:*.jpg} → sort_entries{from_step:1,by:mtime,desc:true}",
    ),
    (
        "the biggest pdf in docs",
        "find_files{base_path:~/docs,pattern:*.pdf} → sort_entries{from_step:1,by:size,desc:true,top:1}",
    ),
    // "The old ones" are some of those spoken of, and no name.
    ("move the old ones to notes", "unsure old"),
    // An "è" joins nothing, and where a line goes is not what it says.
    (
        "scrivi nella lista shopping che il pane è finito",
        "write_files{path:~/notes/shopping.txt,content:il pane è finito,mode:add_lines}",
    ),
    ("metti tè in cima alla lista shopping", "unsure tè,in cima"),
    // The second half is asked for, too.
    ("aggiungi il latte alla lista shopping e dimmi cosa c'è", "unsure"),
    ("togli il pane dalla lista shopping e dimmi cosa resta", "unsure resta"),
    ("add tea before bread to the shopping list", "unsure tea,before,bread"),
    (
        "add milk and eggs to my shopping list",
        "write_files{path:~/notes/shopping.txt,content:milk\\neggs,mode:add_lines}",
    ),
    (
        "aggiungi il latte alla lista shopping",
        "write_files{path:~/notes/shopping.txt,content:latte,mode:add_lines}",
    ),
    (
        "take the milk off the shopping list",
        "write_files{path:~/notes/shopping.txt,content:milk,mode:remove_lines}",
    ),
    (
        "mark the plumber as done in my todo list",
        "write_files{path:~/notes/todo.md,content:plumber,mode:tick_lines}",
    ),
    (
        "remove the line \"tea\" from ~/notes/a.txt",
        "write_files{path:~/notes/a.txt,content:tea,mode:remove_lines}",
    ),
    (
        "remove everything from my shopping list",
        "unsure remove everything from my shopping list",
    ),
    ("delete everything from ~/notes/a.txt", "unsure ~/notes/a.txt"),
    (
        "take milk and bread off the shopping list",
        "write_files{path:~/notes/shopping.txt,content:milk\\nbread,mode:remove_lines}",
    ),
    // What is ruled out, counted or said elsewhere is no line.
    (
        "add bread but not milk to my shopping list",
        "unsure bread,but not,milk",
    ),
    (
        "remove line 2 from the shopping list",
        "unsure remove line 2 from the shopping list",
    ),
    ("add nothing to my shopping list", "unsure nothing"),
    // A file that is to be written is not one that only bears the same name.
    (
        "write \"hello\" to invoice 1.pdf",
        "write_files{path:invoice 1.pdf,content:hello}",
    ),
    (
        "rename cv_marta to cv_2026",
        "move_files{paths:[~/docs/cv_marta.docx],dst_dir:~/docs,new_name:cv_2026.docx}",
    ),
    (
        "move the cv to photos",
        "get_inputs{fields:[{var:file,kind:choice,options:[~/docs/cv_marta.docx,~/docs/cv_marta_old.docx]}]} \
         → move_files{paths:${step1.values.file},dst_dir:~/photos}",
    ),
    // Of two files nobody knows the new name of one.
    ("rename the cv to cv_2026", "unsure cv_2026"),
    (
        "copy the sea and call it beach",
        "move_files{paths:[~/photos/sea.jpg],dst_dir:~/photos,new_name:beach.jpg,copy:true}",
    ),
    (
        "move the invoices into a folder called Bills inside docs",
        "move_files{paths:[~/docs/invoice 1.pdf,~/docs/invoice 2.pdf],dst_dir:~/docs/Bills}",
    ),
    (
        "sposta i video in una cartella Film nella mia home",
        "find_files{base_path:~/films,pattern:*.{mp4,mkv,avi,mov,webm},recursive:false} \
         → move_files{from_step:1,dst_dir:~/Film}",
    ),
    (
        "crea una cartella Conti dentro docs e mettici gli invoice",
        "create_dirs{paths:[~/docs/Conti]} \
         → move_files{paths:[~/docs/invoice 1.pdf,~/docs/invoice 2.pdf],dst_dir:~/docs/Conti}",
    ),
    (
        "delete the sea which I don't need any more",
        "delete_files{paths:[~/photos/sea.jpg]}",
    ),
    ("delete everything in docs except the zebras", "unsure except,zebras"),
    ("don't add milk to my shopping list", "unsure don't"),
    // A folder one further down, or called in another language, where something is put into it.
    (
        "move the sea to work",
        "move_files{paths:[~/photos/sea.jpg],dst_dir:~/docs/work}",
    ),
    (
        "sposta le fatture nei documenti",
        "move_files{paths:[~/docs/invoice 1.pdf,~/docs/invoice 2.pdf],dst_dir:~/docs}",
    ),
    (
        "trova i pdf nei documenti",
        "find_files{base_path:~/docs,pattern:*.pdf}",
    ),
    ("move the sea to the garage", "unsure garage"),
    (
        "rename the sea to work",
        "move_files{paths:[~/photos/sea.jpg],dst_dir:~/photos,new_name:work.jpg}",
    ),
    // Papers are counted by their names, and only where nothing more is said of them.
    (
        "how many invoices do I have?",
        "find_files{base_path:~,pattern:{invoice 1.pdf,invoice 2.pdf}} → compute_entries{from_step:1,op:count}",
    ),
    (
        "quante fatture ci sono in docs",
        "find_files{base_path:~/docs,pattern:{invoice 1.pdf,invoice 2.pdf}} → compute_entries{from_step:1,op:count}",
    ),
    ("how many invoices do I have to pay", "unsure invoices,pay"),
    ("how many invoices did Marta send", "unsure invoices,did,Marta"),
    ("how many contracts do I have", "unsure contracts"),
    // What is behind a colon is written into the one text that is named.
    (
        "add to the diary: went to the sea, delete nothing",
        "write_files{path:~/notes/diary.md,content:went to the sea, delete nothing,mode:append}",
    ),
    (
        "aggiungi al diario: siamo andati al mare",
        "write_files{path:~/notes/diary.md,content:siamo andati al mare,mode:append}",
    ),
    // What is told to a text is kept word by word, and nothing that asks for something else is told.
    (
        "aggiungi al diario che c'era la neve",
        "write_files{path:~/notes/diary.md,content:c'era la neve,mode:append}",
    ),
    (
        "segna nel diario che ho fatto la torta",
        "write_files{path:~/notes/diary.md,content:ho fatto la torta,mode:append}",
    ),
    (
        "aggiungi che sono stanca al diario",
        "write_files{path:~/notes/diary.md,content:sono stanca,mode:append}",
    ),
    (
        "puoi scrivere nel diario che siamo andati al mare?",
        "write_files{path:~/notes/diary.md,content:siamo andati al mare,mode:append}",
    ),
    (
        "add to my diary that there was snow",
        "write_files{path:~/notes/diary.md,content:there was snow,mode:append}",
    ),
    (
        "write in my diary i am tired",
        "write_files{path:~/notes/diary.md,content:i am tired,mode:append}",
    ),
    (
        "write in my todo list that i did call plumber",
        "write_files{path:~/notes/todo.md,content:i did call plumber,mode:add_lines}",
    ),
    (
        "write in the diary that says hello",
        "write_files{path:~/notes/diary.md,content:hello,mode:append}",
    ),
    (
        "write in my diary how many files I have",
        "unsure write in my diary how many files I have",
    ),
    ("aggiungi una nota al diario", "unsure aggiungi una nota al diario"),
    // Things are one a line, and none of their words is lost.
    (
        "add her present to the shopping list",
        "write_files{path:~/notes/shopping.txt,content:her present,mode:add_lines}",
    ),
    (
        "add new shoes and a present to my shopping list",
        "write_files{path:~/notes/shopping.txt,content:new shoes\\npresent,mode:add_lines}",
    ),
    (
        "add a present for anna and luca to the shopping list",
        "write_files{path:~/notes/shopping.txt,content:present for anna and luca,mode:add_lines}",
    ),
    (
        "add a present for Anna, milk and some bread to the shopping list",
        "write_files{path:~/notes/shopping.txt,content:present for Anna\\nmilk\\nbread,mode:add_lines}",
    ),
    (
        "aggiungi latte per Anna e il pane alla lista shopping",
        "write_files{path:~/notes/shopping.txt,content:latte per Anna\\npane,mode:add_lines}",
    ),
    (
        "aggiungi un regalo per Anna, Luca e Marco alla lista shopping",
        "write_files{path:~/notes/shopping.txt,content:regalo per Anna, Luca e Marco,mode:add_lines}",
    ),
    (
        "add call mum and dad and buy bread and milk to my todo list",
        "write_files{path:~/notes/todo.md,content:call mum and dad\\nbuy bread and milk,mode:add_lines}",
    ),
    (
        "add water and bread to the shopping list",
        "write_files{path:~/notes/shopping.txt,content:water\\nbread,mode:add_lines}",
    ),
    (
        "add water the plants and the lawn to my todo list",
        "write_files{path:~/notes/todo.md,content:water the plants and the lawn,mode:add_lines}",
    ),
    (
        "metti dei pomodori un melone e le pesche nella lista shopping",
        "write_files{path:~/notes/shopping.txt,content:pomodori\\nmelone\\npesche,mode:add_lines}",
    ),
    (
        "add pasta sauce and vitamin A tablets to shopping",
        "write_files{path:~/notes/shopping.txt,content:pasta sauce\\nvitamin A tablets,mode:add_lines}",
    ),
    (
        "aggiungi l acqua, un po' di frutta e 2 l di latte alla lista shopping",
        "write_files{path:~/notes/shopping.txt,content:acqua\\nfrutta\\n2 l di latte,mode:add_lines}",
    ),
    (
        "aggiungi il purè per favore e anche il pane e basta alla lista shopping",
        "write_files{path:~/notes/shopping.txt,content:purè\\npane,mode:add_lines}",
    ),
    (
        "add bread please and milk to the shopping list",
        "write_files{path:~/notes/shopping.txt,content:bread\\nmilk,mode:add_lines}",
    ),
    // The list may be named first, and what is ticked or crossed off is taken from it.
    (
        "on the shopping list put milk and tea",
        "write_files{path:~/notes/shopping.txt,content:milk\\ntea,mode:add_lines}",
    ),
    (
        "nella lista shopping metti il caffè",
        "write_files{path:~/notes/shopping.txt,content:caffè,mode:add_lines}",
    ),
    (
        "puoi mettere il caffè nella lista shopping?",
        "write_files{path:~/notes/shopping.txt,content:caffè,mode:add_lines}",
    ),
    (
        "from the shopping list remove the bread",
        "write_files{path:~/notes/shopping.txt,content:bread,mode:remove_lines}",
    ),
    (
        "nel diario scrivi che siamo stanchi",
        "write_files{path:~/notes/diary.md,content:siamo stanchi,mode:append}",
    ),
    (
        "check off call plumber from my todo list",
        "write_files{path:~/notes/todo.md,content:call plumber,mode:tick_lines}",
    ),
    (
        "spunta il pane dalla lista shopping",
        "write_files{path:~/notes/shopping.txt,content:pane,mode:tick_lines}",
    ),
    (
        "cross off milk from the shopping list",
        "write_files{path:~/notes/shopping.txt,content:milk,mode:remove_lines}",
    ),
    ("on the shopping list find milk", "unsure shopping,find,milk"),
    // A message that is nothing but a note; behind that it may be meant for another text.
    (
        "take a note: the gate code is 4471",
        "write_files{path:~/notes/the gate code is.txt,content:the gate code is 4471,mode:fail_if_exists}",
    ),
    (
        "note: the gate code is 4471",
        "write_files{path:~/notes/the gate code is.txt,content:the gate code is 4471,mode:fail_if_exists}",
    ),
    (
        "prendi nota: domani piove, cancella il giro",
        "write_files{path:~/notes/domani piove cancella il.txt,content:domani piove, cancella il giro,mode:fail_if_exists}",
    ),
    (
        "annota che il codice del cancello è 4471",
        "write_files{path:~/notes/il codice del cancello.txt,content:il codice del cancello è 4471,mode:fail_if_exists}",
    ),
    (
        "annota che piove nel diario",
        "write_files{path:~/notes/diary.md,content:piove,mode:append}",
    ),
    // Every line of a list goes, and of nothing else; a new list is empty, and takes nobody's name.
    (
        "clear the shopping list",
        "write_files{path:~/notes/shopping.txt,content:,mode:clear_lines}",
    ),
    (
        "svuota la lista shopping",
        "write_files{path:~/notes/shopping.txt,content:,mode:clear_lines}",
    ),
    ("clear up the shopping list", "unsure clear"),
    ("empty the shopping", "unsure empty,shopping"),
    ("clear the shopping list except milk", "unsure clear,except,milk"),
    ("clear the diary", "unsure clear,diary"),
    ("clear the table", "unsure clear,table"),
    ("empty the shopping bag", "unsure empty,shopping,bag"),
    ("should I clear the shopping list?", "unsure should I,clear"),
    ("Anna cleared the shopping list", "unsure Anna,cleared,shopping"),
    (
        "create a list called party",
        "write_files{path:~/notes/party.txt,content:,mode:fail_if_exists}",
    ),
    (
        "make a party list",
        "write_files{path:~/notes/party.txt,content:,mode:fail_if_exists}",
    ),
    (
        "crea una lista per la festa",
        "write_files{path:~/notes/festa.txt,content:,mode:fail_if_exists}",
    ),
    // Who would make one that is there says that it is.
    (
        "create a list called shopping",
        "write_files{path:~/notes/shopping.txt,content:,mode:fail_if_exists}",
    ),
    ("create a list called party tomorrow", "unsure list"),
    ("make a list of the invoices", "unsure list,invoices"),
    ("did you create a list called party?", "unsure did,list"),
    ("write to my sister: I'm late", "no messages"),
    ("write to the sea: hello", "no messages"),
    ("add to my calendar: dentist at 5", "no events"),
    ("delete the bill of the light", "unsure light"),
    (
        "cancella la bolletta della luce",
        "delete_files{paths:[~/docs/work/bolletta_luce.pdf]}",
    ),
];

#[test]
fn files_are_changed_by_words_of_their_names() {
    let wrong = wrong(&FILES, BY_NAME);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The requests that become something else, over a home with these files and a catalog that can ask.
pub(super) fn wrong(files: &[&str], table: &[(&str, &str)]) -> Vec<String> {
    let (_folder, home) = home_of(files);
    let catalog = shipped();
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let rows = table.iter().filter_map(|(text, wanted)| {
        let reading = LANGUAGE.read_at_home(text, Lang::EN, &now, &home);
        let found = line(&compose(&reading, &catalog, &[]));
        (found != *wanted).then(|| format!("{text}:\n  found  {found}\n  wanted {wanted}"))
    });
    rows.collect()
}

/// A file that is called by a number does not take the number of another request.
#[test]
fn how_many_of_the_largest_is_no_name() {
    let largest = |more: &str| {
        format!(
            "find_files{{base_path:~/docs,pattern:*.pdf}} → sort_entries{{from_step:1,by:size,desc:true,top:2}}{more}"
        )
    };
    let delete = largest(" → delete_files{from_step:2}");
    let table = [
        ("delete the 2 biggest pdfs in docs", delete.as_str()),
        ("elimina i 2 pdf più grandi in docs", &delete),
        ("show the 2 biggest pdfs in docs", &largest("")),
        ("delete screenshot 2", "delete_files{paths:[~/docs/screenshot_2.png]}"),
    ];
    let wrong = wrong(&["docs/screenshot_2.png", "docs/a.pdf"], &table);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
