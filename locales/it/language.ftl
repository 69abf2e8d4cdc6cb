pattern-autonomy-range = Il livello { $level } non esiste. L'autonomia va da A0 (propongo soltanto) ad A4 (chiedo solo per le cose critiche). Quale vuoi?
pattern-ambiguous = Posso leggerlo in due modi. Puoi dirlo con altre parole?
