import type { StateCore, Token } from 'markdown-it';
import { isPictureAddress, pathOf } from '#shared/pictures/names.ts';
import { renderingOf } from '../env.ts';
import { escapeValue } from '../escape.ts';

interface Preview {
  readonly href: string;
  readonly name: string;
}

const MAX_PREVIEWS = 5;
const UPLOAD = /^\/user_uploads\/([^?#]+)/;

export const hrefOf = (token: Token): string => String(token.attrGet('href') ?? '');

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Not every `%` in an address is an escape.
    return path;
  }
}

/** What follows /user_uploads/ in an address of this service; undefined for other addresses. */
export function uploadPathOf(href: string): string | undefined {
  const path = UPLOAD.exec(href)?.[1];
  return path === undefined ? undefined : decoded(path);
}

function isImage(href: string, showsLinkedImages: boolean): boolean {
  const isShown = UPLOAD.test(href) || (showsLinkedImages && /^https?:\/\/[^/?#]+\//i.test(href));
  return isShown && isPictureAddress(href);
}

/** Its title, the text of the link, or the end of the address when that was all that was typed. */
function nameOf(open: Token, href: string, text: string): string {
  const title = String(open.attrGet('title') ?? '');
  if (title !== '') return title;
  const label = text.replace(/\s+/g, ' ').trim();
  if (label !== '' && !decoded(href).endsWith(decoded(label))) return label;
  const path = pathOf(href);
  return decoded(path.slice(path.lastIndexOf('/') + 1));
}

function imagesIn(line: readonly Token[], showsLinkedImages: boolean): Preview[] {
  return line.flatMap((open, i) => {
    const href = open.type === 'link_open' ? hrefOf(open) : '';
    if (href === '' || !isImage(href, showsLinkedImages)) return [];
    let text = '';
    for (let at = i + 1; at < line.length && line[at]?.type !== 'link_close'; at++)
      text += line[at]?.content ?? '';
    return [{ href, name: nameOf(open, href, text) }];
  });
}

const DEPTHS: Readonly<Record<string, number>> = {
  // What is shown in a quote was not posted here, and the title of a spoiler is no place for it.
  blockquote_open: 1,
  blockquote_close: -1,
  spoiler_open: 1,
  spoiler_content: -1,
};

/** Collects the images of a message until their place comes. */
class PendingImages {
  readonly #shown = new Set<string>();
  #images: Preview[] = [];

  add(images: readonly Preview[]): void {
    for (const image of images) {
      if (this.#shown.size === MAX_PREVIEWS || this.#shown.has(image.href)) continue;
      this.#shown.add(image.href);
      this.#images.push(image);
    }
  }

  take(): readonly Preview[] {
    const images = this.#images;
    this.#images = [];
    return images;
  }
}

/** Puts the images that links lead to behind the paragraph or table of the link. */
export function previewsRule(state: StateCore): void {
  const hasLink = (block: Token): boolean =>
    block.children?.some((token) => token.type === 'link_open') === true;
  if (!state.tokens.some(hasLink)) return;
  const { showsLinkedImages } = renderingOf(state.env).markup;
  const waiting = new PendingImages();
  let depth = 0;
  let tables = 0;
  state.tokens = state.tokens.flatMap((block) => {
    depth += DEPTHS[block.type] ?? 0;
    if (block.tag === 'table') tables += block.nesting;
    if (depth === 0) waiting.add(imagesIn(block.children ?? [], showsLinkedImages));
    const images = block.nesting === -1 && tables === 0 ? waiting.take() : [];
    if (images.length === 0) return [block];
    const previews = new state.Token('previews', '', 0);
    previews.block = true;
    previews.content = images.map(writePreview).join('');
    return [block, previews];
  });
}

function writePreview({ href, name }: Preview): string {
  const url = escapeValue(href);
  const link = `<a href="${url}" title="${escapeValue(name)}"><img src="${url}"></a>`;
  return `<div class="message_inline_image">${link}</div>\n`;
}
