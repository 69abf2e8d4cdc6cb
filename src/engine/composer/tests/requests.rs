//! The requests of the composer's tests, in both languages: what each becomes, or what stands in its way.

/// Requests that a plan accounts for, word by word.
pub(super) const PLANS: &[(&str, &str)] = &[
    (
        "quanti file ci sono in ~/in e quanto occupano in tutto?",
        "find_files{base_path:~/in} → compute_entries{from_step:1,op:count} \
         → compute_entries{from_step:1,op:sum,field:size}",
    ),
    (
        "how many files are in ~/in and how many in ~/out",
        "find_files{base_path:~/in} → compute_entries{from_step:1,op:count} \
         → find_files{base_path:~/out} → compute_entries{from_step:3,op:count}",
    ),
    (
        "create the folder ~/a/b and move ~/c.txt there",
        "create_dirs{paths:[~/a/b]} → move_files{paths:[~/c.txt],dst_dir:~/a/b}",
    ),
    (
        "delete the log files in ~/logs older than a week",
        "find_files{base_path:~/logs,pattern:*.log,modified_window:older-1w} → delete_files{from_step:1}",
    ),
    (
        "list the files in ~/docs and save the list to ~/list.txt",
        "list_dirs{path:~/docs} → write_files{path:~/list.txt,content:${step1.entries}}",
    ),
    (
        "delete ~/a.txt and list ~/docs",
        "delete_files{paths:[~/a.txt]} → list_dirs{path:~/docs}",
    ),
    (
        "move ~/a.txt to ~/b.txt",
        "move_files{paths:[~/a.txt],dst_dir:~,new_name:b.txt}",
    ),
    (
        "rename ~/x/a.txt to b.txt",
        "move_files{paths:[~/x/a.txt],dst_dir:~/x,new_name:b.txt}",
    ),
    (
        "rinomina ~/x/vecchio in ~/x/nuovo",
        "move_files{paths:[~/x/vecchio],dst_dir:~/x,new_name:nuovo}",
    ),
    (
        "list the folders in ~/docs",
        "list_dirs{path:~/docs} → filter_entries{from_step:1,where_field:kind,where_equals:directory}",
    ),
    (
        "quante cartelle ci sono in ~/docs",
        "list_dirs{path:~/docs} → filter_entries{from_step:1,where_field:kind,where_equals:directory} \
         → compute_entries{from_step:2,op:count}",
    ),
    ("list the folder ~/docs", "list_dirs{path:~/docs}"),
    ("list the files in ~/docs", "list_dirs{path:~/docs}"),
    ("what's in ~/docs", "list_dirs{path:~/docs}"),
    ("cosa c'è in ~/docs?", "list_dirs{path:~/docs}"),
    ("elenca i file in ~/docs", "list_dirs{path:~/docs}"),
    (
        "find the pdf files in ~/docs modified this week",
        "find_files{base_path:~/docs,pattern:*.pdf,modified_window:this-week}",
    ),
    (
        "trova i pdf in ~/docs modificati questa settimana",
        "find_files{base_path:~/docs,pattern:*.pdf,modified_window:this-week}",
    ),
    (
        "quanti file markdown ci sono in ~/notes",
        "find_files{base_path:~/notes,pattern:*.md} → compute_entries{from_step:1,op:count}",
    ),
    (
        "how many markdown files are there in ~/notes?",
        "find_files{base_path:~/notes,pattern:*.md} → compute_entries{from_step:1,op:count}",
    ),
    (
        "count the files in ~/docs",
        "find_files{base_path:~/docs} → compute_entries{from_step:1,op:count}",
    ),
    (
        "read ~/notes/diary.md and show me the last three lines",
        "read_files{paths:[~/notes/diary.md]} → filter_texts_lines{from_step:1,last:3}",
    ),
    (
        "leggi ~/notes/diary.md e mostrami le ultime 3 righe",
        "read_files{paths:[~/notes/diary.md]} → filter_texts_lines{from_step:1,last:3}",
    ),
    (
        "show me the first 10 lines of ~/notes/diary.md",
        "read_files{paths:[~/notes/diary.md]} → filter_texts_lines{from_step:1,first:10}",
    ),
    (
        "l'ultima riga di ~/notes/diary.md",
        "read_files{paths:[~/notes/diary.md]} → filter_texts_lines{from_step:1,last:1}",
    ),
    (
        "fetch http://127.0.0.1:8080/uuid and tell me only the uuid",
        "get_urls{urls:[http://127.0.0.1:8080/uuid]} | ${step1.uuid}",
    ),
    (
        "scarica http://127.0.0.1:8080/uuid e dimmi solo l'uuid",
        "get_urls{urls:[http://127.0.0.1:8080/uuid]} | ${step1.uuid}",
    ),
    (
        "save the page http://127.0.0.1:80/article to ~/notes/article.md and tell me how many bytes you wrote",
        "read_urls_html{urls:[http://127.0.0.1:80/article]} \
         → write_files{path:~/notes/article.md,content:${step1.text}}",
    ),
    (
        "salva la pagina http://127.0.0.1:80/article in ~/notes/article.md e dimmi quanti byte hai scritto",
        "read_urls_html{urls:[http://127.0.0.1:80/article]} \
         → write_files{path:~/notes/article.md,content:${step1.text}}",
    ),
    (
        "download http://127.0.0.1:80/data.csv to ~/data.csv",
        "get_urls{urls:[http://127.0.0.1:80/data.csv]} → write_files{path:~/data.csv,content:${step1.content}}",
    ),
    (
        "move the jpg files from ~/in to ~/photos",
        "find_files{base_path:~/in,pattern:*.jpg} → move_files{from_step:1,dst_dir:~/photos}",
    ),
    (
        "sposta i jpg da ~/in a ~/photos",
        "find_files{base_path:~/in,pattern:*.jpg} → move_files{from_step:1,dst_dir:~/photos}",
    ),
    ("sposta ~/a.txt in ~/b", "move_files{paths:[~/a.txt],dst_dir:~/b}"),
    (
        "sposta i file jpg da ~/in in ~/photos",
        "find_files{base_path:~/in,pattern:*.jpg} → move_files{from_step:1,dst_dir:~/photos}",
    ),
    (
        "trova i jpg in ~/in e spostali in ~/photos",
        "find_files{base_path:~/in,pattern:*.jpg} → move_files{from_step:1,dst_dir:~/photos}",
    ),
    (
        "find the jpg files in ~/in and move them to ~/photos",
        "find_files{base_path:~/in,pattern:*.jpg} → move_files{from_step:1,dst_dir:~/photos}",
    ),
    ("delete ~/docs/old.txt", "delete_files{paths:[~/docs/old.txt]}"),
    ("cancella ~/docs/old.txt", "delete_files{paths:[~/docs/old.txt]}"),
    (
        "delete all the tmp files in ~/x",
        "find_files{base_path:~/x,pattern:*.tmp} → delete_files{from_step:1}",
    ),
    (
        "cancella tutti i file pdf in ~/tmp",
        "find_files{base_path:~/tmp,pattern:*.pdf} → delete_files{from_step:1}",
    ),
    (
        "which process uses the most memory",
        "get_processes{sort_by:memory,top:1}",
    ),
    ("quale processo usa più memoria?", "get_processes{sort_by:memory,top:1}"),
    ("top 5 processes by memory", "get_processes{sort_by:memory,top:5}"),
    ("i 3 processi che usano più cpu", "get_processes{sort_by:cpu,top:3}"),
    ("read ~/.ssh/id_rsa", "read_files{paths:[~/.ssh/id_rsa]}"),
    ("crea la cartella ~/notes/2026", "create_dirs{paths:[~/notes/2026]}"),
    ("create a folder ~/notes/2026", "create_dirs{paths:[~/notes/2026]}"),
    (
        "create a new folder called ~/notes/2026",
        "create_dirs{paths:[~/notes/2026]}",
    ),
    (
        "the biggest file in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:1}",
    ),
    (
        "il file più grande in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:1}",
    ),
    (
        "qual è il file più grande in ~/docs?",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:1}",
    ),
    (
        "i 5 file più recenti in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:mtime,desc:true,top:5}",
    ),
    (
        "the 5 newest files in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:mtime,desc:true,top:5}",
    ),
    (
        "how many files per type are in ~/docs",
        "find_files{base_path:~/docs} → group_entries{from_step:1,by:ext}",
    ),
    (
        "quanti file per tipo ci sono in ~/docs",
        "find_files{base_path:~/docs} → group_entries{from_step:1,by:ext}",
    ),
    (
        "group the files in ~/docs by extension",
        "find_files{base_path:~/docs} → group_entries{from_step:1,by:ext}",
    ),
    (
        "find files containing name \"budget\" in ~/docs",
        "find_files{base_path:~/docs,pattern:*budget*}",
    ),
    (
        "find files with \"budget\" in the name in ~/docs",
        "find_files{base_path:~/docs,pattern:*budget*}",
    ),
    (
        "trova i file con \"budget\" nel nome in ~/docs",
        "find_files{base_path:~/docs,pattern:*budget*}",
    ),
    (
        "trova i file che si chiamano report.pdf in ~/docs",
        "find_files{base_path:~/docs,pattern:report.pdf}",
    ),
    (
        "find report.pdf in ~/docs",
        "find_files{base_path:~/docs,pattern:report.pdf}",
    ),
    (
        "files bigger than 10 MB in ~/downloads",
        "find_files{base_path:~/downloads,min_size:10000000}",
    ),
    (
        "file più grandi di 10 MB in ~/downloads",
        "find_files{base_path:~/downloads,min_size:10000000}",
    ),
    (
        "files smaller than 1 kB in ~/downloads",
        "find_files{base_path:~/downloads} → filter_entries{from_step:1,where_field:size,where_max:1000}",
    ),
    (
        "total size of ~/docs",
        "find_files{base_path:~/docs,recursive:true,include_hidden:true} → compute_entries{from_step:1,op:sum,field:size}",
    ),
    (
        "quanto spazio occupa ~/docs",
        "find_files{base_path:~/docs,recursive:true,include_hidden:true} → compute_entries{from_step:1,op:sum,field:size}",
    ),
    (
        "how big is ~/docs/a.pdf",
        "get_files{paths:[~/docs/a.pdf]} | ${step1.size}",
    ),
    (
        "write \"buy milk\" to ~/notes/todo.txt",
        "write_files{path:~/notes/todo.txt,content:buy milk}",
    ),
    (
        "scrivi \"comprare il latte\" in ~/notes/todo.txt",
        "write_files{path:~/notes/todo.txt,content:comprare il latte}",
    ),
    (
        "append \"ciao\" to ~/notes/todo.txt",
        "write_files{path:~/notes/todo.txt,content:ciao,mode:append}",
    ),
    (
        "aggiungi \"ciao\" in fondo a ~/notes/todo.txt",
        "write_files{path:~/notes/todo.txt,content:ciao,mode:append}",
    ),
    (
        "create a file ~/notes/x.txt with \"hello\"",
        "write_files{path:~/notes/x.txt,content:hello,mode:fail_if_exists}",
    ),
    (
        "lines containing \"foo\" in ~/notes/log.txt",
        "read_files{paths:[~/notes/log.txt]} → filter_texts_lines{from_step:1,contains:foo}",
    ),
    (
        "show me the lines that contain foo in ~/notes/log.txt",
        "read_files{paths:[~/notes/log.txt]} → filter_texts_lines{from_step:1,contains:foo}",
    ),
    (
        "le righe che contengono \"foo\" in ~/notes/log.txt",
        "read_files{paths:[~/notes/log.txt]} → filter_texts_lines{from_step:1,contains:foo}",
    ),
    (
        "summarize ~/notes/diary.md",
        "read_files{paths:[~/notes/diary.md]} → describe_entries{from_step:1}",
    ),
    (
        "riassumi http://127.0.0.1/article",
        "read_urls_html{urls:[http://127.0.0.1/article]} → describe_entries{from_step:1}",
    ),
    (
        "read the page http://127.0.0.1/article",
        "read_urls_html{urls:[http://127.0.0.1/article]}",
    ),
    (
        "leggi la pagina http://127.0.0.1/article",
        "read_urls_html{urls:[http://127.0.0.1/article]}",
    ),
    (
        "what is the title of http://127.0.0.1/article",
        "read_urls_html{urls:[http://127.0.0.1/article]} | ${step1.title}",
    ),
    (
        "move report.pdf from ~/in to ~/out",
        "find_files{base_path:~/in,pattern:report.pdf} → move_files{from_step:1,dst_dir:~/out}",
    ),
    ("show ~/notes/todo.txt", "read_files{paths:[~/notes/todo.txt]}"),
    ("apri ~/notes/todo.txt", "read_files{paths:[~/notes/todo.txt]}"),
    (
        "find the pdf and docx files in ~/docs",
        "find_files{base_path:~/docs,pattern:*.{pdf,docx}}",
    ),
    (
        "sort the files in ~/docs by size",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true}",
    ),
    (
        "ordina i file in ~/docs per data",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:mtime,desc:true}",
    ),
    (
        "files modified in the last 3 days in ~/docs",
        "find_files{base_path:~/docs,modified_window:last-3d}",
    ),
    (
        "file modificati negli ultimi 7 giorni in ~/docs",
        "find_files{base_path:~/docs,modified_window:last-7d}",
    ),
    (
        "list the images in ~/pics",
        "find_files{base_path:~/pics,pattern:*.{jpg,jpeg,png,gif,webp,heic,bmp,tiff,svg}}",
    ),
    (
        "find all rust files in ~/src recursively",
        "find_files{base_path:~/src,pattern:*.rs,recursive:true}",
    ),
    ("read ~/a.txt and ~/b.txt", "read_files{paths:[~/a.txt,~/b.txt]}"),
    (
        "read ~/a.txt and delete it",
        "read_files{paths:[~/a.txt]} → delete_files{from_step:1}",
    ),
    (
        "trova i pdf in ~/docs e dimmi quanti sono",
        "find_files{base_path:~/docs,pattern:*.pdf} → compute_entries{from_step:1,op:count}",
    ),
    (
        "find the pdf files in ~/docs and tell me how many there are",
        "find_files{base_path:~/docs,pattern:*.pdf} → compute_entries{from_step:1,op:count}",
    ),
    (
        "the oldest file in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:mtime,desc:false,top:1}",
    ),
    (
        "create a folder called projects in ~/jobs",
        "create_dirs{paths:[~/jobs/projects]}",
    ),
    ("create a folder called trip, please", "create_dirs{paths:[~/trip]}"),
    ("crea una nuova cartella viaggio", "create_dirs{paths:[~/viaggio]}"),
    ("make a folder called summer 2026", "create_dirs{paths:[~/summer 2026]}"),
    (
        "crea le cartelle mare e monti e poi cancella ~/a.txt",
        "create_dirs{paths:[~/mare,~/monti]} → delete_files{paths:[~/a.txt]}",
    ),
    (
        "show only the title of http://127.0.0.1/article",
        "read_urls_html{urls:[http://127.0.0.1/article]} | ${step1.title}",
    ),
    (
        "dimmi il titolo di http://127.0.0.1/article",
        "read_urls_html{urls:[http://127.0.0.1/article]} | ${step1.title}",
    ),
    ("list ~/docs", "list_dirs{path:~/docs}"),
    ("show me ~/docs", "list_dirs{path:~/docs}"),
    (
        "find the three largest files in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:3}",
    ),
    (
        "quali sono i 3 file più grandi in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:3}",
    ),
    ("what is using the most cpu", "get_processes{sort_by:cpu,top:1}"),
    (
        "quanti processi sono in esecuzione",
        "get_processes{} → compute_entries{from_step:1,op:count}",
    ),
    (
        "how many processes are running",
        "get_processes{} → compute_entries{from_step:1,op:count}",
    ),
    ("list running processes", "get_processes{}"),
    (
        "the name of the biggest file in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:1} | ${step2.name}",
    ),
    (
        "delete the 3 oldest files in ~/logs",
        "find_files{base_path:~/logs} → sort_entries{from_step:1,by:mtime,desc:false,top:3} \
         → delete_files{from_step:2}",
    ),
    (
        "move all pdf files bigger than 5 MB from ~/in to ~/big",
        "find_files{base_path:~/in,pattern:*.pdf,min_size:5000000} → move_files{from_step:1,dst_dir:~/big}",
    ),
    (
        "write the last 5 lines of ~/a.log to ~/b.txt",
        "read_files{paths:[~/a.log]} → filter_texts_lines{from_step:1,last:5} \
         → write_files{path:~/b.txt,content:${step2.text}}",
    ),
    (
        "salva le ultime 5 righe di ~/a.log in ~/b.txt",
        "read_files{paths:[~/a.log]} → filter_texts_lines{from_step:1,last:5} \
         → write_files{path:~/b.txt,content:${step2.text}}",
    ),
    (
        "read \"~/My Documents/a b.txt\"",
        "read_files{paths:[~/My Documents/a b.txt]}",
    ),
    (
        "find python files modified today in ~/src",
        "find_files{base_path:~/src,pattern:*.py,modified_window:today}",
    ),
    (
        "find files named *.txt in ~/docs",
        "find_files{base_path:~/docs,pattern:*.txt}",
    ),
    ("leggimi ~/a.txt", "read_files{paths:[~/a.txt]}"),
    ("potresti leggere ~/a.txt per favore?", "read_files{paths:[~/a.txt]}"),
    (
        "trova tutti i pdf nella cartella ~/docs e nelle sottocartelle",
        "find_files{base_path:~/docs,pattern:*.pdf,recursive:true}",
    ),
    (
        "what's the size of ~/docs/a.pdf",
        "get_files{paths:[~/docs/a.pdf]} | ${step1.size}",
    ),
    ("trova i documenti in ~/docs", "find_files{base_path:~/docs}"),
    (
        "delete ~/docs/*.pdf",
        "find_files{base_path:~/docs,pattern:*.pdf,recursive:false} → delete_files{from_step:1}",
    ),
    (
        "move ~/a.txt and ~/b.txt to ~/c",
        "move_files{paths:[~/a.txt,~/b.txt],dst_dir:~/c}",
    ),
    ("what's in the folder ~/docs", "list_dirs{path:~/docs}"),
    ("il contenuto di ~/notes/a.txt", "read_files{paths:[~/notes/a.txt]}"),
    (
        "qual è il nome del file più grande in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:1} | ${step2.name}",
    ),
    (
        "move the pdfs from the folder ~/in to the folder ~/out",
        "find_files{base_path:~/in,pattern:*.pdf} → move_files{from_step:1,dst_dir:~/out}",
    ),
    ("show the processes sorted by cpu", "get_processes{sort_by:cpu}"),
    (
        "find files smaller than 10 kb in ~/x and delete them",
        "find_files{base_path:~/x} → filter_entries{from_step:1,where_field:size,where_max:10000} \
         → delete_files{from_step:2}",
    ),
    (
        "delete files smaller than 10 kb in ~/x",
        "find_files{base_path:~/x} → filter_entries{from_step:1,where_field:size,where_max:10000} \
         → delete_files{from_step:2}",
    ),
    (
        "leggi ~/a.txt e scrivilo in ~/b.txt",
        "read_files{paths:[~/a.txt]} → write_files{path:~/b.txt,content:${step1.content}}",
    ),
    (
        "sposta tutti i file pdf di ~/in modificati ieri in ~/out",
        "find_files{base_path:~/in,pattern:*.pdf,modified_window:yesterday} → move_files{from_step:1,dst_dir:~/out}",
    ),
    (
        "read every file in ~/docs",
        "find_files{base_path:~/docs} → read_files{from_step:1}",
    ),
    (
        "read the files in ~/docs",
        "find_files{base_path:~/docs} → read_files{from_step:1}",
    ),
    (
        "summarize the files in ~/docs",
        "find_files{base_path:~/docs} → read_files{from_step:1} → describe_entries{from_step:2}",
    ),
    (
        "leggi tutti i file di testo in ~/docs",
        "find_files{base_path:~/docs,pattern:*.txt} → read_files{from_step:1}",
    ),
    (
        "show me the biggest file in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:1}",
    ),
    (
        "find the jpg files in ~/in and move the biggest to ~/best",
        "find_files{base_path:~/in,pattern:*.jpg} \
         → sort_entries{from_step:1,by:size,desc:true,top:1} → move_files{from_step:2,dst_dir:~/best}",
    ),
    (
        "trova i pdf in ~/docs e sposta il più vecchio in ~/vecchi",
        "find_files{base_path:~/docs,pattern:*.pdf} \
         → sort_entries{from_step:1,by:mtime,desc:false,top:1} → move_files{from_step:2,dst_dir:~/vecchi}",
    ),
    (
        "find the files in ~/docs and delete the oldest",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:mtime,desc:false,top:1} \
         → delete_files{from_step:2}",
    ),
    (
        "find the jpg files in ~/in then delete the biggest one",
        "find_files{base_path:~/in,pattern:*.jpg} \
         → sort_entries{from_step:1,by:size,desc:true,top:1} → delete_files{from_step:2}",
    ),
    (
        "trova i file in ~/in e cancella i 2 più grandi",
        "find_files{base_path:~/in} → sort_entries{from_step:1,by:size,desc:true,top:2} \
         → delete_files{from_step:2}",
    ),
    (
        "trova le foto in ~/in e cancella la più grande",
        "find_files{base_path:~/in,pattern:*.{jpg,jpeg,png,gif,webp,heic,bmp,tiff,svg}} \
         → sort_entries{from_step:1,by:size,desc:true,top:1} → delete_files{from_step:2}",
    ),
    (
        "find the txt files in ~/docs and open the biggest",
        "find_files{base_path:~/docs,pattern:*.txt} \
         → sort_entries{from_step:1,by:size,desc:true,top:1} → read_files{from_step:2}",
    ),
    (
        "ok perfect. now show me the biggest file in ~/docs",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true,top:1}",
    ),
    (
        "buongiorno! senti, cancella ~/docs/a.txt",
        "delete_files{paths:[~/docs/a.txt]}",
    ),
    (
        "what does http://127.0.0.1/page.html say?",
        "read_urls_html{urls:[http://127.0.0.1/page.html]}",
    ),
    (
        "cosa dice http://127.0.0.1/page.html?",
        "read_urls_html{urls:[http://127.0.0.1/page.html]}",
    ),
    (
        "delete files named old in ~/docs",
        "find_files{base_path:~/docs,pattern:{old,old.*}} → delete_files{from_step:1}",
    ),
    (
        "delete files named \"a,b\" in ~/docs",
        "find_files{base_path:~/docs,pattern:a,b} → delete_files{from_step:1}",
    ),
    (
        "sposta i pdf di ~/docs in ~/docs/bollette",
        "find_files{base_path:~/docs,pattern:*.pdf} \
         → move_files{from_step:1,dst_dir:~/docs/bollette}",
    ),
    (
        "delete the tmp files in ~/x and its subfolders",
        "find_files{base_path:~/x,pattern:*.tmp,recursive:true} → delete_files{from_step:1}",
    ),
];
