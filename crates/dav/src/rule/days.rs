//! Which days of a year, a month, a week or one day a rule means.

use jiff::{
    ToSpan,
    civil::{Date, Weekday},
};

use super::{Freq, Rule};

impl Rule {
    /// The days of the period that begins here, in order; none where it has none.
    pub(super) fn days_of(&self, period: Date, start: Date) -> Vec<Date> {
        let last = match self.freq {
            Freq::Yearly => period.last_of_year(),
            Freq::Monthly => period.last_of_month(),
            Freq::Weekly => period.saturating_add(6.days()),
            Freq::Daily | Freq::Hourly | Freq::Minutely | Freq::Secondly => period,
        };
        let mut days = Vec::new();
        let mut day = period;
        while day <= last {
            if self.means(day, start) {
                days.push(day);
            }
            match day.tomorrow() {
                Ok(next) => day = next,
                Err(_end_of_time) => break,
            }
        }
        days
    }

    /// Whether every part that narrows days lets this one through.
    fn means(&self, day: Date, start: Date) -> bool {
        // What no part names is as it is in the first instance.
        let names_day = !self.month_days.is_empty() || !self.days.is_empty() || !self.year_days.is_empty();
        let own_weekday = match self.freq {
            Freq::Weekly => self.days.is_empty() && self.month_days.is_empty(),
            // RFC 5545: a week by its number alone is its day that the series began with.
            Freq::Yearly => !self.weeks.is_empty() && !names_day,
            Freq::Secondly | Freq::Minutely | Freq::Hourly | Freq::Daily | Freq::Monthly => false,
        };
        let own_month_day = matches!(self.freq, Freq::Yearly | Freq::Monthly) && !names_day && self.weeks.is_empty();
        let own_month = self.freq == Freq::Yearly && own_month_day && self.months.is_empty();
        (!own_weekday || day.weekday() == start.weekday())
            && (!own_month_day || day.day() == start.day())
            && (!own_month || day.month() == start.month())
            && (self.months.is_empty() || self.months.contains(&day.month()))
            && (self.month_days.is_empty() || self.is_month_day(day))
            && (self.year_days.is_empty() || self.is_year_day(day))
            && (self.weeks.is_empty() || self.is_in_week(day))
            && (self.days.is_empty() || self.is_weekday(day))
    }

    fn is_month_day(&self, day: Date) -> bool {
        let from_end = day.day() - day.days_in_month() - 1;
        self.month_days.contains(&day.day()) || self.month_days.contains(&from_end)
    }

    fn is_year_day(&self, day: Date) -> bool {
        let number = day.day_of_year();
        self.year_days.contains(&number) || self.year_days.contains(&(number - day.days_in_year() - 1))
    }

    /// Weeks are numbered from the first that has four days of its year.
    fn is_in_week(&self, day: Date) -> bool {
        let (number, all) = week_of(day, self.week_start);
        self.weeks.contains(&number) || self.weeks.contains(&(number - all - 1))
    }

    fn is_weekday(&self, day: Date) -> bool {
        self.days
            .iter()
            .any(|(which, weekday)| *weekday == day.weekday() && (*which == 0 || self.is_nth(day, *which)))
    }

    /// The second of its kind, or the last but one, in the month or the year.
    fn is_nth(&self, day: Date, which: i16) -> bool {
        let by_month = self.freq == Freq::Monthly || self.freq == Freq::Yearly && !self.months.is_empty();
        let (number, length) = match self.freq {
            Freq::Monthly | Freq::Yearly if by_month => (i16::from(day.day()), i16::from(day.days_in_month())),
            Freq::Yearly => (day.day_of_year(), day.days_in_year()),
            // In shorter periods there is one of a kind.
            Freq::Secondly | Freq::Minutely | Freq::Hourly | Freq::Daily | Freq::Weekly | Freq::Monthly => return true,
        };
        let from_start = (number - 1) / 7 + 1;
        let from_end = -((length - number) / 7 + 1);
        which == from_start || which == from_end
    }
}

/// The number of the week a day is in, and how many weeks that year has.
fn week_of(day: Date, week_start: Weekday) -> (i8, i8) {
    let monday_of = |day: Date| {
        let since = day.weekday().since(week_start);
        day.saturating_sub(i64::from(since).days())
    };
    let first_of = |year: i16| {
        let fourth = Date::new(year, 1, 4).unwrap_or(Date::MIN);
        monday_of(fourth)
    };
    let weeks_between = |from: Date, to: Date| -> i8 {
        let days = (to - from).get_days();
        i8::try_from(days / 7).unwrap_or_default()
    };
    let week = monday_of(day);
    // The year of a week is that of its fourth day.
    let year = week.saturating_add(3.days()).year();
    let first = first_of(year);
    let number = weeks_between(first, week) + 1;
    let all = weeks_between(first, first_of(year.saturating_add(1)));
    (number, all)
}
