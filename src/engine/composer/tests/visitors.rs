//! What first visitors ask and stumbled on: the same scope for looking and changing, sizes of folders, yes or no,
//! looking inside files, two folders at once, names in quotes.

/// Requests and what each becomes.
pub(super) const VISITORS: &[(&str, &str)] = &[
    (
        "which files changed today",
        "find_files{base_path:~,modified_window:today}",
    ),
    ("trova i pdf", "find_files{base_path:~,pattern:*.pdf}"),
    (
        "is there a file called letter.txt",
        "find_files{base_path:~,pattern:letter.txt}",
    ),
    (
        "quanti pdf ho",
        "find_files{base_path:~,pattern:*.pdf} → compute_entries{from_step:1,op:count}",
    ),
    ("delete the pdf files", "unsure pdf"),
    ("sposta i pdf in ~/docs", "unsure pdf"),
    (
        "what is the biggest folder in ~/x",
        "list_dirs{path:~/x,totals:true} → filter_entries{from_step:1,where_field:kind,where_equals:directory} \
         → sort_entries{from_step:2,by:size,desc:true,top:1}",
    ),
    (
        "qual è la cartella più grande in ~/x",
        "list_dirs{path:~/x,totals:true} → filter_entries{from_step:1,where_field:kind,where_equals:directory} \
         → sort_entries{from_step:2,by:size,desc:true,top:1}",
    ),
    (
        "how big is the folder ~/docs",
        "find_files{base_path:~/docs,recursive:true,include_hidden:true} → compute_entries{from_step:1,op:sum,field:size}",
    ),
    (
        "quanto pesa la cartella ~/docs",
        "find_files{base_path:~/docs,recursive:true,include_hidden:true} → compute_entries{from_step:1,op:sum,field:size}",
    ),
    (
        "folders bigger than 1 GB in ~/x",
        "list_dirs{path:~/x,totals:true} → filter_entries{from_step:1,where_field:kind,where_equals:directory} \
         → filter_entries{from_step:2,where_field:size,where_min:1000000000}",
    ),
    (
        "the first line of every file in ~/notes",
        "find_files{base_path:~/notes} → read_files{from_step:1} → filter_texts_lines{from_step:2,first:1}",
    ),
    (
        "la prima riga di ogni file in ~/notes",
        "find_files{base_path:~/notes} → read_files{from_step:1} → filter_texts_lines{from_step:2,first:1}",
    ),
    (
        "le prime 3 righe dei file in ~/notes",
        "find_files{base_path:~/notes} → read_files{from_step:1} → filter_texts_lines{from_step:2,first:3}",
    ),
    (
        "does ~/x/y.txt exist",
        "get_files{paths:[~/x/y.txt],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    (
        "esiste il file ~/x/y.txt",
        "get_files{paths:[~/x/y.txt],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    (
        "c'è il file ~/x/y.txt?",
        "get_files{paths:[~/x/y.txt],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    (
        "is there a file ~/x/y.txt",
        "get_files{paths:[~/x/y.txt],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    (
        "does the folder ~/docs exist",
        "get_files{paths:[~/docs],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    (
        "is ~/docs/old.txt there?",
        "get_files{paths:[~/docs/old.txt],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    (
        "check if ~/x/y.txt exists",
        "get_files{paths:[~/x/y.txt],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    (
        "controlla se esiste ~/x/y.txt",
        "get_files{paths:[~/x/y.txt],if_there:true} → compute_entries{from_step:1,op:any}",
    ),
    (
        "find the files that contain 'x' in ~/notes",
        "find_files{base_path:~/notes} → read_files{from_step:1} → filter_texts_lines{from_step:2,contains:x}",
    ),
    (
        "which files in ~/notes mention Marta",
        "find_files{base_path:~/notes,about:Marta}",
    ),
    (
        "quali file in ~/notes parlano di Marta",
        "find_files{base_path:~/notes,about:Marta}",
    ),
    (
        "cerca 'x' nei file di ~/notes",
        "find_files{base_path:~/notes} → read_files{from_step:1} → filter_texts_lines{from_step:2,contains:x}",
    ),
    (
        "search the files in ~/notes for \"milk\"",
        "find_files{base_path:~/notes} → read_files{from_step:1} → filter_texts_lines{from_step:2,contains:milk}",
    ),
    (
        "trova i file che contengono \"latte\" in ~/notes",
        "find_files{base_path:~/notes} → read_files{from_step:1} → filter_texts_lines{from_step:2,contains:latte}",
    ),
    (
        "find pdfs in ~/a and ~/b",
        "find_files{base_path:~/a,pattern:*.pdf,also_in:[~/b]}",
    ),
    (
        "quanti pdf ci sono in ~/a e in ~/b",
        "find_files{base_path:~/a,pattern:*.pdf,also_in:[~/b]} → compute_entries{from_step:1,op:count}",
    ),
    (
        "list the files in ~/a and ~/b",
        "find_files{base_path:~/a,recursive:false,also_in:[~/b]}",
    ),
    (
        "move the pdfs from ~/a and ~/b to ~/c",
        "find_files{base_path:~/a,pattern:*.pdf,also_in:[~/b]} → move_files{from_step:1,dst_dir:~/c}",
    ),
    (
        "rename ~/x/a.txt to \"new name.txt\"",
        "move_files{paths:[~/x/a.txt],dst_dir:~/x,new_name:new name.txt}",
    ),
    (
        "rename ~/x/a.txt to \"new name\"",
        "move_files{paths:[~/x/a.txt],dst_dir:~/x,new_name:new name.txt}",
    ),
    (
        "rinomina ~/x/a.txt in \"nuovo nome\"",
        "move_files{paths:[~/x/a.txt],dst_dir:~/x,new_name:nuovo nome.txt}",
    ),
    (
        "how much space do the photos in ~/pictures take",
        "find_files{base_path:~/pictures,pattern:*.{jpg,jpeg,png,gif,webp,heic,bmp,tiff,svg},recursive:true} \
         → compute_entries{from_step:1,op:sum,field:size}",
    ),
    (
        "quanto occupano le foto in ~/pictures",
        "find_files{base_path:~/pictures,pattern:*.{jpg,jpeg,png,gif,webp,heic,bmp,tiff,svg},recursive:true} \
         → compute_entries{from_step:1,op:sum,field:size}",
    ),
    ("cestina ~/x/a.txt", "delete_files{paths:[~/x/a.txt]}"),
    ("dammi ~/x/a.txt", "read_files{paths:[~/x/a.txt]}"),
    ("apri la cartella ~/x", "list_dirs{path:~/x}"),
    (
        "bring up the photos in ~/x",
        "find_files{base_path:~/x,pattern:*.{jpg,jpeg,png,gif,webp,heic,bmp,tiff,svg}}",
    ),
    ("throw ~/x/a.txt away", "delete_files{paths:[~/x/a.txt]}"),
    (
        "move the photos of 2024 in ~/pictures to ~/old",
        "find_files{base_path:~/pictures,pattern:*.{jpg,jpeg,png,gif,webp,heic,bmp,tiff,svg},modified_window:2024} \
         → move_files{from_step:1,dst_dir:~/old}",
    ),
    (
        "cancella le foto del 2024 in ~/pictures",
        "find_files{base_path:~/pictures,pattern:*.{jpg,jpeg,png,gif,webp,heic,bmp,tiff,svg},modified_window:2024} \
         → delete_files{from_step:1}",
    ),
    (
        "find the newest txt file in ~/docs and read it",
        "find_files{base_path:~/docs,pattern:*.txt} → sort_entries{from_step:1,by:mtime,desc:true,top:1} \
         → read_files{from_step:2}",
    ),
    (
        "trova i file txt in ~/docs e leggili",
        "find_files{base_path:~/docs,pattern:*.txt} → read_files{from_step:1}",
    ),
    ("and in ~/docs?", "unsure"),
    ("e quanti pdf?", "unsure"),
    ("only the jpg", "unsure"),
    ("only the jpg in ~/docs", "find_files{base_path:~/docs,pattern:*.jpg}"),
    (
        "elimina i file di ~/x modificati prima del 2024",
        "find_files{base_path:~/x,modified_window:before-2024-01-01} → delete_files{from_step:1}",
    ),
    ("cancella i file in ~/x prima di domani", "unsure prima di,domani"),
];
