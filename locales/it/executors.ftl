# Ciò che dicono gli esecutori: prima i risultati, poi cosa è andato storto e cosa fare.

executors-now = { $where ->
        [there] { $place }: sono le
       *[here] Sono le
    } { $time } di { $weekday ->
        [monday] lunedì
        [tuesday] martedì
        [wednesday] mercoledì
        [thursday] giovedì
        [friday] venerdì
        [saturday] sabato
       *[sunday] domenica
    } { $day } { $month ->
        [1] gennaio
        [2] febbraio
        [3] marzo
        [4] aprile
        [5] maggio
        [6] giugno
        [7] luglio
        [8] agosto
        [9] settembre
        [10] ottobre
        [11] novembre
       *[12] dicembre
    } { $year }.
executors-now-unknown-place = Non so in quale fuso orario sia { $place }. Prova con la grande città più vicina.
executors-number = Fa { $about ->
        [yes] circa { $number }
       *[no] { $number }
    }{ $unit ->
        [none] .
        [mins] { " " }min.
        [cup] { " " }tazza.
        [cups] { " " }tazze.
        [pint] { " " }pinta.
        [pints] { " " }pinte.
        [gallon] { " " }gallone.
        [gallons] { " " }galloni.
        [day] { " " }giorno.
        [days] { " " }giorni.
        [week] { " " }settimana.
        [weeks] { " " }settimane.
        [inch] { " " }pollice.
        [inches] { " " }pollici.
       *[other] { " " }{ $unit }.
    }
executors-number-unreadable = Non riesco a calcolare «{ $expression }». Scrivi numeri, segni e unità, come 15% di 80 o 3 km in miglia.
executors-number-zero = Non si può dividere per zero.
executors-number-too-much = È troppo da calcolare. Prova con numeri più piccoli.
executors-written = { $action ->
        [unchanged] { $name } dice già esattamente questo, quindi l'ho lasciato com'è.
        [appended] L'ho aggiunto in fondo a { $name }. Di' «annulla» per tornare indietro.
        [line_appended] Ho aggiunto a { $name }: { $lines }. Di' «annulla» per tornare indietro.
        [list_created] Ho fatto la lista { $name } in { $folder }, con: { $lines }. Di' «annulla» per tornare indietro.
        [lines_added] Ho aggiunto a { $name }: { $lines }. Di' «annulla» per tornare indietro.{ $there ->
            [none] { "" }
           *[other] { " " }C'era già, e adesso c'è due volte: { $there }.
        }
        [line_removed] Ho tolto da { $name }: { $lines }. Di' «annulla» e torna.
        [cleared] Ho tolto tutto da { $name }: { $lines }. Di' «annulla» e torna.
        [cleared_before] In { $name } non c'è niente da togliere.
        [ticked] Ho segnato come fatto in { $name }: { $lines }.
        [ticked_before] In { $name } è già segnato come fatto: { $lines }.
        [overwritten] Ho sostituito quello che c'era in { $name }. Di' «annulla» e torna il testo di prima.
       *[other] { $bytes ->
            [0] { $name } adesso è in { $folder }, ancora vuoto.
           *[other] { $name } adesso è in { $folder } ({ $bytes } byte).
        }
    }
executors-listed = Sì, c'è in { $name }.
executors-listed-done = È in { $name }, ed è già spuntato.
executors-not-listed = In { $name } non c'è: { $things }.
executors-near-listed = In { $name } non c'è: { $things }. Le righe più vicine: { $lines }.
executors-line-not-found = Nessuna riga di { $name } dice «{ $line }», quindi l'ho lasciato com'è.
executors-line-near = Nessuna riga di { $name } dice solo «{ $line }», quindi l'ho lasciato com'è. Compare in: { $lines }. Dillo con le parole della riga.
executors-line-ambiguous = Potrebbero essere più righe di { $name }: { $lines }. Dimmi quale con le parole della riga.
executors-line-no-box = «{ $line }» in { $name } non ha una casella da spuntare ([ ]), quindi l'ho lasciata com'è.
executors-row-parts = { $name } ha le colonne { $columns }: di' un valore per ognuna, in quest'ordine, con le virgole in mezzo.
executors-row-value = «{ $value }» non va bene per la colonna { $column } di { $name }, dove c'è scritto «{ $such }», quindi non ho aggiunto niente. Le colonne sono { $columns }: di' un valore per ognuna, in quest'ordine, con le virgole in mezzo.
executors-no-boxes = { $name } non ha caselle da spuntare ([ ]), quindi l'ho lasciato com'è.
executors-dirs-created = { $created ->
        [0] La cartella { $folder } c'è già.
        [one] Ho creato la cartella { $folder }.
       *[other] Ho creato { $created } cartelle.
    }
executors-moved = { $ok_count ->
        [0] { $unchanged_count ->
            [0] { $action ->
                [copied] Non ho copiato nulla.
               *[moved] Non ho spostato nulla.
            }
            [one] Non c'era nulla da spostare: è già in { $folder }.
           *[other] Non c'era nulla da spostare: sono già in { $folder }.
        }
        [one] { $action ->
            [renamed] Ho rinominato { $was } in { $name }.
            [copied] Ho copiato { $was } in { $folder }.
            [copied_as] Ho copiato { $was } in { $folder }, con il nome { $name }.
            [moved_as] Ho spostato { $was } in { $folder }, con il nome { $name }.
           *[moved] { $what ->
                [folders] Ho spostato la cartella { $name }, con tutto quello che contiene, in { $folder }.
               *[files] { $name } adesso è in { $folder }.
            }
        }
       *[other] { $action ->
            [copied] Ho copiato { $ok_count } file in { $folder }.
           *[moved] { $what ->
                [folders] Ho spostato { $ok_count } cartelle, con tutto quello che contengono, in { $folder }.
                [things] Ho spostato { $ok_count } tra file e cartelle in { $folder }.
               *[files] Ho spostato { $ok_count } file in { $folder }.
            }
        }
    }{ $fail_count ->
        [0] { "" }
        [one] { " " }Uno non si è potuto { $action ->
            [copied] copiare.
           *[moved] spostare.
        }
       *[other] { " " }{ $fail_count } non si sono potuti { $action ->
            [copied] copiare.
           *[moved] spostare.
        }
    }
executors-deleted = { $ok_count ->
        [0] Non ho cancellato nulla.
        [one] Ho cancellato { $name }. Di' «annulla» e torna al suo posto.
       *[other] Ho cancellato { $ok_count } file. Di' «annulla» e tornano al loro posto.
    }{ $fail_count ->
        [0] { "" }
        [one] { " " }Uno non si è potuto cancellare.
       *[other] { " " }{ $fail_count } non si sono potuti cancellare.
    }
executors-computed = { $op ->
        [count] { $value }{ $spread }
        [sum] { $field ->
            [size] { $shown } in tutto{ $spread }.
           *[other] { $value } in tutto.
        }
        [any] { $value ->
            [0] No, non c'è.
           *[other] Sì, c'è.
        }
        [avg] { $field ->
            [size] { $shown } in media.
           *[other] { $value } in media.
        }
        [min] { $field ->
            [size] Il più piccolo ha { $shown }.
           *[other] Il minimo è { $value }.
        }
       *[max] { $field ->
            [size] Il più grande ha { $shown }.
           *[other] Il massimo è { $value }.
        }
    }
executors-undone = { $undone_count ->
        [0] Non c'è niente da annullare.
        [one] Fatto, ho annullato l'ultima modifica.
       *[other] Fatto, ho annullato { $undone_count } modifiche.
    }{ $back_count ->
        [0] { "" }
       *[other] { " " }Rimesso a posto: { $back_names }{ $back_more ->
            [0] .
            [one] { "" } e un altro.
           *[other] { "" } e altri { $back_more }.
        }
    }{ $removed_count ->
        [0] { "" }
       *[other] { " " }Tolto di nuovo: { $removed_names }{ $removed_more ->
            [0] .
            [one] { "" } e un altro.
           *[other] { "" } e altri { $removed_more }.
        }
    }
executors-task-created = { $kind ->
        [timer] Il timer{ $named ->
            [no] { "" }
           *[yes] { " " }“{ $name }”
        } dura { $span }, fino a { $moment }.
        [alarm] { $again ->
            [no] La sveglia suona { $moment }
           *[yes] La sveglia suona { $rhythm }, la prima volta { $moment }
        }{ $named ->
            [no] .
           *[yes] : “{ $name }”.
        }
        [reminder] { $again ->
            [no] Te lo ricordo { $moment }
           *[yes] Te lo ricordo { $rhythm }, la prima volta { $moment }
        }{ $named ->
            [no] .
           *[yes] : “{ $name }”.
        }
        [request] { $again ->
            [no] Lo faccio { $moment }: “{ $text }”.
           *[yes] Lo faccio { $rhythm }, la prima volta { $moment }: “{ $text }”.
        }
       *[watcher] Guardo { $rhythm } (“{ $text }”) e ti dico quando c'è qualcosa di nuovo.
    }
executors-task-changed = { $action ->
        [pause] In pausa: { $name }.
        [resume] Riparte: { $name }, { $moment }.
        [snooze] Va bene, di nuovo { $moment }.
        [dismiss] Fatto.
        [move] Spostato: { $name }, ora { $moment }.
        [run] Parte adesso: { $name }.
       *[other] { $kind ->
            [timer] Al timer restano { $left }, fino a { $moment }.
           *[other] Arriva { $moment }: { $name }.
        }
    }
executors-tasks-deleted = { $ok_count ->
        [one] { $kind ->
            [timer] Il timer non c'è più
            [alarm] La sveglia non c'è più
            [reminder] Il promemoria non c'è più
           *[other] Non c'è più
        }
       *[other] Non ci sono più in { $ok_count }
    }: { $names }. Di' “annulla” e torna.
executors-requested = Questo non lo so ancora fare. L'ho annotato, così si potrà aggiungere.

executors-no-data = Non ho ancora niente su cui lavorare. Dimmi che cosa: dei file, una cartella o una pagina web.
executors-pages-unread = Di queste pagine ho gli indirizzi, ma non sono riuscito a leggere che cosa dicono.
executors-argument-missing = Mi serve sapere «{ $name }». Dimmelo e ci riprovo.
executors-argument-wrong = Non riesco a usare il valore di «{ $name }». Prova a dirlo in un altro modo.
executors-filter-empty = Non so in base a cosa filtrare. Dimmi una parola, un modello o una dimensione.
executors-field-unknown = Queste voci non hanno «{ $field }». Chiedimi di elencarle per vedere cosa hanno.
executors-window-unknown = Non conosco il periodo «{ $window }». Prova con «questa settimana», «ultimi 7 giorni» o una data.
executors-compute-nothing = Non c'è nulla su cui calcolare. Prova prima una ricerca più ampia.

executors-not-all-weighed = { $count ->
    [one] Una cosa là dentro non si è potuta guardare: la dimensione vera può essere maggiore.
   *[other] { $count } cose là dentro non si sono potute guardare: la dimensione vera può essere maggiore.
}
executors-file-empty = { $path } è vuoto.
executors-file-blank = In { $path } ci sono solo spazi vuoti.
executors-file-none-named = Nessun file si chiama “{ $words }”, e nessuno di quelli che ho guardato contiene tutte queste parole.
executors-file-near-named = Nessun file si chiama “{ $words }”. Simili: { $names }.
executors-file-which = I file che corrispondono sono { $count }: { $names }. Dimmi quale.
executors-folder-empty = { $path } è vuota.
executors-folder-hides = In { $path } ci sono solo cose nascoste.
executors-name-too-long = Questo nome è troppo lungo: per un file o una cartella c'è posto per circa 250 lettere. Scegline uno più corto.
executors-move-into-itself = { $path } non può finire dentro sé stessa. Scegli una cartella fuori da quella.
executors-path-invalid = «{ $path }» non è un percorso che posso usare. Prova con qualcosa come ~/docs/lista.txt.
executors-name-not-text = Il nome di { $path } contiene segni che non sono lettere: non posso distinguerlo da altri file, quindi non l’ho toccato. Prima dagli un altro nome.
executors-path-not-found = Non trovo { $path }. Controlla il nome, o chiedimi di elencare la cartella.
executors-path-is-directory = { $path } è una cartella, non un file. Chiedimi di elencarla, o dimmi un file al suo interno.
executors-path-is-file = { $path } è un file, non una cartella. Dimmi la cartella.
executors-path-is-pattern = «{ $path }» indica molti file. Chiedimi prima di trovarli.
executors-path-not-regular = { $path } non è un file normale, quindi non l'ho toccato. Dimmene un altro.
executors-path-denied = Non ho il permesso di toccare { $path }. Controlla i permessi.
executors-path-exists = In { $path } c'è già qualcosa. Scegli un altro nome, o spostalo prima.
executors-path-failed = Qualcosa è andato storto con { $path }. Controlla il disco e riprova.
executors-delete-is-directory = { $path } è una cartella, e io cancello solo file. Dimmi quali file al suo interno posso cancellare.
executors-dir-not-empty = { $path } non è vuota, quindi l'ho lasciata. Svuotala prima, se non la vuoi più.
executors-file-not-text = { $path } non è un file di testo, quindi non posso leggertelo. Per averlo così com'è, di' «mandami { $path }».
executors-file-kind = I file .{ $kind } non li so leggere, quindi { $path } per me resta chiuso. Per averlo così com'è, di' «mandami { $path }».
executors-file-password = { $path } è protetto da una password. Chiedimelo da solo, e ti chiedo la password.
executors-file-locked = { $path } è protetto in un modo che non so aprire, nemmeno con la password. Per averlo così com'è, di' «mandami { $path }».
executors-file-broken = { $path } è danneggiato: comincia come un documento ma non si legge come tale. Se ne hai un'altra copia, prova con quella.
executors-file-unpacks = { $path } è troppo grande perché io lo legga. Per averlo così com'è, di' «mandami { $path }».
executors-file-pictures = { $path } contiene immagini delle sue pagine e nessun testo ({ $pages ->
    [one] una pagina
   *[other] { $pages } pagine
}). Per averlo così com'è, di' «mandami { $path }».
executors-picture-silent = In { $path } non ci sono parole che so leggere. Per averlo così com'è, di' «mandami { $path }».
executors-picture-no-reader = { $path } è un'immagine, e qui non è installato il programma che legge le parole nelle immagini. Su Debian: apt install tesseract-ocr tesseract-ocr-ita. Per averlo così com'è, di' «mandami { $path }».
executors-picture-unreadable = { $path } è un'immagine da cui non ricavo parole. Prova con una più nitida, presa dritta dall'alto.
executors-picture-note = Letto da un'immagine: qualche lettera può essere sbagliata.
executors-file-same-as = uguale a { $path }
executors-files-none-twice = In { $path } non ci sono due file uguali.
executors-picture-changed = Ho fatto { $shown }, { $width } × { $height } pixel. Quella di prima c'è ancora.
executors-picture-how = In che cosa? Di' un formato come jpg o png, «più piccola», o da che parte girarla.
executors-picture-unknown = Non so cambiare { $name }: conosco immagini JPEG, PNG, WebP, GIF, BMP e TIFF.
executors-picture-too-large = { $name } è troppo grande perché io la cambi.
executors-picture-broken = Non riesco a leggere { $name }: è rovinata.
executors-sheet-made = Ho fatto { $shown }: { $rows ->
    [one] una riga
   *[other] { $rows } righe
}.
executors-sheet-empty = Non c'è niente da mettere in una tabella.
executors-sheet-too-long = Quell'elenco ha { $rows } righe, e faccio tabelle di { $max } al massimo. Chiedine meno, per esempio quelle di un mese.
executors-chart-made = Ho fatto { $shown }: { $of }{ $by ->
    [none] {""}
   *[other] {" "}per { $by }
}, { $form ->
    [bars] a barre
    [shares] come parti del tutto
   *[lines] come linea
}.{ $chosen ->
    [yes] {" "}Ciò che non era detto l'ho scelto io: la prima colonna adatta.
   *[no] {""}
}{ $added ->
    [yes] {" "}Ciò che torna più volte è sommato.
   *[no] {""}
}{ $joined ->
    [0] {""}
   *[other] {" "}I { $joined } valori più piccoli stanno insieme.
}{ $left_out ->
    [0] {""}
    [one] {" "}Una riga senza numero non c'è.
   *[other] {" "}{ $left_out } righe senza numero non ci sono.
}
executors-chart-no-table = Lì non trovo una tabella che cominci con una riga di intestazioni. Prova con un file csv, xlsx o ods, o con un elenco.
executors-chart-no-numbers = Lì non ci sono numeri da disegnare.
executors-chart-not-numbers = La colonna «{ $column }» non contiene numeri, quindi non posso disegnarla.
executors-chart-no-column = Non c'è una colonna «{ $column }». Ci sono queste: { $known }.
executors-chart-negative = «{ $column }» va sotto zero, e le parti di un tutto non possono. Chiedi barre o una linea.
executors-chart-nothing = Lì i numeri sono tutti zero, quindi niente ha una parte. Chiedi barre o una linea.
executors-chart-too-many = È più di quanto sta in un'immagine: { $max } al massimo. Chiedine meno, per esempio quelli di un anno.
executors-chart-one-file = Un grafico mostra un file solo. Dimmi quale.
executors-chart-unwritten = Non sono riuscito a fare l'immagine.
executors-pdf-made = Ho fatto { $shown }: { $pages ->
    [one] una pagina
   *[other] { $pages } pagine
}. Le immagini ci sono ancora.
executors-pdf-too-large = È più di quanto metto in un solo PDF: { $pages } immagini, o { $limit } MB in tutto. Fanne due.
executors-zipped = { $count ->
    [one] Un file adesso è
   *[other] { $count } file adesso sono
} in { $folder }.
executors-unzipped = { $count ->
    [one] Un file adesso è
   *[other] { $count } file adesso sono
} in { $folder }.
executors-archive-unsafe = { $path } contiene nomi che portano fuori dalla sua cartella, o collegamenti, quindi non ne ho estratto niente. Non fidarti.
executors-archive-too-large = { $path } contiene più di quanto comprimo o estraggo in una volta: 20.000 file o 4 GB. Dimmi una parte.
executors-archive-broken = { $path } non è un file ZIP, o è danneggiato. Se ne hai un'altra copia, prova con quella.
executors-file-too-large = { $path } è troppo grande per me. Prova con un file più piccolo.
executors-disk-full = Non c'è più spazio per { $path }. Libera un po' di spazio e riprova.
executors-new-name-many = Un nuovo nome vale per un solo file. Dimmi quale rinominare.
executors-move-across-disks = { $path } è una cartella su un altro disco, e lì posso spostare solo file. Sposta i suoi file.
executors-undo-taken = In { $path } ora c'è un'altra cosa, quindi non ci ho rimesso quella di prima. Spostala, se vuoi indietro quella di prima.
executors-undo-changed = { $path } è cambiato nel frattempo, quindi l'ho lasciato stare. Dagli un'occhiata prima di sostituirlo.

executors-url-invalid = «{ $url }» non è un indirizzo web che posso aprire. Dovrebbe iniziare con https://.
executors-url-not-named = { $url } non è a nessun host che il manifest dello strumento nomina.
executors-url-private = { $url } è dentro la tua rete, quindi non lo apro a meno che l'host scriva l'indirizzo esatto.
executors-url-unknown-host = Non trovo «{ $host }» su internet. Controlla l'indirizzo e la connessione.
executors-url-unreachable = Ora non riesco a raggiungere { $url }. Controlla la connessione e riprova più tardi.
executors-url-timeout = { $url } ci ha messo troppo a rispondere. Riprova tra un po'.
executors-url-too-large = { $url } supera i { $limit } MB, quindi mi sono fermato. Prova una pagina più piccola.
executors-url-too-much = Insieme queste pagine sono troppe per una volta, quindi ho saltato { $url }. Chiedila da sola.
executors-url-redirects = { $url } continua a mandarmi altrove. Prova con l'indirizzo finale.
executors-url-status = { $status ->
        [401] { $url } chiede un accesso che non ho. Aprilo nel browser.
        [403] { $url } non mi lascia entrare. Aprilo nel browser.
        [404] In { $url } non c'è nessuna pagina. Controlla l'indirizzo.
        [410] La pagina { $url } non c'è più. Cercane un'altra.
        [429] { $url } mi chiede di rallentare. Riprova tra qualche minuto.
       *[other] { $url } ha risposto con l'errore { $status }. Riprova più tardi.
    }
executors-page-empty = In { $url } non ho trovato testo da leggere. Aprilo nel browser, forse ne ha bisogno.
executors-page-not-text = { $url } non è una pagina di testo. Chiedimi di scaricarla così com'è.

executors-unknown = Qui non ho lo strumento «{ $name }». Chiedi aiuto per vedere cosa so fare.
executors-stopped = { $name } è stato fermato.
executors-timeout = { $name } ci ha messo troppo, quindi l'ho fermato. Prova con qualcosa di più piccolo, o riprova.
executors-crashed = { $name } si è fermato all'improvviso. Riprova; se succede ancora, esegui metnos doctor.
executors-non-json = { $name } ha dato una risposta che non so leggere. Riprova; se succede ancora, esegui metnos doctor.
executors-output-too-large = { $name } ha trovato più di quanto riesca a gestire in una volta. Chiedi meno.
executors-program-failed = { $name } non ce l'ha fatta. Riprova, o dillo in un altro modo.
executors-no-sandbox = Su questa macchina non posso isolare questo passo in sicurezza, quindi non l'ho eseguito. Esegui metnos doctor per capire perché.
executors-internal = Qualcosa è andato storto da parte mia. Riprova; se succede ancora, esegui metnos doctor.
executors-sent = { $ok_count ->
    [one] Ecco { $name }.
   *[other] Ecco { $ok_count } file.
}
executors-send-hidden = { $path } è un file nascosto, e i file nascosti non si mandano.
executors-send-empty = { $path } è vuoto, quindi non c'è niente da mandare.
executors-send-too-large = { $path } supera { $limit } MB, il massimo che si può mandare.

executors-location = { $source ->
    [home] Sei a casa, per quanto ne so: { $place }. È scritto nelle mie impostazioni; condividi la posizione se sei altrove.
    [typed] Mi hai detto che sei qui: { $place } ({ $age_unit ->
        [now] adesso
        [minutes] { $age } min fa
       *[hours] { $age } h fa
    }).
    [picked] Hai scelto questo luogo: { $place } ({ $age_unit ->
        [now] adesso
        [minutes] { $age } min fa
       *[hours] { $age } h fa
    }).
   *[device] Sei qui: { $place } ({ $age_unit ->
        [now] adesso
        [minutes] { $age } min fa
       *[hours] { $age } h fa
    }{ $accuracy_m ->
        [0] {""}
       *[other] , con un margine di { $accuracy_m } m
    }).
}
    { $map }
executors-inputs = Grazie, ho le tue risposte.
location-unknown = Non so dove sei. Condividi la posizione, oppure scrivi un indirizzo o una città.
inputs-needed = Prima mi serve una tua risposta.
inputs-invalid = Non sono riuscito a formulare la domanda. Prova a dirlo in un altro modo.
executors-events-free = { $state ->
    [free] È libero: { $span }.
    [busy] È occupato: { $taken }.
   *[partly] C'è qualcosa: { $taken }. Libero: { $free }.
}
events-no-invitation = In quella mail non c'è nessun invito.
events-invitation-cancelled = Quella mail dice che è annullato. Per toglierlo dal calendario, nominalo: «togli la cena dal calendario».
executors-event-done = { $what ->
    [created] È in calendario: «{ $summary }», { $when }{ $repeats ->
        [yes] , e poi si ripete
       *[no] { "" }
    }.
    [changed] «{ $summary }» adesso è { $when }.
    [removed] { $count ->
        [one] «{ $summary }» non è più in calendario.
       *[other] { $count } eventi non sono più in calendario.
    }
   *[restored] È tornato com'era.
} Di' «annulla» per tornare indietro.
executors-contact = { $known ->
    [no] In rubrica non c'è { $field ->
        [phone] il numero
        [email] l'indirizzo di posta
        [address] l'indirizzo
       *[birthday] il compleanno
    } di { $name }.
   *[yes] { $field ->
        [birthday] { $name }: { $birthday }.
        [all] { $name }{ $value ->
            [none] { "" }
           *[other] : { $value }
        }{ $has_birthday ->
            [no] { "" }
           *[yes] , compleanno { $birthday }
        }
       *[other] { $name }: { $value }
    }
}
executors-contact-done = { $what ->
    [created] { $name } è in rubrica.
    [changed] Ho cambiato ciò che la rubrica dice di { $name }.
    [removed] { $name } non è più in rubrica.
   *[restored] È tornato com'era.
} Di' «annulla» per tornare indietro.

# --- le persone di casa -----------------------------------------------------------------------------------------------

house-told = { $what ->
    [back] { $people }: non lo saprà.
   *[told] { $when ->
        [now] Lo dico a { $people }: «{ $text }».
       *[later] Lo dico a { $people }, { $moment }: «{ $text }».
    }
}
share-told = { $how ->
    [ended] { $people } non può più usare «{ $names }».
    [read] { $people } ora può leggere «{ $names }»: la trova tra le sue liste. A cambiarla sei solo tu.
   *[write] { $people } ora può leggere e cambiare «{ $names }»: la trova tra le sue liste.
}
lend-told = { $how ->
    [ended] { $people } non vede più { $holds ->
        [contacts] la rubrica.
       *[events] il calendario.
    }
    [read] Da ora { $people } vede { $holds ->
        [contacts] la rubrica
       *[events] il calendario
    }. A cambiare qualcosa sei solo tu.
   *[write] Da ora { $people } vede { $holds ->
        [contacts] la rubrica
       *[events] il calendario
    } e può cambiare quel che c'è.
}
lend-not = { $holds ->
    [contacts] La rubrica non è condivisa con { $person }.
   *[events] Quel calendario non è condiviso con { $person }.
}
share-only-host = Solo l'host condivide i file con gli altri. Chiedi a lui.
share-with-host = L'host può già usare tutti i file che ci sono qui.
share-one-file = Condivido singoli file e liste, non cartelle intere. Di' quale file.
share-not = «{ $name }» non è condiviso con { $person }.
share-failed = Non sono riuscito a condividere { $name }. Guarda se c'è ancora e riprova.
house-nobody = { $here ->
    [0] Per ora qui non c'è nessuno oltre a te.
   *[other] In questa casa nessuno si chiama { $name }. Ci sono: { $names }.
} { $role ->
    [host] Per far entrare qualcuno scrivimi /people invite. Il codice che ricevi, chi entra lo manda con /pair CODICE
   *[guest] Solo l'host fa entrare qualcuno.
}
house-unreached = Non posso raggiungere { $name }, che non mi ha mai scritto. Basta una parola da lì.
house-only-host = Puoi dire qualcosa al proprietario; per gli altri, chiedi a lui.
house-to-oneself = Quello sei tu. Di' «ricordami …» con un'ora, e te lo dico allora.
house-heard = { $people }: l'ha già saputo, perciò non si può ritirare.
