import { type Own, own } from './own.ts';

const user = { displayName: 'Ann' };
const issue = {
  key: 'TAP-1',
  self: 'https://jira.test/rest/api/2/issue/1',
  fields: {
    summary: 'Leak',
    description: 'It drips.',
    issuetype: { name: 'Bug' },
    status: { name: 'Open' },
    priority: { name: 'High' },
    assignee: { displayName: 'Bob' },
  },
};
const comment = { author: user, body: 'Look here' };
const document = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'New form' }] }],
};
const jira = (webhookEvent: string, more: object, ...says: string[]): Own =>
  own('jira', { webhookEvent, user, issue, ...more }, 'TAP-1: Leak', ...says);

const trello = (type: string, data: object, ...says: string[]): Own =>
  own(
    'trello',
    {
      model: { name: 'Home' },
      action: {
        type,
        memberCreator: { fullName: 'Ann' },
        member: { fullName: 'Bob' },
        data: { card: { name: 'Tap', shortLink: 'abc' }, list: { name: 'To do' }, ...data },
      },
    },
    says.length === 0 ? null : 'Home',
    ...says,
  );
const card = (more: object): object => ({ name: 'Tap', shortLink: 'abc', ...more });

const linear = (
  type: string,
  action: string,
  data: object,
  ...[topic, ...says]: readonly [string, ...string[]]
): Own =>
  own(
    'linear',
    { type, action, data, actor: { name: 'Ann' }, url: 'https://l.test/1' },
    topic,
    ...says,
  );
const task = {
  title: 'Leak',
  identifier: 'TAP-1',
  state: { name: 'Todo' },
  assignee: { name: 'Bob' },
  priorityLabel: 'High',
  description: 'It drips.',
};

const wekan = (description: string, did: string, ...says: string[]): Own =>
  own(
    'wekan',
    { text: `ann ${did}\nhttps://w.test/c`, user: 'ann', card: 'Tap', description },
    'Tap',
    ...says,
  );

const ticket = {
  ticket_id: '4',
  ticket_url: 'https://f.test/4',
  ticket_subject: 'Leak',
  ticket_description: '<p>It <b>drips</b>.</p>',
  ticket_status: 'Open',
  ticket_priority: 'High',
  requester_name: 'Ann',
  requester_email: 'ann@x.test',
};
const freshdesk = (triggered_event: string, ...says: string[]): Own =>
  own('freshdesk', { freshdesk_webhook: { ...ticket, triggered_event } }, '#4: Leak', ...says);

export const ticketPayloads: readonly Own[] = [
  jira(
    'jira:issue_created',
    {},
    'Ann created TAP-1 Leak',
    'Status: Open',
    'Priority: High',
    'Assignee: Bob',
    'It drips.',
  ),
  jira(
    'jira:issue_updated',
    { changelog: { items: [{ field: 'status', fromString: 'Open', toString: 'Done' }] } },
    'Ann updated TAP-1',
    'Status: Done (was Open)',
  ),
  jira('jira:issue_updated', { comment }, 'Ann commented on TAP-1', 'Look here'),
  jira('jira:issue_deleted', {}, 'Ann deleted TAP-1'),
  jira(
    'comment_created',
    { comment: { author: user, body: document } },
    'Ann commented on TAP-1',
    'New form',
  ),
  jira('comment_updated', { comment }, 'Ann edited a comment on TAP-1'),
  jira('comment_deleted', { comment }, 'Ann deleted a comment on TAP-1'),
  own('jira', { webhookEvent: 'sprint_started' }, null),
  own(
    'jira',
    { webhookEvent: 'comment_created', comment: { author: { name: 'ann' }, body: 'Look here' } },
    'Jira',
    'ann commented on an issue',
    'Look here',
  ),

  trello('createCard', {}, 'Ann created Tap in To do'),
  trello(
    'updateCard',
    { listBefore: { name: 'To do' }, listAfter: { name: 'Done' } },
    'Ann moved Tap from To do to Done',
  ),
  trello('updateCard', { old: { name: 'Sink' } }, 'Ann renamed Sink to Tap'),
  trello(
    'updateCard',
    { card: card({ desc: 'It drips.' }), old: { desc: '' } },
    'Ann wrote the description of Tap',
    'It drips.',
  ),
  trello(
    'updateCard',
    { card: card({ due: '2030-01-02T03:04:05.000Z' }), old: { due: null } },
    'Ann set the due date of Tap to 2030-01-02',
  ),
  trello(
    'updateCard',
    { card: card({ closed: true }), old: { closed: false } },
    'Ann archived Tap',
  ),
  trello('updateCard', { old: { pos: 1 } }),
  trello('deleteCard', { card: {} }, 'Ann deleted a card from To do'),
  trello('deleteCard', { card: { name: 'Tap' } }, 'Ann deleted Tap from To do'),
  trello('commentCard', { text: 'Look here' }, 'Ann commented on Tap', 'Look here'),
  trello('addMemberToCard', {}, 'Ann added Bob to Tap'),
  trello('removeMemberFromCard', {}, 'Ann removed Bob from Tap'),
  trello('addLabelToCard', { label: { name: 'wet' } }, 'Ann added label wet to Tap'),
  trello('removeLabelFromCard', { label: { color: 'blue' } }, 'Ann removed label blue from Tap'),
  trello(
    'addAttachmentToCard',
    { attachment: { name: 'plan.pdf', url: 'https://t.test/p' } },
    'Ann attached plan.pdf to Tap',
  ),
  trello(
    'addChecklistToCard',
    { checklist: { name: 'Steps' } },
    'Ann added checklist Steps to Tap',
  ),
  trello(
    'createCheckItem',
    { checkItem: { name: 'Seal' } },
    'Ann added Seal to the checklist of Tap',
  ),
  trello(
    'updateCheckItemStateOnCard',
    { checkItem: { name: 'Seal', state: 'complete' }, checklist: { name: 'Steps' } },
    'Ann completed Seal of checklist Steps on Tap',
  ),
  trello('createList', { card: undefined }, 'Ann created list To do'),
  trello(
    'updateList',
    { card: undefined, list: { name: 'To do', closed: true }, old: { closed: false } },
    'Ann archived list To do',
  ),
  trello(
    'updateBoard',
    { card: undefined, old: { name: 'House' }, board: { name: 'Home' } },
    'Ann renamed the board House to Home',
  ),
  trello('voteOnCard', {}),

  linear(
    'Issue',
    'create',
    task,
    'Leak',
    'Ann created issue TAP-1 Leak',
    'State: Todo',
    'Assignee: Bob',
    'It drips.',
  ),
  linear('Issue', 'update', { ...task, parentId: 'x' }, 'Leak', 'Ann updated sub-issue TAP-1'),
  linear('Issue', 'remove', task, 'Leak', 'Ann deleted issue TAP-1'),
  linear(
    'Comment',
    'create',
    { body: 'Look here', issue: { title: 'Leak' } },
    'Leak',
    'Ann commented on Leak',
    'Look here',
  ),
  linear(
    'Project',
    'create',
    { name: 'Pipes', state: 'started', lead: { name: 'Bob' } },
    'Pipes',
    'Ann created project Pipes',
    'State: started',
    'Lead: Bob',
  ),
  own('linear', { type: 'Cycle', action: 'create', data: {} }, null),

  wekan('act-createCard', 'created card "Tap"', 'ann created card "Tap"'),
  wekan('act-removedChecklistItem', 'act-removedChecklistItem', 'ann removed a checklist item'),

  freshdesk(
    '{ticket_action:created}',
    'Ann: ticket #4 was created',
    'Status: Open',
    'Priority: High',
    'ann@x.test',
    'It drips.',
  ),
  freshdesk('{priority:{from:1,to:4}}', 'changed its priority from Low to Urgent'),
  freshdesk('{note_type:private}', 'got a private note'),
  own(
    'zendesk',
    { ticket_id: '4', ticket_title: 'Leak', message: 'It drips.' },
    '#4: Leak',
    'Ticket #4 Leak',
    'It drips.',
  ),
];
