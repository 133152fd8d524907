import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { LostMessage } from '#shared/bridge/models/client.ts';
import { success } from '#shared/bridge/outcome.ts';
import { BridgeDouble } from '#test/support/window/bridge-double.ts';
import { account } from '#test/support/window/office.ts';
import { openWindow } from '../open-window.ts';

const sent = { senderId: 2, sentAtSeconds: 1_700_000_000 } as const;
const lost: readonly LostMessage[] = [
  {
    ...{ ...sent, id: 7, content: 'The **keys** are in the drawer' },
    conversation: { kind: 'stream', streamId: 1, topic: 'keys' },
  },
  {
    ...{ ...sent, id: 8, content: 'And the alarm is off.\nCall me' },
    conversation: { kind: 'private', userIds: [account.userId, 2] },
  },
];

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  bridge.answer('lostMessages', async () => success(lost));
});

const waiting = (number: number): void => {
  bridge.changeState({ lost: { waiting: number, isAgreed: false, done: null } });
};

test('what this computer still has is shown as it was, and given back by one click', async () => {
  await openWindow(bridge);
  waiting(2);
  const notice = page.getByRole('status').filter({ hasText: 'were lost' });
  await expect.element(notice).toMatchTextContent(/2 messages that this computer still has/);
  await notice.getByRole('button', { name: 'Look' }).click();
  const dialog = page.getByRole('dialog', { name: 'Messages that were lost' });
  await expect.element(dialog).toMatchTextContent(/The \*\*keys\*\* are in the drawer/);
  await expect.element(dialog).toMatchTextContent(/keys/);
  await expect.element(dialog).toMatchTextContent(/Private: /);
  await dialog.getByRole('button', { name: 'Give back' }).click();
  await expect.poll(() => bridge.argsOf('reuploadLost')).toEqual([[account.id]]);
  await expect.element(dialog).not.toBeInTheDocument();
  bridge.changeState({ lost: { waiting: 2, isAgreed: true, done: null } });
  await expect.element(page.getByText('Giving back 2 messages…')).toBeVisible();
  bridge.changeState({ lost: { waiting: 0, isAgreed: false, done: { back: 1, refused: 1 } } });
  const done = page.getByRole('status').filter({ hasText: 'back where' });
  await expect.element(done).toMatchTextContent(/One message is back.*One could not be given back/);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(() => bridge.argsOf('declineLost')).toEqual([[account.id]]);
});

test('it can wait until there are more, or be forgotten', async () => {
  await openWindow(bridge);
  waiting(1);
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect.element(page.getByRole('button', { name: 'Give back' })).not.toBeInTheDocument();
  expect(bridge.argsOf('declineLost')).toEqual([]);
  waiting(2);
  await page.getByRole('button', { name: 'Look' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget them' }).click();
  await expect.poll(() => bridge.argsOf('declineLost')).toEqual([[account.id]]);
});
