/**
 * All that the HTML of a message may hold (API decisions 6): the service writes nothing else, and a
 * window shows nothing else.
 */

/** The pygments classes of the parts of highlighted code. */
const CODE_CLASSES =
  'bp c c1 ch cm cp cs gd ge gh gi gs k kc kn kt l m mf mh mi n na nb nc nd nf nl nn no nt nv o p s sb se si sr ss';

const spanClass = new RegExp(
  '^(?:user-(?:group-)?mention(?: silent)?|emoji emoji-[0-9a-f]+(?:-[0-9a-f]+)*|katex(?:-display)?|tex-error|' +
    `${CODE_CLASSES.replaceAll(' ', '|')})$`,
);
const anyText = /./s;
const id = /^[1-9]\d{0,15}$/;
const align = /^(?:left|center|right)$/;

/** Schemes that a link may have; beside them only paths of the same service and fragments. */
export const linkSchemes: readonly string[] = [
  ...['http', 'https', 'ftp', 'mailto', 'file', 'bitcoin', 'tel'],
];
// Browsers leave out tabs and line breaks, which would make `//host` of a path: no blanks at all.
const link = new RegExp(`^(?:(?:${linkSchemes.join('|')}):|/(?![/\\\\])|#)[^\\0-\\x20]*$`, 'i');
const image = /^(?:https?:\/\/|\/(?![/\\]))[^\0-\x20]*$/i;

const bool = /^(?:true|false)$/;
const length = '[+-]?\\d{0,4}(?:\\.\\d{1,9})?(?:em|ex|mu|pt|px|%|width)?';
const oneLength = new RegExp(`^${length}$`);
const lengths = new RegExp(`^${length}(?: ${length})*$`);
const words = /^[a-z]+(?: [a-z]+)*$/;
const color = /^(?:#[0-9a-f]{3,8}|[a-z]+)$/i;
const mathAttributes: Attributes = {
  accent: bool,
  accentunder: bool,
  displaystyle: bool,
  fence: bool,
  largeop: bool,
  separator: bool,
  stretchy: bool,
  scriptlevel: /^[+-]?\d$/,
  linebreak: /^newline$/,
  mathvariant: /^[a-z-]+$/,
  mathcolor: color,
  mathbackground: color,
  mathsize: oneLength,
  width: oneLength,
  height: oneLength,
  depth: oneLength,
  voffset: oneLength,
  lspace: oneLength,
  rspace: oneLength,
  minsize: oneLength,
  maxsize: oneLength,
  linethickness: oneLength,
  valign: oneLength,
  rowspacing: lengths,
  columnspacing: lengths,
  columnalign: words,
  columnlines: words,
  rowlines: words,
  notation: words,
};
const mathTags = [
  ...['menclose', 'mfrac', 'mi', 'mlabeledtr', 'mmultiscripts', 'mn', 'mo', 'mover', 'mpadded'],
  ...['mphantom', 'mrow', 'ms', 'mspace', 'msqrt', 'mroot', 'mstyle', 'msub', 'msubsup', 'msup'],
  ...['mtable', 'mtd', 'mtext', 'mtr', 'munder', 'munderover', 'semantics'],
];

/** Attribute names and what the whole of a value must match. */
export type Attributes = Readonly<Record<string, RegExp>>;

const plainTags = [
  ...['p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'ul', 'li'],
  ...['table', 'thead', 'tbody', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
];

/** Each tag that may occur, with the attributes that it may have. */
export const renderedTags: ReadonlyMap<string, Attributes> = new Map<string, Attributes>([
  ...plainTags.map((tag) => [tag, {}] as const),
  ['a', { class: /^stream(?:-topic)?$/, 'data-stream-id': id, href: link, title: anyText }],
  [
    'span',
    {
      class: spanClass,
      'data-user-id': /^(?:\*|[1-9]\d{0,15})$/,
      'data-user-group-id': id,
      'aria-label': anyText,
      role: /^img$/,
      title: anyText,
    },
  ],
  [
    'div',
    {
      class: /^(?:codehilite|message_inline_image|spoiler-(?:block|header|content))$/,
      'data-code-language': anyText,
      'aria-hidden': /^true$/,
    },
  ],
  ['img', { alt: anyText, class: /^emoji$/, src: image, title: anyText }],
  ['time', { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ }],
  ['ol', { start: /^\d{1,9}$/ }],
  ['th', { align }],
  ['td', { align }],
  ['math', { xmlns: /^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/, display: /^block$/ }],
  ['annotation', { encoding: /^application\/x-tex$/ }],
  ...mathTags.map((tag) => [tag, mathAttributes] as const),
]);

/** Whether a tag may have that attribute with that value. */
export const isAllowedAttribute = (tag: string, name: string, value: string): boolean => {
  const attributes = renderedTags.get(tag);
  return (
    value !== '' &&
    attributes !== undefined &&
    Object.hasOwn(attributes, name) &&
    attributes[name]?.test(value) === true
  );
};
