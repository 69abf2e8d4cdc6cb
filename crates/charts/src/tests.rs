//! Charts, looked at: what is drawn has the lengths and shares of its numbers, and what cannot be drawn is refused.

use super::*;

fn chart(form: Form, values: &[f64]) -> Chart {
    let points = values.iter().enumerate().map(|(at, value)| Point {
        label: format!("n{at}"),
        value: *value,
        at: at as f64,
    });
    Chart {
        title: "euro by day".to_owned(),
        form,
        points: points.collect(),
    }
}

fn say(value: f64, places: usize) -> String {
    format!("{value:.places$}")
}

/// Width, height and the pixels of a PNG file.
fn seen(chart: &Chart) -> (u32, u32, Vec<u8>) {
    let bytes = draw(chart, &say).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels)
}

fn count(pixels: &[u8], color: [u8; 3]) -> usize {
    pixels.chunks(3).filter(|pixel| **pixel == color).count()
}

const BLUE: [u8; 3] = [0, 114, 178];
const ORANGE: [u8; 3] = [230, 159, 0];
const RED: [u8; 3] = [213, 94, 0];

#[test]
fn bars_are_as_long_as_their_numbers() {
    let (_, height, pixels) = seen(&chart(Form::Bars, &[10.0, 20.0, 40.0]));
    let (width, blue) = (1_000 * 3, |row: usize, pixels: &[u8]| {
        count(&pixels[row * 3_000..(row + 1) * 3_000], BLUE)
    });
    assert_eq!(pixels.len(), width * height as usize);
    let lengths: Vec<usize> = [84, 122, 160].iter().map(|row| blue(*row, &pixels)).collect();
    let share = |at: usize| lengths[at] as f64 / lengths[2] as f64;
    assert!(lengths[2] > 300, "{lengths:?}");
    assert!(
        (share(0) - 0.25).abs() < 0.02 && (share(1) - 0.5).abs() < 0.02,
        "{lengths:?}"
    );
}

#[test]
fn what_is_below_nothing_goes_the_other_way() {
    let (.., pixels) = seen(&chart(Form::Bars, &[10.0, -10.0]));
    let (above, below) = (count(&pixels, BLUE) as f64, count(&pixels, RED) as f64);
    assert!(below > 1_000.0 && (above / below - 1.0).abs() < 0.03, "{above} {below}");
}

#[test]
fn shares_have_their_part_of_the_circle() {
    let (.., pixels) = seen(&chart(Form::Shares, &[75.0, 25.0]));
    let (three, one) = (count(&pixels, BLUE) as f64, count(&pixels, ORANGE) as f64);
    assert!((three / one - 3.0).abs() < 0.1, "{three} {one}");
}

#[test]
fn a_line_goes_through_its_points() {
    let (.., pixels) = seen(&chart(Form::Lines, &[0.0, 100.0, 0.0]));
    let rows = |column: usize| -> Vec<usize> {
        let is_blue = |row: &usize| pixels[(row * 1_000 + column) * 3..][..3] == BLUE;
        (0..640).filter(is_blue).collect()
    };
    let middle = (0..1_000)
        .filter(|column| !rows(*column).is_empty())
        .collect::<Vec<_>>();
    let peak = (middle[0] + middle[middle.len() - 1]) / 2;
    assert!(rows(peak)[0] < 80, "{:?}", rows(peak));
    assert!(rows(middle[0])[0] > 570, "{:?}", rows(middle[0]));
}

#[test]
fn letters_are_there_for_both_languages_and_the_euro() {
    let plain = chart(Form::Bars, &[1.0]);
    let title = |title: &str| {
        let (.., pixels) = seen(&Chart {
            title: title.to_owned(),
            ..plain.clone()
        });
        pixels
    };
    let unknown = title("?");
    for letter in "àèéìòùÀÈ€ßñ'’".chars() {
        let drawn = title(&letter.to_string());
        assert!(drawn != unknown && drawn != title(" "), "{letter}");
    }
    assert!(title("字") == unknown);
}

#[test]
fn numbers_of_any_size_are_drawn() {
    for values in [
        &[0.0][..],
        &[5.0],
        &[-3.0, -3.0],
        &[1e300, 2e300],
        &[f64::MAX, f64::MIN],
        &[1e-300, 2e-300],
        &[0.0, 0.0, 0.0],
    ] {
        for form in [Form::Bars, Form::Lines] {
            assert!(draw(&chart(form, values), &say).is_ok(), "{form:?} {values:?}");
        }
    }
    assert!(draw(&chart(Form::Lines, &vec![1.0; POINTS_MAX]), &say).is_ok());
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    for (form, values, why) in [
        (Form::Bars, &[][..], Undrawn::Empty),
        (Form::Bars, &[1.0; BARS_MAX + 1], Undrawn::TooMany),
        (Form::Shares, &[1.0; SHARES_MAX + 1], Undrawn::TooMany),
        (Form::Shares, &[1.0, -1.0], Undrawn::Negative),
        (Form::Shares, &[0.0, 0.0], Undrawn::Nothing),
        (Form::Lines, &[f64::NAN], Undrawn::Infinite),
    ] {
        assert_eq!(draw(&chart(form, values), &say), Err(why), "{form:?}");
    }
}
