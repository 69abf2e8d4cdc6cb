# What documents and tables of a home answer.

papers-text = { $text }
papers-from = — { $path }{ $where ->
        [part] , { $part }
       *[whole] {""}
    }
papers-page = page { $page }
papers-sheet = sheet “{ $sheet }”
papers-more = … and { $count ->
        [one] one more row
       *[other] { $count } more rows
    }
papers-number = { $how ->
        [sum] { $column }, { $rows ->
            [one] one row
           *[other] { $rows } rows
        } together: { $number }
        [mean] { $column }, on average: { $number } ({ $rows ->
            [one] one row
           *[other] { $rows } rows
        })
        [median] { $column }, median: { $number } ({ $rows ->
            [one] one row
           *[other] { $rows } rows
        })
        [difference] { $column }, from the lowest to the highest: { $number }
       *[count] { $rows ->
            [one] One row
           *[other] { $rows } rows
        }
    }
papers-deadline = “Remind me before it expires” sets a reminder.
papers-unread = { $count ->
        [one] One document is not read yet.
       *[other] { $count } documents are not read yet.
    }
papers-none = There are no documents here yet: no PDF, no office documents, no tables.
papers-nothing = I looked in { $count ->
        [one] the one document here
       *[other] the { $count } documents here
    } and found nothing that answers this.{ $unread ->
        [0] {""}
        [one] {" "}One of them is not read yet.
       *[other] {" "}{ $unread } of them are not read yet.
    }
job-papers = { $left ->
        [0] All documents are read.
        [one] One document is left to be read.
       *[other] { $left } documents are left to be read.
    }

photos-alike = nearly the same as { $path }
photos-count = { $count ->
    [0] You have none.
    [one] You have one.
   *[other] You have { $count }.
}
photos-none-here = There are no photos here yet.
photos-none-from = I found no photo from { $place } among { $count ->
    [one] the one
   *[other] the { $count }
} here. A photo tells its place only where the camera wrote it down.
photos-none = None of the { $count } photos here is such a one.
photos-unread = { $count ->
    [one] One photo was
   *[other] { $count } photos were
} not looked at yet. I go on at night, or when you ask again.
job-photos = { $left ->
    [0] All photos were looked at.
    [one] Photos were looked at; one is left.
   *[other] Photos were looked at; { $left } are left.
}
