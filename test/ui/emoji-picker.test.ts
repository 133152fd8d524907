import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { BridgeDouble } from '../support/window/bridge-double.ts';
import { button, openCompose, textBox } from './compose/open-compose.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  localStorage.clear();
  bridge = new BridgeDouble();
  bridge.current = {
    ...bridge.current,
    customEmoji: [
      { id: '7', name: 'party_parrot', url: '/user_avatars/emoji/7.gif', isActive: true },
    ],
  };
});

const ben = { kind: 'private', userIds: [9] } as const;
const search = () => page.getByRole('searchbox', { name: 'Find an emoji' });
const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
const openPicker = async (): Promise<void> => {
  await openCompose(bridge, ben);
  await textBox().fill('well ');
  await button('Emoji').click();
  await expect.element(search()).toHaveFocus();
};

test('the search has the focus, and Enter takes the first that is found', async () => {
  await openPicker();
  await userEvent.keyboard('tada');
  await expect.element(cell('tada')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(textBox()).toHaveValue('well :tada: ');
  await expect.element(textBox()).toHaveFocus();
  await expect.element(search()).not.toBeInTheDocument();
});

test('the grid is one stop of Tab that the arrow keys go through', async () => {
  await openPicker();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(cell('party parrot')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(cell('grinning')).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(cell('smiley')).toHaveFocus();
  await userEvent.keyboard('{Control>}{End}{/Control}');
  await expect.element(page.getByRole('gridcell', { name: /flag|wales/ }).last()).toBeVisible();
  expect(document.activeElement?.getAttribute('role')).toBe('gridcell');
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowUp}');
  await expect.element(search()).toHaveFocus();
});

test('what was picked stands first the next time', async () => {
  await openPicker();
  await userEvent.keyboard('rocket{Enter}');
  await expect.element(textBox()).toHaveValue('well :rocket: ');
  await button('Emoji').click();
  await expect.element(page.getByRole('rowheader', { name: 'Recently used' })).toBeVisible();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(cell('rocket')).toHaveFocus();
});

test('a skin tone is kept, and named as the service knows it', async () => {
  await openPicker();
  await page.getByRole('combobox', { name: 'Skin tone' }).selectOptions('5');
  await search().fill('wave');
  await expect.element(cell('wave tone5')).toBeVisible();
  await search().click();
  await userEvent.keyboard('{Enter}');
  await expect.element(textBox()).toHaveValue('well :wave_tone5: ');
});

test('a category is a click away', async () => {
  await openPicker();
  await button('Flags').click();
  await expect.element(page.getByRole('rowheader', { name: 'Flags' })).toBeVisible();
  await expect.element(cell('checkered flag')).toBeVisible();
});

test('Escape closes it and gives the focus back; nothing found says so', async () => {
  await openPicker();
  await userEvent.keyboard('zzzz');
  await expect.element(page.getByText('No emoji is called like that.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(search()).not.toBeInTheDocument();
  await expect.element(textBox()).toHaveFocus();
});

test('only what is in sight is drawn', async () => {
  await openPicker();
  await expect.element(page.getByRole('gridcell').first()).toBeVisible();
  expect(page.getByRole('gridcell').elements().length).toBeLessThan(200);
});
