## Esecuzione di un piano.

run-value-missing = Un passaggio non ha dato quello che serviva al successivo, quindi mi sono fermato. Prova a indicarlo nella richiesta.
run-value-ambiguous = Ne ho trovati diversi adatti e non ho voluto tirare a indovinare. Dimmi quale intendi.
run-duplicate-read = { $tool } l'ha già guardato, e una volta in più non mostra niente di nuovo.
run-tool-gone = Lo strumento { $tool } non è più disponibile. Chiedimelo di nuovo e cerco un'altra strada.
run-forbidden = Qui non posso usare { $tool }, quindi ho lasciato tutto com'era.
run-all-failed = Non è andato a buon fine nulla. Controlla i nomi e chiedimelo di nuovo.
run-not-let-in = Nel frattempo il tuo accesso è stato chiuso, quindi non ho cambiato nulla.
run-journal-failed = Non sono riuscito ad annotare cosa stavo per cambiare, quindi non ho cambiato nulla. Controlla che il disco non sia pieno e chiedimelo di nuovo.
