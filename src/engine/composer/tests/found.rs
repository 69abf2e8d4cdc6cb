//! Requests that look for files in the words of a household, over a home with files in it.

use super::{LANGUAGE, catalog, home_of, line};
use crate::{domain::lang::Lang, engine::composer::compose};

const FILES: [&str; 12] = [
    "notes/shopping.txt",
    "notes/todo.md",
    "docs/recipe_tiramisu.txt",
    "docs/ricetta_lasagne.txt",
    "docs/bolletta_gas.pdf",
    "docs/bolletta_luce.pdf",
    "docs/bill_april.pdf",
    "docs/work/minutes.md",
    "Downloads/backup.zip",
    "Downloads/letter_school.txt",
    "photos/nonna.jpg",
    "photos/old/sea.jpg",
];

/// Requests and what each becomes, in English and in Italian.
const FOUND: &[(&str, &str)] = &[
    // "search" may say first where.
    (
        "search my notes for stamps",
        "find_files{base_path:~/notes,about:stamps}",
    ),
    // What was put somewhere is known by its words, in any order and in the other language.
    (
        "where did i put the tiramisu recipe",
        "find_files{base_path:~,named:tiramisu recipe|ricetta}",
    ),
    (
        "dove ho salvato l'assicurazione della macchina",
        "find_files{base_path:~,named:assicurazione|insurance macchina|car|auto}",
    ),
    (
        "where did I put the letter from the bank?",
        "find_files{base_path:~,named:letter bank|banca}",
    ),
    (
        "where did I put the umbrella",
        "find_files{base_path:~,pattern:*umbrella*}",
    ),
    (
        "where did I put the car when I came home",
        "unsure where did I put,car,when,came,home",
    ),
    // Several papers are a list, one is read, and from when they are is said beside.
    (
        "show me the recipes",
        "find_files{base_path:~,pattern:{recipe_tiramisu.txt,ricetta_lasagne.txt}}",
    ),
    (
        "mostrami le ricette",
        "find_files{base_path:~,pattern:{recipe_tiramisu.txt,ricetta_lasagne.txt}}",
    ),
    (
        "show me the recipe",
        "find_files{base_path:~,named:recipe|ricetta} → read_files{from_step:1,only_one:true}",
    ),
    (
        "read me the letters",
        "find_files{base_path:~,named:letters} → read_files{from_step:1,only_one:true}",
    ),
    (
        "bollette degli ultimi 3 mesi",
        "find_files{base_path:~,pattern:{bill_april.pdf,bolletta_gas.pdf,bolletta_luce.pdf},modified_window:last-3m}",
    ),
    (
        "show me the bills from april",
        "find_files{base_path:~,pattern:{bill_april.pdf}}",
    ),
    (
        "find the recipes with basil",
        "find_files{base_path:~,about:recipes|ricetta basil}",
    ),
    // A file name that one file of the home bears is that file, where it is looked at.
    (
        "how big is backup.zip",
        "get_files{paths:[~/Downloads/backup.zip]} | ${step1.size}",
    ),
    (
        "quanto è grande backup.zip",
        "get_files{paths:[~/Downloads/backup.zip]} | ${step1.size}",
    ),
    (
        "what's in letter_school.txt",
        "read_files{paths:[~/Downloads/letter_school.txt]}",
    ),
    (
        "how big is missing.zip",
        "get_files{paths:[missing.zip]} | ${step1.size}",
    ),
    (
        "sposta sea.jpg in docs",
        "move_files{paths:[~/photos/old/sea.jpg],dst_dir:~/docs}",
    ),
    (
        "delete sea.jpg in photos",
        "find_files{base_path:~/photos,pattern:sea.jpg} → delete_files{from_step:1}",
    ),
    (
        "fai una copia del file sea.jpg in docs",
        "move_files{paths:[~/photos/old/sea.jpg],dst_dir:~/docs,copy:true}",
    ),
    ("where is backup.zip", "find_files{base_path:~,pattern:backup.zip}"),
    ("trova backup.zip", "find_files{base_path:~,pattern:backup.zip}"),
    ("find backup.zip and delete it", "unsure backup.zip"),
    // A list is known by what it is for, and a picture by what is on it; which one it is is no reading of it.
    (
        "what do I need to buy?",
        "find_files{base_path:~,named:shopping|groceries|spesa} → read_files{from_step:1,only_one:true}",
    ),
    (
        "what do I need to buy for the party?",
        "unsure what do I need to buy,party",
    ),
    (
        "fammi vedere la lista delle cose da fare",
        "find_files{base_path:~,named:todo} → read_files{from_step:1,only_one:true}",
    ),
    (
        "mostrami la foto della nonna",
        "find_files{base_path:~,pattern:nonna.jpg}",
    ),
    ("show me the photo of the zebra", "unsure zebra"),
    ("how many photos of grandma do I have", "unsure grandma"),
    (
        "which is the newest bill?",
        "find_files{base_path:~,named:bill|bolletta,keep:newest} → sort_entries{from_step:1,by:mtime,desc:true,top:1}",
    ),
    // What is sent to the person is known by its name; nothing goes to anybody else.
    (
        "mandami la bolletta del gas",
        "send_files{paths:[~/docs/bolletta_gas.pdf]}",
    ),
    ("send the gas bill to Anna", "unsure Anna"),
    ("send me the zebra", "unsure zebra"),
    // What is done with them is no part of what they are called.
    (
        "show me the bills and how many are they?",
        "find_files{base_path:~,pattern:{bill_april.pdf,bolletta_gas.pdf,bolletta_luce.pdf}} → compute_entries{from_step:1,op:count}",
    ),
    (
        "mostrami le bollette e quante sono",
        "find_files{base_path:~,pattern:{bill_april.pdf,bolletta_gas.pdf,bolletta_luce.pdf}} → compute_entries{from_step:1,op:count}",
    ),
    // A folder is what it is called, whatever the word for it stands beside.
    ("what's in the documents folder", "list_dirs{path:~/docs}"),
    ("cosa c'è nella cartella documenti", "list_dirs{path:~/docs}"),
    ("show me my downloads", "list_dirs{path:~/Downloads}"),
    ("list downloads", "list_dirs{path:~/Downloads}"),
    ("elenca downloads", "list_dirs{path:~/Downloads}"),
    (
        "find files in downloads between 1 and 10 mb",
        "find_files{base_path:~/Downloads,min_size:1000000} \
         → filter_entries{from_step:1,where_field:size,where_max:10000000}",
    ),
    (
        "delete the files in downloads no bigger than 2 mb",
        "find_files{base_path:~/Downloads} → filter_entries{from_step:1,where_field:size,where_max:2000000} \
         → delete_files{from_step:2}",
    ),
    ("mostrami le mie note", "list_dirs{path:~/notes}"),
    ("what's in the garage folder", "unsure garage"),
    ("show me the tax folder", "unsure tax"),
    (
        "metti la bolletta del gas nella cartella download",
        "move_files{paths:[~/docs/bolletta_gas.pdf],dst_dir:~/Downloads}",
    ),
];

#[test]
fn files_are_found_in_the_words_of_a_household() {
    let (_folder, home) = home_of(&FILES);
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let wrong: Vec<String> = FOUND
        .iter()
        .filter_map(|(text, wanted)| {
            let reading = LANGUAGE.read_at_home(text, Lang::EN, &now, &home);
            let found = line(&compose(&reading, &catalog(), &[]));
            (found != *wanted).then(|| format!("{text}:\n  found  {found}\n  wanted {wanted}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
