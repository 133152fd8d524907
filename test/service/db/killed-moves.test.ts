/** A service that is killed while it moves a topic: afterwards all of it has moved, or nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '#service/db/sqlite/open.ts';
import { projectDir } from '#scripts/project-dir.ts';
import { isLong, shortOrLong } from '#test/support/long.ts';
import { randomFrom } from '#test/support/random.ts';
import {
  connectForTest,
  openForTest,
  plainStream,
  seedRealm,
  temporaryDir,
  temporaryFile,
} from '#test/support/service/store.ts';

const script = join(projectDir, 'test/support/crash/move-process.ts');
const MESSAGES = shortOrLong(1200, 20_000);
const KILLS = shortOrLong(2, 25);
const PEOPLE = [1, 2, 3, 4, 5];
const TARGETS = isLong ? [1, 2] : [2];
const seed = Number(process.env['MOVES_SEED'] ?? Math.floor(Math.random() * 1_000_000));

/**
 * The first stream has four people and the second one three, one of them since later; the fourth has left the first one, and
 * the fifth, a guest, may not see the second one. Some have read a part of it.
 */
async function seedTopic(): Promise<string> {
  const file = temporaryFile();
  const store = await openForTest(file);
  await seedRealm(store, {
    roles: ['admin', 'member', 'member', 'member', 'guest'],
    streams: [
      { stream: plainStream('one'), memberIds: PEOPLE },
      { stream: plainStream('two'), memberIds: [1, 2] },
    ],
  });
  await store.close();
  const db = connectForTest(file);
  const quarter = MESSAGES / 4;
  db.exec(`INSERT INTO client (name) VALUES ('test');
    INSERT INTO topic (recipient_id, name, name_key) VALUES (1, 'topic', 'topic'), (1, 'other', 'other');
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MESSAGES})
    INSERT INTO message (recipient_id, topic_id, sender_id, client_id, content, rendered, is_me_message,
        has_wildcard_mention, has_link, has_image, has_attachment, sent_at)
      SELECT 1, CASE WHEN i % 10 = 0 THEN 2 ELSE 1 END, 1 + i % 5, 1, 'text ' || i, 'text', 0, 0, 0, 0, 0, 1 FROM n;
    INSERT INTO membership (recipient_id, account_id, from_id) VALUES (2, 3, ${2 * quarter});
    UPDATE membership SET until_id = ${quarter} WHERE recipient_id = 1 AND account_id = 4;
    INSERT INTO read_mark VALUES (1, 0, 0, ${quarter}), (2, 1, 1, ${3 * quarter}), (3, 1, 0, ${quarter});
    INSERT INTO message_flag SELECT a.id, m.id, 'starred' FROM account a, message m WHERE m.id % 7 = a.id;
    INSERT INTO muted_topic SELECT id, 1 FROM account`);
  db.close();
  return file;
}

/** What everybody sees, and what is in the log. */
async function seenIn(file: string): Promise<string> {
  const store = await openStore({ file });
  const seen: unknown[] = [];
  for (const userId of PEOPLE) {
    const selection = { userId, base: 'held', predicates: [] } as const;
    const { rows } = await store.pageMessages(selection, 0, { before: 0, after: MESSAGES });
    seen.push(
      ...rows.map((row) => [row.id, row.stream_id, row.topic, row.is_read, row.flags]),
      await store.listUnread(userId),
      await store.listMutedTopics(userId),
    );
  }
  const events = await store.listEventsAfter(0, MESSAGES);
  seen.push(await store.listMessageEdits([1, 2, MESSAGES - 1]));
  seen.push(events.map(({ type, audience, payload }) => ({ type, audience, payload })));
  await store.close();
  return JSON.stringify(seen);
}

function copyOf(file: string): string {
  const dir = temporaryDir();
  cpSync(dirname(file), dir, { recursive: true });
  return join(dir, 'hearth.db');
}

/** Answers how many steps it took; undefined where it was killed before it was acknowledged. */
async function moveIn(
  file: string,
  streamId: number,
  killedAt: number,
): Promise<number | undefined> {
  const args = ['--disable-warning=ExperimentalWarning', script, file];
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  const child = spawn(process.execPath, [...args, String(streamId), String(killedAt)], {
    stdio: [...stdio],
  });
  let steps: number | undefined;
  child.on('message', (count: number) => (steps = count));
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  return steps;
}

test(`of a move that is killed everybody sees all or nothing (MOVES_SEED=${String(seed)})`, async () => {
  const random = randomFrom(seed);
  const file = await seedTopic();
  const before = await seenIn(copyOf(file));
  for (const streamId of TARGETS) {
    const whole = copyOf(file);
    const steps = (await moveIn(whole, streamId, -1)) ?? 0;
    const after = await seenIn(whole);
    expect(after).not.toBe(before);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const copy = copyOf(file);
      const killedAt = random.below(steps);
      expect(await moveIn(copy, streamId, killedAt)).toBeUndefined();
      expect((await seenIn(copy)) === before, `killed at step ${String(killedAt)}`).toBe(true);
      // What was left behind is in nobody's way.
      if (kill > 0) continue;
      expect(await moveIn(copy, streamId, -1)).toBe(steps);
      expect((await seenIn(copy)) === after, 'moved again').toBe(true);
    }
  }
}, 600_000);
