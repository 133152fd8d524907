/** What a person exports, as pages that any browser shows, without a service and without a script. */
import type { ExportedConversation, ExportedMessage } from './conversations.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);

const STYLE = `body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff}
a{color:#0b5cad}h1{font-size:1.4rem}h2{font-size:1.1rem}article{margin:1rem 0}header{color:#666;font-size:.85rem}header b{color:#222}
pre{overflow:auto;padding:.5rem;background:#f4f4f2}blockquote{margin-left:0;padding-left:1rem;border-left:3px solid #ccc}
img{max-width:100%;height:auto}.katex-html{display:none}.user-avatar{width:1.5rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1d1b19}header b{color:#eee}a{color:#7db7f0}pre{background:#2a2725}}`;

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file: data:; media-src 'self' file:">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
${body}
</html>
`;

/** `2026-11-23 14:05`, in UTC. */
const momentOf = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');

/**
 * Addresses as they lead somewhere from the folder: files that were taken along, and the service for the rest.
 * @param files  where what lies at a path of the service is in the folder, seen from the page
 */
export function withOwnAddresses(
  html: string,
  origin: string,
  files: ReadonlyMap<string, string>,
): string {
  return html.replaceAll(
    /\b(href|src)="(\/[^"]*)"/g,
    (_, attribute: string, path: string) =>
      `${attribute}="${escaped(files.get(path.replaceAll('&amp;', '&')) ?? '') || `${origin}${path}`}"`,
  );
}

export interface PageParts {
  /** The service's. */
  readonly origin: string;
  readonly files: ReadonlyMap<string, string>;
}

function article({ senderName, timestamp, html }: ExportedMessage, parts: PageParts): string {
  const moment = momentOf(timestamp);
  return `<article><header><b>${escaped(senderName)}</b> <time>${moment}</time></header>
${withOwnAddresses(html, parts.origin, parts.files)}</article>`;
}

export const conversationPage = (
  { title, messages }: ExportedConversation,
  parts: PageParts,
): string =>
  page(
    title,
    `<p><a href="../index.html">All conversations</a></p>
<h1>${escaped(title)}</h1>
${messages.map((message) => article(message, parts)).join('\n')}`,
  );

export interface IndexParts {
  readonly realmName: string;
  readonly ownName: string;
  /** UNIX seconds. */
  readonly madeAt: number;
  readonly conversations: readonly {
    readonly title: string;
    readonly href: string;
    readonly count: number;
  }[];
  readonly files: readonly { readonly name: string; readonly href: string }[];
  /** Names of files that the service did not give. */
  readonly missing: readonly string[];
}

const listOf = (items: readonly string[]): string =>
  `<ul>\n${items.map((item) => `<li>${item}`).join('\n')}\n</ul>`;

const link = (href: string, text: string): string =>
  `<a href="${escaped(encodeURI(href))}">${escaped(text)}</a>`;

export function indexPage(parts: IndexParts): string {
  const { realmName, ownName, madeAt, conversations, files, missing } = parts;
  const places = conversations.map(
    ({ title, href, count }) => `${link(href, title)} (${String(count)})`,
  );
  const sections = [
    `<h1>${escaped(ownName)} in ${escaped(realmName)}</h1>`,
    `<p>Saved on ${momentOf(madeAt)} UTC. In streams it has what ${escaped(ownName)} wrote; private conversations are whole.</p>`,
    places.length === 0 ? '' : `<h2>Conversations</h2>\n${listOf(places)}`,
    files.length === 0
      ? ''
      : `<h2>Files</h2>\n${listOf(files.map(({ name, href }) => link(href, name)))}`,
    missing.length === 0
      ? ''
      : `<h2>Files that could not be fetched</h2>\n${listOf(missing.map(escaped))}`,
  ];
  return page(`${ownName} in ${realmName}`, sections.join('\n'));
}
