import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';

const COUNT = 450;
const EDITED = 120;
const LIKED = 330;

let service: TestService;
/** Ascending, all of them in one topic. */
let ids: readonly number[];

beforeAll(async () => {
  service = await startTestService();
  const sent: number[] = [];
  // Not all at once: what one commit has no room for would only wait.
  for (let from = 0; from < COUNT; from += 50) {
    const some = Array.from({ length: 50 }, (_, index) =>
      service.say(ada, 'general', 'long', `über ${String(from + index)}`),
    );
    sent.push(...(await Promise.all(some)));
  }
  ids = sent.sort((a, b) => a - b);
  await service.ask(ada, api.lifecycle.edit, {
    message_id: ids[EDITED],
    content: 'über changed',
  });
  await service.ask(ben, api.reactions.add, { message_id: ids[LIKED], emoji_name: 'octopus' });
});
afterAll(() => service.stop());

test.each<[number, string]>([
  [0, '0/450'],
  [225, '450/450'],
  [225, '100/100'],
  [225, '101/101'],
  [449, '5000/0'],
  [300, '250/20'],
])('a page around message %i, %s, is one answer, whole and in order', async (at, counts) => {
  const [before = 0, after = 0] = counts.split('/').map(Number);
  const [first, last] = [Math.max(0, at - before), Math.min(COUNT, at + after + 1)];
  const narrow = [['topic', 'long']];
  const asked = { anchor: ids[at], num_before: before, num_after: after, narrow };
  const page = await service.ask(ben, api.messages.page, asked);
  expect(page.messages.map(({ id }) => id)).toEqual(ids.slice(first, last));
  expect([page.found_anchor, page.found_oldest, page.found_newest]).toEqual([
    true,
    at <= before,
    COUNT - 1 - at <= after,
  ]);
  for (const { id, content, reactions, edit_history: edits } of page.messages) {
    const isEdited = id === ids[EDITED];
    expect(content).toContain('<p>über ');
    expect(content.includes('changed')).toBe(isEdited);
    expect(edits?.length).toBe(isEdited ? 1 : undefined);
    expect(reactions.length).toBe(id === ids[LIKED] ? 1 : 0);
  }
});

test.each<[string, object]>([
  ['in order', {}],
  ['the best first', { order: 'relevance' }],
])('what a search has found is marked in every piece, %s', async (_name, more) => {
  const page = await service.ask(ben, api.messages.page, {
    ...{ anchor: 'newest', num_before: 1000, num_after: 0, ...more },
    narrow: [['search', 'über']],
  });
  expect(page.messages.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids);
  for (const { match_content: marked } of page.messages) {
    expect(marked).toContain('<span class="highlight">über</span>');
  }
});
