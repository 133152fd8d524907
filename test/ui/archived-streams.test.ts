import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { RequestResult } from '#shared/bridge/requestable.ts';
import { complaints, looksAt } from '../support/window/complaints.ts';
import { BridgeDouble, ownUserId, person } from '../support/window/bridge-double.ts';
import { listedStream } from '../support/window/office.ts';
import { heading, open, openWindow } from './open-window.ts';

type Listed = RequestResult<'streams.list'>['streams'][number];

const archivedStream = (id: number, name: string, more: Partial<Listed> = {}): Listed => ({
  stream_id: id,
  name,
  description: '',
  rendered_description: '',
  invite_only: false,
  is_web_public: false,
  is_announcement_only: false,
  history_public_to_subscribers: true,
  first_message_id: 7,
  is_archived: true,
  archived_at: 1_700_000_000,
  returning_user_ids: [9, 10],
  ...more,
});

let bridge: BridgeDouble;
let archived: readonly Listed[];
beforeEach(() => {
  bridge = new BridgeDouble();
  archived = [
    archivedStream(41, 'Winter fair', { description: 'Stalls and mulled wine' }),
    archivedStream(42, 'old leads', { invite_only: true, returning_user_ids: [] }),
    archivedStream(43, 'general', { archived_at: null, returning_user_ids: [9] }),
  ];
  bridge.answerRequest('streams.list', () => success({ streams: archived }));
});

const html = document.documentElement;
afterEach(() => {
  html.style.colorScheme = '';
});

const main = () => page.getByRole('main');
const list = () => main().getByRole('list', { name: 'Archived streams' });
const row = (name: string) => list().getByRole('listitem').filter({ hasText: name });
const dialog = (name: string) => page.getByRole('dialog', { name: `Bring back ${name}?` });
const updates = () => bridge.requestsOf('streamAdmin.update');

async function openArchived(): Promise<void> {
  await openWindow(bridge);
  await open(/^All streams/, 'All streams');
  await main().getByRole('button', { name: 'Archived', exact: true }).click();
}

async function ask(name: string): Promise<void> {
  await main()
    .getByRole('button', { name: `Bring back ${name}`, exact: true })
    .click();
  await expect.element(dialog(name)).toBeVisible();
}

test('administrators find archived streams among all of them', async () => {
  await openArchived();
  await expect.element(row('Winter fair')).toBeVisible();
  expect(bridge.requestsOf('streams.list')).toEqual([
    { includePublic: false, includeSubscribed: false, includeArchived: true },
  ]);
  await expect.element(row('Winter fair')).toMatchTextContent(/Stalls and mulled wine/);
  await expect.element(row('Winter fair')).toMatchTextContent(/archived .*2 members come back/);
  await expect.element(row('old leads')).toMatchTextContent(/private.*nobody comes back/);
  await expect.element(row('general').getByText('1 member comes back')).toBeVisible();
  await expect.element(main().getByText('3 streams', { exact: true })).toBeVisible();
  await main().getByRole('textbox', { name: 'Find a stream' }).fill('MULLED');
  await expect.element(main().getByText('1 stream', { exact: true })).toBeVisible();
  await expect.element(row('old leads')).not.toBeInTheDocument();
  await main().getByRole('textbox', { name: 'Find a stream' }).fill('nothing');
  await expect.element(main().getByText('No archived stream matches.')).toBeVisible();
});

test('others see nothing of them', async () => {
  bridge.current = { ...bridge.current, people: [person(ownUserId, 'Ada Admin')] };
  await openWindow(bridge);
  await open(/^All streams/, 'All streams');
  await expect.element(main().getByRole('button', { name: 'Joined', exact: true })).toBeVisible();
  await expect
    .element(main().getByRole('button', { name: 'Archived', exact: true }))
    .not.toBeInTheDocument();
});

test('whoever is no administrator any more sees all streams again', async () => {
  await openArchived();
  await expect.element(row('Winter fair')).toBeVisible();
  bridge.changeState({ people: [person(ownUserId, 'Ada Admin')] });
  await expect.element(main().getByRole('list', { name: 'All streams' })).toBeVisible();
});

test('a page without archived streams says how one gets there', async () => {
  archived = [];
  await openArchived();
  await expect
    .element(main().getByRole('heading', { name: 'No stream is archived' }))
    .toBeVisible();
});

test('what cannot be loaded says so, and is tried again', async () => {
  bridge.answerRequest('streams.list', () => failure('UNREACHABLE', 'No answer.'));
  await openArchived();
  await expect.element(main().getByRole('alert')).toMatchTextContent(/No answer\./);
  bridge.answerRequest('streams.list', () => success({ streams: archived }));
  await main().getByRole('button', { name: 'Try again' }).click();
  await expect.element(row('Winter fair')).toBeVisible();
});

test('one comes back by its name, with who was in it, and the list goes on', async () => {
  bridge.answerRequest('streamAdmin.update', () => {
    archived = archived.slice(1);
    const otherStreams = [...bridge.current.otherStreams, listedStream(41, 'Winter fair')];
    bridge.changeState({ otherStreams });
    return success({});
  });
  await openArchived();
  await ask('Winter fair');
  await expect
    .element(dialog('Winter fair'))
    .toMatchTextContent(/that they had: Ben Member and Cleo/);
  const name = dialog('Winter fair').getByRole('textbox', { name: 'Name' });
  await expect.element(name).toHaveValue('Winter fair');
  await expect.element(name).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog('Winter fair')).not.toBeInTheDocument();
  expect(updates()).toEqual([{ streamId: 41, isArchived: false }]);
  await expect.element(row('Winter fair')).not.toBeInTheDocument();
  await expect.element(row('old leads')).toBeVisible();
  await expect.element(main().getByText('Winter fair is back.')).toBeVisible();
  expect(main().element().contains(document.activeElement)).toBe(true);
  await main().getByRole('button', { name: 'Open it' }).click();
  await expect.element(heading(/Winter fair/)).toBeVisible();
});

test('a name that is taken is said at once, and another one is given', async () => {
  bridge.answerRequest('streamAdmin.update', () => success({}));
  await openArchived();
  await ask('general');
  const name = dialog('general').getByRole('textbox', { name: 'Name' });
  await expect.element(name).toHaveAccessibleDescription(/with this name already/);
  await dialog('general').getByRole('button', { name: 'Bring back' }).click();
  expect(updates()).toEqual([]);
  await name.fill('  ');
  await dialog('general').getByRole('button', { name: 'Bring back' }).click();
  expect(updates()).toEqual([]);
  await name.fill(' general of 2024 ');
  await expect.element(name).not.toHaveAccessibleDescription(/already/);
  await dialog('general').getByRole('button', { name: 'Bring back' }).click();
  await expect.element(dialog('general')).not.toBeInTheDocument();
  expect(updates()).toEqual([{ streamId: 43, isArchived: false, newName: 'general of 2024' }]);
});

test('a name that is taken at this moment is said beside it', async () => {
  bridge.answerRequest('streamAdmin.update', () => ({
    ok: false,
    failure: {
      code: 'BAD_REQUEST',
      message: "Stream name 'winter fair' is already taken",
      cause: { name: 'stream_name_taken', values: { name: 'winter fair' } },
    },
  }));
  await openArchived();
  await ask('Winter fair');
  await dialog('Winter fair').getByRole('button', { name: 'Bring back' }).click();
  await expect
    .element(dialog('Winter fair').getByRole('textbox', { name: 'Name' }))
    .toHaveAccessibleDescription(/with this name already/);
});

test('whoever will be alone in it reads that before, and of a private one what stays closed', async () => {
  await openArchived();
  await ask('old leads');
  await expect.element(dialog('old leads')).toMatchTextContent(/its only member.*stays closed/);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('old leads')).not.toBeInTheDocument();
  await expect.element(main().getByRole('button', { name: 'Bring back old leads' })).toHaveFocus();
});

test('what others archive and bring back is followed', async () => {
  await openArchived();
  await expect.element(row('Winter fair')).toBeVisible();
  archived = archived.slice(1);
  bridge.changeState({
    otherStreams: [...bridge.current.otherStreams, listedStream(41, 'Winter fair')],
  });
  await expect.element(row('Winter fair')).not.toBeInTheDocument();
  await expect.element(heading('All streams')).toBeVisible();
});

test('nothing to complain about in the list and in the dialog, in any theme and width', async () => {
  await openArchived();
  await expect.element(row('Winter fair')).toBeVisible();
  const found: string[] = [];
  const look = async (): Promise<void> => {
    for (const each of looksAt(1100, 700, 360)) {
      await page.viewport(each.width, 640);
      html.style.colorScheme = each.theme;
      found.push(...(await complaints(each)));
    }
    await page.viewport(1100, 640);
  };
  await look();
  await ask('general');
  await look();
  expect(found).toEqual([]);
});
