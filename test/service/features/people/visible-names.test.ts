/** Names that differ in what nobody sees: who is refused, whose are cleaned, and what exists goes on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visualKeyOf } from '#shared/text/fold.ts';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  echoBot,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const person = { password: 'correct horse battery', full_name: 'New Person' };
const group = { description: '', members: '[]' };

test.each([
  ['POST /users', { ...person, email: 'a\u200bda@example.com' }, 'E-mail address'],
  ['POST /users', { ...person, email: 'a\u202eda@example.com' }, 'E-mail address'],
  [
    'POST /users',
    { ...person, email: 'new@example.com', full_name: 'Ada\u3164Admin' },
    'Full name',
  ],
  ['PATCH /settings', { full_name: 'Ada\u{e0041} Admin' }, 'Full name'],
  ['PATCH /users/10', { full_name: 'Ben\u2800' }, 'Full name'],
  ['POST /bots', { full_name: 'Echo\ufdd0', short_name: 'other' }, 'Full name'],
  ['POST /bots', { full_name: 'Other', short_name: 'oth\u115fer' }, 'E-mail address'],
  ['POST /users/me/subscriptions', { subscriptions: '[{"name":"gene\u034fral"}]' }, 'Stream name'],
  [
    'POST /messages',
    { type: 'stream', to: 'general', topic: 'lun\u0085ch', content: 'x' },
    'Topic',
  ],
  ['POST /user_groups', { ...group, name: 'ad\u3164mins' }, 'User group name'],
  ['PATCH /realm', { name: 'Lan\u2800tern' }, 'Organization name'],
  ['POST /realm/profile_fields', { name: 'Pho\uffa0ne', field_type: 1 }, 'Field name'],
])(
  'a new name in %s %j is refused with a sentence that says which [visible-names.new-refused-sentence]',
  async (request, params, what) => {
    const { status, body } = await service.send(ada, request, params);
    expect(body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    expect(body['msg']).toMatch(
      new RegExp(`^${what} must not contain (?:invisible|control|characters that change)`),
    );
    expect(status).toBe(400);
  },
);

test('a person who invites an address that has what nobody sees is told that it is none', async () => {
  const invitees = 'a\u200bda@example.com';
  const refusal = await service.refuse(ada, api.invitations.invite, {
    invitee_emails: invitees,
    stream_ids: [],
  });
  expect(refusal).toMatchObject({
    code: 'INVITATION_FAILED',
    errors: [[invitees, 'Invalid address.', false]],
  });
});

test('topics of bots are cleaned, to nothing but their name for none [visible-names.topics-bots-cleaned]', async () => {
  const topicOf = async (topic: string): Promise<string | undefined> =>
    (await service.read(ada, await service.say(echoBot, 'general', topic)))?.subject;
  await service.join(ada, ['general'], { principals: [echoBot] });
  expect(await topicOf('lun\u0085\u200b ch\u3164')).toBe('lun ch');
  expect(await topicOf('\u3164')).toBe('(no topic)');
  expect(await topicOf('👩\u200d🚀 می\u200cخواهم')).toBe('👩\u200d🚀 می\u200cخواهم');
});

test('a new topic joins the one that a reader would call the same, which can be called otherwise', async () => {
  const topicOf = async (topic: string, stream = 'general'): Promise<string | undefined> =>
    (await service.read(ada, await service.say(ada, stream, topic)))?.subject;
  for (const [first, ...others] of [
    ['Große Straße', 'GROSSE STRASSE', 'grosse  strasse', 'große\u3000straße'],
    ['weekly report', 'weekly  report', 'Weekly \u00a0 report'],
    ['ΟΔΟΣ ΜΑΣ', 'οδοσ μας', 'οδος  μας'],
    ['İzmir', 'izmir', 'IZMIR'],
    ['Cafe\u0301', 'caf\u00e9  ', 'CAF\u00c9'],
    ['会议 １', '会议  1'],
  ]) {
    expect(await topicOf(first ?? '')).toBe(first);
    const heard = await Promise.all(others.map((other) => topicOf(other)));
    expect(new Set(heard.map((topic) => visualKeyOf(topic ?? '')))).toEqual(
      new Set([visualKeyOf(first ?? '')]),
    );
    const { topics } = await service.ask(ada, api.streams.topics, { stream_id: 1 });
    expect(
      topics.filter(({ name }) => visualKeyOf(name) === visualKeyOf(first ?? '')),
    ).toHaveLength(1);
  }
  // Letters of their own, and another stream, are others.
  expect(await topicOf('ızmır')).toBe('ızmır');
  await service.join(ada, ['elsewhere']);
  expect(await topicOf('GROSSE STRASSE', 'elsewhere')).toBe('GROSSE STRASSE');
  const id = await service.say(ada, 'general', 'weekly  report');
  await service.ask(ada, api.lifecycle.edit, {
    message_id: id,
    topic: 'Weekly  report',
    propagate_mode: 'change_all',
  });
  expect((await service.read(ada, id))?.subject).toBe('Weekly  report');
  await service.ask(ada, api.lifecycle.edit, { message_id: id, topic: 'große  STRASSE' });
  expect((await service.read(ada, id))?.subject).toBe('Große Straße');
});

test('what exists under such a name stays as it is called, is used as before, and is listed for administrators [visible-names.exists-stays-called]', async () => {
  const name = 'old\u200b';
  const id = await service.say(ada, 'general', 'before');
  await service.join(ada, ['temporary', 'engineerіng']);
  for (const stream of ['general', 'leads'])
    for (const topic of ['lunch', 'lunсh']) await service.say(ada, stream, topic);
  service.change('UPDATE topic SET name = ?, name_key = ? WHERE name = ?', name, name, 'before');
  service.change(
    'UPDATE stream SET name = ?, name_key = ? WHERE name = ?',
    name,
    name,
    'temporary',
  );
  service.change(
    'UPDATE account SET email = ?, email_key = ? WHERE email = ?',
    'b\u200ben@example.com',
    'b\u200ben@example.com',
    ben,
  );
  service.change('UPDATE account SET full_name = ? WHERE email = ?', 'Ada\u3164 Admin', echoBot);
  await service.restart();
  const { warnings } = await service.ask(ada, api.health.show);
  const detailsOf = (begin: string): readonly unknown[] =>
    warnings
      .filter(({ message }) => message.startsWith(begin))
      .map(({ details }) => JSON.parse(details) as unknown)
      .toReversed();
  const idOfStream = (await service.ask(ada, api.streams.findId, { stream: name })).stream_id;
  const topicId = (topic: string): unknown =>
    service.rows('topic').find((row) => row['name'] === topic)?.['id'];
  expect(detailsOf('a name has something in it')).toEqual([
    { kind: 'person', id: idOf[echoBot], name: 'Ada<U+3164> Admin', looks_like: [idOf[ada]] },
    { kind: 'address', id: idOf[ben], name: 'b<U+200B>en@example.com', looks_like: [] },
    { kind: 'stream', id: idOfStream, name: 'old<U+200B>', looks_like: [] },
    { kind: 'topic', stream: 'general', id: topicId(name), name: 'old<U+200B>', looks_like: [] },
  ]);
  // Of the topic in the private stream nobody else reads.
  const [engineering, other] = [2, idOfStream + 1];
  const [lunch, otherLunch] = [topicId('lunch'), topicId('lunсh')];
  expect(detailsOf('a name looks like another one')).toEqual([
    { kind: 'stream', id: engineering, name: 'engineering', looks_like: [other] },
    { kind: 'stream', id: other, name: 'engineerіng', looks_like: [engineering] },
    { kind: 'topic', stream: 'general', id: otherLunch, name: 'lunсh', looks_like: [lunch] },
    { kind: 'topic', stream: 'general', id: lunch, name: 'lunch', looks_like: [otherLunch] },
  ]);
  expect((await service.read(ada, id))?.subject).toBe(name);
  for (const who of [ada, echoBot]) {
    const reply = await service.say(who, 'general', name);
    expect((await service.read(ada, reply))?.subject).toBe(name);
  }
  await service.join(ada, [name]);
  await service.say(ada, name, 'topic');
  const moved = await service.say(ada, 'general', 'elsewhere');
  await service.ask(ada, api.lifecycle.edit, { message_id: moved, topic: name });
  const refused = { message_id: moved, topic: 'new\u200b' };
  expect((await service.refuse(ada, api.lifecycle.edit, refused)).msg).toBe(
    'Topic must not contain invisible characters',
  );
  const signIn = { username: 'b\u200ben@example.com', password: 'wrong' };
  expect((await service.send(null, 'POST /fetch_api_key', signIn)).body).toMatchObject({
    code: 'AUTHENTICATION_FAILED',
  });
});

test('files and devices are called as is seen, with the joiners that scripts and emoji need [visible-names.files-devices-called]', async () => {
  const form = new FormData();
  form.set('file', new File(['x'], 'خانه\u200cها\u202egpj.exe'));
  await service.send(ada, 'POST /user_uploads', {}, { body: form });
  expect(service.rows('attachment').map((row) => row['file_name'] ?? row['name'])).toContain(
    'خانه\u200cهاgpj.exe',
  );
});
