import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ada, ben, cleo, startTestService, type TestService } from '#test/support/service/api.ts';
import { listed } from '#test/support/data-names/listed.ts';
import { namesOf } from '#test/support/data-names/wire-names.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** What people do of which JSON is stored. */
async function doThings(): Promise<void> {
  await service.register(ben, {
    event_types: ['message'],
    narrow: [['stream', 'general']],
    all_public_streams: true,
  });
  await service.say(ada, 'general', 'lunch');
  await service.tell(ada, [ben]);
  await service.join(ben, ['new one']);
  await service.join(ada, ['secret one'], { invite_only: true, principals: [cleo] });
  await service.send(ben, 'PATCH /settings/notifications', { enable_sounds: false });
  await service.send(ada, 'PATCH /realm', { mandatory_topics: true });
  await service.send(ben, 'POST /users/me/presence', { status: 'active', new_user_input: true });
}

const columns = [
  ['event', 'audience'],
  ['queue', 'options'],
  ['account', 'settings'],
  ['realm', 'settings'],
] as const;

/** An audience of each kind apart: what it says beside that depends on it. */
const lineOf = (value: unknown): string => {
  const { kind } = value as { readonly kind?: unknown };
  const names = namesOf(value).join(' ');
  return typeof kind === 'string' ? `${kind}: ${names}` : names;
};

test('JSON in the database keeps its names', async () => {
  await doThings();
  const db = new Database(service.file, { readonly: true });
  const lines = columns.flatMap(([table, column]) => {
    const texts = db.prepare<[], string>(`SELECT ${column} FROM ${table}`).pluck().all();
    const found = texts.map((text) => `${table} ${column} ${lineOf(JSON.parse(text))}`);
    return [...new Set(found.filter((line) => !line.endsWith(' ')))].sort();
  });
  db.close();
  expect(lines).toEqual(listed('stored-json'));
});
