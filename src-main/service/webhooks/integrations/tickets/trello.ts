import {
  type Declaration,
  type Message,
  note,
  type Outcome,
  type Write,
} from '#service/webhooks/common/integration.ts';
import {
  bold,
  link,
  type Markdown,
  md,
  moment,
  quote,
  type Value,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

const actorOf = (p: Payload): string =>
  p.maybeText('action.memberCreator.fullName') ?? p.text('action.memberCreator.username');

/** Older deliveries have no short link. */
function cardOf(p: Payload): Markdown {
  const short = p.maybeText('action.data.card.shortLink');
  const name = p.text('action.data.card.name');
  return link(
    name,
    short === undefined ? undefined : `https://trello.com/c/${encodeURIComponent(short)}`,
  );
}

/** A message with what was done, from the words before the card to those behind it. */
function did(p: Payload, what: Markdown, text?: string): Message {
  const list = p.maybeText('action.data.list.name');
  const isTold = list !== undefined && what.source.includes(md`${list}`.source);
  return note({
    topic: p.text('model.name'),
    line: md`${bold(actorOf(p))} ${what}`,
    values: [['List', isTold ? undefined : list]],
    below: [quote(text)],
  });
}

const listOf = (p: Payload): string => p.maybeText('action.data.list.name') ?? 'a list';

const memberOf = (p: Payload): string =>
  p.maybeText('action.member.fullName') ?? p.maybeText('action.member.username') ?? 'somebody';

function due(p: Payload): Outcome {
  const after = moment(p.maybeText('action.data.card.due'));
  const before = moment(p.maybeText('action.data.old.due'));
  if (after === undefined) return did(p, md`removed the due date of ${cardOf(p)}`);
  const was: Value = before === undefined ? '' : md` (was ${before})`;
  return did(p, md`set the due date of ${cardOf(p)} to ${after}${was}`);
}

function description(p: Payload): Outcome {
  const text = p.maybeText('action.data.card.desc');
  if (text === undefined) return did(p, md`removed the description of ${cardOf(p)}`);
  return did(p, md`wrote the description of ${cardOf(p)}`, text);
}

/** What is told of an update is what stands under `old`. */
const updates: readonly (readonly [path: string, write: (p: Payload) => Outcome])[] = [
  [
    'listAfter',
    (p) =>
      did(
        p,
        md`moved ${cardOf(p)} from ${bold(p.text('action.data.listBefore.name'))} to ${bold(p.text('action.data.listAfter.name'))}`,
      ),
  ],
  ['old.name', (p) => did(p, md`renamed ${bold(p.text('action.data.old.name'))} to ${cardOf(p)}`)],
  ['old.desc', description],
  [
    'old.closed',
    (p) =>
      did(
        p,
        p.flag('action.data.card.closed') ? md`archived ${cardOf(p)}` : md`restored ${cardOf(p)}`,
      ),
  ],
];

const updateCard: Write = (p) => {
  for (const [path, write] of updates) {
    if (p.raw(`action.data.${path}`) !== undefined) return write(p);
  }
  // A date that was set for the first time stands under `old` as null.
  const old = p.maybeObject('action.data.old');
  if (old?.keys('').includes('due') === true) return due(p);
  // Its place in the list, its cover and the like.
  return null;
};

const attachment: Write = (p) => {
  const name = p.text('action.data.attachment.name');
  return did(
    p,
    md`attached ${link(name, p.maybeText('action.data.attachment.url'))} to ${cardOf(p)}`,
  );
};

const label =
  (verb: string, preposition: string): Write =>
  (p) => {
    const name = p.maybeText('action.data.label.name') ?? p.maybeText('action.data.label.color');
    const shown = name ?? p.maybeText('action.data.value') ?? '';
    return did(p, md`${verb} label ${bold(shown)} ${preposition} ${cardOf(p)}`);
  };

const checkItem: Write = (p) => {
  const isDone = p.text('action.data.checkItem.state') === 'complete';
  const item = md`${isDone ? 'completed' : 'reopened'} ${bold(p.text('action.data.checkItem.name'))}`;
  const checklist = p.maybeText('action.data.checklist.name');
  return did(
    p,
    md`${item}${checklist === undefined ? '' : md` of checklist ${checklist}`} on ${cardOf(p)}`,
  );
};

const renameBoard: Write = (p) => {
  const before = p.maybeText('action.data.old.name');
  // Colours and pictures.
  return before === undefined
    ? null
    : did(p, md`renamed the board ${bold(before)} to ${bold(p.text('action.data.board.name'))}`);
};

const listChange =
  (verb: string) =>
  (p: Payload): Message =>
    did(p, md`${verb} list ${bold(p.text('action.data.list.name'))}`);

export const trello: Declaration = {
  name: 'trello',
  title: 'Trello',
  about: 'Cards that are made, moved, changed, commented on and checked off.',
  subject: 'tickets',
  steps: [
    'Make an API key and a token at trello.com/power-ups/admin.',
    'Find the id of the board: open it and add .json to its address.',
    'Post to https://api.trello.com/1/webhooks with key, token, idModel and the address as callbackURL: Trello asks here first, then begins to send.',
  ],
  event: { key: 'action.type', read: (p) => p.text('action.type') },
  events: {
    createCard: (p) => did(p, md`created ${cardOf(p)} in ${bold(listOf(p))}`),
    updateCard,
    deleteCard: (p) => {
      const name = p.maybeText('action.data.card.name');
      return did(p, md`deleted ${name ?? 'a card'} from ${bold(listOf(p))}`);
    },
    commentCard: (p) => did(p, md`commented on ${cardOf(p)}`, p.text('action.data.text')),
    addMemberToCard: (p) => did(p, md`added ${bold(memberOf(p))} to ${cardOf(p)}`),
    removeMemberFromCard: (p) => did(p, md`removed ${bold(memberOf(p))} from ${cardOf(p)}`),
    addLabelToCard: label('added', 'to'),
    removeLabelFromCard: label('removed', 'from'),
    addAttachmentToCard: attachment,
    addChecklistToCard: (p) =>
      did(p, md`added checklist ${bold(p.text('action.data.checklist.name'))} to ${cardOf(p)}`),
    createCheckItem: (p) =>
      did(
        p,
        md`added ${bold(p.text('action.data.checkItem.name'))} to the checklist of ${cardOf(p)}`,
      ),
    updateCheckItemStateOnCard: checkItem,
    createList: listChange('created'),
    updateList: (p) => {
      if (p.raw('action.data.old.closed') === undefined) return null;
      return listChange(p.flag('action.data.list.closed') ? 'archived' : 'restored')(p);
    },
    updateBoard: renameBoard,
  },
  silent: ['*'],
  answersProbes: true,
};
