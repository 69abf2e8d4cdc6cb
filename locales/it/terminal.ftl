### Quello che il terminale dice da sé.

terminal-not-kept = Non sono riuscito a conservare questa riga, quindi non ho fatto niente. Controlla che il disco non sia pieno, poi riscrivila.
# Righe intere con cui si lascia il terminale, separate da virgole.
terminal-leave = esci, exit, quit, arrivederci, addio, chiudi
terminal-left = A presto!
