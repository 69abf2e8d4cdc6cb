# Days, the sky and the weather.

world-says = { $says }
says-both = { $first } { $second }
says-lines = { $line }
    { $rest }

day-said = { $near ->
    [today] today,{" "}
    [tomorrow] tomorrow,{" "}
   *[other] {""}
}{ $weekday ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
} { $day } { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
}{ $year ->
    [none] {""}
   *[other] {" "}{ $year }
}

spot-home = Home
spot-here = Where you are
spot-unknown = I could not find a place called “{ $place }”. Please check its name, or add the country.

holiday-name = { $name ->
    [new-year] New Year's Day
    [epiphany] Epiphany
    [easter] Easter Sunday
    [easter-monday] Easter Monday
    [good-friday] Good Friday
    [liberation] Liberation Day
    [labour] Labour Day
    [labor] Labor Day
    [republic] Republic Day
    [assumption] Assumption Day
    [francis] St Francis' Day
    [all-saints] All Saints' Day
    [immaculate] the Immaculate Conception
    [christmas] Christmas Day
    [stephen] St Stephen's Day
    [boxing] Boxing Day
    [king] Martin Luther King Day
    [presidents] Presidents' Day
    [memorial] Memorial Day
    [juneteenth] Juneteenth
    [independence] Independence Day
    [columbus] Columbus Day
    [veterans] Veterans Day
    [thanksgiving] Thanksgiving
    [may] the May Day bank holiday
    [spring] the spring bank holiday
    [summer] the summer bank holiday
    [brigid] St Brigid's Day
    [patrick] St Patrick's Day
    [june] the June bank holiday
    [august] the August bank holiday
    [october] the October bank holiday
   *[patron] { $has_own ->
        [yes] { $own }
       *[no] the patron saint's day of your town
    }
}
holiday-instead = { $name } (day off instead)

days-today-is = Today is { $name }.
days-next = The next public holiday is { $name }: { $moment }{ $days ->
    [0] .
    [1] .
   *[other] , in { $days } days.
}
days-is = { $tense ->
    [past] Yes, { $moment } was a public holiday: { $name }.
   *[ahead] Yes, { $moment } is a public holiday: { $name }.
}
days-is-none = { $tense ->
    [past] No, { $moment } was no public holiday{ $weekend ->
        [yes] , only a weekend day
       *[no] {""}
    }.
   *[ahead] No, { $moment } is no public holiday{ $weekend ->
        [yes] , only a weekend day
       *[no] {""}
    }.
}
days-line = • { $moment }: { $name }
days-none-within = There is no public holiday from { $from } to { $to }.
days-sun = { $place }, { $moment }: the sun { $tense ->
    [past] { $side ->
        [sunrise] rose
       *[sunset] set
    }
   *[ahead] { $side ->
        [sunrise] rises
       *[sunset] sets
    }
} at { $time }.
days-sun-stays = { $place }, { $moment }: the sun { $where ->
    [up] does not set
   *[down] does not rise
}.
days-moon = Moon, { $moment }: { $phase ->
    [new] new moon
    [waxing-crescent] a waxing crescent
    [first-quarter] first quarter
    [waxing-gibbous] a waxing moon, more than half
    [full] full moon
    [waning-gibbous] a waning moon, more than half
    [last-quarter] last quarter
   *[waning-crescent] a waning crescent
}, { $percent } % lit. { $is_full ->
    [yes] The next full moon is on { $next }.
   *[no] Full moon: { $next }.
}
days-next-moon = The next { $phase ->
    [full] full moon
   *[new] new moon
} is { $moment }, at { $time }.
days-when-unclear = I don't understand which day “{ $words }” is. Say it like “tomorrow” or “4 October”.
days-too-far = That is farther away than I can reckon.

weather-source = Source: Open-Meteo.com
weather-off = The weather is switched off here: the owner can name a service in the configuration, under [weather].
weather-rate-limited = The weather service asks us to wait. Please try again in some minutes.
weather-unavailable = The weather service cannot be reached right now. Please try again later.
weather-timeout = The weather service took too long to answer. Please try again in a moment.
weather-unreadable = The weather service answered something I cannot read. Please try again later.
weather-past = That is over; I know the weather only from today to { $last }.
weather-too-far = I know the weather only up to { $last }.
weather-moment = { $moment }{ $form ->
    [at] , { $from }
   *[part] , { $from } to { $until }
}
weather-now = { $place }: { $temperature } { $unit }{ $differs ->
    [yes] {" "}(feels like { $feels } { $unit })
   *[no] {""}
}, { $sky }. Rest of today{ $later }
weather-rest = : { $temps }{ $rain }.
weather-line = { $place }, { $moment }: { $sky }, { $temps }{ $rain }{ $blows ->
    [yes] , wind up to { $wind } { $wind_unit }
   *[no] {""}
}.
weather-temps = { $form ->
    [two] { $min } to { $max } { $unit }
    [one] { $max } { $unit }
   *[none] temperature not known
}
weather-wet = { $form ->
    [both] , { $chance } % chance of rain ({ $amount } { $unit })
    [chance] , { $chance } % chance of rain
    [amount] , { $amount } { $unit } of rain
    [dry] , dry
   *[none] {""}
}
weather-sky = { $sky ->
    [clear] clear sky
    [mostly-clear] mostly clear
    [partly-cloudy] partly cloudy
    [overcast] overcast
    [fog] fog
    [drizzle] drizzle
    [light-rain] light rain
    [rain] rain
    [heavy-rain] heavy rain
    [freezing-rain] freezing rain
    [light-snow] light snow
    [snow] snow
    [heavy-snow] heavy snow
    [thunder] thunderstorms
    [hail] thunderstorms with hail
   *[unknown] sky not known
}
weather-answer = { $about ->
    [umbrella] { $verdict ->
        [yes] Yes, take an umbrella.
        [maybe] Maybe: better take an umbrella.
       *[no] No, you won't need an umbrella.
    }
    [snow] { $verdict ->
        [yes] Yes, snow.
       *[no] No snow.
    }
    [sun] { $verdict ->
        [yes] Yes, sunshine.
        [maybe] Sun and clouds.
       *[no] No, hardly any sun.
    }
    [wind] { $verdict ->
        [yes] Yes, it is windy.
        [maybe] A little wind.
       *[no] No, not windy.
    }
   *[rain] { $verdict ->
        [yes] Yes, rain.
        [maybe] Perhaps some rain.
       *[no] No rain.
    }
} { $facts }

search-off = Nothing here may search the web: the owner can name a service in the configuration, under [search].
search-refused = The search engines refused to answer ({ $engines }). That says nothing about what there is; please try again later.
search-rate-limited = The search asks us to wait. Please try again in some minutes.
search-key-refused = The search does not accept its key. The owner can check it in the configuration, under [search].
search-unavailable = The search cannot be reached right now. Please try again later.
search-timeout = The search took too long to answer. Please try again in a moment.
search-unreadable = The search answered something I cannot read. Please try again later.
search-nothing = I found no page for “{ $words }”. Other words may help.
search-words = Tell me in a few words what to look for.
search-private = I don't send names of people or files of the house, or anything secret, to a search. Please ask without them.
search-not-allowed = Nothing in the house answers this. I can look it up with { $source }: say “search the web for { $words }”. If the host writes /search on once, I look questions up by myself.
search-answer = { $passage }
    — { $title }, { $url }{ $by ->
        [model] {" "}(put in short by the model)
       *[page] {""}
    }
search-source = Found with { $source }.
search-setting = { $is ->
    [on] Questions that nothing in the house answers are looked up with { $source }. /search off ends that.
   *[off] I search the web only when you ask for it. With /search on, questions that nothing in the house answers are looked up with { $source }, too.
}
