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
  readonly bad_lines: readonly {
    readonly line: number;
    readonly column: string | null;
    readonly reason: string;
  }[];
}

const founder = { realm_name: 'Lantern', full_name: 'Ada', email: 'ada@example.com' };

async function founded(...more: readonly string[]) {
  const dataDir = temporaryFolder();
  const service = serve('--port', '0', '--data-dir', dataDir, ...more);
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
  const file = join(dataDir, 'people.csv');
  const lines = [
    'email,name,role,streams',
    'ben@example.com,Ben,,',
    'ada@example.com,Ada,,',
    'x,Xaver,,',
    'cleo@example.com,Cleo,,nowhere',
    'dan@example.com,Dan,boss,',
    'BEN@example.com,Ben,,',
  ];
  writeFileSync(file, lines.join('\r\n'));
  const text = await hearth(['user', 'add', '--csv', file, '--data-dir', dataDir]);
  expect(text).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: [
      "line 3, column email: The e-mail address 'ada@example.com' is already in use",
      "line 4, column email: Invalid e-mail address 'x'",
      "line 5, column streams: Invalid stream name 'nowhere'",
      "line 6, column role: 'boss' is none of administrator, member, guest",
      "line 7, column email: The e-mail address 'BEN@example.com' comes twice, first in line 2",
      'Nobody was added: 5 lines of 6 cannot be used.\n',
    ].join('\n'),
  });
  expect((await user(1, ['add', '--csv', file])).bad_lines.map(({ column }) => column)).toEqual([
    ...['email', 'email', 'streams', 'role', 'email'],
  ]);
  writeFileSync(file, Buffer.from('name;email\nJosé;jose@example.com', 'latin1'));
  const foreign = await hearth(['user', 'add', '--csv', file, '--data-dir', dataDir]);
  expect(foreign).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `The file ${file} cannot be used: line 2, column name: it is not UTF-8: save it as CSV in UTF-8.\n`,
  });
  expect((await user(0, ['list'])).users.map(({ email }) => email)).toEqual(['ada@example.com']);
  writeFileSync(file, lines.slice(0, 3).join('\r\n'));
  expect(await user(0, ['add', '--csv', file, '--skip-known'])).toMatchObject({
    added: [{ email: 'ben@example.com' }],
    already_there: ['ada@example.com'],
  });
  const demoted = await user(1, ['role', 'ada@example.com', 'member']);
  expect(demoted).toMatchObject({ result: 'error', message: expect.stringMatching(/^ada@/) });
  const last = await hearth(['user', 'deactivate', 'ada@example.com', '--data-dir', dataDir]);
  expect(last).toMatchObject({
    code: 1,
    stderr: 'ada@example.com: Cannot deactivate the only organization administrator\n',
  });
  await stop(service);
});

test('people come without a running service, and sign in once it runs', async () => {
  const publicUrl = 'https://chat.example.com';
  const { dataDir, service, user } = await founded('--public-url', publicUrl);
  await stop(service);
  const file = join(dataDir, 'people.csv');
  writeFileSync(file, 'email,name\nben@example.com,Ben\nada@example.com,Ada\n');
  const { bad_lines: bad } = await user(1, ['add', '--csv', file]);
  expect(bad).toMatchObject([{ line: 3, column: 'email' }]);
  const { added } = await user(0, ['add', 'ben@example.com', '--name', 'Ben', '--role', 'Guest']);
  const [ben] = added;
  expect(ben).toMatchObject({ email: 'ben@example.com', name: 'Ben', role: 'guest' });
  expect(ben?.link).toMatch(`${publicUrl}/#password/`);
  const next = serve('--port', '0', '--data-dir', dataDir);
  const token = ben?.link?.split('#password/')[1] ?? '';
  const chosen = { token, new_password: 'battery staple' };
  expect((await post(`${await next.origin}/api/v1/password_link`, chosen)).status).toBe(200);
  await stop(next);
});
