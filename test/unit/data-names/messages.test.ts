import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archive } from '#shared/i18n/en/archive.ts';
import { backup } from '#shared/i18n/en/backup.ts';
import { browser } from '#shared/i18n/en/browser.ts';
import { cli } from '#shared/i18n/en/cli.ts';
import { client } from '#shared/i18n/en/client.ts';
import { connection } from '#shared/i18n/en/connection.ts';
import { desktop } from '#shared/i18n/en/desktop.ts';
import { hosting } from '#shared/i18n/en/hosting.ts';
import { refusals } from '#shared/i18n/en/refusals.ts';
import { service } from '#shared/i18n/en/service.ts';
import { storage } from '#shared/i18n/en/storage.ts';
import { system } from '#shared/i18n/en/system.ts';
import { listed } from '#test/support/data-names/listed.ts';

type Messages = Readonly<Record<string, string | ((values: never) => string)>>;

const catalogues: Readonly<Record<string, Messages>> = {
  archive,
  backup,
  browser,
  cli,
  client,
  connection,
  desktop,
  hosting,
  service,
  storage,
  system,
};

/** Words of the causes of the API, which have a test of their own. */
const ofApi = ['explanations', 'refusals'];

const every = (value: unknown): never => new Proxy({}, { get: () => value }) as never;

/** `{}` stands for each value; what says something else of one is listed as well. */
function linesOf(name: string, message: Messages[string]): readonly string[] {
  if (typeof message === 'string') return [`${name}: ${message}`];
  const [all, one] = [message(every('{}')), message(every(1))];
  const isPlural = all.replaceAll('{}', '1') !== one;
  return [`${name}: ${all}`, ...(isPlural ? [`${name} of 1: ${one}`] : [])];
}

test('messages say what people and programs read before they were in catalogues', () => {
  const said = Object.entries(catalogues).flatMap(([catalogue, messages]) =>
    Object.entries(messages).flatMap(([name, message]) => linesOf(`${catalogue} ${name}`, message)),
  );
  expect(said.sort()).toEqual(listed('message-words'));
});

test('each catalogue is listed, and no two of them have a cause of one name', () => {
  const folder = join(import.meta.dirname, '../../../src-main/shared/i18n/en');
  const files = globSync('*.json', { cwd: folder }).map((file) => file.replace('.json', ''));
  expect(files.filter((file) => !ofApi.includes(file)).sort()).toEqual(Object.keys(catalogues));
  const names = [refusals, ...Object.values(catalogues)].flatMap((each) => Object.keys(each));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
