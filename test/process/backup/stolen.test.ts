/** The computer of an office is in other hands: its people go on with who has the key that only the recovery code opens. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desktopServerIdentity } from '#desktop/system/pinned-tls.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { isValidNextKeyNotice, type NextKeyNotice } from '#node/tls/server-identity.ts';
import { Computer, quickService, type Running } from '#test/support/client/computer.ts';
import { valueOf } from '#test/support/client/client.ts';
import {
  call,
  credentials,
  type RunningService,
  startService,
} from '#test/support/service/service.ts';
import { Mate } from '#test/support/window/office-mates.ts';
import { hearth } from '../hearth-process.ts';
import { restoreOpen } from './restore-open.ts';
import { temporaryFolder } from '../service-process.ts';

const offices = { serverIdentity: desktopServerIdentity };
const password = 'a long password';
const pinIn = (dataDir: string): string => readFileSync(join(dataDir, 'office-pin'), 'utf8').trim();

interface Settings {
  readonly successor_key?: NextKeyNotice;
  readonly epoch?: { readonly n: number };
}

const settingsAt = async (origin: string): Promise<Settings> =>
  (await (await fetch(`${origin}/api/v1/server_settings`)).json()) as Settings;

/** An office with an archive, so that there is a next identity key, and people with passwords of their own. */
async function office(...names: readonly string[]) {
  const old = await startService({ dev: true, args: quickService });
  const admin = await credentials(old.origin, 'ada@example.com');
  const people = names.map((name) => `${name}@example.com`);
  for (const [index, email] of people.entries()) {
    const made = { email, password, full_name: names[index], short_name: names[index] };
    expect((await call(old.origin, admin, 'POST', '/users', made)).status).toBe(200);
  }
  const into = temporaryFolder();
  const backedUp = await hearth(['backup', into, '--data-dir', old.dataDir, '--json']);
  const { recovery_code: code = '' } = JSON.parse(backedUp.stdout) as Record<string, string>;
  const words = await safetyWords(pinIn(old.dataDir));
  return { old, admin, people, into, code, words };
}

/** With everybody who has signed in by now. */
async function archive({ dataDir }: RunningService, into: string): Promise<string> {
  const made = await hearth(['backup', into, '--data-dir', dataDir, '--json']);
  return (JSON.parse(made.stdout) as { readonly file: string }).file;
}

const again = (dataDir: string, origin: string) =>
  startService({ dev: true, dataDir, args: [...quickService, '--port', new URL(origin).port] });

async function sitDown(old: RunningService, email: string, words: string) {
  const computer = await Computer.buy();
  const origin = old.origin.replace('http:', 'https:');
  const running = await computer.join({ origin, email, words }, offices);
  // Whoever has heard of the next key knows whom to go on with.
  await expect.poll(() => computer.accounts[0]?.successors).toHaveLength(1);
  return { computer, running };
}

const signIn = async ({ client, account }: Running): Promise<void> => {
  const { address, email } = account;
  const choice = { newPassword: 'another long password' };
  const joined = valueOf(await client.connect({ address, email, password, ...choice }));
  expect(joined.id).toBe(account.id);
};

interface Seat {
  readonly computer: Computer;
  readonly running: Running;
}

/** With what was read and written, by one password. */
async function comeBack({ computer, running }: Seat, expected: object): Promise<void> {
  await running.until(() => running.connection?.state === 'signed-out');
  expect(computer.accounts).toMatchObject([expected]);
  // Nothing is lost before the password is typed.
  expect((await running.state()).outbox).toHaveLength(1);
  await signIn(running);
  await running.live();
  await expect.poll(async () => (await running.state()).outbox).toEqual([]);
  await running.filled();
  const texts = (await running.page()).messages.map(({ rendered }) => rendered);
  expect(texts).toContain('<p>before the theft</p>');
  expect(texts).toContain('<p>written while nobody was there</p>');
}

/** Whoever has the old key hears from nobody, also where somebody types their address and a password. */
async function refuse({ computer, running }: Seat, origin: string): Promise<void> {
  const { client, account } = running;
  const asked = computer.requests.length;
  client.wake();
  await running.until(() => {
    const { connection } = running;
    return (
      connection?.state === 'offline' && connection.reason.includes('is not this organization')
    );
  });
  const address = origin.replace('http:', 'https:');
  const typed = await client.connect({ address, email: account.email, password });
  expect(typed).toMatchObject({ failure: { code: 'OTHER_OFFICE' } });
  const paths = computer.requests.slice(asked).map(({ path }) => path);
  expect(new Set(paths)).toEqual(new Set(['/server_settings']));
}

const inTurn = async (
  seats: readonly Seat[],
  act: (seat: Seat) => Promise<unknown>,
): Promise<void> => {
  for (const seat of seats) await act(seat);
};

test('five colleagues come back with their password, what they read and what they wrote; the thief hears from nobody [stolen.five-colleagues-come]', async () => {
  const { old, people, into, code, words } = await office('eva', 'fay', 'gil', 'hal', 'ivo');
  const before = pinIn(old.dataDir);
  const ben = await Mate.of(() => old.origin, 'ben');
  const seats = [];
  for (const email of people) seats.push(await sitDown(old, email, words));
  const first = await ben.say('general', 'lunch', 'before the theft');
  await inTurn(seats, ({ running }) =>
    running.until(() => running.arrived().some(({ id }) => id === first)),
  );
  await inTurn(seats, ({ running }) => running.filled());
  const newest = await archive(old, into);
  await old.kill();
  const away = seats.slice(3);
  const there = seats.slice(0, 3);
  await inTurn(seats, ({ running }) => running.offline());
  await inTurn(seats, ({ running }) => running.send('written while nobody was there'));
  // Two are off when it happens, and for longer than the thief needs.
  await inTurn(away, ({ running }) => running.client.stop());

  const dataDir = join(into, 'new');
  const args = ['--data-dir', dataDir, '--yes', '--stolen', '--json'];
  const restored = await restoreOpen([newest, ...args], code);
  const said = JSON.parse(restored.stdout) as Record<string, unknown>;
  const pin = pinIn(dataDir);
  expect(pin).not.toBe(before);
  expect(said).toMatchObject({ result: 'success', pin });
  const next = await again(dataDir, old.origin);
  // From now on another one is told of, by the new key.
  const told = (await settingsAt(next.origin)).successor_key;
  expect(told?.pin).not.toBe(pin);
  expect(told !== undefined && isValidNextKeyNotice(pin, told)).toBe(true);

  for (const seat of away) seat.running = await seat.computer.start(offices);
  for (const each of [...there, ...away]) await comeBack(each, { pin, revoked: [before] });
  const ada = await Mate.of(() => next.origin, 'ada');
  const { entries } = await ada.ask('GET', '/audit_log', { types: ['organization_stolen'] });
  expect(entries).toHaveLength(1);

  // The thief serves what they have, under the latest restore generation of all that they can make.
  await next.kill();
  await inTurn(seats, ({ running }) => running.offline());
  const later = join(temporaryFolder(), 'later');
  const thieves = ['--data-dir', later, '--yes', '--keep-keys', '--json'];
  expect((await restoreOpen([newest, ...thieves], code)).code).toBe(0);
  const thief = await again(later, old.origin);
  const { epoch } = await settingsAt(thief.origin);
  expect(epoch?.n).toBeGreaterThan((said['epoch'] as { readonly n: number }).n);
  for (const seat of seats) await refuse(seat, thief.origin);
  // It closes nobody either: what the old key signs is worth nothing.
  await thief.kill();
  const back = await again(dataDir, old.origin);
  const shown = await call(back.origin, null, 'POST', '/office/epoch', { ...epoch });
  expect(shown).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  await inTurn(seats, ({ running }) => running.live());
  await inTurn(seats, ({ running }) => running.client.stop());
  await back.stop();
});

test('an organization that was restored already says so later, once it is stopped, and by its own code alone', async () => {
  const { old, admin, code, words, people, into } = await office('eva');
  const [email = ''] = people;
  const { computer, running } = await sitDown(old, email, words);
  const file = await archive(old, into);
  await old.kill();
  const dataDir = join(into, 'new');
  const args = ['--data-dir', dataDir, '--yes', '--keep-keys', '--json'];
  expect((await restoreOpen([file, ...args], code)).code).toBe(0);
  const before = pinIn(dataDir);
  const next = await again(dataDir, old.origin);
  await running.live();
  const say = ['stolen', '--data-dir', dataDir, '--json'];
  const whileServed = await hearth(say, code);
  expect([whileServed.code, JSON.parse(whileServed.stdout)]).toEqual([
    1,
    {
      result: 'error',
      message: expect.stringContaining('stop that one first'),
      cause: { name: 'database_served', values: { file: join(dataDir, 'hearth.db') } },
    },
  ]);
  await next.stop();
  const other = await hearth(['recovery-code', '--data-dir', old.dataDir, '--new', '--json']);
  const wrong = (JSON.parse(other.stdout) as Record<string, string>)['recovery_code'];
  const refused = await hearth(say, wrong);
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringContaining('another recovery code'),
  ]);
  expect(pinIn(dataDir)).toBe(before);

  const done = await hearth(say, code);
  const said = JSON.parse(done.stdout) as Record<string, unknown>;
  expect(said).toMatchObject({ result: 'success', pin: pinIn(dataDir), folder: dataDir });
  expect(said['pin']).not.toBe(before);
  const renewed = await again(dataDir, old.origin);
  expect((await call(renewed.origin, admin, 'GET', '/users/me')).status).toBe(401);
  await running.until(() => running.connection?.state === 'signed-out');
  expect(computer.accounts).toMatchObject([{ pin: said['pin'], revoked: [before] }]);
  await signIn(running);
  await running.live();
  await running.client.stop();
  await renewed.stop();
  // And once more: with each key comes the next one.
  expect((await hearth(say, code)).code).toBe(0);
});

test('the other key is in no file of the computer but under the seal, stays over backups, and is another one with another code [stolen.other-key-only-sealed]', async () => {
  const { old, into, code } = await office();
  const first = (await settingsAt(old.origin)).successor_key;
  await hearth(['backup', into, '--data-dir', old.dataDir, '--json']);
  expect((await settingsAt(old.origin)).successor_key).toEqual(first);
  expect(first !== undefined && isValidNextKeyNotice(pinIn(old.dataDir), first)).toBe(true);
  expect(existsSync(join(old.dataDir, 'successor-key'))).toBe(false);
  const kit = readFileSync(join(old.dataDir, 'recovery.json'), 'utf8');
  expect(kit).not.toContain('successorKey');
  await hearth(['recovery-code', '--data-dir', old.dataDir, '--new']);
  expect((await settingsAt(old.origin)).successor_key).toBeUndefined();
  await hearth(['backup', into, '--data-dir', old.dataDir, '--json']);
  expect((await settingsAt(old.origin)).successor_key?.pin).not.toBe(first?.pin);
  await old.kill();
  const late = await hearth(['stolen', '--data-dir', old.dataDir], code);
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('another recovery code')]);
});
