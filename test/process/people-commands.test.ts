/** What the command line does about people, beside the service that runs and without it. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { joinLinkIn } from '#shared/join-link.ts';
import { hearth } from './hearth-process.ts';
import { post, serve, type ServiceProcess, stop, temporaryFolder } from './service-process.ts';

const publicUrl = 'https://chat.example.com';

interface Office {
  readonly dataDir: string;
  readonly service: ServiceProcess;
  readonly origin: string;
}

/** @param more  further options of the service */
async function founded(...more: readonly string[]): Promise<Office> {
  const dataDir = temporaryFolder();
  const service = serve('--port', '0', '--data-dir', dataDir, ...more);
  const origin = await service.origin;
  const founder = { realm_name: 'Lantern', full_name: 'Ada', email: 'ada@example.com' };
  const claim = { ...founder, password: 'correct horse', setup_code: await service.setupCode };
  expect((await post(`${origin}/api/v1/organization`, claim)).status).toBe(200);
  return { dataDir, service, origin };
}

interface Invitations {
  readonly invited_by: string;
  readonly invitations: readonly {
    readonly email?: string;
    readonly link: string | null;
    readonly web_link: string;
    readonly text: string;
  }[];
}

async function invite({ dataDir }: Office, ...args: readonly string[]): Promise<Invitations> {
  const { code, stdout, stderr } = await hearth([
    'invite',
    '--data-dir',
    dataDir,
    '--json',
    ...args,
  ]);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Invitations;
}

const signIn = async (origin: string, username: string, password: string): Promise<number> =>
  (await post(`${origin}/api/v1/fetch_api_key`, { username, password })).status;

async function useLink(origin: string, link: string, password: string): Promise<void> {
  const token = link.split('#password/')[1] ?? '';
  const used = await post(`${origin}/api/v1/password_link`, { token, new_password: password });
  expect(used.status).toBe(200);
}

test('invitations are made by a command, and lead in', async () => {
  const office = await founded('--public-url', publicUrl);
  const made = await invite(office, 'ben@example.com', 'cleo@example.com');
  expect(made).toMatchObject({ result: 'success', invited_by: 'ada@example.com' });
  expect(made.invitations.map(({ email }) => email).sort()).toEqual([
    'ben@example.com',
    'cleo@example.com',
  ]);
  const again = await invite(office, 'Ben@example.com', 'dora@example.com');
  const bens = made.invitations.find(({ email }) => email === 'ben@example.com');
  expect(again.invitations).toContainEqual(bens);

  const link = joinLinkIn(bens?.text ?? '');
  expect(link).toMatchObject({ addresses: [publicUrl], realmName: 'Lantern' });
  const webLink = `${publicUrl}/#join/${String(link?.token)}`;
  const forBrowsers = `You are invited to Lantern on Hearth. Open this link in a browser:\n\n${webLink}\n`;
  expect(bens).toMatchObject({ web_link: webLink, text: expect.stringContaining(forBrowsers) });
  const person = { token: link?.token ?? '', full_name: 'Ben', password: 'battery staple' };
  expect((await post(`${office.origin}/api/v1/invites/accept`, person)).status).toBe(200);
  expect(await signIn(office.origin, 'ben@example.com', 'battery staple')).toBe(200);

  const many = await invite(office, '--uses', '2', '--days', '1');
  const token = joinLinkIn(many.invitations[0]?.link ?? '')?.token ?? '';
  const other = { token, full_name: 'Emil', password: 'battery staple', email: 'emil@example.com' };
  expect((await post(`${office.origin}/api/v1/invites/accept`, other)).status).toBe(200);

  const fay = ['invite', 'fay@example.com', '--data-dir', office.dataDir];
  const { stdout } = await hearth(fay, '', { LC_ALL: 'de_DE.UTF-8', TZ: 'Asia/Tokyo' });
  expect(stdout).toMatch(
    /^for fay@example\.com, until \d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d GMT\+9:\n\nYou are invited to Lantern on Hearth/,
  );
  await stop(office.service);
});

test('what hinders an invitation is said by its argument', async () => {
  const office = await founded();
  const refused = async (...args: readonly string[]): Promise<string> => {
    const ended = await hearth(['invite', ...args, '--data-dir', office.dataDir]);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    return ended.stderr;
  };
  expect(await refused('ben@example.com')).toMatch(/^Only this computer can reach/);
  await stop(office.service);
  expect(await refused('ben@example.com')).toMatch(/is not served now/);

  const inNetwork = ['--host', '0.0.0.0', '--insecure-http', '--no-announce'];
  const reachable = serve(...['--port', '0', '--data-dir', office.dataDir, ...inNetwork]);
  const { port } = new URL(await reachable.origin);
  const [made] = (await invite(office)).invitations;
  expect(new URL(made?.web_link ?? '')).toMatchObject({ protocol: 'http:', port });
  // The application speaks TLS on the port of HTTP.
  const [address = ''] = joinLinkIn(made?.link ?? '')?.addresses ?? [];
  expect(new URL(address)).toMatchObject({ protocol: 'https:', port });
  expect(await refused('--as', 'eve@example.com')).toBe(
    'No account has the address eve@example.com\n',
  );
  expect(await refused('ada@example.com')).toMatch(/ada@example\.com \(Already has an account/);
  await stop(reachable);
});

test('a link to a new password is made while the service runs, and while it does not', async () => {
  const { dataDir, service, origin } = await founded();
  const socket = join(dataDir, 'commands.sock');
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  const reset = (email: string, ...more: readonly string[]) =>
    hearth(['reset-password', email, '--data-dir', dataDir, ...more]);
  const told = await reset('Ada@example.com');
  expect([told.code, told.stderr]).toEqual([0, '']);
  const link = /^password link: (\S+)\n/.exec(told.stdout)?.[1] ?? '';
  expect(link.startsWith(`${origin}/#password/`)).toBe(true);
  await useLink(origin, link, 'battery staple');
  expect(await signIn(origin, 'ada@example.com', 'battery staple')).toBe(200);
  const nobody = 'EMAIL eve@example.com: No account has this e-mail address\n';
  expect(await reset('eve@example.com')).toMatchObject({ code: 1, stdout: '', stderr: nobody });
  await stop(service);
  expect(existsSync(socket)).toBe(false);

  expect(await reset('eve@example.com')).toMatchObject({ code: 1, stdout: '', stderr: nobody });
  const without = JSON.parse((await reset('ada@example.com', '--json')).stdout) as {
    readonly link: string;
    readonly is_served: boolean;
  };
  expect(without.is_served).toBe(false);
  expect(without.link.startsWith(`${origin}/#password/`)).toBe(true);
  const next = serve('--port', '0', '--data-dir', dataDir);
  await useLink(await next.origin, without.link, 'third password');
  expect(await signIn(await next.origin, 'ada@example.com', 'third password')).toBe(200);
  await stop(next);

  // As on a desktop, whose keychain has the keys.
  rmSync(join(dataDir, 'secret'));
  expect((await reset('ada@example.com')).stderr).toMatch(/keychain of a desktop: open Hearth/);
  expect(
    (await hearth(['reset-password', 'a@b.de', '--data-dir', temporaryFolder()])).stderr,
  ).toMatch(/has no organization: name the data folder/);
});

test('a service that was killed leaves nothing that hinders the next one', async () => {
  const { dataDir, service } = await founded();
  service.child.kill('SIGKILL');
  await service.ended;
  const next = serve('--port', '0', '--data-dir', dataDir);
  await next.origin;
  const { code } = await hearth(['reset-password', 'ada@example.com', '--data-dir', dataDir]);
  expect(code).toBe(0);
  await stop(next);
});
