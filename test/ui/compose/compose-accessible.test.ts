import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure } from '#shared/bridge/outcome.ts';
import type { Place } from '#renderer/state/places/places.ts';
import { BridgeDouble, inTopic } from '#test/support/window/bridge-double.ts';
import { complaints, looksAt } from '#test/support/window/complaints.ts';
import { button, field, openCompose, option, paste, textBox } from './open-compose.ts';

const html = document.documentElement;
afterEach(() => {
  html.style.colorScheme = '';
});

interface Screen {
  readonly name: string;
  readonly place?: Place;
  readonly prepare?: (bridge: BridgeDouble) => void;
  readonly go: (bridge: BridgeDouble) => Promise<void>;
}

const type = async (keys: string): Promise<void> => {
  await textBox().click();
  await userEvent.keyboard(keys);
};

/** What the walk through all screens (test/web/screens.test.ts) does not come by. */
const screens: readonly Screen[] = [
  {
    name: 'completion of streams',
    go: async () => {
      await type('#');
      await expect.element(option(/engineering/)).toBeVisible();
    },
  },
  {
    name: 'everything that can be wrong',
    prepare: (bridge) => {
      bridge.fail('sendMessage', 'The disk is full.');
      bridge.answer('upload', async () => failure('UNREACHABLE', 'There is no network.'));
    },
    go: async () => {
      await type('lost?{Enter}');
      await expect.element(page.getByRole('alert')).toBeVisible();
      paste({}, [new File(['x'], 'picture.png')]);
      await expect.element(page.getByText('There is no network.')).toBeVisible();
      await textBox().fill('é'.repeat(5001));
      await page.getByRole('combobox', { name: 'Topic' }).fill('t'.repeat(70));
    },
  },
  {
    name: 'files under way',
    prepare: (bridge) => bridge.answer('upload', () => new Promise(() => undefined)),
    go: async (bridge) => {
      await type('see');
      paste({}, [new File(['x'], 'picture.png'), new File(['x'], 'a long name of a document.pdf')]);
      await expect.poll(() => bridge.argsOf('upload').length).toBe(2);
      for (const [, request] of bridge.argsOf('upload')) {
        const { uploadId } = request as { readonly uploadId: string };
        bridge.push('uploadProgress', { uploadId, share: 0.6 });
      }
      await expect.element(page.getByText('60 %').first()).toBeVisible();
      field().focus();
      await userEvent.keyboard('{Enter}');
      await expect.element(button('Do not send yet')).toBeVisible();
    },
  },
  {
    name: 'somebody is typing',
    place: { kind: 'private', userIds: [9] },
    go: async (bridge) => {
      await textBox().fill('hello');
      bridge.changeState({ typing: { 'private:9': [9] } });
      await expect.element(page.getByText(/is typing/)).toBeVisible();
    },
  },
  {
    name: 'emoji found',
    go: async () => {
      await button('Emoji').click();
      await page.getByRole('searchbox').fill('cat');
      await expect.element(page.getByRole('gridcell').first()).toBeVisible();
    },
  },
  {
    name: 'nothing chosen yet',
    place: { kind: 'feed' },
    go: () => expect.element(button('Message…')).toBeVisible(),
  },
  {
    name: 'choice of a stream',
    place: { kind: 'feed' },
    go: async () => {
      await button('Message…').click();
      await page.getByRole('combobox').fill('e');
      await expect.element(option('general')).toBeVisible();
    },
  },
  {
    name: 'choice of people',
    place: { kind: 'feed' },
    go: async () => {
      await button('Message…').click();
      await page.getByRole('radio', { name: 'People' }).click();
      await button('Write').click();
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  },
];

/** What is left of the window for the box, beside the list of conversations. */
const looks = looksAt(844, 444, 360);
const HEIGHT = 640;

test.each(screens)('$name: nothing to complain about in any theme and width', async (screen) => {
  const bridge = new BridgeDouble();
  bridge.store(inTopic(1, 'lunch'), 'noodles?');
  screen.prepare?.(bridge);
  const place = screen.place ?? { kind: 'stream', streamId: 1, topic: 'lunch' };
  await openCompose(bridge, place, { width: 844, height: HEIGHT });
  await screen.go(bridge);
  const found: string[] = [];
  for (const look of looks) {
    await page.viewport(look.width, HEIGHT);
    html.style.colorScheme = look.theme;
    found.push(...(await complaints(look)));
    if (html.scrollHeight > HEIGHT) found.push(`${String(look.width)}: it scrolls`);
  }
  expect(found).toEqual([]);
});
