import type { Session } from 'electron';
import { expect, test } from 'vitest';
import { autostartDir } from '#desktop/system/autostart.ts';
import { hasDisplay } from '#desktop/system/find-command.ts';
import { findPageServer } from '#desktop/system/page-server.ts';
import { prepareSpelling } from '#desktop/system/spelling.ts';
import { updateFeed } from '#desktop/system/updates.ts';
import { systemService } from '#cli/system-service.ts';
import { variablesGiven } from '#hosting/options/option-sources.ts';
import { cacheDir, defaultDataDir } from '#node/paths.ts';
import { eventStreamPath } from '#shared/api/endpoints/events.ts';
import { iconPath, methodsAt } from '#service/http/routes.ts';
import { listed } from '#test/support/data-names/listed.ts';

test('names of variables of the environment stay', () => {
  const asked = new Set<string>();
  const env: NodeJS.ProcessEnv = new Proxy({}, { get: (_, name) => void asked.add(String(name)) });
  const home = '/home/ada';
  for (const platform of ['linux', 'win32', 'darwin'] as const) {
    defaultDataDir({ platform, env, home });
    cacheDir({ platform, env, home });
    const place = { platform, env, home, userId: 1, isForSystem: true };
    systemService(place)?.text([]);
  }
  variablesGiven(env);
  autostartDir(env, home);
  hasDisplay('linux', [], env);
  findPageServer(env, false);
  updateFeed(env, false);
  prepareSpelling(
    { setSpellCheckerDictionaryDownloadURL: () => undefined } as unknown as Session,
    env,
  );
  expect([...asked].sort()).toEqual(listed('environment'));
});

test('paths beside the endpoint table stay', () => {
  const paths = [`/api/v1${eventStreamPath}`, iconPath];
  expect(paths).toEqual(listed('paths').slice(0, paths.length));
  for (const path of listed('paths'))
    expect(
      methodsAt(path, () => []),
      path,
    ).toContain('GET');
});
