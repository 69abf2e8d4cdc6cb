# Perché un passo non parte, o prima chiede. Una frase per dire cosa, una per dire perché o cosa fare.

policy-guard-secrets = Non tocco { $target }: lì ci sono chiavi e password, e ne sto alla larga per tutti. Se ti serve qualcosa, aprilo tu.
policy-guard-system = Non tocco { $target }: fa parte dell'interno del sistema operativo. Se ti serve, guardalo tu direttamente sulla macchina.
policy-guard-own = { $target } fa parte dei miei dati e delle mie chiavi, e nessuno strumento può aprirlo. Chiedimi quello che so, oppure guardalo tu sulla macchina.
policy-guard-system-tree = Non cambio niente in { $target }, perché serve al sistema per funzionare. Scegli un posto nella tua cartella home e lo faccio lì.
policy-guard-too-wide = { $target } porterebbe via cose che non devo toccare, come tutta la tua cartella home, le chiavi o le mie impostazioni, quindi non lo faccio. Dimmi quale cartella o quali file intendi.
policy-guard-malformed = Non sono sicuro di quale posto sia «{ $target }»: contiene caratteri che in un percorso non ci stanno. Scrivilo in modo semplice, per esempio ~/documenti/lettera.txt.
policy-guard-scheme = Apro solo indirizzi web che iniziano con http:// o https://, e { $target } non è così. Mandami un indirizzo web, oppure il percorso di un file.
policy-guard-url-credentials = In quell'indirizzo c'è un nome o una password, quindi non lo apro: potrebbe finire in un registro. Mandami l'indirizzo senza.
policy-guard-metadata = { $target } porta alle chiavi interne di una macchina, quindi non lo apro. Mandami un altro indirizzo.
policy-guard-command = Non eseguo quel comando: potrebbe distruggere dati o far prendere il controllo di questa macchina. Se sei sicuro, lancialo tu in un terminale.

policy-trust-files = Come ospite puoi usare i file della tua cartella, e questo sta altrove. Chiedi al padrone di casa di prenderlo per te.
policy-trust-system = Solo il padrone di casa può guardare dentro la macchina. Chiedi a lui, oppure chiedimi altro.
policy-trust-network = Come ospite puoi aprire indirizzi web pubblici, ma non i dispositivi di questa casa. Chiedi al padrone di casa di guardare per te.
policy-trust-mcp = Solo il padrone di casa può usare strumenti di altri. Chiedi a lui di farlo per te.
policy-trust-code = Solo il padrone di casa può eseguire programmi. Chiedi a lui di farlo per te.

policy-ask-bulk = Cambierei { $count ->
    [one] una cosa
   *[other] { $count } cose
 } in una volta. Procedo?
policy-ask-irreversible = Dopo non posso tornare indietro. Procedo?
policy-ask-outbound = Questo esce di casa e non posso richiamarlo. Procedo?
policy-ask-settings = Questo cambia un file nascosto del tuo account, e file così possono cambiare il comportamento del computer. Procedo?
policy-ask-doubt = Non sono sicuro che intendi questo. Lo faccio?
policy-ask-level = Al tuo livello ({ $level }) chiedo prima di un passo così. Procedo?
policy-preview = Al livello { $level } dico soltanto cosa farei. Alza il livello se vuoi che lo faccia.
policy-block-critical = Al livello { $level } non faccio una cosa così seria. Falla tu, oppure alza il livello.
policy-judge = Questo passo ({ $executor }) non sembra c'entrare con quello che hai chiesto, quindi l'ho lasciato fuori. Prova a dirlo con altre parole.
