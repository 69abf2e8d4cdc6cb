### Quel che il canale Matrix dice di suo.

matrix-verify-compare = Qualcuno mi sta verificando dal tuo account Matrix. Confronta con il telefono: { $signs }. Se sono diversi, dillo lì.
matrix-verify-done = Verificato: il tuo telefono e io ci fidiamo l'uno dell'altro.
matrix-verify-ended = La verifica non è andata a buon fine. Ricominciala dal telefono.
matrix-private-only = Parlo solo in chat private. Apri una chat diretta con me e scrivimi lì.
matrix-file-gone = Non ho potuto portare { $name }: non è più dov'era.
matrix-file-too-large = { $name } è troppo grande da mandare: qui posso portare fino a { $limit }.
matrix-file-refused = Il server Matrix non ha accettato { $name }, quindi non ho potuto portarlo.

## Che cosa non va, con il prossimo passo.

matrix-advice-no-store = Matrix: la sessione c'è, ma il suo archivio manca. Esegui “metnos matrix setup”: la chiave di recupero riporta tutto su un nuovo dispositivo.
matrix-advice-no-session = Matrix: l'archivio c'è, ma la sua sessione manca. Rimetti session.json al suo posto, oppure esegui “metnos matrix setup” per accedere di nuovo.
matrix-advice-files = Matrix: { $reason }. Controlla i permessi della cartella dei dati e lo spazio su disco.
matrix-advice-logged-out = Matrix: il server ha disconnesso metnos. Esegui “metnos matrix setup” per accedere di nuovo.
matrix-advice-wait = Matrix: il server chiede di aspettare { $seconds } secondi. Riprova dopo.
matrix-advice-unreachable = Matrix: il server non è raggiungibile ({ $reason }). Controlla l'indirizzo e la rete.
matrix-advice-refused = Matrix: il server ha rifiutato ({ $reason }). Controlla l'account, o guarda nel registro.
matrix-advice-already = Questo account Matrix è già collegato e funziona. “metnos doctor” mostra come sta.
matrix-advice-password = Il server non accetta questo utente o questa password. Controllali e riprova.
matrix-advice-needs-key = Questo account è già stato usato e chiede la sua chiave di recupero. Metti la chiave in matrix/recovery-key.txt nella cartella dei dati ed esegui di nuovo “metnos matrix setup”.
matrix-advice-wrong-key = Questa chiave di recupero non apre l'account. Metti quella giusta in matrix/recovery-key.txt nella cartella dei dati ed esegui di nuovo “metnos matrix setup”.

## Il collegamento.

matrix-ask-homeserver = Server del bot (per esempio example.org):
matrix-ask-user = Nome utente del bot:
matrix-ask-owner = Il tuo indirizzo Matrix (per esempio @ada:example.org; vuoto per nessuno):
matrix-ask-password = Password del bot (serve solo ora, non viene conservata):
matrix-ask-recovery-key = Chiave di recupero dell'account del bot:
matrix-done = { $user } è collegato e la sua cifratura è pronta.
matrix-done-key = La chiave di recupero è in { $path }. Tienine una copia altrove: solo lei riporta identità e cronologia del bot se questa macchina va persa.
matrix-done-recovered = La chiave di recupero ha riportato identità e cronologia.
matrix-done-kept = Ha di nuovo accesso con lo stesso dispositivo.
matrix-owner-again = { $owner } era stato escluso; ora può rientrare, come proprietario.
matrix-done-next = Avvia “metnos serve”, poi apri una chat cifrata con lui come { $owner }. Lì puoi verificarlo: confronta le emoji con il registro.
matrix-done-next-pair = Avvia “metnos serve”, esegui “metnos pair”, invita il bot in una chat entro cinque minuti e mandagli il codice: !pair CODICE
