import { success } from '#shared/bridge/outcome.ts';
import type { Conversation, ShownMessage } from '#shared/bridge/models/client.ts';
import {
  BridgeDouble,
  inTopic,
  ownUserId,
  person,
  withPeople,
} from '#test/support/window/bridge-double.ts';

const thumbsUp = (...userIds: number[]) => ({
  name: 'thumbs_up',
  code: '1f44d',
  type: 'unicode_emoji',
  userIds,
});

/** A picture of its own, so that nothing has to be fetched. */
export async function paintedPicture(width = 320, height = 200): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  const gradient = context.createLinearGradient(0, 0, width, height);
  gradient.addColorStop(0, '#e8743b');
  gradient.addColorStop(1, '#2b5d8c');
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (blob === null) throw new Error('no picture');
  return new Uint8Array(await blob.arrayBuffer());
}

const formula =
  '<span class="katex"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><msup><mi>e</mi><mrow><mi>i</mi><mi>π</mi></mrow></msup><mo>+</mo><mn>1</mn><mo>=</mo><mn>0</mn></mrow><annotation encoding="application/x-tex">e^{i\\pi}+1=0</annotation></semantics></math></span>';

const code =
  '<div class="codehilite" data-code-language="TypeScript"><pre><span></span><code><span class="kd">const</span> <span class="nx">answer</span> <span class="o">=</span> <span class="mi">42</span><span class="p">;</span> <span class="c1">// a line that is so long that it has to scroll sideways, which the window itself never does</span>\n<span class="k">export</span> <span class="k">default</span> <span class="s">\'answer\'</span><span class="p">;</span>\n</code></pre></div>';

const picture = (name: string): string =>
  `<p><a href="/user_uploads/1/ab/${name}">${name}</a></p><div class="message_inline_image"><a href="/user_uploads/1/ab/${name}" title="${name}"><img src="/user_uploads/1/ab/${name}"></a></div>`;

interface Line {
  readonly by: number;
  readonly html: string;
  readonly more?: Partial<ShownMessage>;
}

const lines: readonly Line[] = [
  { by: 9, html: '<p>Good morning! The <strong>release</strong> goes out <em>today</em>.</p>' },
  {
    by: 9,
    html: '<p>Here is the plan:</p><ol><li>freeze</li><li>test<ul><li>on Linux</li><li>on Windows</li></ul></li><li>ship</li></ol>',
  },
  {
    by: 10,
    html: code,
    more: {
      reactions: [
        thumbsUp(9, ownUserId),
        { name: 'tada', code: '1f389', type: 'unicode_emoji', userIds: [10] },
      ],
    },
  },
  {
    by: ownUserId,
    html: '<blockquote><p>The <strong>release</strong> goes out today.</p></blockquote><p>I am on it, see <a href="https://example.com/plan">the plan</a> and <code>npm run check</code>.</p>',
    more: { editedAtSeconds: 1_767_700_000, isStarred: true },
  },
  { by: 9, html: '<p>waves</p>', more: { is_me_message: true, rendered: '<p>/me waves</p>' } },
  {
    by: 10,
    html: `<p><span class="user-mention" data-user-id="${String(ownUserId)}">@Ada Admin</span> can you look at ${formula}? cc <span class="user-mention" data-user-id="9">@Ben Member</span></p>`,
    more: { isMentioned: true },
  },
  {
    by: 12,
    html: '<p>Build 118 passed. <span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
  },
  { by: 10, html: picture('sunset.png') },
  {
    by: 9,
    html: '<p>Pneumonoultramicroscopicsilicovolcanoconiosis-Donaudampfschifffahrtsgesellschaftskapitaen-https://example.com/a/very/long/path/that/never/ends/and/has/no/spaces/at/all/in/it</p>',
  },
  { by: 10, html: '<p>صباح الخير، هذا سطر يُقرأ من اليمين إلى اليسار.</p>' },
  {
    by: 9,
    html: '<div class="spoiler-block"><div class="spoiler-header">\n<p>How it ends</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>Well.</p>\n</div></div>',
  },
  {
    by: 9,
    html: '<table><thead><tr><th>Target</th><th align="right">ms</th></tr></thead><tbody><tr><td>switch</td><td align="right">41</td></tr><tr><td>type</td><td align="right">9</td></tr></tbody></table>',
  },
  {
    by: 10,
    html: '<p>elsewhere: <a href="https://pictures.example.org/cat.png">cat</a></p><div class="message_inline_image"><a href="https://pictures.example.org/cat.png" title="cat"><img src="https://pictures.example.org/cat.png"></a></div>',
  },
  {
    by: ownUserId,
    html: '<p>See <a class="stream" data-stream-id="2" href="/#narrow/stream/2-engineering">#engineering</a>, and thanks.</p>',
    more: { reactions: [thumbsUp(9, 10, 11)] },
  },
];

/** One conversation with everything in it that a message can be. */
export async function richConversation(
  conversation: Conversation = withPeople(9, 10),
): Promise<BridgeDouble> {
  const bridge = new BridgeDouble();
  bridge.current = {
    ...bridge.current,
    organization: bridge.organizationWith({ message_content_edit_limit_seconds: 0 }),
    statuses: {
      9: { isAway: false, text: 'in a meeting until 11' },
      10: { isAway: true, text: '' },
    },
    people: bridge.current.people.map((each) =>
      each.userId === 10
        ? person(10, 'Cleo Zürcher', { avatarUrl: '/user_avatars/1/cleo.png' })
        : each,
    ),
    outbox: [
      outboxItem(conversation, 'a', 'This one could not be sent.', 'failed'),
      outboxItem(conversation, 'b', 'And this one is on its way.', 'sending'),
    ],
  };
  const bytes = await paintedPicture();
  bridge.answer('file', async () => success({ type: 'image/png', bytes }));
  const start = Math.floor(new Date().setHours(9, 0, 0, 0) / 1000) - 3600;
  lines.forEach(({ by, html, more }, index) => {
    bridge.store(conversation, html, {
      senderId: by,
      sentAtSeconds: start + index * 240 + (index > 7 ? 3600 : 0),
      isRead: index < 11,
      ...more,
    });
  });
  return bridge;
}

export const outboxItem = (
  conversation: Conversation,
  localId: string,
  content: string,
  state: 'waiting' | 'sending' | 'failed',
) => ({
  localId,
  conversation,
  content,
  state,
  writtenAtSeconds: Math.floor(Date.now() / 1000),
  failure: state === 'failed' ? 'The service does not answer.' : '',
});

/** The same in two topics and a private conversation: bars divide them. */
export async function mixedConversations(): Promise<BridgeDouble> {
  const bridge = await richConversation(inTopic(1, 'deploys'));
  bridge.store(inTopic(1, 'lunch'), 'noodles?', { isRead: true });
  bridge.store(inTopic(2, 'deploys'), 'and engineering?', { senderId: 10, isRead: true });
  bridge.store(withPeople(9), 'between us', { isRead: true });
  return bridge;
}
