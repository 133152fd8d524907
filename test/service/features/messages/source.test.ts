import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { page } = api.messages;
const { edit, get } = api.lifecycle;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const html: Params = { apply_markdown: true, with_source: true };

const nothing = { has_link: false, has_image: false, has_attachment: false };
const link = { ...nothing, has_link: true };

const texts: readonly (readonly [string, object])[] = [
  ['**bold** `code`', nothing],
  ['see https://example.com/plan', link],
  ['https://example.com/cat.png', { ...link, has_image: true }],
  ['[a](/user_uploads/1/x/a.txt)', { ...link, has_attachment: true }],
];

/** What only clients get that ask for it. */
const ownKeys = ['source', 'has_link', 'has_image', 'has_attachment'] as const;
const ownOf = (message: object | undefined): object =>
  Object.fromEntries(
    Object.entries(message ?? {}).filter(([key]) => (ownKeys as readonly string[]).includes(key)),
  );

describe('messages with their source', () => {
  test.each(texts)(
    '%j is told in a page, alone and in an event [source.has-fields]',
    async (source, has) => {
      const queue = await service.register(ben, html);
      const id = await service.say(ada, 'general', 'source', source);
      const expected = { source, ...has };
      expect(ownOf(await service.read(ben, id, html))).toEqual(expected);
      const { message } = await service.ask(ben, get, { message_id: id, ...html });
      expect(ownOf(message)).toEqual(expected);
      const [event] = await queue.now();
      expect(event).toMatchObject({ type: 'message', message: { id, ...expected } });
    },
  );

  test('a message has no second source where its content is the source [source.message-no-second]', async () => {
    const params = { apply_markdown: false, with_source: true };
    const queue = await service.register(ben, params);
    const id = await service.say(ada, 'general', 'source', 'https://example.com');
    expect(ownOf(await service.read(ben, id, params))).toEqual(link);
    const [event] = await queue.now();
    expect(event).toMatchObject({ message: link });
    expect(event).not.toHaveProperty('message.source');
  });

  test('a message in a page of search hits has its source, beside the marks', async () => {
    await service.say(ada, 'general', 'source', '**pineapple** juice');
    const { messages } = await service.ask(ben, page, {
      ...html,
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [['search', 'pineapple']],
    });
    expect(messages).toMatchObject([
      { source: '**pineapple** juice', match_content: expect.stringContaining('highlight') },
    ]);
  });

  test('messages with their source tell apart what the account holds and history that it never received [source.messages-tell-apart]', async () => {
    const id = await service.say(ada, 'general', 'before', 'history');
    await service.join(ben, ['unheld']);
    const old = await service.say(ben, 'unheld', 'before', 'history');
    const narrow = [['stream', 'unheld']];
    expect(await service.read(cleo, id, html)).toMatchObject({ is_held: true });
    expect(await service.read(cleo, old, { ...html, narrow })).toMatchObject({ is_held: false });
    const flag = { messages: [old], flag: 'starred' };
    await service.ask(cleo, api.readState.changeFlags, { ...flag, op: 'add' });
    await service.ask(cleo, api.readState.changeFlags, { ...flag, op: 'remove' });
    expect(await service.read(cleo, old, { ...html, narrow })).toMatchObject({ is_held: true });
    expect(await service.read(cleo, old, { narrow })).not.toHaveProperty('is_held');
  });

  test('messages with their source tell whether they were edited or moved, also where no history is shown [source.messages-tell-edited]', async () => {
    const ids = [];
    for (const text of ['kept', 'edited', 'moved', 'both', 'elsewhere'])
      ids.push(await service.say(ada, 'general', 'parts', text));
    const [kept = 0, edited = 0, moved = 0, both = 0, elsewhere = 0] = ids;
    await service.join(ada, ['parts']);
    const { stream_id } = await service.ask(ada, api.streams.findId, { stream: 'parts' });
    await service.ask(ada, edit, { message_id: edited, content: 'other words' });
    await service.ask(ada, edit, { message_id: moved, topic: 'another' });
    await service.ask(ada, edit, { message_id: both, content: 'other words', topic: 'another' });
    await service.ask(ada, edit, { message_id: elsewhere, stream_id });
    for (const allow_edit_history of [true, false]) {
      await service.ask(ada, api.realm.update, { allow_edit_history });
      expect(await service.read(ada, kept, html)).not.toHaveProperty('edited_parts');
      expect(await service.read(ada, edited, html)).toMatchObject({ edited_parts: ['content'] });
      expect(await service.read(ada, moved, html)).toMatchObject({ edited_parts: ['place'] });
      expect(await service.read(ada, both, html)).toMatchObject({
        edited_parts: ['content', 'place'],
      });
      expect(await service.read(ada, elsewhere, html)).toMatchObject({ edited_parts: ['place'] });
      expect(await service.read(ada, edited)).not.toHaveProperty('edited_parts');
    }
    await service.ask(ada, api.realm.update, { allow_edit_history: true });
  });

  test('an edit of a message tells what the message has from then on [source.edit-message]', async () => {
    const id = await service.say(ada, 'general', 'source', 'plain');
    const queue = await service.register(ben, html);
    await service.ask(ada, edit, { message_id: id, content: 'https://example.com' });
    expect(await queue.now()).toMatchObject([
      { type: 'update_message', content: 'https://example.com', ...link },
    ]);
    await service.ask(ada, edit, { message_id: id, topic: 'source moved' });
    const [moved] = await queue.now();
    expect(moved).toMatchObject({ type: 'update_message', subject: 'source moved' });
    expect(ownOf(moved)).toEqual({});
    expect(ownOf(await service.read(ben, id, html))).toEqual({
      source: 'https://example.com',
      ...link,
    });
  });

  test('a queue goes on telling messages with their source after a restart [source.queue-goes-telling]', async () => {
    const queue = await service.register(ben, { ...html, event_types: ['message'] });
    await service.restart();
    await service.say(ada, 'general', 'source', '*x*');
    expect(await queue.now()).toMatchObject([{ message: { source: '*x*', ...nothing } }]);
  });

  test('a queue that GET /events registered tells messages with their source [source.queue-get-events]', async () => {
    const answer = await service.ask(ben, api.events.poll, html);
    await service.say(ada, 'general', 'source', '*x*');
    const { events } = await service.ask(ben, api.events.poll, { queue_id: answer.queue_id });
    expect(events).toMatchObject([{ message: { source: '*x*' } }]);
  });
});

describe('clients that do not ask', () => {
  test('clients that do not ask see nothing of the source, whoever is told the same beside them [source.clients-not-ask]', async () => {
    const plain = [
      await service.register(ben, { apply_markdown: true }),
      await service.register(cleo),
      await service.register(cleo, { apply_markdown: true, with_source: false }),
    ];
    const asking = await service.register(cleo, html);
    const id = await service.say(ada, 'general', 'source', 'https://example.com');
    await service.ask(ada, edit, { message_id: id, content: 'https://example.org' });
    expect(await asking.now()).toMatchObject([{ message: link }, link]);
    for (const queue of plain) {
      const [message, update] = await queue.now();
      expect(message).toMatchObject({ type: 'message', message: { id } });
      expect(ownOf((message as { readonly message?: object }).message)).toEqual({});
      expect(update).toMatchObject({ type: 'update_message' });
      expect(ownOf(update)).toEqual({});
    }
    expect(ownOf(await service.read(ben, id))).toEqual({});
    expect(ownOf((await service.ask(ben, get, { message_id: id })).message)).toEqual({});
  });

  test('clients that ask for the source share nothing with the others but what is the same, many events at once', async () => {
    const queues = await Promise.all([
      service.register(ben, { apply_markdown: true }),
      service.register(cleo, { apply_markdown: true }),
      service.register(ben, html),
      service.register(cleo, html),
    ]);
    for (const [source] of texts) await service.say(ada, 'general', 'source', source);
    const [benPlain, cleoPlain, benHtml, cleoHtml] = await Promise.all(
      queues.map((queue) => queue.now()),
    );
    expect(cleoPlain).toEqual(benPlain);
    expect(cleoHtml).toEqual(benHtml);
    expect(benHtml).toMatchObject(texts.map(([source, has]) => ({ message: { source, ...has } })));
    for (const event of benPlain ?? [])
      expect(ownOf((event as { readonly message?: object }).message)).toEqual({});
  });
});

test('another value of with_source is refused [source.another-value-refused]', async () => {
  const refusal = { code: 'REQUEST_VARIABLE_INVALID', var_name: 'with_source', bad_value: 'maybe' };
  const where = { anchor: 'newest', num_before: 1, num_after: 0 };
  expect(await service.refuse(ben, page, { ...where, with_source: 'maybe' })).toMatchObject(
    refusal,
  );
  expect(await service.refuse(ben, api.events.register, { with_source: 'maybe' })).toMatchObject(
    refusal,
  );
});
