/** What an archive calls itself, on the terminal of somebody who only looks at it. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService } from '#test/support/service/api.ts';
import { hearth } from '../hearth-process.ts';
import { temporaryFolder } from '../service-process.ts';

const name = 'Dev\u001b[2J\u001b]0;owned\u0007\u009b31m\r\nrestored 9 messages\u202e';
const shown = String.raw`Dev\u001b[2J\u001b]0;owned\u0007\u009b31m\u000d\u000arestored 9 messages\u202e`;
// A line break of our own ends each line.
const raw = /[^\P{Cc}\n]|\u202e/u;

test('what an archive calls itself reaches the terminal without its escapes, in lines and as JSON [hostile-names.archive-calls-reaches]', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const place = temporaryFolder();
  const dataDir = join(place, 'old');
  cpSync(service.dataDir, dataDir, { recursive: true, filter: (from) => !from.endsWith('.sock') });
  const database = new Database(join(dataDir, 'hearth.db'));
  database.prepare('UPDATE realm SET name = ?').run(name);
  database.close();
  const made = await hearth(['backup', place, '--data-dir', dataDir, '--json']);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const { file, recovery_code: code } = JSON.parse(made.stdout) as Record<string, string>;
  const restore = ['restore', file ?? '', '--data-dir', join(place, 'new')];

  for (const args of [[...restore, '--show'], restore]) {
    const { stdout, stderr } = await hearth(args, code);
    expect(stdout + stderr).toContain(`${shown}, as it was on`);
    expect(stdout + stderr).not.toMatch(raw);
  }
  const { stdout } = await hearth([...restore, '--show', '--json'], code);
  expect(JSON.parse(stdout)).toMatchObject({ name });
  expect(stdout).not.toMatch(raw);

  const missing = await hearth(['restore', join(place, `${name}.age`), '--show'], code);
  expect(missing.code).toBe(1);
  expect(missing.stderr).not.toMatch(raw);
});
