/** What all pages have around their text. */
import { html, type Html, nothing } from './html.ts';
import type { PageRequest } from './request.ts';
import { style } from './style.ts';

export interface PageLink {
  readonly path: string;
  readonly title: string;
}

export interface PageSection {
  readonly id: string;
  readonly title: Html;
  readonly text: Html;
  /** What is inside of it has ids of its own. */
  readonly parts: readonly Pick<PageSection, 'id' | 'title'>[];
}

export interface Page extends PageLink {
  readonly sections: readonly PageSection[];
}

export const section = (
  id: string,
  title: string,
  text: Html,
  parts: PageSection['parts'] = [],
): PageSection => ({ id, title: html`${title}`, text, parts });

const link = ({ id, title }: Pick<PageSection, 'id' | 'title'>): Html =>
  html`<a href="#${id}">${title}</a>`;

const sectionList = (sections: readonly PageSection[]): Html =>
  html`<ul>
    ${sections.map((each) => {
      const inside = html`<ul>
        ${each.parts.map((part) => html`<li>${link(part)}</li>`)}
      </ul>`;
      return html`<li>${link(each)}${each.parts.length === 0 ? nothing : inside}</li>`;
    })}
  </ul>`;

const pageItem = ({ path, title, sections }: Page, other: PageLink): Html =>
  other.path === path
    ? html`<li>
        <a href="${path}" aria-current="page">${title}</a>
        <div class="wide">${sectionList(sections)}</div>
      </li>`
    : html`<li><a href="${other.path}">${other.title}</a></li>`;

const written = ({ id, title, text }: PageSection): Html =>
  html`<h2 id="${id}">${title}</h2>
    ${text}`;

/** In a narrow window what the page has is folded, and in a wide one it stands below the name of the page. */
const contents = (page: Page, links: readonly PageLink[]): Html =>
  html`<nav aria-label="Contents">
    <ul class="pages">
      ${links.map((each) => pageItem(page, each))}
    </ul>
    <details class="narrow">
      <summary>On this page</summary>
      ${sectionList(page.sections)}
    </details>
  </nav>`;

const top = ({ version }: PageRequest): Html =>
  html`<header>
    <a class="brand" href="/api/">Hearth API</a>
    <span class="faint">Version ${version}</span>
    <span class="faint"
      >For programs: <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1)</span
    >
  </header>`;

/** The whole document: the policy of the page names the hash of its style. */
export function documentOf(page: Page, links: readonly PageLink[], request: PageRequest): string {
  const title = page.title === 'Hearth API' ? page.title : `${page.title} – Hearth API`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${html`${title}`.text}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
${top(request).text}
<div class="page">
${contents(page, links).text}
<main id="text">
<h1>${html`${page.title}`.text}</h1>
${page.sections.map((each) => written(each).text).join('')}
</main>
</div>
</body>
</html>
`;
}
