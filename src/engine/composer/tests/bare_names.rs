//! Names of files without a folder, in every composition, and one thing where several would do.

use super::by_name::wrong;

const FILES: [&str; 10] = [
    "Downloads/a.tmp",
    "Downloads/b.tmp",
    "Downloads/invoice 1.pdf",
    "Downloads/invoice 2.pdf",
    "docs/letter.txt",
    "notes/letter.txt",
    "notes/diary.md",
    "notes/shopping.txt",
    "photos/nonna.jpg",
    "photos/trip.mp4",
];

const PLANS: &[(&str, &str)] = &[
    // Every name is looked for, whatever stands before it.
    (
        "cancella a.tmp e b.tmp",
        "delete_files{paths:[~/Downloads/a.tmp,~/Downloads/b.tmp]}",
    ),
    (
        "delete a.tmp & b.tmp",
        "delete_files{paths:[~/Downloads/a.tmp,~/Downloads/b.tmp]}",
    ),
    (
        "cancella a.tmp, b.tmp e nonna.jpg",
        "delete_files{paths:[~/Downloads/a.tmp,~/Downloads/b.tmp,~/photos/nonna.jpg]}",
    ),
    (
        "move the invoices and a.tmp to docs",
        "move_files{paths:[~/Downloads/invoice 1.pdf,~/Downloads/invoice 2.pdf,~/Downloads/a.tmp],dst_dir:~/docs}",
    ),
    (
        "create a folder docs/trip and move nonna.jpg there",
        "create_dirs{paths:[~/docs/trip]} → move_files{paths:[~/photos/nonna.jpg],dst_dir:~/docs/trip}",
    ),
    // A new name may have an old one in it, and stand behind another word for "to".
    (
        "rename nonna.jpg to old nonna.jpg",
        "move_files{paths:[~/photos/nonna.jpg],dst_dir:~/photos,new_name:old nonna.jpg}",
    ),
    (
        "rinomina nonna.jpg come zia.jpg",
        "move_files{paths:[~/photos/nonna.jpg],dst_dir:~/photos,new_name:zia.jpg}",
    ),
    (
        "copia nonna.jpg come zia.jpg",
        "move_files{paths:[~/photos/nonna.jpg],dst_dir:~/photos,new_name:zia.jpg,copy:true}",
    ),
    ("come rinomino nonna.jpg", "unsure come,rinomino"),
    ("copia nonna.jpg come faccio?", "unsure come faccio"),
    // All that is to be shown is a folder by its own name.
    ("show downloads", "list_dirs{path:~/Downloads}"),
    ("mostra docs", "list_dirs{path:~/docs}"),
    // A place before the folder that is made, though the home has one of that name.
    ("crea in docs una cartella photos", "create_dirs{paths:[~/docs/photos]}"),
    (
        "make in docs a new folder called photos",
        "create_dirs{paths:[~/docs/photos]}",
    ),
    // What was changed are files, where a time is said.
    (
        "what did I change today",
        "find_files{base_path:~,modified_window:today}",
    ),
    (
        "che cosa ho cambiato oggi",
        "find_files{base_path:~,modified_window:today}",
    ),
    ("what did I change", "unsure what,did,change"),
    (
        "when did I edit diary.md",
        "get_files{paths:[~/notes/diary.md]} | ${step1.mtime}",
    ),
    // Whether it is there, and not what is in it.
    (
        "is nonna.jpg in photos",
        "get_files{paths:[~/photos/nonna.jpg],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    (
        "is nonna.jpg in docs?",
        "get_files{paths:[~/docs/nonna.jpg],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    (
        "c'è nonna.jpg in docs?",
        "get_files{paths:[~/docs/nonna.jpg],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    (
        "is shopping.md in docs?",
        "get_files{paths:[~/docs/shopping.md],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    ("are a.tmp and b.tmp in downloads?", "unsure"),
    ("cancella solo a.tmp", "delete_files{paths:[~/Downloads/a.tmp]}"),
    (
        "read diary.md and delete a.tmp",
        "read_files{paths:[~/notes/diary.md]} → delete_files{paths:[~/Downloads/a.tmp]}",
    ),
    (
        "read diary.md and add butter to the shopping list",
        "read_files{paths:[~/notes/diary.md]} → \
         write_files{path:~/notes/shopping.txt,content:butter,mode:add_lines}",
    ),
    // What is made is looked for nowhere, and may be read at once.
    ("write \"x\" to diary.md", "write_files{path:diary.md,content:x}"),
    (
        "write \"x\" to n.txt and read n.txt",
        "write_files{path:n.txt,content:x} → read_files{paths:[n.txt]}",
    ),
    (
        "rinomina a.tmp in b.txt",
        "move_files{paths:[~/Downloads/a.tmp],dst_dir:~/Downloads,new_name:b.txt}",
    ),
    (
        "make a copy of diary.md called d2.md",
        "move_files{paths:[~/notes/diary.md],dst_dir:~/notes,new_name:d2.md,copy:true}",
    ),
    // What is nowhere is said before anything is done; by itself the step says so.
    ("delete a.tmp and zzz.tmp", "not there zzz.tmp"),
    ("create a folder docs/trip and delete zzz.tmp", "not there zzz.tmp"),
    ("rename a.tmp to new.tmp and move new.tmp to docs", "not there new.tmp"),
    ("delete zzz.tmp", "delete_files{paths:[zzz.tmp]}"),
    // Two of one name: which one.
    (
        "read letter.txt",
        "get_inputs{fields:[{var:file,kind:choice,options:[~/docs/letter.txt,~/notes/letter.txt]}]} → \
         read_files{paths:${step1.values.file}}",
    ),
    (
        "delete a.tmp and letter.txt",
        "get_inputs{fields:[{var:file,kind:choice,options:[~/docs/letter.txt,~/notes/letter.txt]}]} → \
         delete_files{paths:[~/Downloads/a.tmp,${step1.values.file}]}",
    ),
    // From one to another is all between them, and not these two.
    ("delete a.tmp to nonna.jpg", "unsure ~/photos/nonna.jpg"),
    ("cancella a.tmp a nonna.jpg", "unsure ~/photos/nonna.jpg"),
    (
        "delete a.tmp - nonna.jpg",
        "unsure ~/Downloads/a.tmp,~/photos/nonna.jpg",
    ),
    // A second folder is one, also where its name is a kind of file.
    (
        "find the txt files in notes and docs",
        "find_files{base_path:~/notes,pattern:*.txt,also_in:[~/docs]}",
    ),
    (
        "how many files are in downloads and photos",
        "find_files{base_path:~/Downloads,also_in:[~/photos]} → compute_entries{from_step:1,op:count}",
    ),
    ("move a.tmp to photos and docs", "several"),
    ("copia a.tmp in photos e in docs", "several"),
    ("copia a.tmp in photos e docs", "several"),
    ("delete the tmp files in downloads and photos in docs", "several"),
    (
        "copy the invoices in downloads and docs to photos",
        "move_files{paths:[~/Downloads/invoice 1.pdf,~/Downloads/invoice 2.pdf],dst_dir:~/photos,copy:true}",
    ),
    // What is left out of files that are known by name goes; what is none of them is not passed over.
    (
        "delete the invoices except 2",
        "delete_files{paths:[~/Downloads/invoice 1.pdf]}",
    ),
    ("move a.tmp and b.tmp to docs except nonna.jpg", "unsure nonna.jpg"),
    // To what is added nobody knows here, and a number is any.
    ("also diary.md", "unsure"),
    ("anche diary.md", "unsure"),
    ("diary.md", "read_files{paths:[~/notes/diary.md]}"),
    ("find files with a number in the name", "unsure number,in the name"),
    (
        "find files with diary in the name",
        "find_files{base_path:~,pattern:*diary*}",
    ),
    // One is one, and some are not all.
    (
        "move a pdf from downloads to docs",
        "get_inputs{fields:[{var:file,kind:choice,options:[~/Downloads/invoice 1.pdf,~/Downloads/invoice 2.pdf]}]} → \
         move_files{paths:${step1.values.file},dst_dir:~/docs}",
    ),
    (
        "sposta il pdf in docs",
        "get_inputs{fields:[{var:file,kind:choice,options:[~/Downloads/invoice 1.pdf,~/Downloads/invoice 2.pdf]}]} → \
         move_files{paths:${step1.values.file},dst_dir:~/docs}",
    ),
    (
        "cancella un file tmp in downloads",
        "get_inputs{fields:[{var:file,kind:choice,options:[~/Downloads/a.tmp,~/Downloads/b.tmp]}]} → \
         delete_files{paths:${step1.values.file}}",
    ),
    (
        "delete a .tmp",
        "get_inputs{fields:[{var:file,kind:choice,options:[~/Downloads/a.tmp,~/Downloads/b.tmp]}]} → \
         delete_files{paths:${step1.values.file}}",
    ),
    (
        "delete the .tmp files",
        "find_files{base_path:~/Downloads,pattern:*.tmp,recursive:false} → delete_files{from_step:1}",
    ),
    (
        "sposta i pdf da downloads a docs",
        "find_files{base_path:~/Downloads,pattern:*.pdf} → move_files{from_step:1,dst_dir:~/docs}",
    ),
    ("move some pdfs from downloads to docs", "unsure some"),
    ("sposta alcuni pdf da downloads a docs", "unsure alcuni"),
    ("sposta dei pdf da downloads a docs", "unsure dei"),
];

#[test]
fn names_without_a_folder_are_found_and_one_thing_is_one() {
    let wrong = wrong(&FILES, PLANS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
