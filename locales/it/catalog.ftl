# Perché uno strumento su disco non viene usato, per chi si occupa della macchina.

catalog-rejected-unreadable = { $name }: non riesco a leggere { $file }. Controlla che ci sia, che sia un file normale e che appartenga a me.
catalog-rejected-unsigned = { $name } non è firmato. Se è tuo e ti fidi, esegui: metnos catalog sign { $name }
catalog-rejected-no-keys = Non posso verificare { $name } perché non c'è una chiave con cui farlo. Esegui: metnos catalog sign { $name }
catalog-rejected-changed = { $name } è stato cambiato dopo la firma. Se sei stato tu, esegui: metnos catalog sign { $name }. Altrimenti cancella la sua cartella e rimetto l'originale.
catalog-rejected-code-changed = Il programma di { $name } è stato cambiato dopo la firma. Se sei stato tu, esegui: metnos catalog sign { $name }
catalog-rejected-key-exposed = Non uso { $name } perché altri utenti di questa macchina possono arrivare a { $path }, e allora una firma non prova niente. Esegui chmod -R go= su quel percorso e riavviami.
catalog-rejected-keys = Non posso verificare { $name } perché non riesco a leggere le mie chiavi. Guarda la cartella keys nella mia cartella dati.
catalog-rejected-manifest = { $name } ha un manifest che non posso usare: { $why }. Correggilo, poi esegui: metnos catalog sign { $name }
catalog-rejected-folder = La cartella { $name } contiene uno strumento che si chiama { $found }. Dai a entrambi lo stesso nome.
catalog-rejected-part-missing = { $name } è fatto di { $part }, che non c'è. Rimettilo, oppure cancella la cartella { $name }.
catalog-rejected-no-code = { $name } richiede del codice che questa mia versione non ha. Aggiornami, oppure cancella la sua cartella.
