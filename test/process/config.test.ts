/** Options of the real service from its file and its environment. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hearth } from './hearth-process.ts';
import { serve, stop, temporaryFolder } from './service-process.ts';

test('a service starts with what its file says, and a command tells where each value comes from', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(
    join(dataDir, 'hearth.toml'),
    'port = 0\npublic-url = "https://chat.example.com"\n\n[limit]\nqueues = 7\n',
  );
  const args = ['--data-dir', dataDir];
  const service = serve(...args);
  expect(await service.origin).toMatch(/:[1-9]\d*$/);
  expect(await service.printed(/\n(address \S+)\n/)).toBe('address https://chat.example.com');
  await stop(service);

  const shown = await hearth(['config', ...args, '--json'], '', { HEARTH_HOST: '127.0.0.2' });
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  const { options } = JSON.parse(shown.stdout) as { readonly options: readonly unknown[] };
  expect(options).toEqual(
    expect.arrayContaining([
      { name: 'data-dir', value: dataDir, from: '--data-dir' },
      { name: 'host', value: '127.0.0.2', from: 'HEARTH_HOST' },
      { name: 'port', value: 0, from: `port in ${join(dataDir, 'hearth.toml')}, line 1` },
      { name: 'metrics-token', value: null, from: 'default' },
      expect.objectContaining({ name: 'limit.queues', value: 7 }),
    ]),
  );

  writeFileSync(join(dataDir, 'hearth.toml'), 'prot = 0\n');
  const place = `prot in ${join(dataDir, 'hearth.toml')}, line 1`;
  const refused = { code: 2, signal: null, stdout: '' };
  expect(await serve(...args).ended).toEqual({
    ...refused,
    stderr: `${place} is no option: did you mean port? (see --help)\n`,
  });
  expect(await hearth(['config', ...args])).toEqual({
    ...refused,
    stderr: `${place} is no option: did you mean port?\n`,
  });
});
