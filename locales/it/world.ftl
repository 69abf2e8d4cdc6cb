# Giorni, cielo e meteo.

world-says = { $says }
says-both = { $first } { $second }
says-lines = { $line }
    { $rest }

day-said = { $near ->
    [today] oggi,{" "}
    [tomorrow] domani,{" "}
   *[other] {""}
}{ $weekday ->
    [1] lunedì
    [2] martedì
    [3] mercoledì
    [4] giovedì
    [5] venerdì
    [6] sabato
   *[7] domenica
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
}{ $year ->
    [none] {""}
   *[other] {" "}{ $year }
}

spot-home = Casa
spot-here = Dove ti trovi
spot-unknown = Non trovo nessun luogo che si chiama «{ $place }». Controlla il nome, o aggiungi il paese.

holiday-name = { $name ->
    [new-year] Capodanno
    [epiphany] Epifania
    [easter] Pasqua
    [easter-monday] Lunedì dell'Angelo
    [good-friday] Venerdì Santo
    [liberation] Festa della Liberazione
    [labour] Festa del Lavoro
    [labor] Labor Day
    [republic] Festa della Repubblica
    [assumption] Ferragosto
    [francis] San Francesco
    [all-saints] Ognissanti
    [immaculate] Immacolata Concezione
    [christmas] Natale
    [stephen] Santo Stefano
    [boxing] Santo Stefano
    [king] Martin Luther King Day
    [presidents] Presidents' Day
    [memorial] Memorial Day
    [juneteenth] Juneteenth
    [independence] Giorno dell'Indipendenza
    [columbus] Columbus Day
    [veterans] Veterans Day
    [thanksgiving] Giorno del Ringraziamento
    [may] festa di maggio
    [spring] festa di primavera
    [summer] festa di fine agosto
    [brigid] Santa Brigida
    [patrick] San Patrizio
    [june] festa di giugno
    [august] festa di agosto
    [october] festa di ottobre
   *[patron] { $has_own ->
        [yes] { $own }
       *[no] festa del santo patrono
    }
}
holiday-instead = { $name } (giorno libero al suo posto)

days-today-is = Oggi è festa: { $name }.
days-next = La prossima festività è { $name }: { $moment }{ $days ->
    [0] .
    [1] .
   *[other] , fra { $days } giorni.
}
days-is = { $tense ->
    [past] Sì, { $moment } era festa: { $name }.
   *[ahead] Sì, { $moment } è festa: { $name }.
}
days-is-none = { $tense ->
    [past] No, { $moment } non era festa{ $weekend ->
        [yes] , solo fine settimana
       *[no] {""}
    }.
   *[ahead] No, { $moment } non è festa{ $weekend ->
        [yes] , solo fine settimana
       *[no] {""}
    }.
}
days-line = • { $moment }: { $name }
days-none-within = Non ci sono festività da { $from } a { $to }.
days-sun = { $place }, { $moment }: il sole { $tense ->
    [past] { $side ->
        [sunrise] è sorto
       *[sunset] è tramontato
    }
   *[ahead] { $side ->
        [sunrise] sorge
       *[sunset] tramonta
    }
} alle { $time }.
days-sun-stays = { $place }, { $moment }: il sole { $where ->
    [up] non tramonta
   *[down] non sorge
}.
days-moon = Luna, { $moment }: { $phase ->
    [new] luna nuova
    [waxing-crescent] falce crescente
    [first-quarter] primo quarto
    [waxing-gibbous] luna crescente, più di metà
    [full] luna piena
    [waning-gibbous] luna calante, più di metà
    [last-quarter] ultimo quarto
   *[waning-crescent] falce calante
}, illuminata al { $percent } %. { $is_full ->
    [yes] La prossima luna piena è { $next }.
   *[no] Luna piena: { $next }.
}
days-next-moon = La prossima { $phase ->
    [full] luna piena
   *[new] luna nuova
} è { $moment }, alle { $time }.
days-when-unclear = Non capisco quale giorno sia «{ $words }». Dillo come «domani» o «4 ottobre».
days-too-far = È più lontano di quanto io sappia calcolare.

weather-source = Fonte: Open-Meteo.com
weather-off = Qui il meteo è spento: il proprietario può indicare un servizio nella configurazione, sotto [weather].
weather-rate-limited = Il servizio meteo ci chiede di aspettare. Riprova fra qualche minuto.
weather-unavailable = Il servizio meteo ora non è raggiungibile. Riprova più tardi.
weather-timeout = Il servizio meteo ci ha messo troppo a rispondere. Riprova fra poco.
weather-unreadable = Il servizio meteo ha risposto qualcosa che non so leggere. Riprova più tardi.
weather-past = È passato; conosco il tempo solo da oggi a { $last }.
weather-too-far = Conosco il tempo solo fino a { $last }.
weather-moment = { $moment }{ $form ->
    [at] , ore { $from }
   *[part] , dalle { $from } alle { $until }
}
weather-now = { $place }: { $temperature } { $unit }{ $differs ->
    [yes] {" "}(percepiti { $feels } { $unit })
   *[no] {""}
}, { $sky }. Resto della giornata{ $later }
weather-rest = : { $temps }{ $rain }.
weather-line = { $place }, { $moment }: { $sky }, { $temps }{ $rain }{ $blows ->
    [yes] , vento fino a { $wind } { $wind_unit }
   *[no] {""}
}.
weather-temps = { $form ->
    [two] da { $min } a { $max } { $unit }
    [one] { $max } { $unit }
   *[none] temperatura non nota
}
weather-wet = { $form ->
    [both] , probabilità di pioggia { $chance } % ({ $amount } { $unit })
    [chance] , probabilità di pioggia { $chance } %
    [amount] , { $amount } { $unit } di pioggia
    [dry] , asciutto
   *[none] {""}
}
weather-sky = { $sky ->
    [clear] sereno
    [mostly-clear] quasi sereno
    [partly-cloudy] parzialmente nuvoloso
    [overcast] coperto
    [fog] nebbia
    [drizzle] pioviggine
    [light-rain] pioggia leggera
    [rain] pioggia
    [heavy-rain] pioggia forte
    [freezing-rain] pioggia gelata
    [light-snow] neve leggera
    [snow] neve
    [heavy-snow] neve forte
    [thunder] temporali
    [hail] temporali con grandine
   *[unknown] cielo non noto
}
weather-answer = { $about ->
    [umbrella] { $verdict ->
        [yes] Sì, prendi l'ombrello.
        [maybe] Forse: meglio prendere l'ombrello.
       *[no] No, l'ombrello non serve.
    }
    [snow] { $verdict ->
        [yes] Sì, neve.
       *[no] Niente neve.
    }
    [sun] { $verdict ->
        [yes] Sì, sole.
        [maybe] Sole e nuvole.
       *[no] No, poco sole.
    }
    [wind] { $verdict ->
        [yes] Sì, c'è vento.
        [maybe] Un po' di vento.
       *[no] No, niente vento.
    }
   *[rain] { $verdict ->
        [yes] Sì, pioggia.
        [maybe] Forse un po' di pioggia.
       *[no] Niente pioggia.
    }
} { $facts }

search-off = Qui niente può cercare sul web: il proprietario può indicare un servizio nella configurazione, sotto [search].
search-refused = I motori di ricerca si sono rifiutati di rispondere ({ $engines }). Questo non dice che non ci sia niente; riprova più tardi.
search-rate-limited = La ricerca ci chiede di aspettare. Riprova fra qualche minuto.
search-key-refused = La ricerca non accetta la sua chiave. Il proprietario può controllarla nella configurazione, sotto [search].
search-unavailable = La ricerca ora non è raggiungibile. Riprova più tardi.
search-timeout = La ricerca ci ha messo troppo a rispondere. Riprova fra poco.
search-unreadable = La ricerca ha risposto qualcosa che non so leggere. Riprova più tardi.
search-nothing = Non ho trovato pagine per «{ $words }». Forse con altre parole.
search-words = Dimmi in poche parole che cosa cercare.
search-private = Non mando a una ricerca nomi di persone o di file di casa, né cose segrete. Chiedi senza nominarli.
search-not-allowed = In casa niente risponde a questo. Posso cercarlo con { $source }: di' «cerca sul web { $words }». Se il proprietario scrive /search on una volta, le domande le cerco da me.
search-answer = { $passage }
    — { $title }, { $url }{ $by ->
        [model] {" "}(riassunto dal modello)
       *[page] {""}
    }
search-source = Trovato con { $source }.
search-setting = { $is ->
    [on] Le domande a cui in casa niente risponde vengono cercate con { $source }. /search off lo spegne.
   *[off] Cerco sul web solo quando me lo chiedi. Con /search on cerco con { $source } anche le domande a cui in casa niente risponde.
}
