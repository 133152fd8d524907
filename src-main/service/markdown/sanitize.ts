import sanitizeHtml from 'sanitize-html';
import { allowedSchemes } from './links.ts';

const cell = { name: 'align', values: ['left', 'center', 'right'] };

/** All that rendered HTML may hold. A tag, attribute or class that is not here does not get out. */
const whitelist: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'a', 'span', 'div', 'blockquote'],
    ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'data-stream-id'],
    span: ['data-user-id'],
    div: ['data-code-language'],
    ol: ['start'],
    th: [cell],
    td: [cell],
  },
  allowedClasses: {
    a: ['stream', 'stream-topic'],
    span: ['user-mention', 'silent'],
    div: ['codehilite'],
  },
  allowedSchemes: [...allowedSchemes],
  allowProtocolRelative: false,
};

/**
 * The last step of rendering, whatever the steps before it did. Text arrives and leaves escaped, so
 * the void elements that it writes the XHTML way can be told from text.
 */
export const sanitize = (html: string): string =>
  sanitizeHtml(html, whitelist).replace(/<(br|hr) \/>/g, '<$1>');
