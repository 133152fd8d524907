import { type Declaration, note } from '#service/webhooks/common/integration.ts';
import { bold, link, md, words } from '#service/webhooks/common/markdown.ts';

/** What Wekan leaves untranslated. */
const untranslated = (text: string): string =>
  text
    .replace(/\bact-removedChecklistItem\b/, 'removed a checklist item')
    .replace(/\bact-([a-zA-Z]{1,40})\b/, (_, name: string) =>
      words(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)),
    );

export const wekan: Declaration = {
  name: 'wekan',
  title: 'Wekan',
  about: 'What happens to the cards of boards.',
  subject: 'tickets',
  steps: [
    'Open the board on Wekan, then Board settings → Outgoing webhooks.',
    'Paste the address and save.',
    'Move a card.',
  ],
  event: { key: 'description', read: (p) => p.text('description') },
  events: {
    'act-*': (p) => {
      const [text = '', url] = p.text('text').trim().split('\n');
      const user = p.text('user');
      const did = untranslated(text.startsWith(`${user} `) ? text.slice(user.length + 1) : text);
      return note({
        topic: p.maybeText('card') ?? p.maybeText('board') ?? 'Wekan',
        line: md`${bold(user)} ${did}`,
        values: [
          ['Card', link(p.maybeText('card') ?? 'the board', url)],
          ['Comment', p.maybeText('comment')],
        ],
      });
    },
  },
};
