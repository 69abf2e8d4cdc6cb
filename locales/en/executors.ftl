# What executors say: results first, then what went wrong and what to do next.

executors-now = { $where ->
        [there] { $place }: it is
       *[here] It is
    } { $time } on { $weekday ->
        [monday] Monday
        [tuesday] Tuesday
        [wednesday] Wednesday
        [thursday] Thursday
        [friday] Friday
        [saturday] Saturday
       *[sunday] Sunday
    }, { $month ->
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
    } { $day }, { $year }.
executors-now-unknown-place = I don't know which time zone { $place } is in. Try the nearest big city.
executors-number = It is { $about ->
        [yes] about { $number }
       *[no] { $number }
    }{ $unit ->
        [none] .
        [mins] { " " }min.
       *[other] { " " }{ $unit }.
    }
executors-number-unreadable = I cannot work out “{ $expression }”. Write numbers, signs and units, such as 15% of 80 or 3 km to mi.
executors-number-zero = Nothing can be divided by zero.
executors-number-too-much = That is too much to work out. Try smaller numbers.
executors-written = { $action ->
        [unchanged] { $name } already says exactly that, so I left it as it is.
        [appended] I added that at the end of { $name }. Say “undo” to take it back.
        [line_appended] I added to { $name }: { $lines }. Say “undo” to take that back.
        [list_created] I made the list { $name } in { $folder }, with: { $lines }. Say “undo” to take that back.
        [lines_added] I added to { $name }: { $lines }. Say “undo” to take that back.{ $there ->
            [none] { "" }
           *[other] { " " }It was there already, and is there twice now: { $there }.
        }
        [line_removed] I took this out of { $name }: { $lines }. Say “undo” and it comes back.
        [cleared] I took everything out of { $name }: { $lines }. Say “undo” and it comes back.
        [cleared_before] There is nothing in { $name } to take out.
        [ticked] I marked this as done in { $name }: { $lines }.
        [ticked_before] In { $name } this is done already: { $lines }.
        [overwritten] I replaced what was in { $name }. Say “undo” and the old text comes back.
       *[other] { $bytes ->
            [0] { $name } is now in { $folder }, and still empty.
            [one] { $name } is now in { $folder } (one byte).
           *[other] { $name } is now in { $folder } ({ $bytes } bytes).
        }
    }
executors-listed = Yes, it is in { $name }.
executors-listed-done = It is in { $name }, and ticked off.
executors-not-listed = Not in { $name }: { $things }.
executors-near-listed = Not in { $name }: { $things }. These lines come near: { $lines }.
executors-line-not-found = No line of { $name } says “{ $line }”, so I left it as it is.
executors-line-near = No line of { $name } says just “{ $line }”, so I left it as it is. It is in: { $lines }. Say it in the words of the line.
executors-line-ambiguous = Several lines of { $name } could be meant: { $lines }. Say which one in the words of the line.
executors-line-no-box = “{ $line }” in { $name } has no box to tick ([ ]), so I left it as it is.
executors-row-parts = { $name } has the columns { $columns }: say one value for each, in this order, with commas between them.
executors-row-value = “{ $value }” does not fit the column { $column } of { $name }, in which stands “{ $such }”, so I added nothing. The columns are { $columns }: say one value for each, in this order, with commas between them.
executors-no-boxes = { $name } has no boxes to tick ([ ]), so I left it as it is.
executors-dirs-created = { $created ->
        [0] The folder { $folder } is already there.
        [one] I made the folder { $folder }.
       *[other] I made { $created } folders.
    }
executors-moved = { $ok_count ->
        [0] { $unchanged_count ->
            [0] { $action ->
                [copied] Nothing was copied.
               *[moved] Nothing was moved.
            }
            [one] Nothing had to be moved: it is already in { $folder }.
           *[other] Nothing had to be moved: they are already in { $folder }.
        }
        [one] { $action ->
            [renamed] I renamed { $was } to { $name }.
            [copied] I copied { $was } to { $folder }.
            [copied_as] I copied { $was } to { $folder }, as { $name }.
            [moved_as] I moved { $was } to { $folder }, as { $name }.
           *[moved] { $what ->
                [folders] I moved the folder { $name }, with all that is in it, to { $folder }.
               *[files] { $name } is now in { $folder }.
            }
        }
       *[other] { $action ->
            [copied] I copied { $ok_count } files to { $folder }.
           *[moved] { $what ->
                [folders] I moved { $ok_count } folders, with all that is in them, to { $folder }.
                [things] I moved { $ok_count } files and folders to { $folder }.
               *[files] I moved { $ok_count } files to { $folder }.
            }
        }
    }{ $fail_count ->
        [0] { "" }
        [one] { " " }One could not be { $action ->
            [copied] copied.
           *[moved] moved.
        }
       *[other] { " " }{ $fail_count } could not be { $action ->
            [copied] copied.
           *[moved] moved.
        }
    }
executors-deleted = { $ok_count ->
        [0] Nothing was deleted.
        [one] I deleted { $name }. Say “undo” and it comes back.
       *[other] I deleted { $ok_count } files. Say “undo” and they come back.
    }{ $fail_count ->
        [0] { "" }
        [one] { " " }One could not be deleted.
       *[other] { " " }{ $fail_count } could not be deleted.
    }
executors-computed = { $op ->
        [count] { $value }{ $spread }
        [sum] { $field ->
            [size] { $shown } in all{ $spread }.
           *[other] { $value } in all.
        }
        [any] { $value ->
            [0] No, it is not there.
           *[other] Yes, it is there.
        }
        [avg] { $field ->
            [size] { $shown } on average.
           *[other] { $value } on average.
        }
        [min] { $field ->
            [size] The smallest has { $shown }.
           *[other] The least is { $value }.
        }
       *[max] { $field ->
            [size] The largest has { $shown }.
           *[other] The most is { $value }.
        }
    }
executors-undone = { $undone_count ->
        [0] There is nothing to undo.
        [one] Done, I took the last change back.
       *[other] Done, I took { $undone_count } changes back.
    }{ $back_count ->
        [0] { "" }
       *[other] { " " }Back in place: { $back_names }{ $back_more ->
            [0] .
           *[other] { "" } and { $back_more } more.
        }
    }{ $removed_count ->
        [0] { "" }
       *[other] { " " }Removed again: { $removed_names }{ $removed_more ->
            [0] .
           *[other] { "" } and { $removed_more } more.
        }
    }
executors-task-created = { $kind ->
        [timer] The timer{ $named ->
            [no] { "" }
           *[yes] { " " }“{ $name }”
        } runs for { $span }, until { $moment }.
        [alarm] { $again ->
            [no] The alarm rings { $moment }
           *[yes] The alarm rings { $rhythm }, first { $moment }
        }{ $named ->
            [no] .
           *[yes] : “{ $name }”.
        }
        [reminder] { $again ->
            [no] I'll remind you { $moment }
           *[yes] I'll remind you { $rhythm }, first { $moment }
        }{ $named ->
            [no] .
           *[yes] : “{ $name }”.
        }
        [request] { $again ->
            [no] I'll do that { $moment }: “{ $text }”.
           *[yes] I'll do that { $rhythm }, first { $moment }: “{ $text }”.
        }
       *[watcher] I keep watch { $rhythm } (“{ $text }”) and tell you when there is something new.
    }
executors-task-changed = { $action ->
        [pause] Paused: { $name }.
        [resume] It goes on: { $name }, { $moment }.
        [snooze] All right, again { $moment }.
        [dismiss] Done.
        [move] Moved: { $name }, now { $moment }.
        [run] It runs now: { $name }.
       *[other] { $kind ->
            [timer] The timer has { $left } left, until { $moment }.
           *[other] It comes { $moment }: { $name }.
        }
    }
executors-tasks-deleted = { $ok_count ->
        [one] { $kind ->
            [timer] The timer is gone
            [alarm] The alarm is gone
            [reminder] The reminder is gone
           *[other] It is gone
        }
       *[other] { $ok_count } are gone
    }: { $names }. Say “undo” and it comes back.
executors-requested = I can't do that yet. I made a note of it, so it can be added.

executors-no-data = There is nothing yet for me to work on. Say what it should be: files, a folder or a web page.
executors-pages-unread = I have the addresses of these pages, and could not read what they say.
executors-argument-missing = I need to know “{ $name }” for that. Tell me and I'll try again.
executors-argument-wrong = I can't use what was given for “{ $name }”. Try to say it another way.
executors-filter-empty = I don't know what to filter by. Tell me a word, a pattern or a size.
executors-field-unknown = These entries have no “{ $field }”. Ask me to list them to see what they have.
executors-window-unknown = I don't know the time span “{ $window }”. Try “this week”, “last 7 days” or a date.
executors-compute-nothing = There is nothing to compute with. Try a wider search first.

executors-not-all-weighed = { $count ->
    [one] One thing below could not be looked at, so the real size may be larger.
   *[other] { $count } things below could not be looked at, so the real size may be larger.
}
executors-file-empty = { $path } is empty.
executors-file-blank = There is nothing but blank space in { $path }.
executors-file-none-named = No file is called “{ $words }”, and none that I looked into has all these words.
executors-file-near-named = No file is called “{ $words }”. Near it: { $names }.
executors-file-which = { $count } files fit: { $names }. Say which one.
executors-folder-empty = { $path } is empty.
executors-folder-hides = There are only hidden things in { $path }.
executors-name-too-long = That name is too long: a file or folder has room for about 250 letters. Choose a shorter one.
executors-move-into-itself = { $path } can't go into itself. Choose a folder outside it.
executors-path-invalid = “{ $path }” is not a path I can use. Try something like ~/docs/list.txt.
executors-name-not-text = The name of { $path } holds signs that are no letters, so I cannot tell it from other files and left it alone. Give it another name first.
executors-path-not-found = I can't find { $path }. Check the name, or ask me to list the folder.
executors-path-is-directory = { $path } is a folder, not a file. Ask me to list it, or name a file in it.
executors-path-is-file = { $path } is a file, not a folder. Name the folder instead.
executors-path-is-pattern = “{ $path }” stands for many files. Ask me to find them first.
executors-path-not-regular = { $path } is not an ordinary file, so I left it alone. Name another one.
executors-path-denied = I'm not allowed to touch { $path }. Check its permissions.
executors-path-exists = There is already something at { $path }. Choose another name, or move it away first.
executors-path-failed = Something went wrong with { $path }. Check the disk and try again.
executors-delete-is-directory = { $path } is a folder, and I delete only files. Name the files in it that can go.
executors-dir-not-empty = { $path } is not empty, so I left it. Empty it first if you want it gone.
executors-file-not-text = { $path } is not a text file, so I can't read it to you. To have it as it is, say “send me { $path }”.
executors-file-kind = I can't read .{ $kind } files, so { $path } stays closed to me. To have it as it is, say “send me { $path }”.
executors-file-password = { $path } is locked with a password. Ask for it by itself, and I ask you for the password.
executors-file-locked = { $path } is locked in a way that I can't open, with or without its password. To have it as it is, say “send me { $path }”.
executors-file-broken = { $path } is damaged: it begins like a document and can't be read as one. If you have another copy, try that one.
executors-file-unpacks = { $path } is too large for me to read. To have it as it is, say “send me { $path }”.
executors-file-pictures = { $path } holds pictures of its pages and no text ({ $pages ->
    [one] one page
   *[other] { $pages } pages
}). To have it as it is, say “send me { $path }”.
executors-picture-silent = There are no words in { $path } that I can read. To have it as it is, say “send me { $path }”.
executors-picture-no-reader = { $path } is a picture, and the program that reads words in pictures is not installed here. On Debian: apt install tesseract-ocr tesseract-ocr-ita. To have it as it is, say “send me { $path }”.
executors-picture-unreadable = { $path } is a picture that I can't make words of. Try a sharper one, taken from straight above.
executors-picture-note = Read from a picture: some letters may be wrong.
executors-file-same-as = the same as { $path }
executors-files-none-twice = No two files in { $path } are the same.
executors-picture-changed = Made { $shown }, { $width } × { $height } pixels. The old one is still there.
executors-picture-how = Into what? Say a format such as jpg or png, “smaller”, or which way to turn it.
executors-picture-unknown = I can't change { $name }: I know pictures in JPEG, PNG, WebP, GIF, BMP and TIFF.
executors-picture-too-large = { $name } is too large for me to change.
executors-picture-broken = I can't read { $name }: it is damaged.
executors-sheet-made = Made { $shown }: { $rows ->
    [one] one row
   *[other] { $rows } rows
}.
executors-sheet-empty = There is nothing to put into a table.
executors-sheet-too-long = That list has { $rows } rows, and I make tables of { $max } at most. Ask for fewer, such as those of one month.
executors-chart-made = Made { $shown }: { $of }{ $by ->
    [none] {""}
   *[other] {" "}by { $by }
}, { $form ->
    [bars] as bars
    [shares] as shares of the whole
   *[lines] as a line
}.{ $chosen ->
    [yes] {" "}What was not said I chose: the first column that fits.
   *[no] {""}
}{ $added ->
    [yes] {" "}What comes more than once is added up.
   *[no] {""}
}{ $joined ->
    [0] {""}
   *[other] {" "}The { $joined } smallest are taken together.
}{ $left_out ->
    [0] {""}
    [one] {" "}One row without a number is left out.
   *[other] {" "}{ $left_out } rows without a number are left out.
}
executors-chart-no-table = I find no table there that begins with a line of headings. Try a csv, xlsx or ods file, or a list.
executors-chart-no-numbers = There are no numbers there to draw.
executors-chart-not-numbers = The column “{ $column }” does not hold numbers, so I can't draw it.
executors-chart-no-column = There is no column “{ $column }”. Those there are: { $known }.
executors-chart-negative = “{ $column }” goes below zero, and shares of a whole can't. Ask for bars or a line.
executors-chart-nothing = All numbers there are zero, so nothing has a share. Ask for bars or a line.
executors-chart-too-many = That is more than fits into one picture: { $max } at most. Ask for fewer, such as those of one year.
executors-chart-one-file = One chart shows one file. Name the one you mean.
executors-chart-unwritten = The picture could not be made.
executors-pdf-made = Made { $shown }: { $pages ->
    [one] one page
   *[other] { $pages } pages
}. The pictures are still there.
executors-pdf-too-large = That is more than I make one PDF of: { $pages } pictures, or { $limit } MB of them. Make two of it.
executors-zipped = { $count ->
    [one] One file is
   *[other] { $count } files are
} now in { $folder }.
executors-unzipped = { $count ->
    [one] One file is
   *[other] { $count } files are
} now in { $folder }.
executors-archive-unsafe = { $path } holds names that lead out of its folder, or links, so I unpacked nothing of it. Do not trust it.
executors-archive-too-large = { $path } holds more than I pack or unpack at once: 20,000 files or 4 GB. Name a part of it.
executors-archive-broken = { $path } is no ZIP file, or a damaged one. If you have another copy, try that one.
executors-file-too-large = { $path } is too large for me. Try a smaller file.
executors-disk-full = There is no room left for { $path }. Free some space and try again.
executors-new-name-many = A new name works for one file only. Name the one to rename.
executors-move-across-disks = { $path } is a folder on another disk, and I can only move files there. Move its files instead.
executors-undo-taken = Something else is at { $path } now, so I did not put the old one back there. Move it away first if you want the old one back.
executors-undo-changed = { $path } was changed since, so I left it alone. Have a look before you replace it.

executors-url-invalid = “{ $url }” is not a web address I can open. It should start with https://.
executors-url-not-named = { $url } is at no host that the tool's manifest names.
executors-url-private = { $url } is inside your own network, so I don't open it unless the host types the exact address.
executors-url-unknown-host = I can't find “{ $host }” on the internet. Check the address and your connection.
executors-url-unreachable = I can't reach { $url } right now. Check the connection and try again later.
executors-url-timeout = { $url } took too long to answer. Try again in a while.
executors-url-too-large = { $url } is larger than { $limit } MB, so I stopped. Try a smaller page.
executors-url-too-much = Together these pages are too much for one go, so I left out { $url }. Ask for it alone.
executors-url-redirects = { $url } keeps sending me elsewhere. Try the final address.
executors-url-status = { $status ->
        [401] { $url } wants a login that I don't have. Open it in your browser.
        [403] { $url } doesn't let me in. Open it in your browser.
        [404] There is no page at { $url }. Check the address.
        [410] The page at { $url } is gone. Look for another one.
        [429] { $url } asks me to slow down. Try again in a few minutes.
       *[other] { $url } answered with error { $status }. Try again later.
    }
executors-page-empty = I found no readable text at { $url }. Open it in your browser, it may need one.
executors-page-not-text = { $url } is not a page with text. Ask me to fetch it as it is.

executors-unknown = I don't have the tool “{ $name }” here. Ask for help to see what I can do.
executors-stopped = { $name } was stopped.
executors-timeout = { $name } took too long, so I stopped it. Try something smaller, or try again.
executors-crashed = { $name } stopped unexpectedly. Try again; if it stays like that, run metnos doctor.
executors-non-json = { $name } gave an answer I can't read. Try again; if it stays like that, run metnos doctor.
executors-output-too-large = { $name } found more than I can handle at once. Ask for less.
executors-program-failed = { $name } could not do it. Try again, or say it another way.
executors-no-sandbox = I can't lock this step in safely on this machine, so I didn't run it. Run metnos doctor to see why.
executors-internal = Something went wrong on my side. Try again; if it stays like that, run metnos doctor.
executors-sent = { $ok_count ->
    [one] Here is { $name }.
   *[other] Here are { $ok_count } files.
}
executors-send-hidden = { $path } is a hidden file, and hidden files are not sent.
executors-send-empty = { $path } is empty, so there is nothing to send.
executors-send-too-large = { $path } is larger than { $limit } MB, which is the most that can be sent.

executors-location = { $source ->
    [home] You are at home, as far as I know: { $place }. That stands in my settings; share your location if you are somewhere else.
    [typed] You told me you are here: { $place } ({ $age_unit ->
        [now] just now
        [minutes] { $age } min ago
       *[hours] { $age } h ago
    }).
    [picked] You picked this place: { $place } ({ $age_unit ->
        [now] just now
        [minutes] { $age } min ago
       *[hours] { $age } h ago
    }).
   *[device] You are here: { $place } ({ $age_unit ->
        [now] just now
        [minutes] { $age } min ago
       *[hours] { $age } h ago
    }{ $accuracy_m ->
        [0] {""}
       *[other] , give or take { $accuracy_m } m
    }).
}
    { $map }
executors-inputs = Thank you, I have your answers.
location-unknown = I don't know where you are. Share your location, or write an address or a city.
inputs-needed = I need an answer from you first.
inputs-invalid = I could not put the question together. Please say it in another way.
executors-events-free = { $state ->
    [free] You are free: { $span }.
    [busy] You are taken: { $taken }.
   *[partly] There is something: { $taken }. Free: { $free }.
}
events-no-invitation = There is no invitation in that mail.
events-invitation-cancelled = That mail says that it is cancelled. To take it out of your calendar, name it: “delete dinner from my calendar”.
executors-event-done = { $what ->
    [created] It's in your calendar: “{ $summary }”, { $when }{ $repeats ->
        [yes] , and then again and again
       *[no] { "" }
    }.
    [changed] “{ $summary }” is now { $when }.
    [removed] { $count ->
        [one] “{ $summary }” is out of your calendar.
       *[other] { $count } events are out of your calendar.
    }
   *[restored] It is as it was.
} Say “undo” to take it back.
executors-contact = { $known ->
    [no] Your address book has no { $field ->
        [phone] number
        [email] mail address
        [address] address
       *[birthday] birthday
    } of { $name }.
   *[yes] { $field ->
        [birthday] { $name }: { $birthday }.
        [all] { $name }{ $value ->
            [none] { "" }
           *[other] : { $value }
        }{ $has_birthday ->
            [no] { "" }
           *[yes] , birthday { $birthday }
        }
       *[other] { $name }: { $value }
    }
}
executors-contact-done = { $what ->
    [created] { $name } is in your address book.
    [changed] I changed what your address book says of { $name }.
    [removed] { $name } is out of your address book.
   *[restored] It is as it was.
} Say “undo” to take it back.

# --- people of the house ----------------------------------------------------------------------------------------------

house-told = { $what ->
    [back] { $people } will not hear it.
   *[told] { $when ->
        [now] I tell { $people }: “{ $text }”.
       *[later] I tell { $people }, { $moment }: “{ $text }”.
    }
}
share-told = { $how ->
    [ended] { $people } can no longer use “{ $names }”.
    [read] { $people } can now read “{ $names }”: it is among their lists. Only you change it.
   *[write] { $people } can now read and change “{ $names }”: it is among their lists.
}
lend-told = { $how ->
    [ended] { $people } no longer sees { $holds ->
        [contacts] the address book.
       *[events] the calendar.
    }
    [read] { $people } sees { $holds ->
        [contacts] the address book
       *[events] the calendar
    } from now on. Only you change it.
   *[write] { $people } sees { $holds ->
        [contacts] the address book
       *[events] the calendar
    } from now on, and may change it.
}
lend-not = { $holds ->
    [contacts] The address book
   *[events] That calendar
} is not shared with { $person }.
share-only-host = Only the host shares files with others. Ask the host.
share-with-host = The host can use every file here already.
share-one-file = I share single files and lists, not whole folders. Name the file.
share-not = “{ $name }” is not shared with { $person }.
share-failed = I could not share { $name }. Look whether it is still there, and try again.
house-nobody = { $here ->
    [0] Nobody but you is let in here yet.
   *[other] Nobody in this house is called { $name }. These are here: { $names }.
} { $role ->
    [host] To let somebody in, send me /people invite. They come with the code it gives: /pair CODE
   *[guest] Only the host lets somebody in.
}
house-unreached = I cannot reach { $name }, who never wrote to me. One word from there is enough.
house-only-host = You may tell the host something; for others, ask the host.
house-to-oneself = That is you. Say “remind me …” with a time, and I tell you then.
house-heard = { $people } heard it already, so it cannot be taken back.
