//! What a table answers: rows that are named, the highest and the lowest, sums and means. Called by `answer`. A column
//! counts only if the question names it, or there is no other; a row only if every name of the question is in it.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use serde_json::Value;

use crate::{
    Finding, How, Number, Part, Reckoned,
    asked::{Asked, Word},
    grid::{Grid, Holds, text},
    likeness::Likeness,
    words::{Sense, Words},
};

/// Rows that one answer shows.
const SHOWN_MAX: usize = 12;
/// Values of a column that come again so often tell groups apart.
const GROUPS_SHARE: f64 = 0.5;

type Row<'a> = &'a [Value];

/// A table under one question.
struct Reckoner<'a> {
    asked: &'a Asked,
    grid: &'a Grid<'a>,
    /// Rows that are meant.
    rows: Vec<Row<'a>>,
    /// Which rows are meant was said.
    is_filtered: bool,
    /// Columns that are named by most words, in their order.
    named: Vec<usize>,
    /// What each heading has of the question.
    headings: Vec<BTreeSet<usize>>,
    /// Columns whose numbers say which rows are meant, and so are none to reckon with.
    filters: BTreeSet<usize>,
}

/// What the table answers, and which words of the question that accounts for.
pub(crate) fn find(
    asked: &Asked,
    likeness: &Likeness<'_>,
    part: &Part,
    words: &Words,
    of_name: &BTreeSet<usize>,
) -> Option<(Finding, BTreeSet<usize>)> {
    let grid = Grid::new(&part.rows, &|heading| words.is_money(heading))?;
    let about = format!("{} {}", part.sheet.as_deref().unwrap_or_default(), grid.title);
    let mut explained: BTreeSet<usize> = likeness.of(&about);
    explained.extend(of_name);
    let headings: Vec<BTreeSet<usize>> = grid.columns.iter().map(|column| likeness.of(&column.heading)).collect();
    let named = named(&headings);
    let of_headings: BTreeSet<usize> = named
        .iter()
        .flat_map(|at| headings.get(*at))
        .flatten()
        .copied()
        .collect();
    let mut rows = grid.rows.clone();
    let mut is_filtered = false;
    let mut filters = BTreeSet::new();
    let years: BTreeSet<i32> = asked
        .words
        .iter()
        .filter_map(Word::year)
        .map(|year| year as i32)
        .collect();
    if let (Some(first), Some(last)) = (years.first(), years.last())
        && first < last
    {
        // "From 2010 to 2014".
        let is_between = |row: &Row<'_>| {
            let mut days = (0..grid.columns.len()).filter_map(|column| grid.day(row, column));
            days.any(|(year, ..)| (*first..=*last).contains(&year))
        };
        if grid.rows.iter().any(is_between) {
            rows.retain(is_between);
            is_filtered = true;
            let own = asked.words.iter().enumerate().filter(|(_, word)| word.year().is_some());
            explained.extend(own.map(|(at, _)| at));
        }
    }
    for (at, word) in asked.words.iter().enumerate() {
        if of_headings.contains(&at) || explained.contains(&at) {
            continue;
        }
        let has = |row: &Row<'_>| !columns_with(&grid, row, (at, word), likeness, &named).is_empty();
        if grid.rows.iter().any(has) {
            let all = grid
                .rows
                .iter()
                .flat_map(|row| columns_with(&grid, row, (at, word), likeness, &named));
            filters.extend(all);
            rows.retain(has);
            is_filtered = true;
            explained.insert(at);
        }
    }
    explained.extend(&of_headings);
    if rows.is_empty() || !is_about(asked, &explained) {
        return None;
    }
    let reckoner = Reckoner {
        asked,
        grid: &grid,
        rows,
        is_filtered,
        named,
        headings,
        filters,
    };
    Some((reckoner.answer()?, explained))
}

/// Columns that are named by most words of the question, or by one that names no other.
fn named(headings: &[BTreeSet<usize>]) -> Vec<usize> {
    let most = headings.iter().map(BTreeSet::len).max().unwrap_or_default();
    let is_named = |own: &BTreeSet<usize>| most > 0 && (own.len() == most || says_itself(own, headings));
    let all = headings.iter().enumerate();
    all.filter(|(_, own)| is_named(own)).map(|(at, _)| at).collect()
}

/// A heading that has a word of the question which no other has.
fn says_itself(own: &BTreeSet<usize>, headings: &[BTreeSet<usize>]) -> bool {
    own.iter()
        .any(|word| headings.iter().filter(|other| other.contains(word)).count() == 1)
}

/// Whether a table is about what was asked: every name and number was found, and a word beside them.
fn is_about(asked: &Asked, explained: &BTreeSet<usize>) -> bool {
    let is_value = |word: &Word| word.month.is_some() || word.number.is_some();
    let are_found = asked
        .words
        .iter()
        .enumerate()
        .all(|(at, word)| explained.contains(&at) || !(word.is_name || is_value(word)));
    let topics = explained.iter().filter_map(|at| asked.words.get(*at));
    are_found && topics.into_iter().any(|word| !is_value(word))
}

/// The columns in which a row has a word of the question.
fn columns_with(
    grid: &Grid<'_>,
    row: Row<'_>,
    (at, word): (usize, &Word),
    likeness: &Likeness<'_>,
    named: &[usize],
) -> Vec<usize> {
    let has = |(column, cell): (usize, &Value)| {
        let holds = grid.columns.get(column).map(|column| column.holds);
        match holds {
            Some(Holds::Days | Holds::Years) => grid.day(row, column).is_some_and(|(year, month, day)| {
                let is_month = word.month.is_some_and(|own| own == month);
                let is_year = word.year().is_some_and(|own| own == f64::from(year));
                let is_day = word.number.is_some_and(|own| own == f64::from(day) && own < 32.0);
                is_month || is_year || is_day
            }),
            // "In class 3": the number of a column that is named.
            Some(Holds::Numbers) => {
                let number = grid.number(row, column).map(|number| number.value);
                word.number.is_some() && named.contains(&column) && number == word.number
            }
            Some(Holds::Texts) => likeness.of(&text(cell)).contains(&at),
            None => false,
        }
    };
    let columns = row.iter().enumerate().filter(|cell| has(*cell));
    columns.map(|(column, _)| column).collect()
}

impl<'a> Reckoner<'a> {
    fn answer(&self) -> Option<Finding> {
        let asked = self.asked;
        if asked.says(&[Sense::Above, Sense::Below])
            && let Some(found) = self.compared()
        {
            return Some(found);
        }
        if asked.says(&[Sense::Apart]) {
            return self.numbers(How::Difference);
        }
        if asked.says(&[Sense::Mean]) {
            return self.numbers(How::Mean);
        }
        if asked.says(&[Sense::Median]) {
            return self.numbers(How::Median);
        }
        if asked.says(&[Sense::Most, Sense::Dearest]) {
            return self.extremes(true);
        }
        if asked.says(&[Sense::Least, Sense::Cheapest]) {
            return self.extremes(false);
        }
        if asked.says(&[Sense::Total]) {
            return self.numbers(How::Sum);
        }
        // A number that is a name stands in a column of texts.
        let has_codes = || self.named.iter().any(|at| self.holds(*at) == Some(Holds::Texts));
        if !self.is_filtered || asked.says(&[Sense::Code]) && !has_codes() {
            return None;
        }
        if asked.says(&[Sense::Count]) && self.measures().is_empty() {
            return Some(self.count());
        }
        // What was paid on several occasions is what it comes to.
        if asked.says(&[Sense::Money, Sense::Amount, Sense::Count]) && self.rows.len() > 1 {
            return self.numbers(How::Sum);
        }
        if asked.says(&[Sense::Latest]) {
            return self.latest();
        }
        Some(self.shown(&self.rows))
    }

    /// Columns that numbers are taken from: those that are named, else the one with money, else the only one.
    fn measures(&self) -> Vec<usize> {
        let is_measure = |at: &usize| self.holds(*at) == Some(Holds::Numbers) && !self.filters.contains(at);
        let all = || (0..self.grid.columns.len()).filter(is_measure);
        let named: Vec<usize> = all().filter(|at| self.named.contains(at)).collect();
        if !named.is_empty() {
            return named;
        }
        let is_money = |at: &usize| self.grid.columns.get(*at).is_some_and(|column| column.is_money);
        let money: Vec<usize> = all().filter(is_money).collect();
        if money.len() == 1 {
            return money;
        }
        let all: Vec<usize> = all().collect();
        if all.len() == 1 { all } else { Vec::new() }
    }

    fn holds(&self, column: usize) -> Option<Holds> {
        Some(self.grid.columns.get(column)?.holds)
    }

    fn values(&self, column: usize) -> Vec<(Row<'a>, Number)> {
        let value = |row: &Row<'a>| Some((*row, self.grid.number(row, column)?));
        self.rows.iter().filter_map(value).collect()
    }

    fn numbers(&self, how: How) -> Option<Finding> {
        let reckoned = |column: &usize| {
            let values = self.values(*column);
            let mut numbers: Vec<f64> = values.iter().map(|(_, number)| number.value).collect();
            numbers.sort_by(f64::total_cmp);
            let (least, most) = (numbers.first()?, numbers.last()?);
            let count = numbers.len();
            let sum: f64 = numbers.iter().sum();
            let middle = |back: usize| numbers.get((count - back) / 2).copied();
            let value = match how {
                How::Sum => sum,
                How::Mean => sum / count as f64,
                How::Median => (middle(1)? + middle(0)?) / 2.0,
                How::Difference => most - least,
                How::Count => count as f64,
            };
            let unit = values
                .first()
                .map(|(_, number)| number.unit.clone())
                .unwrap_or_default();
            // What is in two currencies is no sum.
            let is_one = values.iter().all(|(_, number)| number.unit == unit);
            is_one.then(|| Reckoned {
                how,
                column: self
                    .grid
                    .columns
                    .get(*column)
                    .map(|column| column.heading.clone())
                    .unwrap_or_default(),
                number: Number { value, unit },
                rows: count,
            })
        };
        let all: Vec<Reckoned> = self.measures().iter().filter_map(reckoned).collect();
        (!all.is_empty()).then_some(Finding::Numbers(all))
    }

    fn count(&self) -> Finding {
        Finding::Numbers(vec![Reckoned {
            how: How::Count,
            column: String::new(),
            number: Number {
                value: self.rows.len() as f64,
                unit: String::new(),
            },
            rows: self.rows.len(),
        }])
    }

    /// The rows with the highest or the lowest number: one, or as many as were asked for; all that are alike.
    fn extremes(&self, is_most: bool) -> Option<Finding> {
        if let Some(column) = self.groups() {
            return self.largest_group(column, is_most);
        }
        let [measure] = self.measures()[..] else { return None };
        let mut values = self.values(measure);
        values.sort_by(|(_, one), (_, other)| {
            let order = one.value.total_cmp(&other.value);
            if is_most { order.reverse() } else { order }
        });
        let count = self.asked.top.unwrap_or(1).min(values.len());
        let last = values.get(count.checked_sub(1)?)?.1.value;
        let rows: Vec<Row<'a>> = values
            .iter()
            .enumerate()
            .take_while(|(at, (_, number))| *at < count || number.value.total_cmp(&last) == Ordering::Equal)
            .map(|(_, (row, _))| *row)
            .collect();
        Some(self.shown(&rows))
    }

    /// A column whose values tell groups of rows apart, where nothing else is named that could be measured.
    fn groups(&self) -> Option<usize> {
        let [column] = self.named[..] else { return None };
        if self.asked.says(&[Sense::Dearest, Sense::Cheapest, Sense::Money]) {
            return None;
        }
        let values: BTreeSet<String> = self.rows.iter().filter_map(|row| row.get(column)).map(text).collect();
        let comes_again = values.len() as f64 <= GROUPS_SHARE * self.rows.len() as f64;
        let others = (0..self.grid.columns.len()).filter(|at| *at != column);
        let has_measure = others.into_iter().any(|at| self.holds(at) == Some(Holds::Numbers));
        (comes_again && !has_measure).then_some(column)
    }

    fn largest_group(&self, column: usize, is_most: bool) -> Option<Finding> {
        let mut groups: BTreeMap<String, usize> = BTreeMap::new();
        for value in self.rows.iter().filter_map(|row| row.get(column)).map(text) {
            *groups.entry(value).or_default() += 1;
        }
        let count = if is_most {
            groups.values().max()
        } else {
            groups.values().min()
        }
        .copied()?;
        let heading = &self.grid.columns.get(column)?.heading;
        let rows = groups.iter().filter(|(_, own)| **own == count);
        Some(Finding::Rows {
            rows: rows.map(|(value, own)| format!("{heading} {value} · {own}")).collect(),
            more: 0,
        })
    }

    /// "Who has less in the second than in the first": rows in which one named column is above or below another.
    fn compared(&self) -> Option<Finding> {
        let place = |column: &usize| {
            let own = self.headings.get(*column)?;
            let words = own.iter().filter_map(|at| self.asked.words.get(*at));
            words.map(|word| word.place).min()
        };
        let mut columns: Vec<usize> = self.measures();
        columns.sort_by_key(place);
        let [one, other] = columns[..] else { return None };
        let is_above = self.asked.says(&[Sense::Above]);
        let fits = |row: &&Row<'a>| {
            let values = self.grid.number(row, one).zip(self.grid.number(row, other));
            values.is_some_and(|(one, other)| {
                if is_above {
                    one.value > other.value
                } else {
                    one.value < other.value
                }
            })
        };
        let rows: Vec<Row<'a>> = self.rows.iter().filter(fits).copied().collect();
        (!rows.is_empty()).then(|| self.shown(&rows))
    }

    /// The row with the last day.
    fn latest(&self) -> Option<Finding> {
        let days = |at: &usize| self.holds(*at) == Some(Holds::Days);
        let column = (0..self.grid.columns.len()).find(days)?;
        let last = self.rows.iter().max_by_key(|row| self.grid.day(row, column))?;
        Some(self.shown(&[last]))
    }

    fn shown(&self, rows: &[Row<'a>]) -> Finding {
        Finding::Rows {
            rows: rows.iter().take(SHOWN_MAX).map(|row| self.grid.line(row)).collect(),
            more: rows.len().saturating_sub(SHOWN_MAX),
        }
    }
}
