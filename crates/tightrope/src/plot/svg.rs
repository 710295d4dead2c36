//! The picture as an SVG image: one file, readable on white paper and 400 pixels wide.

use super::{Bar, Picture, bars, cumulative, profile};
use crate::amount::grouped;
use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::combinators::BindKeyPoints;
use plotters::coord::ranged1d::Ranged;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use tightrope_search::{Histogram, LevelWidths};

/// Its width; texts of this size are twelve pixels high where it is shown 400 pixels wide.
const WIDTH: u32 = 720;
const TEXT: u32 = 21;
const TITLE: u32 = 24;
/// The heights of its parts.
const HEAD: u32 = 48;
const CHART: u32 = 320;
const BAR: u32 = 29;
const NOTE: u32 = 130;
const NOTE_LINE: u32 = 28;
const NOTE_CHARACTERS: usize = 60;
/// Columns of the profile of levels, and points of a line.
const POINTS: usize = 300;

const BLUE: RGBColor = RGBColor(0x2b, 0x6c, 0xa3);
const GREY: RGBColor = RGBColor(0xc8, 0xc8, 0xc8);
const FONT: &str = "sans-serif";
const NO_MEMORY: &str = "there was no memory to count how far transitions go back";

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
/// Drawing into memory fails only if a coordinate is no number.
type Drawn<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Draws the picture. The error is a sentence.
pub fn svg(picture: &Picture<'_>) -> Result<String, String> {
    let mut image = String::new();
    draw(picture, &mut image).map_err(|why| format!("error: the picture cannot be drawn: {why}"))?;
    Ok(image)
}

fn draw(picture: &Picture<'_>, image: &mut String) -> Drawn {
    let counted = match &picture.locality {
        Ok(locality) => {
            let histogram = locality.histogram.as_ref();
            histogram.map(|histogram| (histogram, bars(histogram, locality.loops))).ok_or(NO_MEMORY)
        }
        Err(why) => Err(why.as_str()),
    };
    let widths = picture.level_widths.filter(|widths| !widths.is_empty());
    let goes_back = counted.as_ref().is_ok_and(|(histogram, _)| histogram.back_edges().is_some());
    let heights = [
        HEAD,
        if widths.is_some() { CHART } else { NOTE },
        counted.as_ref().map_or(NOTE, |(_, bars)| 90 + bars.len() as u32 * BAR),
        if goes_back { CHART } else { 0 },
    ];
    let height = heights.iter().sum();
    let root = SVGBackend::with_string(image, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let (head, rest) = root.split_vertically(heights[0]);
    let (levels, rest) = rest.split_vertically(heights[1]);
    let (spans, lengths) = rest.split_vertically(heights[2]);
    draw_title(&head, &picture.title, (FONT, TITLE + 2).into_font().style(FontStyle::Bold), 12)?;
    match widths {
        Some(widths) => draw_levels(&levels, widths)?,
        None => draw_note(&levels, "there was no memory for the states of every level")?,
    }
    match counted {
        Ok((histogram, bars)) => {
            draw_spans(&spans, &bars)?;
            if goes_back {
                draw_lengths(&lengths, histogram)?;
            }
        }
        Err(why) => draw_note(&spans, why)?,
    }
    root.present()?;
    Ok(())
}

/// A line of text at the left.
fn draw_title(area: &Area<'_>, text: &str, font: FontDesc<'_>, top: i32) -> Drawn {
    area.draw(&Text::new(text.to_string(), (16, top), font.color(&BLACK)))?;
    Ok(())
}

/// A sentence, in lines of the width of the image.
fn draw_note(area: &Area<'_>, text: &str) -> Drawn {
    for (number, line) in lines(text).iter().enumerate() {
        draw_title(area, line, (FONT, TEXT).into_font(), 12 + (number as u32 * NOTE_LINE) as i32)?;
    }
    Ok(())
}

/// A text in lines of at most so many characters, where its words allow it.
fn lines(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= NOTE_CHARACTERS {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.into());
        }
    }
    lines
}

fn caption() -> FontDesc<'static> {
    (FONT, TITLE).into_font()
}

/// A chart with room for its title and its labels.
fn with_margins<'a, 's>(area: &'a Area<'s>) -> ChartBuilder<'a, 'static, SVGBackend<'s>> {
    let mut chart = ChartBuilder::on(area);
    chart.margin_top(42).margin_bottom(18).margin_right(28).x_label_area_size(60).y_label_area_size(96);
    chart
}

/// A mesh with grey lines across the chart and none upwards.
fn with_lines<'m, 'a, 'b, 's, X: Ranged, Y: Ranged>(
    mesh: &'m mut MeshStyle<'a, 'b, X, Y, SVGBackend<'s>>,
) -> &'m mut MeshStyle<'a, 'b, X, Y, SVGBackend<'s>> {
    mesh.disable_x_mesh().light_line_style(TRANSPARENT).bold_line_style(GREY).axis_style(BLACK);
    mesh.label_style((FONT, TEXT)).axis_desc_style((FONT, TEXT))
}

/// How many states each level has.
fn draw_levels(area: &Area<'_>, widths: &LevelWidths) -> Drawn {
    draw_title(area, "states per level", caption(), 6)?;
    let profile = profile(widths, POINTS);
    let (levels, top) = (widths.len() as f64, widths.widest().max(1) as f64);
    let mut chart = with_margins(area).build_cartesian_2d(0.0..levels, 0.0..top * 1.05)?;
    with_lines(&mut chart.configure_mesh())
        .x_desc("level")
        .x_labels(6)
        .y_labels(5)
        .x_label_formatter(&|&level| short(level))
        .y_label_formatter(&|&states| short(states))
        .draw()?;
    // A step for every column: levels are not joined by slopes that mean nothing.
    let step = levels / profile.len() as f64;
    let mut outline = vec![(0.0, 0.0)];
    for (column, &width) in profile.iter().enumerate() {
        outline.extend([(column as f64 * step, width as f64), ((column + 1) as f64 * step, width as f64)]);
    }
    outline.push((levels, 0.0));
    chart.draw_series(std::iter::once(Polygon::new(outline, BLUE.filled())))?;
    Ok(())
}

/// How many transitions span how many levels: bars from left to right, on a logarithmic scale.
fn draw_spans(area: &Area<'_>, bars: &[Bar]) -> Drawn {
    draw_title(area, "transitions by the levels they span", caption(), 6)?;
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(1).max(10) as f64;
    // The longest label, at about two thirds of its height for each character.
    let label = bars.iter().map(|bar| bar.label.chars().count() as i32).max().unwrap_or(1);
    let left = (28 + label * (TEXT as i32 * 13 / 20)).max(60);
    let (right, top) = (WIDTH as i32 - 130, 42);
    let bottom = top + (bars.len() as u32 * BAR) as i32;
    // A single transition is to be seen as well: its bar is as long as that of 1 after a fifth of a decade.
    let place = |count: f64| left + ((count.log10() + 0.2) / (most.log10() + 0.2) * f64::from(right - left)) as i32;
    let text = |horizontal, vertical| {
        TextStyle::from((FONT, TEXT).into_font()).color(&BLACK).pos(Pos::new(horizontal, vertical))
    };
    let every = (most.log10() / 5.0).ceil() as i32;
    for power in (0..=most.log10() as i32).step_by(every.max(1) as usize) {
        let (count, x) = (10f64.powi(power), place(10f64.powi(power)));
        area.draw(&PathElement::new(vec![(x, top), (x, bottom)], GREY))?;
        area.draw(&Text::new(short(count), (x, bottom + 6), text(HPos::Center, VPos::Top)))?;
    }
    for (number, bar) in bars.iter().enumerate() {
        let upper = top + (number as u32 * BAR) as i32;
        let middle = upper + BAR as i32 / 2;
        area.draw(&Text::new(bar.label.clone(), (left - 10, middle), text(HPos::Right, VPos::Center)))?;
        let end = if bar.count > 0 { place(bar.count as f64) } else { left };
        area.draw(&Rectangle::new([(left, upper + 4), (end, upper + BAR as i32 - 4)], BLUE.filled()))?;
        let count = grouped(bar.count);
        area.draw(&Text::new(count, (end + 8, middle), text(HPos::Left, VPos::Center)))?;
    }
    area.draw(&PathElement::new(vec![(left, top), (left, bottom)], BLACK))?;
    Ok(())
}

/// Which share of the transitions that go back goes back by how many levels at most.
fn draw_lengths(area: &Area<'_>, histogram: &Histogram) -> Drawn {
    draw_title(area, "back edges that go no further, in %", caption(), 6)?;
    let points = cumulative(histogram, POINTS as f64);
    let longest = points.last().map_or(1, |&(length, _)| length);
    let mut chart = with_margins(area).build_cartesian_2d(
        (1.0..(longest.max(2) as f64 * 1.1)).log_scale().with_key_points(ticks(longest)),
        0.0..102.0,
    )?;
    with_lines(&mut chart.configure_mesh())
        .x_desc("levels back")
        .x_labels(10)
        .y_labels(6)
        .x_label_formatter(&|&length| short(length))
        .y_label_formatter(&|&share| format!("{share:.0}"))
        .draw()?;
    let mut line = vec![(1.0, 0.0)];
    let mut before = 0.0;
    for (length, share) in points {
        line.extend([(length as f64, before), (length as f64, share)]);
        before = share;
    }
    chart.draw_series(std::iter::once(PathElement::new(line, BLUE.stroke_width(3))))?;
    Ok(())
}

/// The numbers on a logarithmic scale from 1 on: some of every decade where there are few decades.
fn ticks(last: u64) -> Vec<f64> {
    let of_decade: &[f64] = if last < 300 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let decades = (0..=last.max(2).ilog10() as i32).map(|power| 10f64.powi(power));
    let ticks = decades.flat_map(|decade| of_decade.iter().map(move |tick| tick * decade));
    ticks.filter(|&tick| tick <= last.max(2) as f64).collect()
}

/// A number in few characters.
fn short(number: f64) -> String {
    let (scaled, unit) = match number {
        1e9.. => (number / 1e9, "G"),
        1e6.. => (number / 1e6, "M"),
        1e4.. => (number / 1e3, "k"),
        _ => (number, ""),
    };
    let text = format!("{scaled:.1}");
    format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
}
