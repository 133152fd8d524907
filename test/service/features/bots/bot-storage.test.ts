import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  echoBot,
  gus,
  hookBot,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { put, get, remove } = api.botStorage;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const MIB = 1024 * 1024;
const all = async (who: string) => (await service.ask(who, get)).storage;

describe('bot storage', () => {
  test('bot storage keeps texts under keys, each account its own [bot-storage.texts-keys-account]', async () => {
    await service.ask(echoBot, put, { storage: { count: '1', 'ünï cödé': '🎉 "x"', '': '' } });
    await service.ask(ben, put, { storage: { count: '7' } });
    expect(await all(echoBot)).toEqual({ count: '1', 'ünï cödé': '🎉 "x"', '': '' });
    expect(await all(ben)).toEqual({ count: '7' });
    expect(await all(gus)).toEqual({});
  });

  test('bot storage replaces what stands under the same key, and survives a restart', async () => {
    await service.ask(echoBot, put, { storage: { count: '2', more: 'x' } });
    await service.restart();
    expect(await all(echoBot)).toMatchObject({ count: '2', more: 'x' });
  });

  test('a read of bot storage answers the wanted keys, or is an error where one is missing [bot-storage.read-answers-wanted]', async () => {
    expect(await service.ask(echoBot, get, { keys: ['more', 'count'] })).toEqual({
      storage: { more: 'x', count: '2' },
    });
    expect(await service.ask(echoBot, get, { keys: [] })).toEqual({ storage: {} });
    const refusal = await service.refuse(echoBot, get, { keys: ['count', 'gone'] });
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', msg: 'Key does not exist.' });
  });

  test('bot storage has no keys that it was not given', async () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      expect(await service.refuse(echoBot, get, { keys: [key] })).toMatchObject({
        code: 'BAD_REQUEST',
      });
    }
  });

  test('bot storage deletes the wanted keys, or none where one is missing [bot-storage.deletes-wanted-keys]', async () => {
    const refusal = await service.refuse(echoBot, remove, { keys: ['count', 'gone'] });
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    await service.ask(echoBot, remove, { keys: ['count', 'count'] });
    expect(await all(echoBot)).toEqual({ more: 'x', 'ünï cödé': '🎉 "x"', '': '' });
  });

  test('bot storage deletes everything of one account where no key is named [bot-storage.deletes-everything-account]', async () => {
    await service.ask(echoBot, remove);
    expect(await all(echoBot)).toEqual({});
    expect(await all(ben)).toEqual({ count: '7' });
  });

  test('bot storage holds 1 MiB of keys and texts in all, counted in bytes [bot-storage.holds-1-mib]', async () => {
    const quarter = 'é'.repeat(MIB / 8);
    for (const key of ['a', 'b', 'c']) await service.ask(ada, put, { storage: { [key]: quarter } });
    // Four keys of one byte, and three letters of two bytes less: two bytes are left.
    await service.ask(ada, put, { storage: { d: quarter.slice(3) } });
    const refusal = await service.refuse(ada, put, { storage: { e: 'xx' } });
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    expect(refusal.msg).toContain(String(MIB));
    await service.ask(ada, put, { storage: { e: 'x' } });
    await service.ask(ada, put, { storage: { a: '' } });
    await service.ask(ada, put, { storage: { e: 'xx' } });
  });

  test.each<[string, Params, object]>([
    ['no storage', {}, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'storage' }],
    ['a list', { storage: ['x'] }, { code: 'REQUEST_VARIABLE_INVALID', var_name: 'storage' }],
    [
      'values that are no strings',
      { storage: { count: 1 } },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'storage' },
    ],
    ['NUL', { storage: { count: '\0' } }, { code: 'BAD_REQUEST' }],
  ])('bot storage refuses %s [bot-storage.refuses]', async (_, params, expected) => {
    expect(await service.refuse(ben, put, params)).toMatchObject(expected);
  });

  test('bot storage refuses keys that are not strings', async () => {
    for (const endpoint of [get, remove]) {
      expect(await service.refuse(ben, endpoint, { keys: [1] })).toMatchObject({
        code: 'REQUEST_VARIABLE_INVALID',
        var_name: 'keys',
      });
    }
  });

  test('bot storage is not for incoming webhook bots, which may only send', async () => {
    for (const endpoint of [put, get, remove]) {
      const refusal = await service.refuse(hookBot, endpoint, { storage: {} });
      expect(refusal).toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });
});
