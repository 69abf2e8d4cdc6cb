# I dispositivi della casa.

devices-none = Per comandare i dispositivi e chiedere come stanno mi serve il tuo Home Assistant.
devices-none-yet = Qui non è ancora collegato nessun dispositivo; può farlo il proprietario.
devices-only-host = Solo il proprietario può collegare i dispositivi della casa.
devices-hint-token = In Home Assistant apri il tuo profilo, Sicurezza, e crea lì un token di accesso a lunga vita.
devices-bad-address = «{ $account }» non è l'indirizzo di un Home Assistant. È fatto così: http://homeassistant.local:8123
devices-not-encrypted = { $account } è fuori casa e non cifra. Usa il suo indirizzo https.
devices-unreachable = Home Assistant a { $account } non si raggiunge. È acceso, e sulla stessa rete?
devices-certificate = Il certificato di { $account } non dimostra che è il tuo Home Assistant. Non gli ho dato niente.
devices-timeout = Home Assistant a { $account } non risponde. Riprova tra un momento.
devices-something-else = Chi risponde a { $account } non è un Home Assistant.
devices-refused = Home Assistant a { $account } non accetta più il token. Creane uno nuovo nel tuo profilo, Sicurezza.
devices-not-administrator = Il token di { $account } non può vedere quali dispositivi sono mostrati ad Assist. Creane uno da amministratore.
devices-closed = Il collegamento con Home Assistant a { $account } si è interrotto. Mi ricollego; riprova tra un momento.
devices-call-refused = Home Assistant non ha voluto farlo con { $account }.
login-homeassistant-address = Qual è l'indirizzo del tuo Home Assistant? Per esempio http://homeassistant.local:8123
login-homeassistant-password = E ora il token di accesso, per favore.
hint-login-homeassistant = Questo non è un indirizzo. È fatto così: http://homeassistant.local:8123; «annulla» lascia perdere.
devices-account-holds = { $name }: { $devices ->
    [one] un dispositivo
   *[other] { $devices } dispositivi
}, { $areas ->
    [one] una stanza
   *[other] { $areas } stanze
} mostrati ad Assist

devices-none-called = Nessun dispositivo si chiama «{ $name }». «dispositivi» mostra quali ci sono.
devices-which = Quale: { $names }?
devices-where = Non so in che stanza sei. Dimmi la stanza, per esempio: le luci in cucina.
devices-no-room = Non c'è nessuna stanza che si chiama «{ $room }».
devices-nothing = { $where ->
    [there] In «{ $room }» non c'è niente del genere.
   *[home] In casa non c'è niente del genere.
} «dispositivi» mostra che cosa c'è.
devices-none-shown = Home Assistant non mostra ad Assist nessun dispositivo. Nelle sue impostazioni, Assistenti vocali, Esponi, scegli quali.

devices-is = { $name }: { $state }.
devices-already = { $name }: era già così ({ $state }).
devices-ordered = { $name }: fatto.
devices-silent = { $name } non risponde.
devices-cannot = { $name } non sa farlo.
devices-range = { $name } va da { $min } a { $max }.
devices-back = Come prima: { $names }
devices-nothing-back = Non c'è niente da rimettere com'era.
devices-nothing-on = Non è acceso niente, e non è aperto niente.
devices-none-so = { $state ->
    [on] Nessuno è acceso.
    [off] Nessuno è spento.
    [open] Nessuno è aperto.
    [closed] Nessuno è chiuso.
    [locked] Nessuno è chiuso a chiave.
   *[unlocked] Nessuno è senza chiave.
}
devices-nothing-measures = { $about ->
    [humidity] Lì niente misura l'umidità.
   *[temperature] Lì niente misura la temperatura.
}
devices-no-people = Home Assistant non mostra ad Assist nessuna persona. Nelle sue impostazioni, Assistenti vocali, Esponi, scegli chi.
devices-room = { $room ->
    [none] { $names }
   *[other] { $room }: { $names }
}
devices-more = … e altri { $count }
devices-answer = { $verdict ->
    [yes] Sì.
   *[no] No.
} { $fact }

devices-state = { $form ->
    [away] non risponde
    [measured] { $value }
    [level] { $plain }, al { $level } %
    [climate] { $has_now ->
        [yes] { $degrees } °{ $has_target ->
            [yes] , impostato a { $target } °
           *[no] , { $plain }
        }
       *[no] impostato a { $target } °
    }
   *[plain] { $plain }
}
devices-word = { $word ->
    [on] { $kind ->
        [light] accesa
       *[other] acceso
    }
    [off] { $kind ->
        [light] spenta
       *[other] spento
    }
    [open] aperto
    [opening] si sta aprendo
    [closed] chiuso
    [closing] si sta chiudendo
    [locked] chiuso a chiave
    [locking] si sta chiudendo a chiave
    [unlocked] senza chiave
    [unlocking] si sta aprendo
    [playing] in riproduzione
    [paused] in pausa
    [idle] { $kind ->
        [media_player] non suona
       *[other] fermo
    }
    [standby] in attesa
    [cleaning] sta pulendo
    [docked] alla base
    [returning] torna alla base
    [home] in casa
    [away] fuori
    [not_home] fuori
    [movement] vede movimento
    [quiet] non vede nessuno
    [heat] riscalda
    [cool] raffresca
    [auto] automatico
    [unavailable] non risponde
    [unknown] non si sa
   *[other] { $word }
}
devices-only-host-opens = { $name }: lo comanda solo il proprietario.
me-area = «{ $area }» è dove sei: i suoi dispositivi vengono prima. /me area off lo toglie.
me-area-off = Da ora nessuna stanza viene prima.

# Liste di cose da fare e telecamere.

devices-todo-holds = { $count ->
    [0] { $done ->
        [0] { $list } è vuota.
        [one] Su { $list } non resta niente; una voce è spuntata.
       *[other] Su { $list } non resta niente; { $done } voci sono spuntate.
    }
   *[other] { $list }:
        { $items }{ $more ->
            [0] {""}
           *[other] {" "}… e altre { $more }
        }{ $done ->
            [0] {""}
            [one] {" "}(una è spuntata)
           *[other] {" "}({ $done } sono spuntate)
        }
}
devices-todo-added = Ora su { $list }: { $items }
devices-todo-ticked = Spuntato su { $list }: { $items }
devices-todo-removed = Tolto da { $list }: { $items }
devices-todo-there-already = Già su { $list }: { $items }
devices-todo-ticked-already = Già spuntato su { $list }: { $items }
devices-todo-no-item = Non è su { $list }: { $items }. Vale il nome intero di una voce.
devices-todo-not-so = La lista non lo mostra ancora: { $items }. Non so se è stato fatto.
devices-todo-no-list = Nessuna lista di Home Assistant si chiama «{ $name }». Ci sono: { $names }
devices-todo-no-lists = Home Assistant non mostra nessuna lista ad Assist. Nelle impostazioni, Assistenti vocali, Esponi, si sceglie quali.
devices-todo-too-many = Sono più di { $count } voci in una volta; dille a parti.
devices-todo-what = Posso mettere voci in una lista, spuntarle o toglierle.
devices-camera-shows = { $name }, adesso:
devices-camera-silent = { $name } non dà nessuna immagine in questo momento.
devices-camera-none = { $name } non è una telecamera.
devices-camera-disk = Ho l'immagine, ma non ho potuto tenerla nella tua cartella.
