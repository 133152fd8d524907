/** Where the actions of a message stand: beside whatever may be pressed in it. */
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { BridgeDouble, inTopic } from '#test/support/window/bridge-double.ts';
import { openConversation, settled } from './open-conversation.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const code = (lines: string) =>
  `<div class="codehilite"><pre><span></span><code>${lines}</code></pre></div>`;
const link = (text: string) => `<a href="https://example.com/">${text}</a>`;
const words = 'one two three four five six seven eight nine ten '.repeat(3);
const thumbsUp = { name: 'thumbs_up', code: '1f44d', type: 'unicode_emoji', userIds: [9] };
const upload = '/user_uploads/1/ab/sunset.png';

const messages: readonly (readonly [string, object?])[] = [
  ['<p>The first of a group.</p>'],
  [code(`${'a = 1; '.repeat(40)}\n`)],
  [
    `<div class="codehilite" data-code-language="TypeScript"><pre><code>const a = 1;\n</code></pre></div>`,
  ],
  [`<p>${link(words)}</p>`],
  [`<p>${words}${link('here')} ${words}</p>`, { editedAtSeconds: 1_767_700_000, isStarred: true }],
  [
    `<p>${words}</p>`,
    {
      reactions: Array.from({ length: 30 }, (_, n) => ({
        ...thumbsUp,
        code: `1f4${(n + 16).toString(16)}`,
      })),
    },
  ],
  [`<p>${words} <span class="user-mention" data-user-id="9">@Ben Member</span> ${words}</p>`],
  [
    `<div class="message_inline_image"><a href="${upload}" title="sunset.png"><img src="${upload}"></a></div>`,
  ],
  [
    `<div class="spoiler-block"><div class="spoiler-header"><p>${words}</p></div><div class="spoiler-content"><p>Well.</p></div></div>`,
  ],
  [code('b = 2;\n')],
  [`<p>${link(words)}</p>${code('c = 3;\n')}<p>${link(words)}</p>`],
];

/** What of a message its actions cover, though it can be pressed or tells something at the end of the row. */
const covered = (row: Element): readonly string[] => {
  const tools = row.querySelector('.toolbar')?.getBoundingClientRect();
  if (tools === undefined) return ['no actions'];
  return [...row.querySelectorAll('a, button, summary, .message-image, .user-mention, .aside > *')]
    .filter((each) => each.closest('.toolbar') === null)
    .filter((each) =>
      [...each.getClientRects()].some(
        (box) =>
          box.width > 0 &&
          Math.min(box.right, tools.right) - Math.max(box.left, tools.left) > 0.5 &&
          Math.min(box.bottom, tools.bottom) - Math.max(box.top, tools.top) > 0.5,
      ),
    )
    .map((each) => `${each.className} ${each.textContent}`.slice(0, 60));
};

test.each([1000, 620, 400])(
  'at %i pixels the actions of a message cover nothing in it that may be pressed',
  async (width) => {
    for (const [rendered, more] of messages)
      bridge.store(inTopic(1, 'lunch'), rendered, { rendered, isRead: true, ...more });
    await openConversation(
      bridge,
      { kind: 'stream', streamId: 1, topic: 'lunch' },
      { width, height: 2400 },
    );
    await settled();
    const rows = [...document.querySelectorAll<HTMLElement>('[data-message-id]')];
    expect(rows).toHaveLength(messages.length);
    const found: string[] = [];
    for (const row of rows) {
      row.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      await expect.poll(() => row.querySelector('.toolbar')).not.toBe(null);
      // They are placed before the next picture is drawn.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      found.push(...covered(row));
      const { top, bottom } = row.getBoundingClientRect();
      const tools = row.querySelector('.toolbar')?.getBoundingClientRect();
      // The pointer reaches them without leaving the row.
      expect(tools?.bottom).toBeGreaterThanOrEqual(top);
      expect(tools?.top).toBeLessThanOrEqual(bottom);
    }
    expect(found).toEqual([]);
    await page.viewport(1000, 640);
  },
);
