import { expect, test } from 'vitest';
import { ada, ben } from '../../support/service/wire-builders.ts';
import { settle } from '../../support/fake-clock.ts';
import { startSession } from '../../support/client/session.ts';

test('a long answer is taken in pieces, with a turn for others in between', async () => {
  const { service, clock, told } = await startSession();
  const ids = Array.from({ length: 250 }, () => service.sendPrivate(ben, [ada, ben]));
  await settle();
  expect(told.order).toEqual(ids.slice(0, 100));
  await clock.advance(0);
  expect(told.order).toEqual(ids);
});

test('what its end says was read does not ring', async () => {
  const { service, clock, told } = await startSession();
  const ids = Array.from({ length: 250 }, () => service.sendPrivate(ben, [ada, ben]));
  const read = { type: 'update_message_flags', operation: 'add', op: 'add', flag: 'read' };
  service.emit({ ...read, messages: ids, all: false });
  await clock.advance(0);
  expect(told.order).toEqual(ids);
  expect(told.notices).toEqual([]);
});

test('a session that is stopped in between tells nothing more', async () => {
  const { service, session, told } = await startSession();
  const ids = Array.from({ length: 250 }, () => service.sendPrivate(ben, [ada, ben]));
  await settle();
  await session.stop();
  expect(told.order).toEqual(ids.slice(0, 100));
});
