/** How the cost of what people ask for grows with the messages of an organization: 10,000, 100,000 and 1,000,000 of them. */
import Database from 'better-sqlite3';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createApiKeys } from '#service/security/api-keys.ts';
import { loadSecret } from '#service/security/secret-file.ts';
import { searchFileOf } from '#service/db/sqlite/search-file.ts';
import { entryOf } from '#test/support/entries.ts';
import { openConnection, type Connection } from '../load/connection.ts';
import { get, post } from '../load/requests.ts';
import { forgetPeak, peakKiBOf } from '../process-figures.ts';
import {
  makeDataDir,
  removeDataDir,
  startWatchedService,
  type WatchedService,
} from '../processes.ts';
import { databaseFile } from '../seed.ts';
import { copyOfOrganization } from '../scale/kept.ts';
import { LARGE_TOPIC, largeStream, who } from '../scale/organization.ts';
import { type Place, type ScaleRow, scaleRows, coldRows } from '../scale/rows.ts';
import type { Watch, Watched } from '../scale/watched.ts';

const ROUNDS = 7;
const WARM_UPS = 3;

export interface Figure extends Watched {
  /** The most that the process held meanwhile. */
  readonly peakMiB: number;
}

/** Figures of one row, by the number of messages. */
export interface ScaleLine extends Pick<ScaleRow, 'name' | 'grows' | 'exception'> {
  readonly figures: ReadonlyMap<number, Figure>;
}

const mib = (kib: number | undefined): number => Math.round((kib ?? 0) / 1024);

/** The least of several: others use the machine, too. */
function leastOf(
  turns: readonly Watched[],
  { worked, pid }: { readonly worked: readonly Watched[]; readonly pid: number },
): Figure {
  const least = (key: keyof Watched, rounds = turns): number =>
    Math.min(...rounds.map((each) => each[key]));
  return {
    workedMs: least('workedMs', worked.length > 0 ? worked : turns),
    turnMs: least('turnMs'),
    waitedMs: least('waitedMs'),
    peakMiB: mib(peakKiBOf(pid)),
  };
}

const NEWEST_OF_TOPIC = `SELECT MAX(m.id) FROM message m JOIN topic t ON t.id = m.topic_id WHERE t.name = ?`;
const IN_LARGE =
  'SELECT m.id FROM message m WHERE m.recipient_id = 1 AND m.id > ? ORDER BY m.id LIMIT 10';

async function placeIn(dataDir: string, messages: number): Promise<Omit<Place, 'own'>> {
  const apiKeys = createApiKeys(await loadSecret(join(dataDir, 'secret')));
  const db = new Database(databaseFile(dataDir), { readonly: true });
  const newestOfTopic = Number(db.prepare(NEWEST_OF_TOPIC).pluck().get(LARGE_TOPIC));
  const inLarge = db
    .prepare(IN_LARGE)
    .pluck()
    .all(Math.floor(messages / 3)) as number[];
  db.close();
  return {
    ...{ messages, newestOfTopic, inLarge },
    account: (which) => ({
      email: `user${String(who[which] - 1)}@example.com`,
      key: apiKeys.derive(who[which], 1),
    }),
  };
}

/** A message of the asker's own, which they may edit. */
async function sendOwn(
  connection: Connection,
  { account }: Pick<Place, 'account'>,
): Promise<number> {
  const message = { type: 'stream', to: largeStream, topic: 'own', content: 'as it was' };
  const answer = await connection.request(post(account('mentioned'), '/messages', message));
  return (JSON.parse(answer.toString()) as { readonly id: number }).id;
}

interface Measured {
  readonly dataDir: string;
  readonly place: Place;
  readonly service: WatchedService;
  readonly connection: Connection;
}

async function measureRow(
  { place, service, connection }: Measured,
  row: ScaleRow,
): Promise<Figure> {
  const ask = (round: number): Promise<unknown> => connection.request(row.request(place, round));
  let round = 0;
  if (row.rounds === undefined) while (round < WARM_UPS) await ask(round++);
  forgetPeak(service.pid);
  const watch = async (what: Watch): Promise<Watched[]> => {
    const rounds: Watched[] = [];
    for (let left = row.rounds ?? ROUNDS; left > 0; left -= 1) {
      rounds.push(await service.watch(what, () => ask(round++)));
    }
    return rounds;
  };
  const worked = row.rounds === undefined ? await watch('work') : [];
  return leastOf(await watch('turns'), { worked, pid: service.pid });
}

/** Takes what the system keeps of files out of its memory; false where it cannot. */
const forgetFiles = (files: readonly string[]): boolean =>
  files.every(
    (file) =>
      spawnSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' }).status === 0,
  );

/** From a file that nobody has read since the computer was started, by a service that has just started. */
async function measureCold(
  dataDir: string,
  place: Place,
  row: ScaleRow,
): Promise<Figure | undefined> {
  const service = await startWatchedService(dataDir);
  const connection = await openConnection(service.port);
  const file = databaseFile(dataDir);
  const isCold = forgetFiles([file, searchFileOf(file)]);
  const watched = await service.watch('turns', () => connection.request(row.request(place, 0)));
  const { waitedMs } = watched;
  const figure = {
    waitedMs,
    workedMs: waitedMs,
    turnMs: waitedMs,
    peakMiB: mib(peakKiBOf(service.pid)),
  };
  connection.close();
  await service.stop();
  return isCold ? figure : undefined;
}

/** From nothing to the first answer. */
async function measureStart(dataDir: string): Promise<Figure> {
  const startedAt = performance.now();
  const service = await startWatchedService(dataDir);
  const response = await fetch(`http://127.0.0.1:${String(service.port)}/api/v1/server_settings`);
  await response.text();
  const figure = {
    ...{ workedMs: service.cpuMs() ?? 0, turnMs: 0, waitedMs: performance.now() - startedAt },
    peakMiB: mib(service.residentKiB()),
  };
  await service.stop();
  return figure;
}

async function measureBackup({ dataDir, service }: Measured): Promise<Figure> {
  const into = await makeDataDir();
  forgetPeak(service.pid);
  const startedAt = performance.now();
  const watched = await service.watch('turns', async () => {
    const args = [entryOf('hearth'), 'backup', into, '--data-dir', dataDir];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = (await once(child, 'close')) as number[];
    if (code !== 0) throw new Error(`the backup ended with ${String(code)}`);
  });
  const workedMs = performance.now() - startedAt;
  await removeDataDir(into);
  return { ...watched, workedMs, peakMiB: mib(peakKiBOf(service.pid)) };
}

/** Beside requests. */
const start = { name: 'a start, with its memory' };
const backup = {
  name: 'a sealed backup, by the clock; the turns of the service meanwhile',
  grows: 'linear: all of it is written',
} as const;

type Add = (line: Omit<ScaleLine, 'figures'>, figure: Figure | undefined) => void;

async function measureSize(
  messages: number,
  tell: (line: string) => void,
  add: Add,
): Promise<void> {
  const dataDir = await copyOfOrganization(messages, tell);
  const found = await placeIn(dataDir, messages);
  await measureStart(dataDir);
  add(start, await measureStart(dataDir));
  for (const row of coldRows) add(row, await measureCold(dataDir, { ...found, own: 0 }, row));
  const service = await startWatchedService(dataDir);
  const connection = await openConnection(service.port);
  const place = { ...found, own: await sendOwn(connection, found) };
  const measured: Measured = { dataDir, place, service, connection };
  const warm = get(place.account('mentioned'), '/users/me/pointer', {});
  for (let i = 0; i < 500; i += 1) await connection.request(warm);
  for (const row of scaleRows) {
    try {
      const figure = await measureRow(measured, row);
      add(row, figure);
      tell(
        `${row.name}: ${figure.workedMs.toFixed(2)} ms, at once ${figure.turnMs.toFixed(2)}, ${String(figure.peakMiB)} MiB`,
      );
    } catch (error) {
      tell(`${row.name} could not be measured: ${String(error)}`);
      process.exitCode = 1;
    }
  }
  add(backup, await measureBackup(measured));
  connection.close();
  await service.stop();
  await removeDataDir(dataDir);
}

/** Figures of all rows at each of the sizes. @param tell  what is going on */
export async function measureScale(
  sizes: readonly number[],
  tell: (line: string) => void,
): Promise<readonly ScaleLine[]> {
  const lines = new Map<string, ScaleLine & { readonly figures: Map<number, Figure> }>();
  for (const messages of sizes) {
    tell(`${messages.toLocaleString('en-US')} messages ...`);
    await measureSize(messages, tell, (line, figure) => {
      const known = lines.get(line.name) ?? { ...line, figures: new Map<number, Figure>() };
      lines.set(line.name, known);
      if (figure !== undefined) known.figures.set(messages, figure);
    });
  }
  return [...lines.values()];
}
