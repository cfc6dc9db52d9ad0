"""How a report looks, on a light page and on a dark one."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c2126; --soft: #5a6572; --line: #dfe3e8;
  --page: #f7f8f9; --card: #ffffff; --accent: #2f7fd0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --soft: #9aa5b1; --line: #313941; --page: #14181c;
    --card: #1b2025; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue",
    Arial, sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.1rem; margin: 0 0 .8rem; }
header p { margin: 0; color: var(--soft); }
code { font: .92em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
section, .film { background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; padding: 1.1rem 1.25rem; margin: 1.1rem 0 0; }
section p { margin: 0 0 .8rem; color: var(--soft); }
section.note p { margin: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr));
  gap: .8rem; list-style: none; margin: 1.6rem 0 0; padding: 0; }
.cards li { background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; padding: .8rem 1rem; }
.cards b { display: block; font-size: 1.6rem; font-weight: 650; line-height: 1.25;
  font-variant-numeric: tabular-nums; }
.cards span { color: var(--soft); font-size: .86rem; }
figure { margin: 0; }
figure svg { display: block; width: 100%; height: auto; }
figure svg text { font-family: inherit !important; }
img { display: block; width: 100%; height: auto; border-radius: 6px; }
.film { padding: 0 0 .7rem; overflow: hidden; }
.film img { border-radius: 0; }
.film figcaption { padding: 0 1.25rem; }
.strip { margin: 1.1rem 0 0; }
figcaption { color: var(--soft); font-size: .88rem; margin-top: .6rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem;
  font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: .32rem .8rem .32rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
td:first-child { white-space: nowrap; }
td:nth-child(2) { overflow-wrap: anywhere; }
.numbers td:nth-child(2) { white-space: nowrap; text-align: right; }
.numbers td:nth-child(3) { color: var(--soft); }
details { margin-top: .5rem; }
summary { cursor: pointer; color: var(--accent); }
@media (max-width: 40rem) {
  main { padding: 1.5rem .8rem 3rem; }
  section { padding: 1rem .9rem; }
  td { overflow-wrap: anywhere; }
  td:first-child { white-space: normal; }
  .numbers table, .numbers tbody { display: block; }
  .numbers tr { display: grid; grid-template-columns: 1fr auto; gap: 0 .8rem;
    padding: .4rem 0; border-bottom: 1px solid var(--line); }
  .numbers td { border-bottom: 0; padding: 0; }
  .numbers td:nth-child(2) { white-space: normal; }
  .numbers td:nth-child(3) { grid-column: 1 / -1; }
}
"""
