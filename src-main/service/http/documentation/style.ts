/** The style of the documentation page. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #16181d);
  --panel: light-dark(#f4f5f7, #1f2229);
  --line: light-dark(#d5d9e0, #383d47);
  --ink: light-dark(#1b1f27, #e6e8ec);
  --faint: light-dark(#525a68, #a6adba);
  --accent: light-dark(#1a5fb4, #8ab8f2);
  --get: light-dark(#12692e, #7fd79b);
  --post: light-dark(#1a5fb4, #8ab8f2);
  --change: light-dark(#85500a, #eebb72);
  --delete: light-dark(#a51d2d, #f2919b);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -999px; background: var(--paper); padding: .5rem 1rem; z-index: 1; }
.skip:focus { left: .5rem; top: .5rem; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
nav {
  position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto;
  padding: 1.5rem 1rem; font-size: .9rem; border-right: 1px solid var(--line);
}
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: .15rem 0; }
nav summary { cursor: pointer; padding: .15rem 0; font-weight: 600; }
nav details ul { padding-left: .9rem; }
nav a { display: block; padding: .1rem 0; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { text-decoration: underline; }
nav .verb { font-size: .7rem; }
main { padding: 1.5rem 2rem 4rem; min-width: 0; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.45rem; margin: 3rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
h4 { font-size: .95rem; margin: 1rem 0 .35rem; }
p { margin: .5rem 0; max-width: 46rem; }
code, pre { font-family: ui-monospace, 'Cascadia Code', Menlo, Consolas, monospace; font-size: .875em; }
pre {
  margin: .35rem 0; padding: .75rem 1rem; overflow-x: auto; line-height: 1.45;
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
}
article { margin: 1.25rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 8px; }
article > p:first-of-type { margin-top: .35rem; }
.verb { font-weight: 700; font-size: .85em; letter-spacing: .02em; }
.GET { color: var(--get); } .POST { color: var(--post); } .DELETE { color: var(--delete); }
.PUT, .PATCH { color: var(--change); }
.faint { color: var(--faint); font-size: .9rem; }
.scroll { overflow-x: auto; margin: .35rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--faint); white-space: nowrap; }
td:last-child { padding-right: 0; min-width: 12rem; }
.fields { margin: .25rem 0; padding-left: 1.1rem; font-size: .9rem; }
.fields li { overflow-wrap: anywhere; }
.fields summary { cursor: pointer; color: var(--faint); }
header { max-width: 84rem; margin: 0 auto; padding: 1.5rem 1rem .75rem; border-bottom: 1px solid var(--line); }
header p { margin: 0; }
main > h2:first-child { margin-top: 0; padding-top: 0; border-top: 0; }
@media (max-width: 52rem) {
  nav > ul { columns: 2; column-gap: 1.5rem; }
  nav li { break-inside: avoid; }
  nav li:has(details[open]) { column-span: all; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  tr { padding: .4rem 0; border-bottom: 1px solid var(--line); }
  td { padding: .05rem 0; border: 0; }
  td:empty { display: none; }
  td[data-head]::before { content: attr(data-head) ': '; color: var(--faint); }
  .page { display: block; }
  nav { position: static; max-height: none; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem 1rem 3rem; }
  article { padding: .75rem .9rem; }
}
@media print { nav { display: none; } .page { display: block; } }
`;
