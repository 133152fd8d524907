/** Names of what a service and commands write and print, against the lists in test/support/data-names. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileBytes } from '#backup/archive/checked-file.ts';
import { openArchive, type OpenedArchive } from '#backup/archive/read-archive.ts';
import { unpackTar, type TarEntry } from '#backup/archive/tar.ts';
import { listed } from '../support/data-names/listed.ts';
import { namesOf } from '../support/data-names/wire-names.ts';
import { call, type Credentials } from '../support/service/service.ts';
import { hearth } from './hearth-process.ts';
import { note, sendFile } from './sent-files.ts';
import { post, serve, stop, temporaryFolder } from './service-process.ts';

const EMAIL = 'ada@example.com';
const dataDir = join(temporaryFolder(), 'data');
const into = temporaryFolder();
const beside = temporaryFolder();
const restoredDir = join(temporaryFolder(), 'restored');
const keyFile = join(into, 'key');

const textOf = async ({ content }: TarEntry): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const indented = (title: string, value: unknown): readonly string[] => [
  title,
  ...namesOf(value).map((name) => `  ${name}`),
];

const said: string[] = [];

/** What it prints for programs. */
async function run(
  args: readonly string[],
  typed = '',
): Promise<Readonly<Record<string, unknown>>> {
  const { code, stdout } = await hearth([...args, '--json'], typed);
  const answer = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  const options = args.filter((each) =>
    /^--(?:plain|check|show|call-off|files-beside)$/.test(each),
  );
  const action = args[0] === 'service' || args[0] === 'user' ? [args[1]] : [];
  const title = [args[0], ...action, ...options].join(' ');
  said.push(...indented(`${title}: ${String(code)}`, answer));
  return answer;
}

/** What was uploaded is called by chance. */
const isRandom = (name: string): boolean => /^[\w-]{20,}(?:\.gz)?$/.test(name);

const withoutRandom = (path: string): string =>
  path
    .split(/[\\/]/)
    .map((name) => (isRandom(name) ? '*' : name))
    .join('/');

function placesIn(folder: string): readonly string[] {
  const places = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSocket())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .map(withoutRandom);
  return [...new Set(places)].sort();
}

/** The JSON in a folder, by its file. */
const writtenIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => indented(name, JSON.parse(readFileSync(join(folder, name), 'utf8'))));

async function partsOf(file: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of unpackTar(fileBytes(file))) names.push(name);
  return names;
}

async function contentOf({ office }: OpenedArchive): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const entry of office) {
    const isJson = entry.name.endsWith('.json');
    const name = withoutRandom(entry.name);
    lines.push(...(isJson ? indented(name, JSON.parse(await textOf(entry))) : [name]));
  }
  return [...new Set(lines)];
}

/** What is kept beside archives from moment to moment. */
async function journal({ unseal }: OpenedArchive): Promise<readonly string[]> {
  const files = readdirSync(into).filter((name) => name.endsWith('.age'));
  const lines = await Promise.all(
    files.sort().map(async (name) => {
      const outer = JSON.parse(await unseal(readFileSync(join(into, name)))) as { body: string };
      const kind = name.split('-')[0] ?? '';
      return [...indented(kind, outer), ...indented(`${kind} body`, JSON.parse(outer.body))];
    }),
  );
  return lines.flat();
}

async function founded(origin: string, setupCode: string): Promise<Credentials> {
  const founder = { realm_name: 'Lantern', full_name: 'Ada', email: EMAIL };
  const claim = { ...founder, password: 'correct horse', setup_code: setupCode };
  const response = await post(`${origin}/api/v1/organization`, claim);
  const { api_key: key } = (await response.json()) as { readonly api_key: string };
  return { email: EMAIL, key };
}

/** Where the system has sockets in folders. */
const hasSockets = process.platform !== 'win32';

test.runIf(hasSockets)(
  'files of a data folder, archives and what commands print keep their names',
  async () => {
    const options = [
      '--port',
      '0',
      '--data-dir',
      dataDir,
      '--public-url',
      'https://chat.example.com',
    ];
    const service = serve(...options);
    const origin = await service.origin;
    const ada = await founded(origin, await service.setupCode);
    await sendFile(origin, ada, '/user_uploads', note('a.txt', 'a'.repeat(5000)));
    writeFileSync(keyFile, ada.key);
    const there = ['--data-dir', dataDir];
    const account = ['--url', origin, '--email', EMAIL, '--key-file', keyFile];
    const { recovery_code: code } = await run(['recovery-code', ...there]);
    const sent = await run(['send', 'Hi', '--stream', 'general', '--topic', 'all', ...account]);
    const { file } = await run(['backup', into, ...there]);
    await run(['backup', beside, '--files-beside', ...there]);
    await run(['backup', temporaryFolder(), '--plain', ...there]);
    await run(['backup', '--check', ...there]);
    await call(origin, ada, 'PATCH', `/messages/${String(sent['id'])}`, { content: 'Hello' });
    await run(['config', ...there]);
    await run(['user', 'list', ...there]);
    await run(['user', 'add', 'dan@example.com', '--name', 'Dan', ...there]);
    await run(['invite', 'ben@example.com', ...there]);
    await run(['reset-password', EMAIL, ...there]);
    await run(['webhook-targets', 'jenkins.lan:8080', ...there]);
    await run(['move-out', ...there]);
    const offered = writtenIn(dataDir);
    await run(['move-out', '--call-off', ...there]);
    const atWork = placesIn(dataDir);
    await stop(service);
    const archive = String(file);
    const typed = `${String(code)}\n`;
    await run(['restore', archive, '--show'], typed);
    const restored = await run(['restore', archive, '--yes', '--data-dir', restoredDir], typed);
    await run(['open', String(restored['open_number']), '--data-dir', restoredDir]);
    await run(['stolen', '--data-dir', restoredDir], typed);
    await run(['service', 'status']);
    await run(['backup']);
    await run(['open', '1', '--data-dir', into]);
    expect(said).toEqual(listed('commands'));

    const opened = await openArchive(archive, String(code));
    const files = readdirSync(beside).find((name) => name.endsWith('.hearth')) ?? '';
    const withFilesBeside = join(beside, files);
    expect([
      ...['an archive', ...(await partsOf(archive)).map((name) => `  ${name}`)],
      ...['in office.tar.age', ...(await contentOf(opened)).map((line) => `  ${line}`)],
      ...['with files beside', ...(await partsOf(withFilesBeside)).map((name) => `  ${name}`)],
      ...[
        'in office.tar.age',
        ...(await contentOf(await openArchive(withFilesBeside, String(code)))).map(
          (line) => `  ${line}`,
        ),
      ],
      ...['keys', ...namesOf(opened.keys).map((name) => `  ${name}`)],
      ...(await journal(opened)),
    ]).toEqual(listed('archive'));

    expect([
      ...['a folder that is served', ...atWork.map((place) => `  ${place}`)],
      ...['the same, stopped', ...placesIn(dataDir).map((place) => `  ${place}`)],
      ...offered,
    ]).toEqual(listed('data-folder'));
  },
);
