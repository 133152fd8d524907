/** How a message names people, streams and topics so that whatever they are called is read back (API decisions 6.1). */

/** Percent-encoded UTF-8, then `.` as `.2E`, then `%` as `.`: how clients write a narrow in a URL. */
export const encodeNarrowPart = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.');

interface NamedUser {
  readonly userId: number;
  readonly fullName: string;
}

const mentionName = (name: string): string => name.replaceAll(/[*\n]/g, '').trim();

/** Whether the name alone, between the stars of a mention, is this name. */
export const isMentionName = (name: string): boolean =>
  name === mentionName(name) && !/\|\d+$/.test(name);

/** `@**Full Name|12**`, or `@_**…**` for one that notifies nobody. */
export const mentionById = ({ userId, fullName }: NamedUser, isSilent = false): string =>
  `@${isSilent ? '_' : ''}**${mentionName(fullName) || '?'}|${String(userId)}**`;

interface NamedStream {
  readonly streamId: number;
  readonly name: string;
}

/** What would be markup in the text of a link. Behind a backslash, whatever that would escape. */
const MARKUP = /[$*:<@[\]`|~]|(?<=\\)[#+\-.>]/g;

function linkTo({ streamId, name }: NamedStream, topic: string | undefined): string {
  const label = topic === undefined ? `#${name}` : `#${name} > ${topic}`;
  // A blank, so that a closing backslash does not escape the bracket.
  const escaped = label.replaceAll(MARKUP, '\\$&').replace(/\\$/, '\\ ');
  const path = topic === undefined ? '' : `/topic/${encodeNarrowPart(topic)}`;
  return `[${escaped}](/#narrow/stream/${String(streamId)}-${encodeNarrowPart(name.replaceAll(' ', '-'))}${path})`;
}

/** `#**stream**` or `#**stream>topic**`; a link where a name has what means something there. */
export function streamReference(stream: NamedStream, topic?: string): string {
  const isPlain = !/[*>\n]/.test(stream.name) && !/[*\n]/.test(topic ?? '');
  if (!isPlain) return linkTo(stream, topic);
  return topic === undefined ? `#**${stream.name}**` : `#**${stream.name}>${topic}**`;
}
