//! The frame of the page that describes a data set: one self-contained page, light and dark,
//! narrow and wide, on screen and on paper.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fdfdfb; --quiet: #5c6370; --line: #d9d9d2;
  --good: #1a7f4b; --bad: #b3261e; --note: #f2f1ea; --accent: #1f6fb4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e4df; --paper: #16181b; --quiet: #9aa1ab;
  --line: #33373d; --good: #58c48b; --bad: #ff8a80; --note: #1f2226; --accent: #7ab6ea; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.2rem 4rem; max-width: 70rem; background: var(--paper);
  color: var(--ink); font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.3rem; margin: 2.6rem 0 .6rem; padding-top: .8rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
p { margin: .5rem 0; max-width: 46rem; }
.quiet, figcaption { color: var(--quiet); font-size: .92rem; }
a { color: var(--accent); }
.scroll { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: .28rem .55rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--quiet); font-weight: 600; text-align: right; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
td.text, th.text { text-align: left; white-space: normal; min-width: 14rem; }
code, pre, .mono { font: .88rem/1.45 ui-monospace, 'DejaVu Sans Mono', Menlo, monospace; }
pre { overflow-x: auto; background: var(--note); padding: .8rem 1rem; border-radius: 6px; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.box { background: var(--note); border-left: 4px solid var(--good); padding: .6rem 1rem; margin: 1rem 0; border-radius: 0 6px 6px 0; }
.box.alarm { border-color: var(--bad); }
figure { margin: 1rem 0 1.6rem; } figure svg { width: 100%; min-width: 36rem; height: auto; display: block; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: .88rem; margin: .3rem 0; padding: 0; list-style: none; }
.legend i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
nav ol { columns: 2; font-size: .95rem; } 
@media (max-width: 40rem) { body { padding: 1.2rem .9rem 3rem; font-size: 15px; } nav ol { columns: 1; } h1 { font-size: 1.5rem; } }
@media print { :root { --ink: #000; --paper: #fff; --quiet: #444; --line: #bbb; --note: #f4f4f4; }
  body { max-width: none; padding: 0; font-size: 10.5pt; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; } figure svg { min-width: 0; } .scroll { overflow: visible; } }
";

/// A whole page. Nothing in it is loaded from anywhere.
pub fn page(title: &str, body: Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
    .into_string()
}

/// A chart with its legend and a line on what to see in it.
pub fn figure(svg: &str, legend: &[String], caption: &str) -> Markup {
    html! {
        figure {
            div.scroll { (PreEscaped(svg)) }
            @if !legend.is_empty() {
                ul.legend {
                    @for (nth, name) in legend.iter().enumerate() {
                        li { i style={ "background:" (planoku_workbench::chart::colour(nth)) } {} (name) }
                    }
                }
            }
            figcaption { (caption) }
        }
    }
}
