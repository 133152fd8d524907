/** `hearth user`: beside the service that runs, and without it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hearth } from './hearth-process.ts';
import { post, serve, stop, temporaryFolder } from './service-process.ts';

interface Person {
  readonly id: number;
  readonly email: string;
  readonly role: string;
  readonly is_active: boolean;
  readonly link?: string;
}

interface Said {
  readonly result: string;
  readonly added: readonly Person[];
  readonly already_there: readonly string[];
  readonly users: readonly Person[];
  readonly bad_lines: readonly { readonly line: number; readonly reason: string }[];
}

const founder = { realm_name: 'Lantern', full_name: 'Ada', email: 'ada@example.com' };

async function founded() {
  const dataDir = temporaryFolder();
  const service = serve('--port', '0', '--data-dir', dataDir);
  const origin = await service.origin;
  const claim = { ...founder, password: 'correct horse', setup_code: await service.setupCode };
  expect((await post(`${origin}/api/v1/organization`, claim)).status).toBe(200);
  const user = async (code: number, args: readonly string[], typed = ''): Promise<Said> => {
    const ended = await hearth(['user', ...args, '--data-dir', dataDir, '--json'], typed);
    expect([ended.code, ended.stderr], ended.stdout).toEqual([code, '']);
    return JSON.parse(ended.stdout) as Said;
  };
  return { dataDir, service, origin, user };
}

test('nobody is added where one line is bad, and each bad line is named', async () => {
  const { dataDir, service, user } = await founded();
  const lines = ['email,name,streams', 'ben@example.com,Ben,', 'ada@example.com,Ada,'];
  const file = join(dataDir, 'people.csv');
  writeFileSync(file, [...lines, 'x,Xaver,', 'cleo@example.com,Cleo,nowhere'].join('\n'));
  const text = await hearth(['user', 'add', '--csv', file, '--data-dir', dataDir]);
  expect(text).toEqual({
    ...{ code: 1, signal: null, stdout: '' },
    stderr: [
      "line 3: The e-mail address 'ada@example.com' is already in use",
      "line 4: Invalid e-mail address 'x'",
      "line 5: Invalid stream name 'nowhere'",
      'Nobody was added: 3 lines of 4 people cannot be used.\n',
    ].join('\n'),
  });
  expect((await user(1, ['add', '--csv', file])).bad_lines).toHaveLength(3);
  expect(
    (await user(0, ['list'])).users.filter(({ email }) => email === 'ben@example.com'),
  ).toEqual([]);
  writeFileSync(file, lines.join('\n'));
  expect(await user(0, ['add', '--csv', file, '--skip-known'])).toMatchObject({
    added: [{ email: 'ben@example.com' }],
    already_there: ['ada@example.com'],
  });
  const last = await hearth(['user', 'deactivate', 'ada@example.com', '--data-dir', dataDir]);
  expect(last).toMatchObject({
    ...{
      code: 1,
      stderr: 'ada@example.com: Cannot deactivate the only organization administrator\n',
    },
  });
  await stop(service);
});

test('people come without a running service, and sign in once it runs', async () => {
  const { dataDir, service, origin, user } = await founded();
  await stop(service);
  const { added } = await user(0, ['add', 'ben@example.com', '--name', 'Ben', '--role', 'Guest']);
  const [ben] = added;
  expect(ben).toMatchObject({ email: 'ben@example.com', name: 'Ben', role: 'guest' });
  expect(ben?.link).toMatch(`${origin}/#password/`);
  const next = serve('--port', '0', '--data-dir', dataDir);
  const token = ben?.link?.split('#password/')[1] ?? '';
  const chosen = { token, new_password: 'battery staple' };
  expect((await post(`${await next.origin}/api/v1/password_link`, chosen)).status).toBe(200);
  await stop(next);
});
