//! The same kinds of request in other words: people do not read a grammar before they ask.

/// Requests and what each becomes, or what stands in its way.
pub(super) const WORDINGS: &[(&str, &str)] = &[
    ("can you list what is in ~/docs please", "list_dirs{path:~/docs}"),
    ("give me a list of the files in ~/docs", "list_dirs{path:~/docs}"),
    ("show all files in ~/docs", "list_dirs{path:~/docs}"),
    ("what files are in ~/docs", "list_dirs{path:~/docs}"),
    ("which files are in ~/docs?", "list_dirs{path:~/docs}"),
    ("quali file ci sono in ~/docs", "list_dirs{path:~/docs}"),
    ("fammi vedere i file in ~/docs", "list_dirs{path:~/docs}"),
    ("che file ci sono nella cartella ~/docs", "list_dirs{path:~/docs}"),
    ("mostrami il contenuto della cartella ~/docs", "list_dirs{path:~/docs}"),
    (
        "show me the contents of ~/notes/todo.txt",
        "read_files{paths:[~/notes/todo.txt]}",
    ),
    ("print ~/notes/todo.txt", "unsure print"),
    ("cat ~/notes/todo.txt", "read_files{paths:[~/notes/todo.txt]}"),
    ("open the file ~/notes/todo.txt", "read_files{paths:[~/notes/todo.txt]}"),
    ("read me ~/notes/todo.txt", "read_files{paths:[~/notes/todo.txt]}"),
    (
        "leggi il file ~/notes/todo.txt e dimmi le prime 2 righe",
        "read_files{paths:[~/notes/todo.txt]} → filter_texts_lines{from_step:1,first:2}",
    ),
    (
        "read the last 5 lines of ~/a.log",
        "read_files{paths:[~/a.log]} → filter_texts_lines{from_step:1,last:5}",
    ),
    (
        "dammi le ultime dieci righe di ~/a.log",
        "read_files{paths:[~/a.log]} → filter_texts_lines{from_step:1,last:10}",
    ),
    (
        "search for pdf files in ~/docs",
        "find_files{base_path:~/docs,pattern:*.pdf}",
    ),
    (
        "cerca i file pdf in ~/docs",
        "find_files{base_path:~/docs,pattern:*.pdf}",
    ),
    (
        "look for all png pictures in ~/pics changed yesterday",
        "find_files{base_path:~/pics,pattern:*.png,modified_window:yesterday}",
    ),
    (
        "find every markdown file in ~/notes",
        "find_files{base_path:~/notes,pattern:*.md}",
    ),
    (
        "are there any pdf files in ~/docs",
        "find_files{base_path:~/docs,pattern:*.pdf}",
    ),
    (
        "ci sono file pdf in ~/docs?",
        "find_files{base_path:~/docs,pattern:*.pdf}",
    ),
    (
        "how many pdfs do I have in ~/docs",
        "find_files{base_path:~/docs,pattern:*.pdf} → compute_entries{from_step:1,op:count}",
    ),
    (
        "quanti pdf ho in ~/docs",
        "find_files{base_path:~/docs,pattern:*.pdf} → compute_entries{from_step:1,op:count}",
    ),
    (
        "conta i file in ~/docs",
        "find_files{base_path:~/docs} → compute_entries{from_step:1,op:count}",
    ),
    (
        "what is the total size of the files in ~/docs",
        "find_files{base_path:~/docs,recursive:true,include_hidden:true} → compute_entries{from_step:1,op:sum,field:size}",
    ),
    (
        "qual è la dimensione totale dei file in ~/docs",
        "find_files{base_path:~/docs,recursive:true,include_hidden:true} → compute_entries{from_step:1,op:sum,field:size}",
    ),
    (
        "how much space does ~/docs use",
        "find_files{base_path:~/docs,recursive:true,include_hidden:true} → compute_entries{from_step:1,op:sum,field:size}",
    ),
    (
        "quanto è grande ~/docs/a.pdf",
        "get_files{paths:[~/docs/a.pdf]} | ${step1.size}",
    ),
    (
        "which is the largest file in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:1}",
    ),
    (
        "what's the newest file in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:mtime,desc:true,top:1}",
    ),
    (
        "qual è il file più recente in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:mtime,desc:true,top:1}",
    ),
    (
        "the three most recent pdf files in ~/docs",
        "find_files{base_path:~/docs,pattern:*.pdf} → sort_entries{from_step:1,by:mtime,desc:true,top:3}",
    ),
    (
        "i due file più vecchi in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:mtime,desc:false,top:2}",
    ),
    (
        "elenca i file in ~/docs ordinati per dimensione",
        "list_dirs{path:~/docs,totals:true,sort:size}",
    ),
    (
        "list the 10 largest files in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:10}",
    ),
    ("get http://127.0.0.1/uuid", "get_urls{urls:[http://127.0.0.1/uuid]}"),
    (
        "open http://127.0.0.1/article",
        "read_urls_html{urls:[http://127.0.0.1/article]}",
    ),
    (
        "show me http://127.0.0.1/article",
        "get_urls{urls:[http://127.0.0.1/article]}",
    ),
    (
        "mostrami la pagina http://127.0.0.1/article",
        "read_urls_html{urls:[http://127.0.0.1/article]}",
    ),
    (
        "read http://127.0.0.1/article and save it to ~/a.md",
        "read_urls_html{urls:[http://127.0.0.1/article]} → write_files{path:~/a.md,content:${step1.text}}",
    ),
    (
        "save http://127.0.0.1/article as ~/a.md",
        "read_urls_html{urls:[http://127.0.0.1/article]} → write_files{path:~/a.md,content:${step1.text}}",
    ),
    (
        "download http://127.0.0.1/x.json and show me only the id",
        "get_urls{urls:[http://127.0.0.1/x.json]} | ${step1.id}",
    ),
    ("make a directory ~/x", "create_dirs{paths:[~/x]}"),
    ("create the directories ~/x and ~/y", "create_dirs{paths:[~/x,~/y]}"),
    (
        "put \"hello world\" into ~/x.txt",
        "write_files{path:~/x.txt,content:hello world}",
    ),
    (
        "add \"milk\" to ~/list.txt",
        "write_files{path:~/list.txt,content:milk,mode:append}",
    ),
    (
        "write 'hello' in the file ~/x.txt",
        "write_files{path:~/x.txt,content:hello}",
    ),
    (
        "scrivi nel file ~/x.txt \"ciao\"",
        "write_files{path:~/x.txt,content:ciao}",
    ),
    ("remove ~/x.txt", "delete_files{paths:[~/x.txt]}"),
    ("elimina il file ~/x.txt", "delete_files{paths:[~/x.txt]}"),
    (
        "delete the files ~/a.txt and ~/b.txt",
        "delete_files{paths:[~/a.txt,~/b.txt]}",
    ),
    (
        "delete all png files in ~/tmp",
        "find_files{base_path:~/tmp,pattern:*.png} → delete_files{from_step:1}",
    ),
    ("move everything from ~/in to ~/out", "unsure"),
    (
        "move all files from ~/in to ~/out",
        "find_files{base_path:~/in,recursive:false} → move_files{from_step:1,dst_dir:~/out}",
    ),
    (
        "sposta tutti i file da ~/in a ~/out",
        "find_files{base_path:~/in,recursive:false} → move_files{from_step:1,dst_dir:~/out}",
    ),
    (
        "move the newest pdf from ~/in to ~/out",
        "find_files{base_path:~/in,pattern:*.pdf} → sort_entries{from_step:1,by:mtime,desc:true,top:1} \
         → move_files{from_step:2,dst_dir:~/out}",
    ),
    (
        "sposta ~/in/a.txt nella cartella ~/out",
        "move_files{paths:[~/in/a.txt],dst_dir:~/out}",
    ),
    ("which processes use the most memory", "get_processes{sort_by:memory}"),
    ("show the top 10 processes by cpu", "get_processes{sort_by:cpu,top:10}"),
    ("quali processi consumano più memoria", "get_processes{sort_by:memory}"),
    ("what programs are running", "get_processes{}"),
    ("elenca i processi", "get_processes{}"),
    (
        "mostra i 5 processi che consumano più memoria",
        "get_processes{sort_by:memory,top:5}",
    ),
    ("what day is it in Rome", "unsure day,Rome"),
    (
        "find files in ~/docs containing the word budget",
        "find_files{base_path:~/docs} → read_files{from_step:1} → filter_texts_lines{from_step:2,contains:budget}",
    ),
    (
        "show lines with error in ~/a.log",
        "read_files{paths:[~/a.log]} → filter_texts_lines{from_step:1,contains:error}",
    ),
    (
        "mostra le righe con \"errore\" in ~/a.log",
        "read_files{paths:[~/a.log]} → filter_texts_lines{from_step:1,contains:errore}",
    ),
    (
        "how many lines are in ~/a.log",
        "read_files{paths:[~/a.log]} → filter_texts_lines{from_step:1} | ${step2.count}",
    ),
    (
        "group the files in ~/docs by type and count them",
        "find_files{base_path:~/docs} → group_entries{from_step:1,by:ext}",
    ),
    (
        "how many files of each type are in ~/docs",
        "find_files{base_path:~/docs} → group_entries{from_step:1,by:ext}",
    ),
    ("find duplicates in ~/docs", "unsure duplicates"),
    ("zip the files in ~/docs", "unsure zip"),
    (
        "find files larger than 1GB in ~",
        "find_files{base_path:~,min_size:1000000000}",
    ),
    (
        "trova i file più grandi di 1 GB nella home",
        "find_files{base_path:~,min_size:1000000000}",
    ),
    (
        "delete empty files in ~/docs",
        "find_files{base_path:~/docs} → filter_entries{from_step:1,where_field:size,where_max:0} → delete_files{from_step:2}",
    ),
    ("summarise http://127.0.0.1/article in two lines", "unsure two"),
    (
        "tell me the status code of http://127.0.0.1/uuid",
        "get_urls{urls:[http://127.0.0.1/uuid]} | ${step1.status}",
    ),
    ("show me the first 5 files in ~/docs", "unsure the first 5"),
    (
        "how many lines contain error in ~/a.log",
        "read_files{paths:[~/a.log]} → filter_texts_lines{from_step:1,contains:error} | ${step2.count}",
    ),
    (
        "quante righe ci sono in ~/a.log",
        "read_files{paths:[~/a.log]} → filter_texts_lines{from_step:1} | ${step2.count}",
    ),
    ("zip files in ~/docs", "unsure zip"),
    ("find zip files in ~/docs", "find_files{base_path:~/docs,pattern:*.zip}"),
    (
        "find the log files in ~/docs",
        "find_files{base_path:~/docs,pattern:*.log}",
    ),
    (
        "trova i file log in ~/docs",
        "find_files{base_path:~/docs,pattern:*.log}",
    ),
    (
        "delete the last three files by name in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:name,desc:true,top:3} → delete_files{from_step:2}",
    ),
    (
        "cancella gli ultimi tre file per nome in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:name,desc:true,top:3} → delete_files{from_step:2}",
    ),
    ("delete the last three files by date in ~/docs", "unsure the last three"),
    ("delete the oldest of the 3 tmp files in ~/docs", "unsure 3"),
    ("delete the biggest of 5 files in ~/docs", "unsure 5"),
    ("mostra il più grande dei 3 pdf in ~/docs", "unsure 3"),
    ("show the biggest file and 3 pdfs in ~/docs", "unsure 3"),
    ("delete the pdfs older than a month and the jpgs in ~/in", "unsure jpgs"),
    ("elimina i pdf più grandi di 5 MB e le foto in ~/in", "unsure foto"),
    ("delete the files in ~/in and the pdfs in ~/docs", "unsure pdfs"),
    ("elimina i pdf in ~/in e i file in ~/docs", "unsure file"),
    (
        "delete files older than a month and bigger than 5 MB and pdfs in ~/in",
        "unsure pdfs",
    ),
    ("show the 2 biggest pdfs and the jpgs in ~/in", "unsure jpgs"),
    ("delete the oldest pdf and jpg in ~/in", "unsure jpg"),
    (
        "delete the pdfs and the jpgs older than a month in ~/in",
        "find_files{base_path:~/in,pattern:*.{pdf,jpg},modified_window:older-1m} → delete_files{from_step:1}",
    ),
    (
        "show the 2 biggest pdf and jpg files in ~/in",
        "find_files{base_path:~/in,pattern:*.{pdf,jpg}} → sort_entries{from_step:1,by:size,desc:true,top:2}",
    ),
    (
        "delete the pdfs in ~/in and the jpgs older than a month",
        "find_files{base_path:~/in,pattern:*.{pdf,jpg},modified_window:older-1m} → delete_files{from_step:1}",
    ),
    (
        "find the pdfs in ~/docs sorted by size reversed",
        "find_files{base_path:~/docs,pattern:*.pdf} → sort_entries{from_step:1,by:size,desc:false}",
    ),
    (
        "trova i pdf in ~/docs ordinati per data al contrario",
        "find_files{base_path:~/docs,pattern:*.pdf} → sort_entries{from_step:1,by:mtime,desc:false}",
    ),
    (
        "find the pdfs in ~/docs sorted by name backwards",
        "find_files{base_path:~/docs,pattern:*.pdf} → sort_entries{from_step:1,by:name,desc:true}",
    ),
    (
        "show the 2 biggest pdfs in ~/docs in reverse order",
        "unsure in reverse order",
    ),
    ("show files in ~/docs that are about a week old", "unsure week,old"),
    (
        "list ~/docs sorted by name backwards",
        "list_dirs{path:~/docs} → sort_entries{from_step:1,by:name,desc:true}",
    ),
];
