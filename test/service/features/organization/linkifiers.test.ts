import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  gus,
  hookBot,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { filters, list, add, remove } = api.linkifiers;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const issue = {
  pattern: '#(?P<id>[0-9]+)',
  url_format_string: 'https://tracker.example.com/issue/%(id)s',
};

/** Adds one for as long as a piece of work takes. */
async function having(params: Params, work: (id: number) => Promise<unknown>): Promise<void> {
  const { id } = await service.ask(ada, add, params);
  await work(id);
  await service.ask(ada, remove, { filter_id: id });
}

describe('linkifiers', () => {
  test('an added one is listed in both shapes and in the initial state, for everybody [linkifiers.added-listed-both]', async () => {
    await having(issue, async (id) => {
      await service.restart();
      for (const who of [ada, ben, gus, echoBot]) {
        expect(await service.ask(who, filters)).toEqual({
          filters: [[issue.pattern, issue.url_format_string, id]],
        });
        expect(await service.ask(who, list)).toEqual({
          linkifiers: [{ id, pattern: issue.pattern, url_format: issue.url_format_string }],
        });
        const state = await service.ask(who, api.events.register, {
          fetch_event_types: ['realm_filters'],
        });
        expect(state['realm_filters']).toEqual([[issue.pattern, issue.url_format_string, id]]);
      }
    });
    expect(await service.ask(ben, filters)).toEqual({ filters: [] });
    expect(await service.ask(ben, list)).toEqual({ linkifiers: [] });
  });

  test('they stand in the order in which they were added, and ids are not used again', async () => {
    const first = await service.ask(ada, add, { ...issue, pattern: 'z(?P<id>[0-9]+)' });
    const second = await service.ask(ada, add, { ...issue, pattern: 'a(?P<id>[0-9]+)' });
    const answer = await service.ask(ada, filters);
    expect(answer.filters.map(([, , id]) => id)).toEqual([first.id, second.id]);
    await service.ask(ada, remove, { filter_id: second.id });
    const third = await service.ask(ada, add, { ...issue, pattern: 'a(?P<id>[0-9]+)' });
    expect(third.id).toBeGreaterThan(second.id);
    await service.ask(ada, remove, { filter_id: first.id });
    await service.ask(ada, remove, { filter_id: third.id });
  });

  test('one is one row', async () => {
    let id = 0;
    const added = await service.rowsAdded(async () => {
      ({ id } = await service.ask(ada, add, issue));
    });
    expect(added).toEqual({ linkifier: 1, event: 1, audit_entry: 1 });
    const removed = await service.rowsAdded(() => service.ask(ada, remove, { filter_id: id }));
    expect(removed).toEqual({ linkifier: -1, event: 1, audit_entry: 1 });
  });

  test('everybody hears the whole list [linkifiers.everybody-hears-whole]', async () => {
    let id = 0;
    const added = await eventsOf(service, async () => {
      ({ id } = await service.ask(ada, add, issue));
    });
    const removed = await eventsOf(service, () => service.ask(ada, remove, { filter_id: id }));
    for (const who of [ada, ben, cleo, gus, echoBot]) {
      const event = { id: expect.any(Number), type: 'realm_filters' };
      const entry = [issue.pattern, issue.url_format_string, id];
      expect(added.get(who)).toEqual([{ ...event, realm_filters: [entry] }]);
      expect(removed.get(who)).toEqual([{ ...event, realm_filters: [] }]);
    }
  });
});

describe('refused', () => {
  const bad = { code: 'BAD_REQUEST' };

  test.each<[string, string, Params, Params]>([
    ['a member', ben, {}, bad],
    ['a guest', gus, {}, bad],
    ["an administrator's bot", echoBot, {}, bad],
    ['an incoming webhook bot', hookBot, {}, { code: 'UNAUTHORIZED' }],
    [
      'no pattern',
      ada,
      { pattern: undefined },
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'pattern' },
    ],
    [
      'no format',
      ada,
      { url_format_string: undefined },
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'url_format_string' },
    ],
    ['an empty pattern', ada, { pattern: ' ' }, bad],
    ['a pattern that does not compile', ada, { pattern: '#(?P<id>[0-9]+' }, bad],
    ['a pattern that looks ahead', ada, { pattern: '(?=x)(?P<id>[0-9]+)' }, bad],
    ['a pattern that refers back', ada, { pattern: '(?P<id>[0-9]+)-\\1' }, bad],
    ['a format that names no group', ada, { pattern: '#(?P<number>[0-9]+)' }, bad],
    ['a format that is no address', ada, { url_format_string: 'javascript:%(id)s' }, bad],
  ])('%s [linkifiers.refused]', async (_, who, more, expected) => {
    expect(await service.refuse(who, add, { ...issue, ...more })).toMatchObject(expected);
  });

  test('a pattern that is taken', async () => {
    await having(issue, async () => {
      const again = { ...issue, url_format_string: 'https://example.com/%(id)s' };
      expect(await service.refuse(ada, add, again)).toMatchObject(bad);
    });
  });

  test('removing an unknown one, or by somebody else [linkifiers.removing-refused]', async () => {
    expect(await service.refuse(ada, remove, { filter_id: 999 })).toMatchObject(bad);
    await having(issue, async (id) => {
      for (const who of [ben, gus, echoBot]) {
        expect(await service.refuse(who, remove, { filter_id: id })).toMatchObject(bad);
      }
    });
    expect((await service.send(ada, 'DELETE /realm/filters/x')).status).toBe(404);
  });
});
