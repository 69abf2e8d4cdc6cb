//! `compute_numbers`: sums, percentages and units. Pure: it fetches nothing, knows no rates of money and no date, and
//! gives up where an expression would take too long. Numbers are read and written as in the language of the turn.

use std::time::Instant;

use fend_core::{Context, Interrupt};
use serde_json::json;

use super::{Call, internal, object};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    lang::Lang,
    limits::{EXPRESSION_CHARS_MAX, EXPRESSION_STACK_BYTES, EXPRESSION_TIMEOUT, RESULT_CHARS_MAX},
    message::Message,
    run::ToolResult,
};

/// What an expression is made of besides letters and digits. No sign that names a value or a function is among them: a
/// function that calls itself would never end.
const SIGNS: &str = "+-*/^%().,!°×÷−· ";
/// Decimals that are shown; of what is smaller than one, so many digits.
const DECIMALS: usize = 4;

struct Deadline(Instant);

impl Interrupt for Deadline {
    fn should_interrupt(&self) -> bool {
        self.0.elapsed() > EXPRESSION_TIMEOUT
    }
}

/// The value of an expression.
pub(super) fn compute_numbers(call: &Call) -> Result<ToolResult, ToolError> {
    let expression = call.text("expression")?.trim();
    let lang = call.context.lang;
    let unreadable = |detail: &str| {
        let message = Message::new("executors-number-unreadable").with("expression", expression);
        ToolError::new(ErrorClass::InvalidArgs, message).with_detail(detail)
    };
    let refused = |key: &str| Err(ToolError::new(ErrorClass::InvalidArgs, Message::new(key)));
    if expression.chars().count() > EXPRESSION_CHARS_MAX {
        return refused("executors-number-too-much");
    }
    let is_plain = |letter: char| letter.is_alphanumeric() || SIGNS.contains(letter);
    if expression.is_empty() || !expression.chars().all(is_plain) {
        return Err(unreadable("signs that are no part of an expression"));
    }
    let plain = with_shares(&plain_numbers(expression, lang));
    let found = evaluated(plain)?;
    let found = match found {
        Ok(found) => found,
        Err(reason) if reason == "division by zero" => return refused("executors-number-zero"),
        Err(reason) if reason == "interrupted" => return refused("executors-number-too-much"),
        Err(reason) => return Err(unreadable(&reason)),
    };
    let result = found.as_str();
    if result.len() > RESULT_CHARS_MAX {
        return refused("executors-number-too-much");
    }
    let exact = result.strip_prefix("approx. ");
    let result = exact.unwrap_or(result);
    let end = result.find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | '-'));
    let (digits, unit) = result.split_at(end.unwrap_or(result.len()));
    let unit = unit.trim_start();
    let value: f64 = digits
        .parse()
        .map_err(|_no_number| unreadable("its value is no number"))?;
    if !value.is_finite() {
        return refused("executors-number-too-much");
    }
    let number = if digits.contains('.') {
        rounded(value)
    } else {
        digits.to_owned()
    };
    let about = exact.is_some() || number != digits;
    let number = lang.with_its_mark(number);
    Ok(ToolResult::ok(object(json!({
        "value": value,
        "text": format!("{number} {unit}").trim_end(),
        "number": number,
        "unit": if unit.is_empty() { "none" } else { unit },
        "about": if about { "yes" } else { "no" },
    }))))
}

/// What the crate makes of an expression, or why nothing. It goes as deep as an expression nests, so it gets a stack
/// that the longest one cannot fill, and none of its own faults ends more than this call.
fn evaluated(expression: String) -> Result<Result<String, String>, ToolError> {
    let work = move || {
        let deadline = Deadline(Instant::now());
        let found = fend_core::evaluate_with_interrupt(&expression, &mut Context::new(), &deadline)?;
        Ok(found.get_main_result().to_owned())
    };
    std::thread::Builder::new()
        .stack_size(EXPRESSION_STACK_BYTES)
        .spawn(work)
        .map_err(|error| internal(format!("no thread to compute in: {error}")))?
        .join()
        .map_err(|_panic| internal("the computation broke off"))
}

/// A number without needless digits.
fn rounded(value: f64) -> String {
    let written = format!("{value:.DECIMALS$}");
    let written = if value.abs() < 1.0 {
        let digits = format!("{:.*e}", DECIMALS - 1, value);
        digits.parse::<f64>().map_or(written, |value| value.to_string())
    } else {
        written
    };
    if !written.contains('.') {
        return written;
    }
    written.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Every number with a point for its fraction and nothing between its thousands.
fn plain_numbers(expression: &str, lang: Lang) -> String {
    let is_part = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',');
    let mut plain = String::with_capacity(expression.len());
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        let is_number = is_part(first);
        let end = rest.find(|letter| is_part(letter) != is_number).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        plain.push_str(&if is_number {
            plain_number(part, lang)
        } else {
            part.to_owned()
        });
        rest = after;
    }
    plain
}

/// "1.234,5" is "1234.5" wherever it is written; "1.234" is a fraction in English and a thousand in Italian.
pub(super) fn plain_number(number: &str, lang: Lang) -> String {
    let group = if lang.writes_comma() { '.' } else { ',' };
    let marks: Vec<char> = number.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    let (Some(first), Some(last)) = (marks.first(), marks.last()) else {
        return number.to_owned();
    };
    let mut parts = number.split(['.', ',']);
    let leading = parts.next().unwrap_or_default();
    let leads = (1..=3).contains(&leading.len()) && leading != "0";
    let in_threes = leads && parts.all(|part| part.len() == 3);
    let all_group = marks.iter().all(|mark| mark == first) && in_threes && (marks.len() > 1 || *last == group);
    if all_group {
        return number.replace(['.', ','], "");
    }
    let (whole, fraction) = number.rsplit_once(*last).unwrap_or((number, ""));
    // What is no number in any language stays as it is, and cannot be read.
    if whole.contains(*last) {
        return number.to_owned();
    }
    format!("{}.{fraction}", whole.replace(['.', ','], ""))
}

/// "80 + 10%" is a tenth more than 80, as on every pocket calculator: the expressions of the crate would add 0.1.
fn with_shares(expression: &str) -> String {
    let parts = expression.trim_end().strip_suffix('%').and_then(|head| {
        let head = head.trim_end();
        let start = head
            .trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
            .len();
        let (before, share) = head.split_at(start);
        let before = before.trim_end();
        let sign = before.chars().last().filter(|sign| matches!(sign, '+' | '-' | '−'))?;
        let whole = before.strip_suffix(sign)?.trim_end();
        let is_share = whole
            .strip_suffix('%')
            .is_some_and(|of| of.trim().parse::<f64>().is_ok());
        let is_value = whole.ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, ')' | '%'));
        (is_value && !is_share && !share.is_empty()).then(|| (whole.to_owned(), sign, share.to_owned()))
    });
    match parts {
        Some((whole, sign, share)) => format!("({}) * (1 {sign} {share}/100)", with_shares(&whole)),
        None => expression.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::executors::CallContext;

    fn run(expression: &str, lang: Lang) -> Result<String, String> {
        let context = CallContext {
            lang,
            ..CallContext::in_folder(Path::new("/tmp"))
        };
        let call = Call {
            password: None,
            args: object(json!({"expression": expression})),
            context,
        };
        let key = |error: ToolError| error.message.key.to_string();
        compute_numbers(&call)
            .map_err(key)
            .map(|result| result.body["text"].as_str().unwrap().to_owned())
    }

    #[test]
    fn expressions_have_the_value_they_have_on_paper() {
        let mut wrong = Vec::new();
        for (expression, lang, expected) in [
            ("2+2", Lang::EN, "4"),
            ("12 * 3.5", Lang::EN, "42"),
            ("0.1 + 0.2", Lang::EN, "0.3"),
            ("1/3", Lang::IT, "0,3333"),
            ("1/3000", Lang::EN, "0.0003333"),
            ("2 / 3", Lang::EN, "0.6667"),
            ("15% of 80", Lang::EN, "12"),
            ("80 + 10%", Lang::EN, "88"),
            ("100 - 20% - 10%", Lang::EN, "72"),
            ("10% + 5%", Lang::EN, "15 %"),
            ("12,5 * 3", Lang::IT, "37,5"),
            ("1.500 + 1", Lang::IT, "1501"),
            ("1.500 + 1", Lang::EN, "2.5"),
            ("1,500 + 1", Lang::EN, "1501"),
            ("1.234.567,5 * 2", Lang::IT, "2469135"),
            ("3.5 * 2", Lang::IT, "7"),
            ("sqrt 16", Lang::EN, "4"),
            ("( 2 + 3 )^2", Lang::EN, "25"),
            ("2 km to mi", Lang::EN, "1.2427 mi"),
            ("350 °F to °C", Lang::IT, "176,6667 °C"),
            ("3 ft 2 inch to cm", Lang::EN, "96.52 cm"),
            ("1 l to cup", Lang::EN, "4.2268 cups"),
            ("100 km/h to mph", Lang::EN, "62.1371 mph"),
            ("1 week to min", Lang::EN, "10080 mins"),
            ("2^100", Lang::EN, "1267650600228229401496703205376"),
        ] {
            let found = run(expression, lang);
            if found.as_deref() != Ok(expected) {
                wrong.push(format!("{expression}: {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn what_cannot_be_computed_says_so() {
        let mut wrong = Vec::new();
        let deep = "(".repeat(EXPRESSION_CHARS_MAX);
        let signs = "-".repeat(EXPRESSION_CHARS_MAX);
        let long = "1+".repeat(EXPRESSION_CHARS_MAX);
        for (expression, key) in [
            ("5 / 0", "executors-number-zero"),
            ("9^9^9", "executors-number-too-much"),
            ("10^200", "executors-number-too-much"),
            (long.as_str(), "executors-number-too-much"),
            ("", "executors-number-unreadable"),
            ("two plus", "executors-number-unreadable"),
            ("5 kg to km", "executors-number-unreadable"),
            ("10 EUR to USD", "executors-number-unreadable"),
            ("random", "executors-number-unreadable"),
            ("today", "executors-number-unreadable"),
            ("true", "executors-number-unreadable"),
            ("1.2.3", "executors-number-unreadable"),
            ("(\\x. x x) (\\x. x x)", "executors-number-unreadable"),
            ("a = 3", "executors-number-unreadable"),
            (deep.as_str(), "executors-number-unreadable"),
            (signs.as_str(), "executors-number-unreadable"),
        ] {
            let found = run(expression, Lang::EN);
            if found != Err(key.to_owned()) {
                wrong.push(format!("{expression}: {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
