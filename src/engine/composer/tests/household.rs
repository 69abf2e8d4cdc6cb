//! What households ask that was refused before: copies, orders by themselves, what files are about, when a shop opens.

/// Requests and what each becomes.
pub(super) const HOUSEHOLD: &[(&str, &str)] = &[
    (
        "copy ~/a.txt to ~/b",
        "move_files{paths:[~/a.txt],dst_dir:~/b,copy:true}",
    ),
    (
        "copia ~/a.txt in ~/b",
        "move_files{paths:[~/a.txt],dst_dir:~/b,copy:true}",
    ),
    (
        "duplicate ~/a.txt in ~/b",
        "move_files{paths:[~/a.txt],dst_dir:~/b,copy:true}",
    ),
    (
        "make a copy of ~/a.txt in ~/b",
        "move_files{paths:[~/a.txt],dst_dir:~/b,copy:true}",
    ),
    (
        "fai una copia di ~/a.txt in ~/b",
        "move_files{paths:[~/a.txt],dst_dir:~/b,copy:true}",
    ),
    (
        "copy ~/a.txt to ~/b.txt",
        "move_files{paths:[~/a.txt],dst_dir:~,new_name:b.txt,copy:true}",
    ),
    (
        "copy the pdfs from ~/in to ~/out",
        "find_files{base_path:~/in,pattern:*.pdf} → move_files{from_step:1,dst_dir:~/out,copy:true}",
    ),
    (
        "trova i pdf in ~/in e copiali in ~/out",
        "find_files{base_path:~/in,pattern:*.pdf} → move_files{from_step:1,dst_dir:~/out,copy:true}",
    ),
    (
        "copia il pdf più recente in ~/in a ~/out",
        "find_files{base_path:~/in,pattern:*.pdf} → sort_entries{from_step:1,by:mtime,desc:true,top:1} \
         → move_files{from_step:2,dst_dir:~/out,copy:true}",
    ),
    (
        "list the files in ~/docs newest first",
        "list_dirs{path:~/docs,sort:mtime}",
    ),
    (
        "elenca i file in ~/docs dal più recente",
        "list_dirs{path:~/docs,sort:mtime}",
    ),
    (
        "elenca i file in ~/docs prima i più vecchi",
        "list_dirs{path:~/docs} → sort_entries{from_step:1,by:mtime,desc:false}",
    ),
    (
        "list the files in ~/docs by date, oldest first",
        "list_dirs{path:~/docs} → sort_entries{from_step:1,by:mtime,desc:false}",
    ),
    (
        "files in ~/docs from largest to smallest",
        "find_files{base_path:~/docs} → sort_entries{from_step:1,by:size,desc:true}",
    ),
    (
        "trova i pdf in ~/docs in ordine alfabetico",
        "find_files{base_path:~/docs,pattern:*.pdf} → sort_entries{from_step:1,by:name,desc:false}",
    ),
    ("files about taxes", "find_files{base_path:~,about:taxes|tassa}"),
    ("file sulle tasse", "find_files{base_path:~,about:tasse|tax}"),
    (
        "find the pdfs about the car insurance in ~/docs",
        "find_files{base_path:~/docs,pattern:*.pdf,about:car|auto|macchina insurance|assicurazione}",
    ),
    (
        "cerca i file su Marta in ~/docs",
        "find_files{base_path:~/docs,about:Marta}",
    ),
    (
        "how many files about taxes are in ~/docs",
        "find_files{base_path:~/docs,about:taxes|tassa} → compute_entries{from_step:1,op:count}",
    ),
    ("find the letter", "find_files{base_path:~,about:letter}"),
    (
        "read me the letter to Marta",
        "find_files{base_path:~,named:letter Marta} → read_files{from_step:1,only_one:true}",
    ),
    (
        "leggimi la ricetta delle lasagne",
        "find_files{base_path:~,named:ricetta|recipe lasagne} → read_files{from_step:1,only_one:true}",
    ),
    (
        "open the tiramisu recipe",
        "find_files{base_path:~,named:tiramisu recipe|ricetta} → read_files{from_step:1,only_one:true}",
    ),
    (
        "how many pdfs have I got",
        "find_files{base_path:~,pattern:*.pdf} → compute_entries{from_step:1,op:count}",
    ),
    (
        "mi trovi i pdf che ho in giro per casa",
        "find_files{base_path:~,pattern:*.pdf}",
    ),
    ("trova la lettera", "find_files{base_path:~,about:lettera}"),
    ("find the letter to Marta", "find_files{base_path:~,about:letter Marta}"),
    (
        "cerca la polizza dell'auto",
        "find_files{base_path:~,about:polizza|policy auto|car|macchina}",
    ),
    ("find my old draft", "find_files{base_path:~,about:old draft|bozza}"),
    (
        "opening hours of the Coop in Via Roma",
        "get_places{query:Coop,near:Via Roma}",
    ),
    (
        "quando apre la farmacia Rossi",
        "get_location{} → get_places{query:farmacia Rossi,near:${step1.point}}",
    ),
    (
        "a che ora chiude la Coop in via Roma?",
        "get_places{query:Coop,near:via Roma}",
    ),
    (
        "when does the nearest pharmacy close",
        "get_location{} → get_places{kind:pharmacy,near:${step1.point}}",
    ),
    (
        "what are the opening hours of the Rossi pharmacy on Sunday",
        "get_location{} → get_places{query:Rossi pharmacy,near:${step1.point}}",
    ),
    (
        "il telefono del ristorante Da Tonino a Roma",
        "get_places{query:ristorante Da Tonino,near:Roma}",
    ),
    (
        "la farmacia Rossi è aperta?",
        "get_location{} → get_places{query:farmacia Rossi,near:${step1.point}}",
    ),
];
