//! Places said before the command, as people do who speak, and names of files with the folder they lie in, over a home
//! with files in it.

use super::by_name::wrong;

const FILES: [&str; 8] = [
    "docs/insurance.txt",
    "docs/letter.txt",
    "docs/work/report.txt",
    "downloads/a.pdf",
    "downloads/b.exe",
    "downloads/c.txt",
    "notes/c.txt",
    "photos/sea.jpg",
];

/// Requests and what each becomes: what it would with the place behind.
const PLACED_FIRST: &[(&str, &str)] = &[
    (
        "in docs find the txt files",
        "find_files{base_path:~/docs,pattern:*.txt}",
    ),
    (
        "in the downloads folder, delete the pdfs",
        "find_files{base_path:~/downloads,pattern:*.pdf} → delete_files{from_step:1}",
    ),
    (
        "nella cartella downloads cancella i pdf",
        "find_files{base_path:~/downloads,pattern:*.pdf} → delete_files{from_step:1}",
    ),
    (
        "from downloads move the pdfs to docs",
        "find_files{base_path:~/downloads,pattern:*.pdf} → move_files{from_step:1,dst_dir:~/docs}",
    ),
    (
        "in docs quanti file ci sono",
        "find_files{base_path:~/docs} → compute_entries{from_step:1,op:count}",
    ),
    (
        "in docs and in photos count the files",
        "find_files{base_path:~/docs,also_in:[~/photos]} → compute_entries{from_step:1,op:count}",
    ),
    (
        "in docs, photos e downloads cerca i txt",
        "find_files{base_path:~/docs,pattern:*.txt,also_in:[~/photos,~/downloads]}",
    ),
    (
        "in docs find the txt files and delete them",
        "find_files{base_path:~/docs,pattern:*.txt} → delete_files{from_step:1}",
    ),
    (
        "list downloads and show me the pdfs",
        "list_dirs{path:~/downloads} → filter_entries{from_step:1,where_field:name,where_glob:*.pdf}",
    ),
    // The place belongs to the command behind it, and to no other.
    (
        "read letter.txt and in downloads delete b.exe",
        "read_files{paths:[~/docs/letter.txt]} → delete_files{paths:[~/downloads/b.exe]}",
    ),
    ("in docs there are too many files", "unsure many"),
    ("in december find the pdfs", "unsure find"),
    // What is looked for in a folder is a file.
    (
        "in docs search for insurance",
        "find_files{base_path:~/docs,about:insurance|assicurazione}",
    ),
    (
        "cerca nei documenti la lettera",
        "find_files{base_path:~/docs,about:lettera}",
    ),
    ("find insurance", "unsure insurance"),
    ("find insurance and delete the pdfs in docs", "unsure insurance"),
    ("find stuff in docs", "unsure stuff"),
    ("cerca doppioni in docs", "unsure doppioni"),
];

/// A name with its folder is a path, where such a file lies in it.
const PLACED_FILES: &[(&str, &str)] = &[
    (
        "rename b.exe in downloads to c.exe",
        "move_files{paths:[~/downloads/b.exe],dst_dir:~/downloads,new_name:c.exe}",
    ),
    (
        "rinomina b.exe in c.exe in downloads",
        "move_files{paths:[~/downloads/b.exe],dst_dir:~/downloads,new_name:c.exe}",
    ),
    (
        "in downloads rename b.exe to c.exe",
        "move_files{paths:[~/downloads/b.exe],dst_dir:~/downloads,new_name:c.exe}",
    ),
    (
        "delete c.txt and b.exe in downloads",
        "delete_files{paths:[~/downloads/c.txt,~/downloads/b.exe]}",
    ),
    (
        "move c.txt from notes to docs",
        "move_files{paths:[~/notes/c.txt],dst_dir:~/docs}",
    ),
    // Further down it is looked for; of two one of which is not there, none is passed over.
    (
        "read report.txt in docs",
        "find_files{base_path:~/docs,pattern:report.txt} → read_files{from_step:1}",
    ),
    (
        "delete a.pdf and letter.txt in downloads",
        "not there downloads/letter.txt",
    ),
];

#[test]
fn a_place_may_be_said_first() {
    let wrong = wrong(&FILES, PLACED_FIRST);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_is_in_the_folder_that_is_said_with_it() {
    let wrong = wrong(&FILES, PLACED_FILES);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
