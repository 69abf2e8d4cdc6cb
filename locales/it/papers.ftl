# Che cosa rispondono i documenti e le tabelle di una casa.

papers-text = { $text }
papers-from = — { $path }{ $where ->
        [part] , { $part }
       *[whole] {""}
    }
papers-page = pagina { $page }
papers-sheet = foglio «{ $sheet }»
papers-more = … e { $count ->
        [one] un'altra riga
       *[other] altre { $count } righe
    }
papers-number = { $how ->
        [sum] { $column }, { $rows ->
            [one] una riga
           *[other] { $rows } righe
        } in tutto: { $number }
        [mean] { $column }, in media: { $number } ({ $rows ->
            [one] una riga
           *[other] { $rows } righe
        })
        [median] { $column }, mediana: { $number } ({ $rows ->
            [one] una riga
           *[other] { $rows } righe
        })
        [difference] { $column }, dal minimo al massimo: { $number }
       *[count] { $rows ->
            [one] Una riga
           *[other] { $rows } righe
        }
    }
papers-deadline = «Ricordamelo prima che scada» mette un promemoria.
papers-unread = { $count ->
        [one] Un documento non è ancora stato letto.
       *[other] { $count } documenti non sono ancora stati letti.
    }
papers-none = Qui non ci sono ancora documenti: né PDF, né documenti d'ufficio, né tabelle.
papers-nothing = Ho guardato { $count ->
        [one] nell'unico documento che c'è
       *[other] nei { $count } documenti che ci sono
    } e non ho trovato niente che risponda.{ $unread ->
        [0] {""}
        [one] {" "}Uno non è ancora stato letto.
       *[other] {" "}{ $unread } non sono ancora stati letti.
    }
job-papers = { $left ->
        [0] Tutti i documenti sono letti.
        [one] Resta da leggere un documento.
       *[other] Restano da leggere { $left } documenti.
    }

photos-alike = quasi uguale a { $path }
photos-count = { $count ->
    [0] Non ne hai nessuna.
    [one] Ne hai una.
   *[other] Ne hai { $count }.
}
photos-none-here = Qui non ci sono ancora foto.
photos-none-from = Non ho trovato foto di { $place } tra { $count ->
    [one] l'unica
   *[other] le { $count }
} che ci sono. Una foto dice dov'è stata scattata solo se la fotocamera l'ha scritto.
photos-none = Nessuna delle { $count } foto che ci sono corrisponde.
photos-unread = { $count ->
    [one] Una foto non è stata ancora guardata
   *[other] { $count } foto non sono state ancora guardate
}. Continuo di notte, o quando lo chiedi di nuovo.
job-photos = { $left ->
    [0] Tutte le foto sono state guardate.
    [one] Foto guardate; ne resta una.
   *[other] Foto guardate; ne restano { $left }.
}
