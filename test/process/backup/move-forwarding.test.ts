/** The computer that an organization has left tells everybody who still looks for it there where it is now. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { desktopServerIdentity } from '#desktop/system/pinned-tls.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { Computer, quickService } from '#test/support/client/computer.ts';
import { freePort } from '#test/support/ports.ts';
import {
  call,
  credentials,
  type RunningService,
  startService,
} from '#test/support/service/service.ts';
import { hearth } from '../hearth-process.ts';
import { contentsAt, moveIn, Talker } from './migration.ts';
import { serve as serveProcess, stop, temporaryFolder } from '../service-process.ts';

/** Reached by others at an address of its own, as an office in a network is. */
async function serve(dataDir: string): Promise<{ service: RunningService; address: string }> {
  const port = String(await freePort());
  const address = `https://127.0.0.1:${port}`;
  const args = [...quickService, '--port', port, '--public-url', address];
  return { service: await startService({ dev: true, dataDir, args }), address };
}

const settingsAt = async (origin: string): Promise<Record<string, unknown>> =>
  (await call(origin, null, 'GET', '/server_settings')).body;

test('three people who know the old address alone go on at the new one, and nothing that was acknowledged is lost', async () => {
  const folder = temporaryFolder();
  const plain = { dev: true, dataDir: join(folder, 'old') };
  let old = await startService({ ...plain, args: [...quickService] });
  const address = old.origin.replace('http:', 'https:');
  const pin = (await readFile(join(old.dataDir, 'office-pin'), 'utf8')).trim();
  const words = await safetyWords(pin);
  const talkers: Talker[] = [];
  const computers: Computer[] = [];
  for (const who of ['ada', 'ben', 'cleo']) {
    const computer = await Computer.buy();
    const joining = { origin: address, email: `${who}@example.com`, words };
    const running = await computer.join(joining, { serverIdentity: desktopServerIdentity });
    onTestFinished(() => running.client.stop());
    talkers.push(new Talker(running, who));
    computers.push(computer);
  }
  const ada = await credentials(old.origin, 'ada@example.com');
  for (const talker of talkers) talker.start();
  const made = await hearth(['move-out', '--data-dir', old.dataDir, '--json']);
  const { code } = JSON.parse(made.stdout) as { readonly code: string };
  expect((await settingsAt(old.origin))['successor']).toBeUndefined();
  expect((await moveIn(code, join(folder, 'new')).ended).code).toBe(0);
  // It has gone, and nobody has said where to yet: that holds after a crash as well.
  expect((await settingsAt(old.origin))['successor']).toMatchObject({ addresses: [] });
  await old.kill();
  const port = new URL(old.origin).port;
  old = await startService({ ...plain, args: [...quickService, '--port', port] });
  onTestFinished(() => old.kill());

  const next = await serve(join(folder, 'new'));
  onTestFinished(() => next.service.kill());
  for (const [at, { running }] of talkers.entries()) {
    await running.until(() => computers[at]?.accounts[0]?.address === next.address);
    await running.live();
  }
  const saidBefore = talkers.map(({ said }) => said.length);
  await expect
    .poll(() => talkers.every(({ said }, at) => said.length > (saidBefore[at] ?? 0) + 1))
    .toBe(true);
  await Promise.all(talkers.map((talker) => talker.stop()));
  const all = [...(await contentsAt(next.service.origin, ada)).values()];
  for (const { said } of talkers) expect(all).toEqual(expect.arrayContaining(said));
  expect(new Set(all).size).toBe(all.length);

  // Whoever slept through it hears the same from the old computer after its next start.
  await old.kill();
  old = await startService({ ...plain, args: [...quickService, '--port', port] });
  const { successor } = await settingsAt(old.origin);
  expect(successor).toMatchObject({ addresses: [next.address] });
});

test('nobody but the computer that took the organization over says where it is', async () => {
  const folder = temporaryFolder();
  const old = await startService({ dev: true, dataDir: join(folder, 'old') });
  onTestFinished(() => old.kill());
  const made = await hearth(['move-out', '--data-dir', old.dataDir, '--json']);
  const { code } = JSON.parse(made.stdout) as { readonly code: string };
  expect((await moveIn(code, join(folder, 'new')).ended).code).toBe(0);
  const tell = async (mover: string, addresses: string): Promise<unknown> => {
    const url = `${old.origin}/api/v1/office/move/arrived`;
    const body = new URLSearchParams({ mover, addresses });
    const response = await fetch(url, { method: 'POST', body });
    return ((await response.json()) as Record<string, unknown>)['code'];
  };
  expect(await tell('ab'.repeat(32), '["https://198.51.100.7:9981"]')).toBe('BAD_REQUEST');
  expect((await settingsAt(old.origin))['successor']).toMatchObject({ addresses: [] });
  const moved = await readFile(join(folder, 'new', 'moved.json'), 'utf8');
  const { mover } = JSON.parse(moved) as { readonly mover: string };
  for (const bad of ['', '{}', '["http://198.51.100.7"]', '["https://198.51.100.7/page"]']) {
    expect(await tell(mover, bad)).toBe('REQUEST_VARIABLE_INVALID');
  }
  expect(await tell(mover, '["https://198.51.100.7:9981"]')).toBeUndefined();
  expect((await settingsAt(old.origin))['successor']).toMatchObject({
    addresses: ['https://198.51.100.7:9981'],
  });
  // Whoever serves the folder once more reads where it is, and no address at which it was.
  await old.stop();
  const args = ['--dev', '--port', '0', '--data-dir', old.dataDir];
  const again = serveProcess(...args, '--public-url', 'https://old.example');
  expect(await again.printed(/^(?:address|moved to) (\S+)$/m)).toBe('https://198.51.100.7:9981');
  const { stdout, stderr } = await stop(again);
  expect(stdout).not.toMatch(/^(?:address|safety words|pin) /m);
  expect(stderr).toContain('The organization lives on another computer now: serve it there.');
});
