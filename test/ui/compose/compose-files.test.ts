import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ResumedUpload, UploadRequest } from '#shared/bridge/models/client.ts';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import { dressJpeg } from '#test/support/dressed-pictures.ts';
import { account, BridgeDouble, withPeople } from '#test/support/window/bridge-double.ts';
import { button, field, openCompose, paste, textBox } from './open-compose.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const ben = { kind: 'private', userIds: [9] } as const;
const file = (name: string, content = 'bytes'): File => new File([content], name);
const sent = (): readonly unknown[] => bridge.argsOf('sendMessage').map(([, draft]) => draft);

interface Held {
  readonly uploadId: string;
  readonly settle: (outcome: Outcome<string>) => void;
}

/** Uploads that end when a test says so. */
function holdUploads(): Held[] {
  const held: Held[] = [];
  bridge.answer(
    'upload',
    (_, { uploadId }) => new Promise((settle) => held.push({ uploadId, settle })),
  );
  return held;
}

function drag(type: string, files: readonly File[]): void {
  const dataTransfer = new DataTransfer();
  for (const each of files) dataTransfer.items.add(each);
  const target = document.querySelector('h1') ?? document.body;
  target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
}

test('a pasted picture is uploaded and linked where it was pasted, whatever is typed meanwhile', async () => {
  const held = holdUploads();
  await openCompose(bridge, ben);
  await textBox().fill('look: here');
  field().setSelectionRange(6, 6);
  expect(paste({}, [file('a [1].png')])).toBe(false);
  await expect.element(page.getByText('a [1].png')).toBeVisible();
  await expect.poll(() => held.length).toBe(1);
  expect(bridge.argsOf('upload')[0]?.[0]).toBe(account.id);
  field().setSelectionRange(0, 0);
  await userEvent.keyboard('Hey, ');
  held[0]?.settle(success('/user_uploads/1/a.png'));
  await expect
    .element(textBox())
    .toHaveValue('Hey, look: [a  1 .png](/user_uploads/1/a.png)\nhere');
  expect(field().selectionStart).toBe(5);
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(textBox()).toHaveValue('Hey, look: here');
  await expect.element(page.getByRole('list', { name: 'Files' })).not.toBeInTheDocument();
});

/** 30 × 20 pixels, as the browser writes them, and a camera's words around them. */
async function photo(hasSecrets: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(30, 20);
  canvas.getContext('2d')?.fillRect(0, 0, 15, 20);
  const drawn = await canvas.convertToBlob({ type: 'image/jpeg' });
  const pixels = new Uint8Array(await drawn.arrayBuffer());
  return dressJpeg(pixels, { orientation: 6, hasProfile: false, hasSecrets });
}

/** @returns the bytes that are sent */
async function sendPhoto(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const sent = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  bridge.answer('holdFile', async (_, file) => {
    sent.resolve(new Uint8Array(await file.arrayBuffer()));
    return success(null);
  });
  await openCompose(bridge, ben);
  await textBox().fill('');
  paste({}, [new File([content], 'photo.jpg', { type: 'image/jpeg' })]);
  return sent.promise;
}

test('a photo is sent without what tells where it was taken, and shown as before [compose-files.photo-sent-without]', async () => {
  const sent = await sendPhoto(await photo(true));
  expect(sent).toEqual(await photo(false));
  const shown = await createImageBitmap(new Blob([sent]));
  expect([shown.width, shown.height]).toEqual([20, 30]);
});

test('a photo is sent as it is where the person wants that', async () => {
  bridge.choices = { ...bridge.choices, removeCameraData: false };
  const whole = await photo(true);
  expect(await sendPhoto(whole)).toEqual(whole);
});

test('files that are chosen together are linked in their order', async () => {
  const held = holdUploads();
  const { compose } = await openCompose(bridge, ben);
  compose.uploads.add(ben, [file('1.txt'), file('2.txt')], 0);
  await expect.poll(() => held.length).toBe(2);
  held[1]?.settle(success('/user_uploads/2'));
  await expect.element(textBox()).toHaveValue('[2.txt](/user_uploads/2)\n');
  held[0]?.settle(success('/user_uploads/1'));
  await expect
    .element(textBox())
    .toHaveValue('[1.txt](/user_uploads/1)\n[2.txt](/user_uploads/2)\n');
});

test('the chip shows how far the upload is, and cancels it', async () => {
  const held = holdUploads();
  await openCompose(bridge, ben);
  await textBox().click();
  paste({}, [file('big.bin')]);
  await expect.poll(() => held.length).toBe(1);
  const uploadId = held[0]?.uploadId ?? '';
  bridge.push('uploadProgress', { uploadId, share: 0.42 });
  await expect
    .element(page.getByRole('progressbar', { name: 'Uploading big.bin, 42 %' }))
    .toBeVisible();
  await button('Cancel the upload of big.bin').click();
  expect(bridge.argsOf('cancelUpload')).toEqual([[uploadId]]);
  await expect.element(page.getByText('big.bin')).not.toBeInTheDocument();
  await expect.element(textBox()).toHaveFocus();
  held[0]?.settle(failure('CANCELLED', 'The upload was cancelled.'));
  await expect.element(textBox()).toHaveValue('');
});

test('a long text that is pasted is offered as a file, and stays a text for who wants it so', async () => {
  const long = Array.from({ length: 60 }, (_, n) => `line ${String(n)} of a log`).join('\n');
  await openCompose(bridge, ben);
  await textBox().click();
  const asFile = button('Send it as a file');
  paste({ 'text/plain': 'two\nlines' });
  await textBox().fill('two\nlines');
  await expect.element(asFile).not.toBeInTheDocument();
  paste({ 'text/plain': long.replaceAll('\n', '\r\n') });
  // What the browser does with it.
  await textBox().fill(`see: ${long}`);
  await button('Keep it as text').click();
  await expect.element(asFile).not.toBeInTheDocument();
  paste({ 'text/plain': long });
  await asFile.click();
  await expect.poll(() => field().value).toMatch(/^see: \[pasted\.txt\]\(\/user_uploads\//);
  const [, { name, uploadId }] = bridge.argsOf('upload')[0] as [string, UploadRequest];
  const [heldId, file] = bridge.argsOf('holdFile')[0] as [string, Blob];
  expect([heldId, name, await file.text()]).toEqual([uploadId, 'pasted.txt', long]);
});

test('an upload that fails says why and can be tried again', async () => {
  bridge.fail('upload', 'The service does not answer.');
  await openCompose(bridge, ben);
  await textBox().click();
  paste({}, [file('notes.txt')]);
  await expect.element(page.getByRole('alert')).toMatchTextContent(/does not answer/);
  bridge.answer('retryUpload', async () => success('/user_uploads/1/notes.txt'));
  await button('Try notes.txt again').click();
  await expect.poll(() => field().value).toMatch(/^\[notes\.txt\]\(\/user_uploads\//);
  expect(bridge.argsOf('holdFile')).toHaveLength(1);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('a file that cannot be handed over says why, and is handed over again', async () => {
  bridge.fail('holdFile', 'You may not read this file.');
  await openCompose(bridge, ben);
  await textBox().click();
  paste({}, [file('notes.txt')]);
  await expect.element(page.getByRole('alert')).toMatchTextContent(/You may not read/);
  expect(bridge.argsOf('upload')).toEqual([]);
  bridge.restore('holdFile');
  await button('Try notes.txt again').click();
  await expect.poll(() => field().value).toMatch(/^\[notes\.txt\]\(\/user_uploads\//);
});

test('a file that is too large, or empty, is not sent at all', async () => {
  bridge.current = {
    ...bridge.current,
    organization: bridge.organizationWith({ max_file_upload_size: 1 }),
  };
  await openCompose(bridge, ben);
  await textBox().click();
  paste({}, [file('large.bin', 'x'.repeat(1_200_000)), file('none.txt', '')]);
  await expect
    .element(page.getByText('1.1 MiB. Files of at most 1 MiB can be uploaded here.'))
    .toBeVisible();
  await expect.element(page.getByText('The file is empty.')).toBeVisible();
  expect(bridge.argsOf('upload')).toEqual([]);
  await button('Remove large.bin').click();
  await button('Remove none.txt').click();
  await expect.element(page.getByRole('list', { name: 'Files' })).not.toBeInTheDocument();
});

test('sending waits for the files', async () => {
  const held = holdUploads();
  await openCompose(bridge, ben);
  await textBox().fill('see');
  field().setSelectionRange(3, 3);
  paste({}, [file('a.txt')]);
  await expect.poll(() => held.length).toBe(1);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Goes out as soon as the files are there.')).toBeVisible();
  expect(sent()).toEqual([]);
  held[0]?.settle(success('/user_uploads/a.txt'));
  await expect
    .poll(sent)
    .toEqual([{ conversation: withPeople(9), content: 'see\n[a.txt](/user_uploads/a.txt)\n' }]);
  await expect.element(textBox()).toHaveValue('');
});

test('what waits for a file that fails is not sent without it', async () => {
  const held = holdUploads();
  await openCompose(bridge, ben);
  await textBox().fill('see');
  paste({}, [file('a.txt')]);
  await expect.poll(() => held.length).toBe(1);
  await userEvent.keyboard('{Enter}');
  held[0]?.settle(failure('UNREACHABLE', 'No answer.'));
  await expect.element(page.getByRole('alert')).toMatchTextContent(/No answer/);
  await expect.element(textBox()).toHaveValue('see');
  expect(sent()).toEqual([]);
});

test('a text that is sent without a file that failed takes its line away', async () => {
  const held = holdUploads();
  await openCompose(bridge, ben);
  await textBox().fill('see');
  paste({}, [file('a.txt')]);
  await expect.poll(() => held.length).toBe(1);
  held[0]?.settle(failure('UNREACHABLE', 'No answer.'));
  const files = page.getByRole('list', { name: 'Files' });
  await expect.element(files).toBeVisible();
  bridge.fail('sendMessage', 'The disk is full.');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(/The disk is full\./)).toBeVisible();
  await expect.element(files).toBeVisible();
  bridge.restore('sendMessage');
  await userEvent.keyboard('{Enter}');
  const see = { conversation: withPeople(9), content: 'see' };
  await expect.poll(sent).toEqual([see, see]);
  await expect.element(files).not.toBeInTheDocument();
});

test('whoever thinks better of it keeps the text that waits for its files', async () => {
  const held = holdUploads();
  await openCompose(bridge, ben);
  await textBox().fill('see');
  paste({}, [file('a.txt')]);
  await expect.poll(() => held.length).toBe(1);
  await userEvent.keyboard('{Enter}');
  await button('Do not send yet').click();
  held[0]?.settle(success('/user_uploads/a.txt'));
  await expect.element(textBox()).toHaveValue('see\n[a.txt](/user_uploads/a.txt)\n');
  expect(sent()).toEqual([]);
});

test('files are dropped anywhere in the window, and it says where they go', async () => {
  await openCompose(bridge, ben);
  drag('dragenter', [file('plan.pdf')]);
  await expect.element(page.getByText('Drop to attach to the message to Ben Member')).toBeVisible();
  drag('drop', [file('plan.pdf')]);
  await expect.element(page.getByText(/^Drop to attach/)).not.toBeInTheDocument();
  await expect.poll(() => field().value).toMatch(/^\[plan\.pdf\]/);
});

test('where nothing can be written a file is refused with a sentence', async () => {
  await openCompose(bridge, { kind: 'feed' });
  await expect.element(button('Message…')).toBeVisible();
  drag('dragenter', [file('plan.pdf')]);
  await expect.element(page.getByText(/Choose first where the message goes/)).toBeVisible();
  drag('drop', [file('plan.pdf')]);
  expect(bridge.argsOf('upload')).toEqual([]);
});

test('a file that belongs to one place is linked there when another one is shown', async () => {
  const held = holdUploads();
  const { navigation } = await openCompose(bridge, ben);
  await textBox().click();
  paste({}, [file('a.txt')]);
  await expect.poll(() => held.length).toBe(1);
  navigation.go({ kind: 'private', userIds: [10] });
  await expect.element(page.getByText('Cleo Zürcher')).toBeVisible();
  held[0]?.settle(success('/user_uploads/a.txt'));
  await expect
    .poll(() => bridge.current.drafts)
    .toMatchObject([{ key: 'private:9', content: '[a.txt](/user_uploads/a.txt)\n' }]);
  await expect.element(textBox()).toHaveValue('');
});

const leftUpload = (uploadId: string, more: Partial<ResumedUpload> = {}): ResumedUpload => ({
  ...{
    uploadId,
    name: `${uploadId}.png`,
    sizeBytes: 5,
    view: ben,
    at: 5,
    share: 0.25,
    failure: '',
    canRetry: false,
  },
  ...more,
});

test('a page that goes leaves its uploads, with where their links belong', async () => {
  const held = holdUploads();
  const { compose, flush } = await openCompose(bridge, ben);
  await compose.uploads.resume();
  await textBox().fill('look: here');
  compose.uploads.add(ben, [file('a.png'), file('empty.png', '')], 5);
  await textBox().fill('Hey, look: here');
  // Before the file is read.
  await flush();
  const [accountId, left] = bridge.argsOf('noteUploads').at(-1) ?? [];
  expect(accountId).toBe(account.id);
  expect(left).toMatchObject([
    { name: 'a.png', sizeBytes: 5, view: ben, at: 10, share: 0, failure: '' },
    { name: 'empty.png', failure: 'The file is empty.' },
  ]);
  expect(bridge.current.drafts[0]?.content).toBe('Hey, look: here');
  // It stayed after all.
  await expect.poll(() => held.length).toBe(1);
  held[0]?.settle(success('/user_uploads/1/a.png'));
  await expect.element(textBox()).toHaveValue('Hey, look:\n[a.png](/user_uploads/1/a.png) here');
  await expect
    .poll(() => bridge.argsOf('noteUploads').at(-1)?.[1])
    .toMatchObject([{ name: 'empty.png' }]);
});

test('a page shows the uploads that another one left, and links them where they belong', async () => {
  const draft = { key: 'private:9', view: ben, topic: null, content: 'look: here' };
  bridge.current = { ...bridge.current, drafts: [{ ...draft, changedAtSeconds: 1 }] };
  bridge.answer('resumeUploads', async () =>
    success([leftUpload('a'), leftUpload('b', { failure: 'The service is full.' })]),
  );
  const ending = Promise.withResolvers<Outcome<string>>();
  bridge.answer('uploadOutcome', () => ending.promise);
  const { compose } = await openCompose(bridge, ben);
  await compose.uploads.resume();
  await expect
    .element(page.getByRole('progressbar', { name: 'Uploading a.png, 25 %' }))
    .toBeVisible();
  bridge.push('uploadProgress', { uploadId: 'a', share: 0.5 });
  await expect
    .element(page.getByRole('progressbar', { name: 'Uploading a.png, 50 %' }))
    .toBeVisible();
  await expect.element(page.getByText('The service is full.')).toBeVisible();
  // Its file is no longer kept.
  await expect.element(button('Try b.png again')).not.toBeInTheDocument();
  ending.resolve(success('/user_uploads/1/a.png'));
  await expect.element(textBox()).toHaveValue('look:\n[a.png](/user_uploads/1/a.png) here');
  expect(bridge.argsOf('uploadOutcome')).toEqual([[account.id, 'a']]);
  await button('Remove b.png').click();
  await expect.element(page.getByRole('list', { name: 'Files' })).not.toBeInTheDocument();
});

test('a file that another page left and that failed is sent again from where it is kept', async () => {
  bridge.answer('resumeUploads', async () =>
    success([leftUpload('a', { failure: 'The service is full.', canRetry: true })]),
  );
  const attempts: PromiseWithResolvers<Outcome<string>>[] = [];
  bridge.answer('retryUpload', () => {
    const attempt = Promise.withResolvers<Outcome<string>>();
    attempts.push(attempt);
    return attempt.promise;
  });
  const { compose } = await openCompose(bridge, ben);
  await compose.uploads.resume();
  await button('Try a.png again').click();
  await expect
    .element(page.getByRole('progressbar', { name: 'Uploading a.png, 25 %' }))
    .toBeVisible();
  attempts[0]?.resolve(failure('UNREACHABLE', 'Nobody answers.'));
  await expect.element(page.getByText('Nobody answers.')).toBeVisible();
  await button('Try a.png again').click();
  attempts[1]?.resolve(success('/user_uploads/1/a.png'));
  await expect.element(textBox()).toHaveValue('[a.png](/user_uploads/1/a.png)\n');
  expect(bridge.argsOf('retryUpload')).toEqual([
    [account.id, 'a'],
    [account.id, 'a'],
  ]);
});

test('a file that is no longer kept is to be attached again', async () => {
  bridge.answer('resumeUploads', async () =>
    success([leftUpload('a', { failure: 'The service is full.', canRetry: true })]),
  );
  const { compose } = await openCompose(bridge, ben);
  await compose.uploads.resume();
  await button('Try a.png again').click();
  await expect.element(page.getByText('The upload did not go on.')).toBeVisible();
  await expect.element(button('Try a.png again')).not.toBeInTheDocument();
  await button('Remove a.png').click();
  expect(bridge.argsOf('cancelUpload')).toEqual([['a']]);
});
