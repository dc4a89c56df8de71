//! Charts as SVG, for pages in light and dark.
//!
//! The plotting library writes colours into the picture. Ink and grid are
//! drawn in two colours nobody uses otherwise and replaced afterwards by
//! `currentColor`, so that the page decides; the series' colours are of a
//! middling lightness that reads on both grounds.

use std::cell::Cell;

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The colour that becomes the page's ink.
const INK: RGBColor = RGBColor(1, 2, 3);
/// The colour that becomes faint ink.
const FAINT: RGBColor = RGBColor(3, 2, 1);

const SIZE: (u32, u32) = (860, 400);

/// Colours that can be told apart, also by most who see fewer colours.
const PALETTE: [RGBColor; 10] = [
    RGBColor(31, 119, 180),
    RGBColor(230, 120, 30),
    RGBColor(60, 160, 75),
    RGBColor(205, 70, 75),
    RGBColor(145, 105, 200),
    RGBColor(150, 110, 90),
    RGBColor(215, 110, 180),
    RGBColor(125, 130, 135),
    RGBColor(165, 165, 40),
    RGBColor(40, 165, 185),
];

/// The colour of the nth series, as CSS writes it.
pub fn colour(nth: usize) -> String {
    let RGBColor(r, g, b) = PALETTE[nth % PALETTE.len()];
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// What a chart shows along its axes.
pub struct Axes<'a> {
    /// Below.
    pub x: &'a str,
    /// At the left.
    pub y: &'a str,
    /// What the picture shows, for those who cannot see it.
    pub describe: &'a str,
}

/// How many are done after how long: one rising line per series. Times in
/// seconds, on a logarithmic axis.
pub fn survival(axes: &Axes<'_>, series: &[Vec<f64>]) -> String {
    let all = || series.iter().flatten().copied().filter(|t| *t > 0.0);
    let (low, high) = log_range(all());
    let most = series.iter().map(Vec::len).max().unwrap_or(0).max(1) as f64;
    draw(axes, |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d((low..high).log_scale(), 0.0..most * 1.04)?;
        let steps = (most as usize).min(10) + 1;
        mesh(&mut chart, axes, steps, &|x| short_time(*x), &|y| {
            format!("{y:.0}")
        })?;
        for (nth, times) in series.iter().enumerate() {
            let mut times: Vec<f64> = times.iter().map(|t| t.max(low)).collect();
            times.sort_by(f64::total_cmp);
            let mut line = vec![(low, 0.0)];
            for (index, time) in times.iter().enumerate() {
                line.push((*time, index as f64));
                line.push((*time, index as f64 + 1.0));
            }
            if !times.is_empty() {
                line.push((high, times.len() as f64));
            }
            let style = PALETTE[nth % PALETTE.len()].stroke_width(2);
            chart.draw_series(LineSeries::new(line, style))?;
        }
        Ok(())
    })
}

/// Points of one or more series; both axes logarithmic.
pub fn scatter(axes: &Axes<'_>, series: &[Vec<(f64, f64)>]) -> String {
    let points = || series.iter().flatten();
    let (left, right) = log_range(points().map(|p| p.0));
    let (low, high) = log_range(points().map(|p| p.1));
    draw(axes, |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d((left..right).log_scale(), (low..high).log_scale())?;
        mesh(&mut chart, axes, 6, &|x| short_count(*x), &|y| {
            short_count(*y)
        })?;
        for (nth, points) in series.iter().enumerate() {
            let colour = PALETTE[nth % PALETTE.len()];
            chart.draw_series(points.iter().map(|&(x, y)| {
                Circle::new((x.max(left), y.max(low)), 3, colour.mix(0.75).filled())
            }))?;
        }
        Ok(())
    })
}

/// One box with whiskers per row: least, quartiles, most; in seconds, on a
/// logarithmic axis, first row on top.
pub fn boxes(axes: &Axes<'_>, rows: &[(String, [f64; 5])]) -> String {
    let (low, high) = log_range(rows.iter().flat_map(|(_, five)| *five));
    let count = rows.len().max(1);
    let height = 70 + 24 * count as u32;
    draw_sized(axes, (SIZE.0, height), |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(150)
            .build_cartesian_2d((low..high).log_scale(), 0.0..count as f64)?;
        row_mesh(&mut chart, axes, short_time)?;
        for (index, (name, five)) in rows.iter().enumerate() {
            let y = count as f64 - index as f64 - 0.5;
            let [least, lower, median, upper, most] = five.map(|t| t.max(low));
            let colour = PALETTE[index % PALETTE.len()];
            let label = Text::new(
                name.clone(),
                (low, y),
                ("sans-serif", 13)
                    .into_font()
                    .color(&INK)
                    .pos(Pos::new(HPos::Right, VPos::Center)),
            );
            let line = |x0, x1, width| {
                PathElement::new(vec![(x0, y), (x1, y)], colour.stroke_width(width))
            };
            chart.draw_series([line(least, most, 1)])?;
            chart.draw_series([line(lower, upper, 9)])?;
            chart.draw_series([PathElement::new(
                vec![(median, y - 0.32), (median, y + 0.32)],
                INK.stroke_width(2),
            )])?;
            chart.plotting_area().draw(&label)?;
        }
        Ok(())
    })
}

/// Lines behind rows that write their own names, the axis below labelled.
fn row_mesh<B: DrawingBackend>(
    chart: &mut ChartContext<'_, B, Cartesian2d<LogCoord<f64>, RangedCoordf64>>,
    axes: &Axes<'_>,
    label: fn(f64) -> String,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    // The axis names a power of ten twice: where a decade ends and where the
    // next one begins.
    let before = Cell::new(f64::NAN);
    let labelled = |x: &f64| {
        let again = (x / before.replace(*x) - 1.0).abs() < 1e-6;
        match is_round(*x) && !again {
            true => label(*x),
            false => String::new(),
        }
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .x_desc(axes.x)
        .axis_style(INK)
        .bold_line_style(FAINT)
        .light_line_style(TRANSPARENT)
        .label_style(("sans-serif", 13).into_font().color(&INK))
        .x_label_formatter(&labelled)
        .y_labels(0)
        .draw()
}

/// True for 1, 2 and 5 times a power of ten: enough labels for a logarithmic
/// axis, and none that touch.
fn is_round(x: f64) -> bool {
    let leading = x / 10f64.powf(x.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .iter()
        .any(|round| (leading - round).abs() < 1e-6)
}

/// One bar per row with its count at the end, on a logarithmic axis, first row
/// on top.
pub fn bars(axes: &Axes<'_>, rows: &[(String, f64)]) -> String {
    let (low, high) = log_range(rows.iter().map(|(_, count)| *count));
    let rows_drawn = rows.len().max(1);
    let height = 70 + 22 * rows_drawn as u32;
    draw_sized(axes, (SIZE.0, height), |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(14)
            .margin_right(60)
            .x_label_area_size(44)
            .y_label_area_size(190)
            .build_cartesian_2d((low..high).log_scale(), 0.0..rows_drawn as f64)?;
        row_mesh(&mut chart, axes, short_count)?;
        for (index, (name, count)) in rows.iter().enumerate() {
            let y = rows_drawn as f64 - index as f64 - 0.5;
            let end = count.max(low);
            let style = PALETTE[index % PALETTE.len()].stroke_width(11);
            chart.draw_series([PathElement::new(vec![(low, y), (end, y)], style)])?;
            let written = |text: String, x: f64, side: HPos| {
                let font = ("sans-serif", 13).into_font().color(&INK);
                Text::new(text, (x, y), font.pos(Pos::new(side, VPos::Center)))
            };
            let area = chart.plotting_area();
            area.draw(&written(format!("{name} "), low, HPos::Right))?;
            area.draw(&written(
                format!("  {}", short_count(*count)),
                end,
                HPos::Left,
            ))?;
        }
        Ok(())
    })
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(axes: &Axes<'_>, body: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    draw_sized(axes, SIZE, body)
}

fn draw_sized(axes: &Axes<'_>, size: (u32, u32), body: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        if let Err(error) = body(&root).and_then(|()| Ok(root.present()?)) {
            // Writing to a string does not fail; an empty range might.
            return format!("<p>no chart: {error}</p>");
        }
    }
    // The library writes size and view box itself.
    let head = format!(
        "<svg role=\"img\" aria-label=\"{}\" ",
        axes.describe.replace('"', "&quot;")
    );
    svg.replacen("<svg ", &head, 1)
        .replace("#010203", "currentColor")
        .replace(
            "stroke=\"#030201\"",
            "stroke=\"currentColor\" stroke-opacity=\"0.18\"",
        )
}

fn mesh<X, Y>(
    chart: &mut ChartContext<'_, SVGBackend<'_>, Cartesian2d<X, Y>>,
    axes: &Axes<'_>,
    y_labels: usize,
    x_label: &dyn Fn(&f64) -> String,
    y_label: &dyn Fn(&f64) -> String,
) -> Drawn
where
    X: Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
{
    chart
        .configure_mesh()
        .x_desc(axes.x)
        .y_desc(axes.y)
        .axis_style(INK)
        .bold_line_style(FAINT)
        .light_line_style(TRANSPARENT)
        .label_style(("sans-serif", 13).into_font().color(&INK))
        .x_labels(6)
        .y_labels(y_labels)
        .x_label_formatter(x_label)
        .y_label_formatter(y_label)
        .draw()?;
    Ok(())
}

/// A range that holds everything positive, with a little air.
fn log_range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let positive = values.filter(|value| *value > 0.0);
    let (low, high) = positive.fold((f64::INFINITY, 0.0f64), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    if high <= 0.0 {
        (0.1, 1.0)
    } else {
        (low * 0.7, (high * 1.4).max(low * 10.0))
    }
}

/// `340 ns`, `12 µs`, `1.5 s`.
pub fn short_time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", three_digits(value))
}

/// `950`, `12k`, `4.3M`.
pub fn short_count(count: f64) -> String {
    let (value, unit) = match count {
        n if n < 1e3 => (n, ""),
        n if n < 1e6 => (n / 1e3, "k"),
        n if n < 1e9 => (n / 1e6, "M"),
        n => (n / 1e9, "G"),
    };
    format!("{}{unit}", three_digits(value))
}

fn three_digits(value: f64) -> String {
    let digits = match value {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labels_of_a_logarithmic_axis_are_round_and_stand_once() {
        let axes = Axes {
            x: "",
            y: "",
            describe: "",
        };
        let svg = bars(
            &axes,
            &[("a".into(), 477_000.0), ("b".into(), 14_400_000.0)],
        );
        let labels = |text: &str| svg.lines().filter(|line| *line == text).count();
        for round in ["1M", "2M", "5M", "10M", "20M"] {
            assert_eq!(labels(round), 1, "{round}: {svg}");
        }
        assert_eq!(labels("3M") + labels("9M"), 0, "{svg}");
    }

    #[test]
    fn times_and_counts_are_short() {
        for (seconds, text) in [
            (3.4e-7, "340 ns"),
            (1.25e-5, "12.5 µs"),
            (0.5, "500 ms"),
            (61.0, "61 s"),
        ] {
            assert_eq!(short_time(seconds), text);
        }
        for (count, text) in [(950.0, "950"), (12_345.0, "12.3k"), (4_300_000.0, "4.3M")] {
            assert_eq!(short_count(count), text);
        }
    }

    #[test]
    fn charts_leave_their_ink_to_the_page() {
        let axes = Axes {
            x: "time",
            y: "puzzles",
            describe: "a \"test\"",
        };
        for svg in [
            survival(&axes, &[vec![0.1, 0.2, 1.0], vec![]]),
            scatter(&axes, &[vec![(1.0, 10.0), (5.0, 0.0)]]),
            boxes(&axes, &[("native".into(), [0.1, 0.2, 0.3, 0.4, 0.5])]),
        ] {
            assert!(
                svg.starts_with("<svg") && svg.contains("currentColor"),
                "{svg}"
            );
            assert!(!svg.contains("#010203") && svg.contains("a &quot;test&quot;"));
        }
    }

    #[test]
    fn nothing_to_show_is_still_a_picture() {
        let axes = Axes {
            x: "",
            y: "",
            describe: "",
        };
        assert!(survival(&axes, &[]).starts_with("<svg"));
        assert!(boxes(&axes, &[]).starts_with("<svg"));
    }
}
