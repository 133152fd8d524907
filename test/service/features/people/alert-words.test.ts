import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  hookBot,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { FlagQueues, flagsFor } from '#test/support/service/flag-queues.ts';

const { list, add, put, remove } = api.alertWords;

let service: TestService;
let queues: FlagQueues;
beforeAll(async () => {
  service = await startTestService();
  queues = await FlagQueues.open(service, ['alert_words']);
});
afterAll(() => service.stop());
beforeEach(async () => {
  for (const who of [ada, ben, cleo, gus, echoBot]) {
    await service.ask(who, remove, { alert_words: await wordsOf(who) });
  }
  await queues.heard();
});

const wordsOf = async (who: string): Promise<readonly string[]> =>
  (await service.ask(who, list)).alert_words;
const told = (...words: readonly string[]) => [{ type: 'alert_words', alert_words: words }];
const flags = (who: string, ids: readonly number[]) => flagsFor((id) => service.read(who, id), ids);

describe('the list of alert words', () => {
  test.each([
    ['POST', add],
    ['PUT', put],
  ] as const)(
    'alert words are added by %s, told to the caller alone, and kept [alert-words.added-caller-kept]',
    async (_, endpoint) => {
      const first = await service.ask(ben, endpoint, { alert_words: [' Lunch ', 'deploy', ''] });
      expect(first.alert_words).toEqual(['Lunch', 'deploy']);
      expect(await queues.heard()).toEqual({ [ben]: told('Lunch', 'deploy') });
      const second = await service.ask(ben, endpoint, { alert_words: ['LUNCH', 'on call'] });
      expect(second.alert_words).toEqual(['Lunch', 'deploy', 'on call']);
      expect(await queues.heard()).toEqual({ [ben]: told('Lunch', 'deploy', 'on call') });
      await service.restart();
      expect(await wordsOf(ben)).toEqual(['Lunch', 'deploy', 'on call']);
      expect(await wordsOf(cleo)).toEqual([]);
      const state: Readonly<Record<string, unknown>> = await service.ask(ben, api.events.register, {
        fetch_event_types: ['alert_words'],
      });
      expect(state['alert_words']).toEqual(['Lunch', 'deploy', 'on call']);
    },
  );

  test('alert words are removed without case, and those not in the list are passed over [alert-words.removed-without-case]', async () => {
    await service.ask(ben, add, { alert_words: ['one', 'two', 'three'] });
    await queues.heard();
    const answer = await service.ask(ben, remove, { alert_words: ['TWO', 'four'] });
    expect(answer.alert_words).toEqual(['one', 'three']);
    expect(await queues.heard()).toEqual({ [ben]: told('one', 'three') });
  });

  test('the list of alert words is not told where nothing changes', async () => {
    await service.ask(ben, add, { alert_words: ['one'] });
    await queues.heard();
    const before = service.dump();
    await service.ask(ben, add, { alert_words: ['One', ' '] });
    await service.ask(ben, remove, { alert_words: ['two'] });
    expect(service.dump()).toEqual(before);
    expect(await queues.heard()).toEqual({});
  });

  test.each([ada, ben, cleo, gus, echoBot])('%s may have its own', async (who) => {
    const answer = await service.ask(who, add, { alert_words: ['mine'] });
    expect(answer.alert_words).toEqual(['mine']);
    expect(await queues.heard()).toEqual({ [who]: told('mine') });
  });

  test('an incoming webhook bot has none', async () => {
    expect(await service.refuse(hookBot, list)).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('a word has at most 100 characters', async () => {
    const longest = '🌍'.repeat(100);
    expect((await service.ask(ben, add, { alert_words: [longest] })).alert_words).toEqual([
      longest,
    ]);
    const refusal = await service.refuse(ben, add, { alert_words: ['ok', `${longest}x`] });
    expect(refusal).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Alert word too long (limit: 100 characters)',
    });
    expect(await service.refuse(ben, put, { alert_words: [`${longest}x`] })).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('the list of alert words has at most 1000 words', async () => {
    const words = Array.from({ length: 1000 }, (_, index) => `w${index}`);
    await service.ask(cleo, add, { alert_words: words });
    const refusal = await service.refuse(cleo, add, { alert_words: ['one more'] });
    expect(refusal).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Too many alert words (limit: 1000)',
    });
  });

  test.each<[Params, string]>([
    [{}, 'REQUEST_VARIABLE_MISSING'],
    [{ alert_words: '[1]' }, 'REQUEST_VARIABLE_INVALID'],
    [{ alert_words: '{}' }, 'REQUEST_VARIABLE_INVALID'],
  ])('%j is refused', async (params, code) => {
    for (const endpoint of [add, put, remove]) {
      expect(await service.refuse(ben, endpoint, params)).toMatchObject({
        code,
        var_name: 'alert_words',
      });
    }
  });
});

describe('a message with an alert word', () => {
  test('a message with an alert word is flagged for those who watch for it and hold it, its sender included', async () => {
    for (const who of [ada, ben, gus]) await service.ask(who, add, { alert_words: ['deploy'] });
    const id = await service.say(ada, 'engineering', 't', 'Time to **Deploy** it');
    expect(await flags(ada, [id])).toEqual([['read', 'has_alert_word']]);
    expect(await flags(ben, [id])).toEqual([['has_alert_word']]);
    // Neither one who does not watch, nor one who does not hold it.
    const rows = service.dump()['message_flag'] ?? [];
    const flagged = rows.filter((row) => row['message_id'] === id).map((row) => row['account_id']);
    expect(flagged).toEqual([1, 2]);
    const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['is', 'alerted']] };
    const { messages } = await service.ask(ben, api.messages.page, page);
    expect(messages.map((message) => message.id)).toEqual([id]);
  });

  test('the event of a message tells each account of its own alert words, and enters queues that ask for them', async () => {
    await service.ask(ben, add, { alert_words: ['fire'] });
    const all = await service.register(ben, { event_types: ['message'] });
    const alerted = await service.register(ben, {
      event_types: ['message'],
      narrow: [['is', 'alerted']],
    });
    const other = await service.register(cleo, { event_types: ['message'] });
    await service.say(ada, 'general', 't', 'nothing');
    await service.say(ada, 'general', 't', 'FIRE!');
    expect(await all.now()).toMatchObject([{ flags: [] }, { flags: ['has_alert_word'] }]);
    expect(await alerted.now()).toMatchObject([{ flags: ['has_alert_word'] }]);
    expect(await other.now()).toMatchObject([{ flags: [] }, { flags: [] }]);
  });

  test('an alert word is recognised in a private message, and no longer when the word is gone', async () => {
    await service.ask(ben, add, { alert_words: ['coffee'] });
    const before = await service.tell(ada, [ben], 'coffee?');
    await service.ask(ben, remove, { alert_words: ['coffee'] });
    const after = await service.tell(ada, [ben], 'coffee?');
    expect(await flags(ben, [before, after])).toEqual([['has_alert_word'], []]);
  });

  test('an alert word is recognised after a restart', async () => {
    await service.ask(ben, add, { alert_words: ['again'] });
    await service.restart();
    const id = await service.tell(ada, [ben], 'and again');
    expect(await flags(ben, [id])).toEqual([['has_alert_word']]);
  });
});
