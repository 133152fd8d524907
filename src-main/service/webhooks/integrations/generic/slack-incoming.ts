import type { Declaration } from '#service/webhooks/common/integration.ts';
import {
  bold,
  lines,
  link,
  linkIfAny,
  Markdown,
  md,
  moment,
  type Value,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { slackText } from '#service/webhooks/common/slack-text.ts';

/** Text objects say by their type whether there is markup in them. */
function textOf(object: Payload | undefined): Markdown {
  if (object === undefined) return new Markdown('');
  const text = object.maybeText('text') ?? '';
  return object.maybeText('type') === 'plain_text' ? md`${text}` : slackText(text);
}

const image = (p: Payload): Markdown =>
  link(p.maybeText('alt_text') ?? p.maybeText('title.text') ?? 'Image', p.maybeText('image_url'));

/** Buttons lead where they would lead in Slack; those that ask its application are only named. */
const button = (p: Payload): Markdown => link(textOf(p.maybeObject('text')), p.maybeText('url'));

function element(p: Payload): Markdown {
  const type = p.maybeText('type');
  if (type === 'image') return image(p);
  if (type === 'button') return button(p);
  return typeof p.raw('text') === 'object' ? textOf(p.maybeObject('text')) : textOf(p);
}

const isSomething = ({ source }: Markdown): boolean => source !== '';

const inLine = (elements: readonly Payload[]): Markdown =>
  new Markdown(
    elements
      .map(element)
      .filter(isSomething)
      .map(({ source }) => source)
      .join(' · '),
  );

/** A text that is made of pieces, each with a style of its own. */
function rich(p: Payload, depth: number): string {
  if (depth > 6) return '';
  const text = p.maybeText('text');
  const type = p.maybeText('type');
  if (type === 'link') return link(text ?? p.text('url'), p.maybeText('url')).source;
  if (type === 'emoji') return md`${p.maybeText('name') ?? ''}`.source;
  if (text !== undefined) {
    const shown = p.flag('style.bold')
      ? bold(text).source
      : slackText(text.replace(/[*_~`<>]/g, ' ')).source;
    return `${/^\s/.test(text) ? ' ' : ''}${shown}${/\s$/.test(text) ? ' ' : ''}`;
  }
  const inner = p.maybeList('elements').map((child) => rich(child, depth + 1));
  if (type === 'rich_text_list') return inner.map((item) => `* ${item}`).join('\n');
  return inner.join(type === 'rich_text' ? '\n' : '');
}

function section(p: Payload): Markdown {
  const fields = p.maybeList('fields').map((field) => md`* ${textOf(field)}`);
  const accessory = p.maybeObject('accessory');
  return lines(
    textOf(p.maybeObject('text')),
    ...fields.map(({ source }) => new Markdown(source.replaceAll('\n', ' '))),
    accessory === undefined ? undefined : element(accessory),
  );
}

function block(p: Payload): Markdown {
  switch (p.maybeText('type')) {
    case 'section':
      return section(p);
    case 'header':
      return bold(textOf(p.maybeObject('text')));
    case 'image':
      return image(p);
    case 'context':
    case 'actions':
      return inLine(p.maybeList('elements'));
    case 'rich_text':
      return new Markdown(rich(p, 0).trim());
    case 'markdown':
      return slackText(p.maybeText('text'));
    case 'divider':
      return new Markdown('');
    default:
      return textOf(p.maybeObject('text'));
  }
}

const field = (p: Payload): Markdown => {
  const value = slackText(p.maybeScalar('value')).source.replaceAll('\n', ' ');
  const title = p.maybeText('title');
  return title === undefined
    ? md`* ${new Markdown(value)}`
    : md`* ${title}: ${new Markdown(value)}`;
};

function titleOf(p: Payload): Markdown {
  const url = p.maybeText('title_link');
  const title = slackText(p.maybeText('title'));
  // A title may have links of its own.
  return title.source.includes('](') ? title : bold(link(title, url));
}

const time = (p: Payload): Value | undefined => {
  const seconds = Number(p.maybeScalar('ts') ?? Number.NaN);
  return Number.isFinite(seconds) ? moment(seconds) : undefined;
};

function footer(p: Payload): Markdown {
  const parts = [p.maybeText('footer'), time(p)].filter((part) => part !== undefined);
  return new Markdown(parts.map((part) => md`${part}`.source).join(' · '));
}

function attachment(p: Payload): Markdown {
  const author = p.maybeText('author_name');
  const blocks = p.maybeList('blocks').map(block);
  const whole = lines(
    slackText(p.maybeText('pretext')),
    author === undefined ? undefined : link(author, p.maybeText('author_link')),
    titleOf(p),
    slackText(p.maybeText('text')),
    ...p.maybeList('fields').map(field),
    ...blocks,
    linkIfAny('Image', p.maybeText('image_url')),
    inLine(p.maybeList('actions').filter((action) => typeof action.raw('text') === 'object')),
    new Markdown(
      p
        .maybeList('actions')
        .filter((action) => typeof action.raw('text') === 'string')
        .map((action) => link(action.text('text'), action.maybeText('url')).source)
        .join(' · '),
    ),
    footer(p),
  );
  return whole.source === '' ? slackText(p.maybeText('fallback')) : whole;
}

const topicOf = (p: Payload): string =>
  p.maybeText('channel')?.replace(/^[#@]/, '') ?? '(no topic)';

/** Whatever can post to Slack posts here when its address is changed. */
export const slackIncoming: Declaration = {
  name: 'slack_incoming',
  title: 'Slack format',
  about: 'Whatever can post to Slack: text, blocks, attachments and fields.',
  subject: 'anything',
  steps: [
    'Find where the other program asks for the URL of a Slack webhook.',
    'Paste the address there in place of the one of Slack.',
    'Send a test from there.',
  ],
  events: {
    message(p) {
      const blocks = p.maybeList('blocks').map(block).filter(isSomething);
      const attachments = p.maybeList('attachments').map(attachment).filter(isSomething);
      const text = blocks.length > 0 ? [] : [plainText(p)];
      return { topic: topicOf(p), content: lines(...text, ...blocks, ...attachments) };
    },
  },
};

/** Without anything else there has to be a text. */
function plainText(p: Payload): Markdown {
  const hasMore = p.maybeList('attachments').length > 0;
  return slackText(hasMore ? p.maybeText('text') : p.text('text'));
}
