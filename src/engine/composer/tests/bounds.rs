//! How large, how old, which one of an order, and all but some of it: what a bound leaves in and what it leaves out.

/// Requests and what each becomes.
pub(super) const BOUNDS: &[(&str, &str)] = &[
    (
        "delete all but the 3 newest files in ~/in",
        "find_files{base_path:~/in,recursive:false} → sort_entries{from_step:1,by:mtime,desc:true,skip:3} \
         → delete_files{from_step:2}",
    ),
    (
        "delete everything in ~/in but the newest 2",
        "find_files{base_path:~/in,recursive:false} → sort_entries{from_step:1,by:mtime,desc:true,skip:2} \
         → delete_files{from_step:2}",
    ),
    (
        "move all the pdfs in ~/in to ~/out except the newest",
        "find_files{base_path:~/in,pattern:*.pdf} → sort_entries{from_step:1,by:mtime,desc:true,skip:1} \
         → move_files{from_step:2,dst_dir:~/out}",
    ),
    (
        "cancella i pdf in ~/in meno i due più grandi",
        "find_files{base_path:~/in,pattern:*.pdf} → sort_entries{from_step:1,by:size,desc:true,skip:2} \
         → delete_files{from_step:2}",
    ),
    (
        "cancella tutti i file in ~/in tranne il più recente",
        "find_files{base_path:~/in,recursive:false} → sort_entries{from_step:1,by:mtime,desc:true,skip:1} \
         → delete_files{from_step:2}",
    ),
    (
        "find files in ~/in newer than a week but older than a day",
        "find_files{base_path:~/in,modified_window:last-1w} → filter_entries{from_step:1,modified_window:older-1d}",
    ),
    (
        "cancella i file in ~/in più vecchi di un giorno e più recenti di un mese",
        "find_files{base_path:~/in,modified_window:older-1d} \
         → filter_entries{from_step:1,modified_window:last-1m} → delete_files{from_step:2}",
    ),
    ("files in ~/in changed today but older than a day", "unsure but"),
    (
        "trova i file vuoti in ~/in",
        "find_files{base_path:~/in} → filter_entries{from_step:1,where_field:size,where_max:0}",
    ),
    (
        "find files in ~/in smaller than 1.500 bytes",
        "find_files{base_path:~/in} → filter_entries{from_step:1,where_field:size,where_max:1500}",
    ),
    ("find empty folders in ~/in", "unsure empty"),
    ("move ~/a.txt to ~/out and tell me how big it is", "unsure"),
    ("send me the movie photos in ~/in", "unsure photos"),
    ("mandami le foto dei film in ~/in", "unsure film"),
    ("how many files and folders are in ~/in", "unsure"),
    (
        "show me the last 2 photos in ~/in",
        "find_files{base_path:~/in,pattern:*.{jpg,jpeg,png,gif,webp,heic,bmp,tiff,svg}} \
         → sort_entries{from_step:1,by:mtime,desc:true,top:2}",
    ),
    ("delete the last photo in ~/in", "unsure the last"),
    (
        "find the biggest files",
        "find_files{base_path:~} → sort_entries{from_step:1,by:size,desc:true}",
    ),
    ("list the biggest files", "unsure"),
    (
        "list everything but the pdfs in ~/in",
        "list_dirs{path:~/in} → filter_entries{from_step:1,where_field:name,where_except:*.pdf}",
    ),
    (
        "delete the files in ~/docs except the pdf ones",
        "find_files{base_path:~/docs,recursive:false} \
         → filter_entries{from_step:1,where_field:name,where_except:*.pdf} → delete_files{from_step:2}",
    ),
    (
        "find files in ~/in and keep only the pdfs",
        "find_files{base_path:~/in} → filter_entries{from_step:1,where_field:name,where_glob:*.pdf}",
    ),
    (
        "trova i file in ~/in e sposta i pdf in ~/out",
        "find_files{base_path:~/in} → filter_entries{from_step:1,where_field:name,where_glob:*.pdf} \
         → move_files{from_step:2,dst_dir:~/out}",
    ),
    (
        "trova i pdf in ~/in e cancella il terzo",
        "find_files{base_path:~/in,pattern:*.pdf} → filter_entries{from_step:1,position:3} → delete_files{from_step:2}",
    ),
    (
        "find the txt files in ~/in and open the second one",
        "find_files{base_path:~/in,pattern:*.txt} → filter_entries{from_step:1,position:2} → read_files{from_step:2}",
    ),
    (
        "find the files in ~/in and move the last to ~/out",
        "find_files{base_path:~/in} → filter_entries{from_step:1,position:-1} → move_files{from_step:2,dst_dir:~/out}",
    ),
    (
        "find the files in ~/in by name",
        "find_files{base_path:~/in} → sort_entries{from_step:1,by:name,desc:false}",
    ),
    (
        "elenca i file in ~/in per tipo",
        "list_dirs{path:~/in} → group_entries{from_step:1,by:ext}",
    ),
    (
        "find the second biggest file in ~/in",
        "find_files{base_path:~/in} → sort_entries{from_step:1,by:size,desc:true,top:1,skip:1}",
    ),
    (
        "find the 5 biggest files in ~/in and show me the newest",
        "find_files{base_path:~/in} → sort_entries{from_step:1,by:size,desc:true,top:5} \
         → sort_entries{from_step:2,by:mtime,desc:true,top:1}",
    ),
    (
        "which is the second biggest file in ~/in?",
        "find_files{base_path:~/in} → sort_entries{from_step:1,by:size,desc:true,top:1,skip:1}",
    ),
    (
        "il terzo pdf più vecchio in ~/in",
        "find_files{base_path:~/in,pattern:*.pdf} → sort_entries{from_step:1,by:mtime,desc:false,top:1,skip:2}",
    ),
    (
        "cancella il secondo file più vecchio in ~/in",
        "find_files{base_path:~/in} → sort_entries{from_step:1,by:mtime,desc:false,top:1,skip:1} \
         → delete_files{from_step:2}",
    ),
    (
        "find files between 1 and 10 mb in ~/in",
        "find_files{base_path:~/in,min_size:1000000} \
         → filter_entries{from_step:1,where_field:size,where_max:10000000}",
    ),
    (
        "file tra 1 e 10 mb in ~/in",
        "find_files{base_path:~/in,min_size:1000000} \
         → filter_entries{from_step:1,where_field:size,where_max:10000000}",
    ),
    (
        "file da 500 kb a 2 mega in ~/in",
        "find_files{base_path:~/in,min_size:500000} \
         → filter_entries{from_step:1,where_field:size,where_max:2000000}",
    ),
    (
        "find files no bigger than 1 mb in ~/in",
        "find_files{base_path:~/in} → filter_entries{from_step:1,where_field:size,where_max:1000000}",
    ),
    (
        "i file che non sono più grandi di mezzo mega in ~/in",
        "find_files{base_path:~/in} → filter_entries{from_step:1,where_field:size,where_max:500000}",
    ),
    (
        "pdfs of 100 kb or less in ~/in",
        "find_files{base_path:~/in,pattern:*.pdf} \
         → filter_entries{from_step:1,where_field:size,where_max:100000}",
    ),
    (
        "file di 2 giga o più in ~/in",
        "find_files{base_path:~/in,min_size:2000000000}",
    ),
    (
        "find files bigger than 3/4 of a mb in ~/in",
        "find_files{base_path:~/in,min_size:750000}",
    ),
    (
        "file più grandi di 3/4 di mega in ~/in",
        "find_files{base_path:~/in,min_size:750000}",
    ),
    (
        "find files in ~/in bigger than 1 mb but smaller than 5 mb",
        "find_files{base_path:~/in,min_size:1000000} \
         → filter_entries{from_step:1,where_field:size,where_max:5000000}",
    ),
    (
        "files over a gigabyte in ~/in",
        "find_files{base_path:~/in,min_size:1000000000}",
    ),
    (
        "find files no older than a week in ~/in",
        "find_files{base_path:~/in,modified_window:last-1w}",
    ),
    (
        "file non più vecchi di tre mesi in ~/in",
        "find_files{base_path:~/in,modified_window:last-3m}",
    ),
    (
        "delete the tmp files in ~/in older than a day",
        "find_files{base_path:~/in,pattern:*.tmp,modified_window:older-1d} → delete_files{from_step:1}",
    ),
];

/// Bounds that nobody can be sure of.
pub(super) const OPEN: &[(&str, &str)] = &[
    // How many are "the newest ones"?
    ("delete all the files in ~/in except the newest ones", "unsure except"),
    ("cancella tutti i file in ~/in tranne i più recenti", "unsure tranne"),
    // One of other things than are meant.
    ("delete everything in ~/in except the newest pdf", "unsure except"),
    ("cancella tutto in ~/in tranne il pdf più recente", "unsure più recente"),
    ("trova i file in ~/in tranne il pdf più vecchio", "unsure più vecchio"),
    // Counted from the end, and no day of the month.
    ("delete the third last file in ~/in", "unsure third last"),
    ("open the second to last txt in ~/in", "unsure second to last"),
    ("the second biggest files in ~/in", "unsure second"),
    ("cancella il secondo più vecchio di un mese in ~/in", "unsure secondo"),
    (
        "delete everything in ~/in except the 3 newest of the pdfs",
        "unsure except",
    ),
    (
        "cancella tutto in ~/in tranne i 2 più grandi di ieri",
        "unsure tranne,più grandi di",
    ),
    ("find the nearest pharmacy and delete the file", "unsure delete"),
    // Nothing is a text and a photo.
    ("find the txt files in ~/in and delete the photos", "unsure photos"),
    ("read ~/a.txt and show me only the pdfs", "unsure pdfs"),
    // Opposite ends are not one of the other.
    ("find the biggest file in ~/in and delete the smallest", "several"),
    ("find the 3 biggest files in ~/in and show me the 3 smallest", "several"),
    ("delete the first and the biggest file in ~/in", "several"),
    ("delete the second to newest pdf in ~/in", "several"),
    ("find pdfs in ~/in over a meg and in ~/out over 100 kb", "several"),
    (
        "cerca i pdf in ~/in più grandi di un mega e in ~/out più grandi di 100 kb",
        "several",
    ),
    ("the first line of ~/a.txt and the last of ~/b.txt", "several"),
    ("how many pdfs and how many txt are in ~/in", "several"),
    ("quanti pdf e quanti txt ci sono in ~/in", "several"),
    ("delete the biggest and the second in ~/in", "unsure second"),
    // The first of a text is a line, and the last of a folder may be a folder.
    ("read ~/a.txt and delete the first", "unsure"),
    ("list the files in ~/in and delete the last", "unsure"),
    // How many, and which ones?
    ("delete the files in ~/in except the 2 csv", "unsure except"),
    ("delete all but 2 of the tmp files in ~/in", "unsure all but"),
    // Of those that are not there yet.
    ("open the second", "unsure"),
    ("cancella il terzo", "unsure cancella"),
    ("delete the first two in ~/in", "unsure the first two"),
    // Two orders.
    ("the 3 biggest files in ~/in sorted by name", "unsure sorted by,name"),
    ("delete the files in ~/in unless older than a week", "unsure unless"),
];
