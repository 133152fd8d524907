/** Runs after an installation: says in one line why an older Node than the project's does no harm. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './run.ts';

/** Orders a version such as `v22.14.0` as one number that can be compared. */
function orderOf(version: string | undefined): number {
  const [major = 0, minor = 0] =
    /^\D*(\d+)\.(\d+)/
      .exec(version ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  return major * 1000 + minor;
}

const { engines } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as {
  readonly engines: { readonly node: string };
};
/** The one that npm runs on, which is not the one that runs this: `npm/10.8.2 node/v20.19.0 linux x64 workspaces/false`. */
const yours = /\bnode\/(\S+)/.exec(process.env['npm_config_user_agent'] ?? '')?.[1];

if (yours !== undefined && orderOf(yours) < orderOf(engines.node)) {
  const needed = engines.node.replace('>=', '');
  process.stdout.write(
    `Hearth needs Node ${needed} and yours is ${yours}: it brings ${process.version} and runs on that.\n`,
  );
}
