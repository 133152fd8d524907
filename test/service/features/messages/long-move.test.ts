/** What others do while a large topic moves. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  gus,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const GENERAL = 1;
const ENGINEERING = 2;
const MESSAGES = 2200;
const TOPIC = 'a large topic';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The ids, ascending. */
async function fillTopic(): Promise<readonly [number, number]> {
  const first = await service.say(ben, 'general', TOPIC);
  service.change(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MESSAGES - 1})
      INSERT INTO message (recipient_id, topic_id, sender_id, client_id, content, rendered, is_me_message,
        has_wildcard_mention, has_link, has_image, has_attachment, sent_at)
      SELECT recipient_id, topic_id, sender_id, client_id, content, rendered, 0, 0, 0, 0, 0, sent_at
      FROM message, n WHERE id = ?`,
    first,
  );
  return [first, first + MESSAGES - 1];
}

test('while a large topic moves others read it as a whole, and what they change comes after', async () => {
  const [first, last] = await fillTopic();
  /** Of messages in the middle, as many as are read in one piece. */
  const streamsNow = async (): Promise<readonly unknown[]> => {
    const page = { anchor: first + 1000, num_before: 49, num_after: 50 };
    const { messages } = await service.ask(ben, api.messages.page, page);
    return [...new Set(messages.map(({ stream_id: id }) => id))];
  };
  const progress = { isMoved: false };
  const move = { message_id: first, stream_id: ENGINEERING, propagate_mode: 'change_all' };
  const moving = service.ask(ada, api.lifecycle.edit, move).then(() => (progress.isMoved = true));
  await service.arrived();
  const changes = Promise.all([
    service.say(cleo, 'general', TOPIC, 'sent meanwhile'),
    service.ask(ben, api.lifecycle.edit, { message_id: first + 1, content: 'edited' }),
    service.ask(ada, api.lifecycle.delete, { message_id: first + 2 }),
    service.ask(cleo, api.readState.changeFlags, {
      ...{ messages: [first + 3], op: 'add', flag: 'starred' },
    }),
    service.join(cleo, ['engineering']),
    service.ask(ada, api.subscriptions.unsubscribe, {
      ...{ subscriptions: ['general'], principals: [gus] },
    }),
    service.ask(ada, api.lifecycle.edit, {
      ...{ message_id: first + 4, topic: 'on its own', propagate_mode: 'change_one' },
    }),
    service.ask(ada, api.lifecycle.edit, {
      ...{ message_id: last, stream_id: GENERAL, propagate_mode: 'change_later' },
    }),
  ]);
  const pages: (readonly unknown[])[] = [];
  do pages.push(await streamsNow());
  while (!progress.isMoved);
  await moving;
  const [sentId] = await changes;
  for (const streams of pages) expect([[GENERAL], [ENGINEERING]]).toContainEqual(streams);
  const { messages } = await service.ask(ada, api.messages.page, {
    ...{ anchor: first, num_before: 0, num_after: MESSAGES },
  });
  const places = messages.map(({ id, stream_id: stream, subject }) => [id, stream, subject]);
  const at = (id: number): unknown => {
    if (id === sentId || id === last) return [id, GENERAL, TOPIC];
    return [id, ENGINEERING, id === first + 4 ? 'on its own' : TOPIC];
  };
  const ids = Array.from({ length: MESSAGES + 1 }, (_, index) => first + index);
  expect(places).toEqual(ids.filter((id) => id !== first + 2).map(at));
  expect(messages[1]).toMatchObject({ content: '<p>edited</p>' });
  const { message_flag: flags } = service.dump();
  expect(flags?.filter((row) => row['flag'] === 'starred')).toMatchObject([
    { account_id: idOf[cleo], message_id: first + 3 },
  ]);
});
