/** Text between tags, in the one form that the sanitizer writes. */
export const escapeText = (text: string): string =>
  /[&<>]/.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : text;

/** The value of an attribute, to stand between double quotes. */
export const escapeValue = (text: string): string => escapeText(text).replaceAll('"', '&quot;');

// What means something wherever it stands. A `|` would be a table cell, a `:` an address or an emoji.
// After a backslash, whatever that would escape.
const ANYWHERE = /[*`[\]|~@]|(?<=\\)[#$+\-.:<>]|:(?=\/|[\w+-]+:)|\$(?=\$)|<(?=time:)|\.(?=\p{L})/gu;
// What means something at the start of a line: lists, headings, quotes, rules, table alignment.
const LINE_START = /^(?:[-+>:]|#(?=#{0,5}(?:\s|$)))/;
const NUMBERED = /^(\d{1,9})\.(?=\s|$)/;

function escapeLine(line: string): string {
  // Indentation would make a code block, and is not shown anyway.
  const text = line.trimStart();
  const escaped = text.replace(ANYWHERE, '\\$&');
  return escaped.replace(LINE_START, '\\$&').replace(NUMBERED, '$1\\.');
}

/**
 * Writes a text that comes from elsewhere so that a message shows it as it is: no mention, no link,
 * no markup. For values put into the content of incoming webhooks.
 */
export function escapeMarkdown(text: string): string {
  const lines = text.toWellFormed().split(/\r\n?|\n/);
  return (
    lines
      .map(escapeLine)
      .join('\n')
      // A closing backslash would escape what the integration writes after the value.
      .replace(/\\$/, '\\\u2060')
      .replace(/^\/me /, '/me\u00a0')
  );
}
