import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../support/machine.ts';

/** What an installation by npm on that Node says at its end. */
const saidOn = (node: string): string =>
  execFileSync(process.execPath, [join(projectDir, 'scripts', 'own-node.ts')], {
    env: { ...process.env, npm_config_user_agent: `npm/10.8.2 node/${node} linux x64` },
    encoding: 'utf8',
  });

test.each(['v20.19.0', 'v22.13.1'])(
  'an installation on %s says in one line what runs instead',
  (node) => {
    expect(saidOn(node)).toBe(
      `Hearth needs Node 22.14 and yours is ${node}: it brings ${process.version} and runs on that.\n`,
    );
  },
);

test.each(['v22.14.0', 'v24.1.0'])('an installation on %s has nothing to say', (node) => {
  expect(saidOn(node)).toBe('');
});
