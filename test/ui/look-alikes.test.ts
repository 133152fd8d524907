import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { success } from '#shared/bridge/outcome.ts';
import { BridgeDouble, inTopic, person } from '../support/window/bridge-double.ts';
import { open, openWindow, textBox, withColumn } from './open-window.ts';

/** The first letter is a Cyrillic one. */
const FALSE_NAME = 'Сleo Zürcher';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  bridge.place = withColumn;
  bridge.store(inTopic(1, 'lunch'), 'noodles?', { senderId: 10 });
  bridge.store(inTopic(1, 'lunch'), 'send me the key', { senderId: 66, senderName: FALSE_NAME });
  bridge.store(inTopic(1, 'lunch'), 'which one?', { senderId: 9 });
  bridge.current = {
    ...bridge.current,
    people: [
      ...bridge.current.people,
      person(66, FALSE_NAME, { email: 'mallory@example.com', isBot: true }),
    ],
  };
  bridge.answerRequest('streams.members', () =>
    success({
      subscribers: ['ben@example.com', 'cleo@example.com', 'mallory@example.com'],
    }),
  );
});

const column = () => page.getByRole('complementary', { name: 'People and details' });

test('whoever has a name like another one is shown with the address, wherever they are [look-alikes.name-like-another]', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await expect
    .element(page.getByRole('listitem', { name: /^Cleo Zürcher cleo@example\.com noodles/ }))
    .toBeVisible();
  await expect
    .element(page.getByRole('listitem', { name: /mallory@example\.com send me the key/ }))
    .toBeVisible();
  await expect.element(page.getByRole('listitem', { name: /^Ben Member which one/ })).toBeVisible();

  const inColumn = column().getByRole('button', { name: /mallory@example\.com/ });
  await expect.element(inColumn).toBeVisible();
  await expect
    .element(column().getByRole('button', { name: /^Cleo Zürcher cleo@example\.com/ }))
    .toBeVisible();
  await inColumn.click();
  const card = page.getByRole('dialog', { name: `About ${FALSE_NAME}` });
  await expect.element(card.getByText('mallory@example.com')).toBeVisible();
});

test('who is offered to be mentioned has the address too, also a bot', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await textBox().click();
  await userEvent.keyboard('@mal');
  await expect.element(page.getByRole('option', { name: /mallory@example\.com/ })).toBeVisible();
});

test('who is searched for, has reacted or has changed something has the address too [look-alikes.searched-reacted-changed]', async () => {
  bridge.current = {
    ...bridge.current,
    // Armenian letters, which no table of a few alphabets has.
    people: [...bridge.current.people, person(67, 'Bеո Member', { email: 'eve@example.com' })],
  };
  bridge.store(inTopic(1, 'lunch'), 'seen by two', {
    reactions: [{ code: '1f389', name: 'tada', type: 'unicode_emoji' as const, userIds: [66, 67] }],
  });
  await openWindow(bridge);
  await open(/^general/, 'general');
  await expect
    .element(page.getByRole('button', { name: /mallory@example\.com.*eve@example\.com/ }))
    .toBeVisible();
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}sender:Member');
  await expect
    .element(page.getByRole('option', { name: 'sender:Bеո Member (eve@example.com)' }))
    .toBeVisible();
  await expect
    .element(page.getByRole('option', { name: 'sender:Ben Member (ben@example.com)' }))
    .toBeVisible();
});
