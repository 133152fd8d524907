import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeSearch } from '#test/support/window/close-search.ts';
import { openApp, type DesktopApp, type Profile } from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { addColleague } from '#test/support/desktop/desktop-colleague.ts';
import {
  closeDialog,
  composeBox,
  heading,
  main,
  message,
  open,
  openTopic,
  row,
  sidebar,
} from '#test/support/desktop/desktop-places.ts';
import { pickMenu, untilMenu } from '#test/support/desktop/desktop-window.ts';
import { call } from '#test/support/service/service.ts';

let profile: Profile;
let app: DesktopApp;

beforeAll(async () => {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
  const ben = await addColleague(profile, 'Ben Member');
  await ben.write('hello there');
  await call(profile.origin, ben, 'POST', '/messages', {
    type: 'stream',
    to: 'general',
    topic: 'lunch',
    content: 'who is in?',
  });
  await openTopic(app.page, 'general', 'lunch');
  await message(app.page, 'who is in?').waitFor();
});
afterAll(async () => {
  await app.quit();
  await profile.remove();
});

test.each([
  ['Inbox', 'Inbox'],
  ['Mentions', 'Mentions'],
  ['Drafts', 'Drafts'],
] as const)('Go › %s opens that view', async (item, title) => {
  await pickMenu(app, 'Go', item);
  await heading(app.page, title).waitFor();
});

test('Go › Back and Forward walk through the places', async () => {
  await open(app.page, 'Ben Member');
  await open(app.page, 'Drafts');
  await pickMenu(app, 'Go', 'Back');
  await heading(app.page, 'Ben Member').waitFor();
  await pickMenu(app, 'Go', 'Forward');
  await heading(app.page, 'Drafts').waitFor();
});

test('File › New message leads into the box, and New private message asks to whom', async () => {
  await openTopic(app.page, 'general', 'lunch');
  await pickMenu(app, 'File', 'New message');
  await expect
    .poll(() => composeBox(app.page).evaluate((box) => box === document.activeElement))
    .toBe(true);
  await pickMenu(app, 'File', 'New private message');
  await closeDialog(app.page.getByRole('dialog', { name: 'New private message' }));
});

test('File › Settings opens the settings', async () => {
  await pickMenu(app, 'File', 'Settings…');
  await closeDialog(app.page.getByRole('dialog', { name: 'Settings', exact: true }));
});

test('Edit › Search looks everywhere, or in this conversation', async () => {
  const field = app.page.getByRole('combobox', { name: 'Search messages' });
  await pickMenu(app, 'Edit', 'Search everywhere');
  await field.waitFor();
  expect(
    await main(app.page)
      .getByRole('button', { name: /^Remove / })
      .count(),
  ).toBe(0);
  await closeSearch(app.page);
  await pickMenu(app, 'Edit', 'Search in this conversation');
  await main(app.page).getByRole('button', { name: 'Remove stream: general' }).waitFor();
  await main(app.page).getByRole('button', { name: 'Remove topic: lunch' }).waitFor();
  await closeSearch(app.page);
});

test('a key that is changed in the settings shows in the menu, acts, and is there at the next start', async () => {
  async function keyOf(label: string): Promise<string | undefined> {
    await untilMenu(app);
    return app.electron.evaluate(({ Menu }, wanted) => {
      const items = Menu.getApplicationMenu()!.items.flatMap(({ submenu }) => submenu?.items ?? []);
      const accelerator = items.find((item) => item.label === wanted)?.accelerator;
      return typeof accelerator === 'string' ? accelerator : undefined;
    }, label);
  }
  expect(await keyOf('Drafts')).toBe('D');
  await pickMenu(app, 'File', 'Settings…');
  const settings = app.page.getByRole('dialog', { name: 'Settings', exact: true });
  await settings.getByRole('tab', { name: 'Keys', exact: true }).click();
  await settings.getByRole('button', { name: 'Change: Drafts, D' }).click();
  await app.page.keyboard.press('Control+Alt+g');
  await settings.getByRole('button', { name: 'Change: Drafts, Ctrl+Alt+G' }).waitFor();
  await settings.getByRole('button', { name: 'Change: Settings, Ctrl+,' }).click();
  await app.page.keyboard.press('F7');
  await settings.getByRole('button', { name: 'Change: Settings, F7' }).waitFor();
  await expect.poll(() => keyOf('Drafts')).toBe('CmdOrCtrl+Alt+G');
  expect(await keyOf('Settings…')).toBe('F7');
  await closeDialog(settings);
  await open(app.page, 'Inbox');
  await app.page.keyboard.press('Control+Alt+g');
  await heading(app.page, 'Drafts').waitFor();
  await app.quit();
  app = await openApp(profile);
  await row(app.page, 'Inbox').waitFor();
  expect(await keyOf('Drafts')).toBe('CmdOrCtrl+Alt+G');
  await app.page.keyboard.press('F7');
  await closeDialog(app.page.getByRole('dialog', { name: 'Settings', exact: true }));
});

test('View › Left column and Right column hide them and bring them back', async () => {
  await pickMenu(app, 'View', 'Left column');
  await sidebar(app.page).waitFor({ state: 'detached' });
  await pickMenu(app, 'View', 'Left column');
  await row(app.page, 'Inbox').waitFor();
  const details = app.page.getByRole('complementary');
  const before = await details.count();
  await pickMenu(app, 'View', 'Right column');
  await expect.poll(() => details.count()).not.toBe(before);
  await pickMenu(app, 'View', 'Right column');
  await expect.poll(() => details.count()).toBe(before);
});

test('a misspelt word has suggestions in the menu of its box, and one can be learnt', async () => {
  const shown = await app.electron.evaluate(({ BrowserWindow, Menu }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    let labels: readonly string[] = [];
    const popup = Menu.prototype.popup;
    Menu.prototype.popup = function note(this: Electron.Menu): void {
      labels = this.items.map(({ label, role }) => label || (role ?? ''));
    };
    webContents.emit(
      'context-menu',
      {},
      {
        isEditable: true,
        misspelledWord: 'wrogn',
        dictionarySuggestions: ['wrong', 'wrung'],
        editFlags: { canCut: true, canCopy: true, canPaste: true, canSelectAll: true },
        selectionText: 'wrogn',
        linkURL: '',
        srcURL: '',
        mediaType: 'none',
      },
    );
    Menu.prototype.popup = popup;
    return labels;
  });
  expect(shown).toEqual(expect.arrayContaining(['wrong', 'wrung']));
  expect(shown.join()).toMatch(/dictionary/i);
});
