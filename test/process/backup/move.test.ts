/** An organization leaves for another computer while people write, and either computer dies on the way. */
import { existsSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { desktopServerIdentity } from '#desktop/system/pinned-tls.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { Computer, quickService } from '#test/support/client/computer.ts';
import {
  call,
  type Credentials,
  credentials,
  type RunningService,
  startService,
} from '#test/support/service/service.ts';
import { hearth } from '../hearth-process.ts';
import { contentsAt, moveIn, Name, Prober, type Step, steps, Talker } from './migration.ts';
import { temporaryFolder } from '../service-process.ts';

const own = (dataDir: string, origin?: string) => ({
  ...{ dev: true, dataDir },
  args: [...quickService, ...(origin === undefined ? [] : ['--port', new URL(origin).port])],
});

interface Office {
  old: RunningService;
  readonly newDir: string;
  readonly name: Name;
  readonly ada: Credentials;
  readonly talkers: readonly Talker[];
  readonly prober: Prober;
}

/** Three people who write by their clients, and one program that writes to every computer. */
async function openOffice(): Promise<Office> {
  const folder = temporaryFolder();
  const old = await startService(own(join(folder, 'old')));
  const name = await Name.of(old.origin);
  const pin = (await readFile(join(old.dataDir, 'office-pin'), 'utf8')).trim();
  const words = await safetyWords(pin);
  const talkers: Talker[] = [];
  for (const who of ['ada', 'ben', 'cleo']) {
    const computer = await Computer.buy();
    const joining = { origin: name.origin, email: `${who}@example.com`, words };
    const running = await computer.join(joining, { serverIdentity: desktopServerIdentity });
    onTestFinished(() => running.client.stop());
    talkers.push(new Talker(running, who));
  }
  const ada = await credentials(old.origin, 'ada@example.com');
  const prober = new Prober(ada);
  onTestFinished(() => prober.stop());
  prober.watch(old.origin);
  for (const talker of talkers) talker.start();
  return { old, newDir: join(folder, 'new'), name, ada, talkers, prober };
}

async function codeOf({ old }: Office): Promise<string> {
  const { stdout, stderr } = await hearth(['move-out', '--data-dir', old.dataDir, '--json']);
  expect(stderr).toBe('');
  return String((JSON.parse(stdout) as Record<string, unknown>)['code']);
}

/** Serves it at the new computer, where its people find it from now on. */
async function serveThere(office: Office): Promise<RunningService> {
  const next = await startService(own(office.newDir));
  onTestFinished(() => next.kill());
  office.prober.watch(next.origin);
  office.name.pointTo(next.origin);
  return next;
}

/** Everybody is back, nothing is lost or doubled, and one computer alone has taken what was written at any time. */
async function checkAfterwards(office: Office, at: RunningService): Promise<void> {
  const { talkers, prober, ada } = office;
  const before = prober.accepted.length;
  await expect
    .poll(() => prober.accepted.slice(before).some(({ origin }) => origin === at.origin))
    .toBe(true);
  await Promise.all(talkers.map(({ running }) => running.live()));
  await Promise.all(talkers.map((talker) => talker.stop()));
  await prober.stop();
  const stored = await contentsAt(at.origin, ada);
  for (const [id, content] of prober.contents) expect([id, stored.get(id)]).toEqual([id, content]);
  const all = [...stored.values()];
  expect(new Set(all).size).toBe(all.length);
  for (const { said } of talkers) expect(all).toEqual(expect.arrayContaining(said));
  const elsewhere = prober.accepted.filter(({ origin }) => origin !== at.origin);
  const first = Math.min(
    ...prober.accepted.filter(({ origin }) => origin === at.origin).map(({ endedAt }) => endedAt),
  );
  if (office.old !== at) for (const { beganAt } of elsewhere) expect(beganAt).toBeLessThan(first);
  else expect(elsewhere).toEqual([]);
}

/** The old computer, back from wherever it was, takes nothing any more. */
async function checkSealed({ old, ada }: Office): Promise<void> {
  const { status, body } = await call(old.origin, ada, 'GET', '/users/me');
  expect([status, body['code'], body['is_succeeded']]).toEqual([401, 'REALM_DEACTIVATED', true]);
}

/** The old computer is closed, and everybody goes on at the new one. */
async function goOnThere(office: Office): Promise<void> {
  await checkSealed(office);
  await checkAfterwards(office, await serveThere(office));
}

async function untilMoved(code: string, newDir: string): Promise<void> {
  await expect.poll(async () => (await moveIn(code, newDir).ended).code).toBe(0);
}

test('everybody goes on at the new computer, signed in, with all that they wrote', async () => {
  const office = await openOffice();
  const code = await codeOf(office);
  const { code: status, stderr } = await moveIn(code, office.newDir).ended;
  expect([status, stderr]).toEqual([0, expect.stringContaining('finishing')]);
  await goOnThere(office);
  // Once more, as by somebody who was not sure, with the code where it once had to be: it is done, and stays as it is.
  const shown = await hearth(['move-in', code, '--data-dir', office.newDir]);
  expect([shown.code, shown.stderr]).toEqual([
    0,
    expect.stringMatching(/^Everybody on this computer can read CODE .*--code-file\.\n/),
  ]);
  const file = join(office.newDir, '..', 'code');
  writeFileSync(file, `${code}\n`);
  const silent = ['move-in', '--code-file', file, '--data-dir', office.newDir, '--json'];
  const { stdout } = await hearth(silent);
  expect(JSON.parse(stdout)).toMatchObject({ result: 'success', warnings: [] });
  const again = await hearth(['move-out', '--data-dir', office.old.dataDir]);
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining('goes on on another computer'),
  ]);
  await office.old.kill();
});

test('the new computer dies at each of its steps, and goes on with the same code', async () => {
  const office = await openOffice();
  const code = await codeOf(office);
  for (const step of steps) {
    const attempt = moveIn(code, office.newDir, (at: Step) => {
      if (at === step) attempt.child.kill('SIGKILL');
    });
    await attempt.ended;
  }
  await untilMoved(code, office.newDir);
  await goOnThere(office);
  await office.old.kill();
});

test('the old computer dies at each step, and the move goes on when it is back', async () => {
  const office = await openOffice();
  const code = await codeOf(office);
  const { origin, dataDir } = office.old;
  for (const step of steps) {
    let isThere = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (isThere = resolve));
    const attempt = moveIn(code, office.newDir, (at: Step) => {
      if (at === step) isThere();
    });
    // One that has come further before never comes to this step again.
    await Promise.race([arrived, attempt.ended]);
    await office.old.kill();
    office.old = await startService(own(dataDir, origin));
    await attempt.ended;
  }
  await untilMoved(code, office.newDir);
  await goOnThere(office);
  await office.old.kill();
});

test('a move whose new computer is gone is called off, and the old one goes on', async () => {
  const office = await openOffice();
  const code = await codeOf(office);
  // Enough for the claim, and too little for the database: it cannot come to the end before it is killed.
  const line = await Name.of(office.old.origin, 16_384);
  const overLine = code.replaceAll(new URL(office.old.origin).host, new URL(line.origin).host);
  const first = moveIn(overLine, office.newDir, (at: Step) => {
    if (at === 'taking') first.child.kill('SIGKILL');
  });
  await first.ended;
  await checkSealed(office);
  const another = await hearth(['move-out', '--data-dir', office.old.dataDir]);
  expect([another.code, another.stderr]).toEqual([1, expect.stringContaining('is under way')]);
  const { origin, dataDir } = office.old;
  const calledOff = await hearth(['move-out', '--call-off', '--data-dir', dataDir]);
  expect([calledOff.code, calledOff.stdout]).toEqual([
    0,
    expect.stringContaining('open here again'),
  ]);
  // Whoever comes back with the code of before is refused, whatever they have already.
  const late = await moveIn(code, office.newDir).ended;
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('not valid')]);
  expect(existsSync(office.newDir)).toBe(false);
  await office.old.kill();
  office.old = await startService(own(dataDir, origin));
  await checkAfterwards(office, office.old);
  await office.old.kill();
});

test('a code is for one computer, and nobody is let in with another [move.code-computer-nobody]', async () => {
  const office = await openOffice();
  const code = await codeOf(office);
  const forged = code.replace(/move\/./, (text) => (text.endsWith('0') ? 'move/1' : 'move/0'));
  const other = await moveIn(forged, `${office.newDir}-other`).ended;
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('not valid')]);
  const elsewhere = code.replace(/pin=./, (text) => (text.endsWith('a') ? 'pin=b' : 'pin=a'));
  const stranger = await moveIn(elsewhere, `${office.newDir}-other`).ended;
  expect([stranger.code, stranger.stderr]).toEqual([
    1,
    expect.stringContaining('Another computer answers there'),
  ]);
  expect((await moveIn(code, office.newDir).ended).code).toBe(0);
  const second = await moveIn(code, `${office.newDir}-second`).ended;
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('not valid')]);
  const tooLate = await hearth(['move-out', '--call-off', '--data-dir', office.old.dataDir]);
  expect([tooLate.code, tooLate.stderr]).toEqual([
    1,
    expect.stringContaining('goes on on another computer'),
  ]);
  await goOnThere(office);
  await office.old.kill();
});
