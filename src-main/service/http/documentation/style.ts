/** The style of the pages, in the colours of the window (`src-renderer/style/tokens.css`). */
export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(oklch(1 0 0), oklch(0.212 0.006 60));
  --side: light-dark(oklch(0.967 0.006 75), oklch(0.178 0.006 60));
  --sunken: light-dark(oklch(0.967 0.004 75), oklch(0.172 0.006 60));
  --line: light-dark(oklch(0.905 0.007 75), oklch(0.315 0.008 60));
  --text: light-dark(oklch(0.24 0.012 60), oklch(0.925 0.006 75));
  --text-muted: light-dark(oklch(0.475 0.014 60), oklch(0.735 0.01 70));
  --accent-text: light-dark(oklch(0.47 0.13 250), oklch(0.78 0.095 245));
  --accent-soft: light-dark(oklch(0.925 0.03 245), oklch(0.325 0.045 250));
  --focus: light-dark(oklch(0.5 0.16 250), oklch(0.77 0.12 245));
  --ember: light-dark(oklch(0.575 0.165 38), oklch(0.7 0.155 45));
  --danger: light-dark(oklch(0.505 0.185 25), oklch(0.76 0.125 22));
  --warning: light-dark(oklch(0.46 0.095 70), oklch(0.83 0.11 80));
  --success: light-dark(oklch(0.5 0.11 150), oklch(0.76 0.13 150));
}
* { box-sizing: border-box; scrollbar-color: var(--line) transparent; scrollbar-width: thin; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', 'Noto Sans', Ubuntu, Cantarell, 'Helvetica Neue', sans-serif;
}
a { color: var(--accent-text); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -999px; background: var(--page); padding: .5rem 1rem; z-index: 1; }
.skip:focus { left: .5rem; top: .5rem; }
header {
  display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.25rem;
  padding: .75rem 1.5rem; background: var(--side); border-bottom: 1px solid var(--line);
}
.brand { color: var(--text); font-weight: 700; font-size: 1.1rem; text-decoration: none; }
.brand::before { content: ''; display: inline-block; width: .7em; height: .7em; margin-right: .45em; border-radius: 50%; background: var(--ember); }
.page { display: grid; grid-template-columns: 18rem minmax(0, 1fr); min-height: calc(100vh - 3.25rem); }
nav {
  position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto;
  padding: 1rem .75rem 2rem; font-size: .9rem; background: var(--side); border-right: 1px solid var(--line);
}
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { padding-left: .75rem; }
nav a { display: block; padding: .2rem .6rem; border-radius: 4px; text-decoration: none; color: var(--text); overflow-wrap: anywhere; }
nav a:hover { text-decoration: underline; }
nav .pages > li > a { font-weight: 600; padding: .35rem .6rem; }
nav a[aria-current] { background: linear-gradient(to right, var(--accent-text) 3px, transparent 3px), var(--accent-soft); }
nav ul ul ul { margin-bottom: .5rem; font-size: .85rem; }
nav ul ul ul a { color: var(--text-muted); }
nav .verb { font-size: .7rem; }
nav summary { padding: .35rem .6rem; cursor: pointer; font-weight: 600; }
.narrow { display: none; }
main { padding: 1.5rem 2.5rem 5rem; min-width: 0; max-width: 68rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.4rem; line-height: 1.25; margin: 3rem 0 .75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h1 + h2 { margin-top: 0; padding-top: 0; border-top: 0; }
h3 { font-size: 1.1rem; margin: 1.5rem 0 .35rem; overflow-wrap: anywhere; }
h4 { font-size: .85rem; margin: 1.1rem 0 .35rem; color: var(--text-muted); text-transform: uppercase; letter-spacing: .04em; }
p { margin: .5rem 0; max-width: 46rem; }
code, pre { font-family: ui-monospace, 'SF Mono', 'Cascadia Code', 'Noto Sans Mono', 'DejaVu Sans Mono', Consolas, monospace; font-size: .875em; }
pre {
  margin: .35rem 0; padding: .75rem 1rem; overflow: auto; max-height: 34rem; line-height: 1.45;
  background: var(--sunken); border: 1px solid var(--line); border-radius: 8px;
}
pre code { font-size: inherit; }
pre { font-size: .8125rem; }
article { margin: 1.25rem 0; padding: 1rem 1.25rem 1.25rem; border: 1px solid var(--line); border-radius: 8px; }
article:target { border-color: var(--accent-text); }
article > h3:first-child { margin-top: 0; }
.verb { font-weight: 700; font-size: .85em; letter-spacing: .02em; }
.GET { color: var(--success); } .POST { color: var(--accent-text); } .DELETE { color: var(--danger); }
.PUT, .PATCH { color: var(--warning); }
.faint { color: var(--text-muted); font-size: .9rem; }
.scroll { overflow-x: auto; margin: .35rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .9rem .4rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--text-muted); white-space: nowrap; }
td:last-child { padding-right: 0; min-width: 12rem; }
tr:target { background: var(--accent-soft); }
details { margin: .35rem 0; }
main summary { cursor: pointer; color: var(--text-muted); font-size: .9rem; width: fit-content; }
.fields { margin: .25rem 0; padding-left: 1.1rem; font-size: .9rem; }
.fields li { overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .75rem; list-style: none; margin: 0; padding: 0; }
.cards li { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 8px; font-size: .9rem; }
.cards a { display: block; font-weight: 600; font-size: 1rem; }
@media (max-width: 52rem) {
  .page { display: block; }
  nav { position: static; height: auto; padding: .5rem; border-right: 0; border-bottom: 1px solid var(--line); }
  nav .pages { display: flex; flex-wrap: wrap; gap: .15rem; }
  .wide { display: none; }
  .narrow { display: block; }
  .narrow[open] { max-height: 60vh; overflow-y: auto; }
  header { padding: .75rem 1rem; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  tr { padding: .4rem 0; border-bottom: 1px solid var(--line); }
  td { padding: .05rem 0; border: 0; }
  td:empty { display: none; }
  td[data-head]::before { content: attr(data-head) ': '; color: var(--text-muted); }
  main { padding: 1rem 1rem 3rem; }
  article { padding: .75rem .9rem; }
}
@media print { nav { display: none; } .page { display: block; } pre { max-height: none; } }
`;
