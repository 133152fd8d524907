import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { account, BridgeDouble, inTopic } from '#test/support/window/bridge-double.ts';
import { field, paste } from '../compose/open-compose.ts';
import { heading, open, openWindow } from '../open-window.ts';

const fingerprint = 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst';

test.each([
  ['a visitor', { ...account, isHosted: false, pin: fingerprint }],
  ['the hosting computer', account],
])(
  'a link that is copied on %s names the office, and is pasted into a message as one that people can click',
  async (_, joined) => {
    const bridge = new BridgeDouble({ accounts: [joined] });
    const addresses = ['https://192.168.1.20:9981'];
    const identity = { fingerprint, words: 'lamp river stone coat apple moon' };
    bridge.reach = { ...bridge.reach, isOpen: true, addresses, identity };
    const { id } = bridge.store(inTopic(1, 'lunch'), 'noodles?', { isRead: true });
    let copied = '';
    navigator.clipboard.writeText = async (text) => void (copied = text);
    await openWindow(bridge);
    await open(/^general/, 'general');
    await page.getByText('noodles?', { exact: true }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    const place = `#narrow/stream/1-general/topic/lunch/near/${String(id)}`;
    await expect.poll(() => copied).toBe(`hearth://office/${fingerprint}/${place}`);

    await page.getByText('noodles?', { exact: true }).click();
    expect(paste({ 'text/plain': copied })).toBe(false);
    expect(field().value).toBe(`${account.address}/${place}`);
  },
);

test('a link to an office that nobody here knows leads to the form, with no address in it', async () => {
  const bridge = new BridgeDouble();
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  bridge.push('connectSuggested', { address: '', fragment: '' });
  await expect.element(page.getByLabelText('Address')).toHaveValue('');
});
