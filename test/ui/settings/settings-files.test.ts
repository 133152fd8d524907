import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { OrganizationFile } from '#shared/api/models/file-usage.ts';
import { success } from '#shared/bridge/outcome.ts';
import { BridgeDouble } from '#test/support/window/bridge-double.ts';
import { confirm, openSettings, press } from './open-settings.ts';

const MIB = 1024 ** 2;
const file = (
  id: number,
  name: string | null,
  more: Partial<OrganizationFile> = {},
): OrganizationFile => ({
  ...{ id, name, path_id: name === null ? null : `1/x/${name}`, size: id * MIB },
  ...{ created_at: 1_763_800_000, owner_id: 1, message_count: 0, messages: [] },
  ...more,
});

/** The service of one account: what is deleted is gone the next time that somebody asks. */
function office(...files: readonly OrganizationFile[]): BridgeDouble {
  const bridge = new BridgeDouble();
  let left = files;
  const listed = (limitBytes: number | null) => () => {
    const bytes = left.reduce((sum, { size }) => sum + size, 0);
    return success({ files: left, count: left.length, bytes, limit_bytes: limitBytes });
  };
  bridge.answerRequest('officeFiles.listOwn', listed(5 * 1024 * MIB));
  bridge.answerRequest('officeFiles.listAll', listed(null));
  bridge.answerRequest('uploads.remove', ({ attachmentId }: { readonly attachmentId: number }) => {
    left = left.filter(({ id }) => id !== attachmentId);
    return success({});
  });
  return bridge;
}

const own = () => page.getByRole('list', { name: 'Your files on the service' });
const all = () => page.getByRole('list', { name: 'Largest files of the organization' });

test('own files are listed with size and place, opened where they were posted, and deleted after a question that says what happens', async () => {
  const bridge = office(
    file(300, 'film.mp4', {
      message_count: 5,
      messages: [{ id: 7, sent_at: 1, stream_id: 4, topic: 'deploys', user_ids: [] }],
    }),
    file(2, 'unused.pdf'),
    file(1, null, { owner_id: 2, message_count: 2 }),
  );
  const { streamId, name } = bridge.current.streams[0] ?? { streamId: 0, name: '' };
  bridge.answerRequest('officeFiles.listOwn', () => {
    const messages = [{ id: 7, sent_at: 1, stream_id: streamId, topic: 'deploys', user_ids: [] }];
    const files = [
      file(300, 'film.mp4', { message_count: 5, messages }),
      ...(bridge.requestsOf('uploads.remove').length === 0 ? [file(2, 'unused.pdf')] : []),
    ];
    const bytes = 302 * MIB;
    return success({ files, count: files.length, bytes, limit_bytes: 5 * 1024 * MIB });
  });
  await openSettings(bridge, 'Storage');
  await expect.element(page.getByText('2 files, 302 MiB of at most 5.0 GiB')).toBeVisible();
  const rows = own().getByRole('listitem');
  await expect.element(rows.nth(0)).toMatchTextContent(/film\.mp4.*300 MiB.*deploys.*and 4 more/s);
  await expect.element(rows.nth(1)).toMatchTextContent(/unused\.pdf.*2\.0 MiB.*In no message/s);
  await expect
    .element(all().getByRole('listitem').nth(2))
    .toMatchTextContent(/A file in a conversation without you.*In 2 messages that you cannot see/s);
  await own().getByRole('button', { name: 'Delete unused.pdf' }).click();
  await expect
    .element(page.getByText(/^unused\.pdf is deleted from the service for everybody/))
    .toBeVisible();
  expect(bridge.requestsOf('uploads.remove')).toEqual([]);
  await confirm('Delete');
  await expect.element(rows.nth(1)).not.toBeInTheDocument();
  expect(bridge.requestsOf('uploads.remove')).toEqual([{ attachmentId: 2 }]);
  await expect.poll(() => document.activeElement).not.toBe(document.body);
  await press(`Open the message in #${name} > deploys`);
  await expect.element(page.getByRole('dialog', { name: 'Settings' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { name: /deploys/ })).toBeVisible();
});

test('the list of files follows what happens to them, and only administrators see everybody’s', async () => {
  const bridge = office();
  const { people } = bridge.current;
  bridge.current = {
    ...bridge.current,
    people: people.map((each) => ({ ...each, isAdmin: false })),
  };
  await openSettings(bridge, 'Storage');
  await expect.element(page.getByText('You have not uploaded any files.')).toBeVisible();
  await expect.element(page.getByText('Nobody has uploaded any files.')).not.toBeInTheDocument();
  bridge.answerRequest('officeFiles.listOwn', () =>
    success({ files: [file(1, 'new.txt')], count: 1, bytes: MIB, limit_bytes: null }),
  );
  bridge.changeState({ fileChange: 12 });
  await expect.element(own().getByText('new.txt')).toBeVisible();
});
