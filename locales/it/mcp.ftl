# Strumenti di altri: server del Model Context Protocol.

mcp-none = Nessun server di strumenti è configurato. Aggiungine uno con: metnos mcp add NOME /percorso/del/programma
mcp-server = { $server }: { $count ->
    [one] uno strumento
   *[other] { $count } strumenti
}
mcp-changed-mark = cambiato da quando è stato ammesso, e spento finché non lo riguardi
mcp-bad-name = «{ $server }» non può essere il nome di un server: servono fino a dodici lettere minuscole e cifre.
mcp-there-already = La configurazione ha già un server che si chiama { $server }.
mcp-no-config = Non so dove sia il file di configurazione.
mcp-added = { $server } è ora in { $file }. Guarda i suoi strumenti con: metnos mcp list
mcp-no-tool = { $server } non ha uno strumento che si chiama { $tool }. Vedi: metnos mcp list
mcp-unsayable = { $tool } non può essere ammesso: il suo argomento { $argument } è di un tipo che nessuna richiesta può nominare.
mcp-says = { $tool } dice di sé:
mcp-proposal = Qui si chiamerebbe { $name }, e { $effect ->
    [changes] chiederebbe ogni volta prima di partire, perché può cambiare qualcosa (--reads, se non è così)
   *[reads] partirebbe senza chiedere, perché legge soltanto (--changes, se fa di più)
}:
mcp-admit = Lo ammetto? (sì o no)
mcp-not-admitted = Non ammesso.
mcp-admitted = { $name } è ammesso. Ciò che se ne dice sta in { $file }; dopo una modifica va firmato di nuovo: metnos catalog sign { $name }
mcp-name-taken = C'è già uno strumento che si chiama { $name }. Dagli un altro nome con --as.
mcp-not-configured = Il server { $server } non è più nella configurazione, quindi i suoi strumenti non si possono usare.
mcp-no-server = Il server { $server } non risponde. Guarda che cosa non va con: metnos mcp list
mcp-gone = Il server { $server } se n'è andato prima di rispondere.
mcp-late = Il server { $server } non ha risposto in tempo.
mcp-refused = Il server { $server } ha rifiutato la chiamata di { $tool } e non ha fatto nulla.
mcp-garbled = Il server { $server } ha risposto qualcosa che non so leggere.
mcp-changed = { $tool } di { $server } non è più quello che era quando è stato ammesso, quindi non lo uso. Chi si occupa di questa macchina può riguardarlo con: metnos mcp trust { $server } { $tool }
mcp-failed = { $tool } di { $server } dice di non esserci riuscito: { $said }
mcp-nothing = Non ha risposto nulla.
mcp-note-cut = La risposta era più lunga; questo è l'inizio.
mcp-note-left-out = { $count ->
    [one] Una parte che non è testo non si vede.
   *[other] { $count } parti che non sono testo non si vedono.
}
