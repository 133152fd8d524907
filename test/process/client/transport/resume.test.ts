import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import { accountFolder } from '#desktop/storage/account-storage.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import { projectDir } from '#scripts/project-dir.ts';
import { Computer, everything, quickService, type Running } from '#test/support/client/computer.ts';
import type { ClientReport } from '#test/support/client/client-process.ts';
import { ids, Mate } from '#test/support/window/office-mates.ts';
import { type RunningService, startService } from '#test/support/service/service.ts';

const name = 'ada@example.com';
let service: RunningService;
let ben: Mate;
let ada: Mate;
beforeAll(async () => {
  service = await startService({ dev: true, args: quickService });
  ben = await Mate.of(() => service.origin, 'ben');
  ada = await Mate.of(() => service.origin, 'ada');
});
afterAll(async () => {
  await service.stop();
});

const joined = async (): Promise<{ computer: Computer; first: Running }> => {
  const computer = await Computer.buy();
  const first = await computer.join({ origin: service.origin, email: name });
  await first.filled();
  return { computer, first };
};

/** Without what belongs to one computer, and when the account's own clients last reported: that goes on meanwhile, untold. */
function shared(state: ClientState): Partial<ClientState> {
  const {
    drafts: _drafts,
    outbox: _outbox,
    storageProblem: _problem,
    lost: _lost,
    // When this client heard of files last.
    fileChange: _change,
    ...rest
  } = state;
  const { [ids.ada]: _own, ...presences } = rest.presences;
  return { ...rest, presences, memberChanges: {} };
}

/** Both have the same, message by message; a message's local id belongs to the computer that wrote it. */
async function expectAsFresh(running: Running): Promise<void> {
  const other = await Computer.buy();
  const fresh = await other.join({ origin: service.origin, email: running.account.email });
  await Promise.all([running.filled(), fresh.filled()]);
  await expect.poll(async () => shared(await running.state())).toEqual(shared(await fresh.state()));
  const plain = async (each: Running): Promise<unknown> =>
    (await each.page(everything, 5000)).messages.map((message) => ({ ...message, localId: null }));
  expect(await plain(running)).toEqual(await plain(fresh));
  await fresh.client.stop();
}

interface Meanwhile {
  readonly edited: number;
  readonly deleted: number;
  readonly reacted: number;
  readonly starred: number;
  readonly read: number;
}

async function before(): Promise<Meanwhile> {
  const [edited, deleted, reacted, starred, read] = [
    await ben.tell('ada', 'to be edited'),
    await ben.tell('ada', 'to be deleted'),
    await ben.say('general', 'lunch', 'to be reacted to'),
    await ben.say('general', 'lunch', 'to be starred'),
    await ben.say('general', 'lunch', 'to be read'),
  ];
  return { edited, deleted, reacted, starred, read };
}

async function meanwhile(known: Meanwhile): Promise<readonly number[]> {
  await ben.edit(known.edited, 'edited');
  await ada.delete(known.deleted);
  await ben.react(known.reacted, 'tada');
  await ada.flag('add', 'starred', [known.starred]);
  await ada.flag('add', 'read', [known.read]);
  return [await ben.tell('ada', 'missed 1'), await ben.say('general', 'lunch', 'missed 2')];
}

/** Settles when the newest message is told. */
async function caughtUp(running: Running, newest: number | undefined): Promise<void> {
  await running.until(() => running.arrived().some(({ id }) => id === newest));
}

const idsOf = (running: Running): readonly number[] => running.arrived().map(({ id }) => id);

describe('a client that is started again', () => {
  test('a restarted client goes on with its queue, tells exactly what it missed and is like a new one', async () => {
    const { computer, first } = await joined();
    const known = await before();
    await caughtUp(first, known.read);
    await first.client.stop();
    const missed = await meanwhile(known);
    const second = await computer.start();
    // What it knew is there before the service was asked.
    expect((await second.state()).organization.settings.name).toBe('Dev');
    await second.live();
    await caughtUp(second, missed.at(-1));
    expect(idsOf(second)).toEqual(missed);
    expect(computer.requestsTo('/register')).toHaveLength(1);
    expect(second.heard.messagesReset).toEqual([]);
    const changed = second.heard.messagesChanged.flatMap(({ messages }) => messages);
    expect(changed.find(({ id }) => id === known.edited)?.rendered).toBe('<p>edited</p>');
    expect(changed.find(({ id }) => id === known.starred)?.isStarred).toBe(true);
    expect(changed.find(({ id }) => id === known.read)?.isRead).toBe(true);
    expect(changed.find(({ id }) => id === known.reacted)?.reactions).toHaveLength(1);
    expect(second.heard.messagesRemoved.flatMap(({ ids: gone }) => gone)).toEqual([known.deleted]);
    await expectAsFresh(second);
  });

  test('a client whose state an earlier version kept shows it, and asks for the settings that it lacks', async () => {
    const { computer, first } = await joined();
    const known = await before();
    await caughtUp(first, known.read);
    await first.client.stop();
    const file = join(computer.dir, 'accounts', accountFolder(first.account.id), 'cache.db');
    const database = new Database(file);
    database.exec(`UPDATE slice SET value = '2' WHERE name = 'form'`);
    database.exec(`UPDATE slice SET value = json_set(json_remove(value, '$.settings'), '$.name', 'Kept')
      WHERE name = 'organization'`);
    database.close();
    const missed = await meanwhile(known);
    const second = await computer.start();
    expect((await second.state()).organization.settings.name).toBe('Kept');
    await second.live();
    await caughtUp(second, missed.at(-1));
    expect(idsOf(second)).toEqual(missed);
    expect(computer.requestsTo('/register')).toHaveLength(2);
    await expectAsFresh(second);
  });

  test('a restarted client knows who is there, which is not kept, once it is live', async () => {
    const { computer, first } = await joined();
    await ben.ask('POST', '/users/me/presence', { status: 'active' });
    await first.client.stop();
    const second = await computer.start();
    await second.live();
    await expect.poll(async () => (await second.state()).presences[ids.ben]?.status).toBe('active');
  });

  test('after it was killed has told nothing twice and missed nothing', async () => {
    const { computer, first } = await joined();
    const known = await before();
    await caughtUp(first, known.read);
    await computer.kill(first);
    const missed = await meanwhile(known);
    const second = await computer.start();
    await caughtUp(second, missed.at(-1));
    expect(idsOf(second)).toEqual(missed);
    expect(computer.requestsTo('/register')).toHaveLength(1);
    await expectAsFresh(second);
  });
});

/** One after the other: however long the client takes to listen, some of them come after that. */
async function sendUntil(isOver: () => boolean): Promise<readonly number[]> {
  const written: number[] = [];
  while (!isOver()) written.push(await ben.tell('ada', `while killed ${String(written.length)}`));
  return written;
}

test('a client that is killed while messages come has told, kept and counted the same ones', async () => {
  for (const deadly of [1, 7]) {
    const computer = await Computer.buy();
    const script = join(projectDir, 'test/support/client/client-process.ts');
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', script, computer.dir, service.origin, name],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const ended = once(child, 'close');
    const told: number[] = [];
    let isOver = false;
    let sending: Promise<readonly number[]> | undefined;
    for await (const line of createInterface(child.stdout)) {
      const report = JSON.parse(line) as ClientReport;
      if ('told' in report) told.push(...report.told);
      else computer.adopt(report.account, report.key);
      if (told.length >= deadly) {
        isOver = true;
        child.kill('SIGKILL');
      }
      sending ??= sendUntil(() => isOver);
    }
    isOver = true;
    await ended;
    const written = (await sending) ?? [];
    const second = await computer.start();
    await second.live();
    await expectAsFresh(second);
    const later = idsOf(second);
    expect(later.filter((id) => told.includes(id))).toEqual([]);
    const unheard = written.filter((id) => !told.includes(id) && !later.includes(id));
    // Kept in the moment of the kill, and not told any more by the one that died.
    for (const id of unheard) expect(id).toBeLessThan(Math.min(...later, Infinity));
    expect(computer.requestsTo('/register')).toEqual([]);
    await second.client.stop();
  }
});

describe('a client whose queue is gone', () => {
  const loseQueue = async (computer: Computer): Promise<void> => {
    const polled = computer.requestsTo('/events').at(-1)?.params['queue_id'];
    await ada.ask('DELETE', '/events', { queue_id: polled });
  };

  test('a client whose queue is gone catches up on what it missed, once, and mends what was changed meanwhile', async () => {
    const { computer, first } = await joined();
    const known = await before();
    await caughtUp(first, known.read);
    await first.client.stop();
    await loseQueue(computer);
    const missed = await meanwhile(known);
    const second = await computer.start();
    await caughtUp(second, missed.at(-1));
    await second.until(() => second.heard.messagesReset.length > 0);
    expect(idsOf(second)).toEqual(missed);
    expect(computer.requestsTo('/register')).toHaveLength(2);
    await second.filled();
    expect(second.heard.messagesRemoved.flatMap(({ ids: gone }) => gone)).toEqual([known.deleted]);
    await expectAsFresh(second);
  });

  test('a client without its queue forgets the newest message too where it was deleted meanwhile, with what was marked on it', async () => {
    const { computer, first } = await joined();
    const id = await ben.tell('ada', 'deleted before anybody noticed');
    await caughtUp(first, id);
    await first.client.stop();
    const offline = await computer.start({ http: () => Promise.reject(new Error('no network')) });
    await offline.client.star(offline.account.id, id, true);
    await offline.client.stop();
    await loseQueue(computer);
    await ada.delete(id);
    const second = await computer.start();
    await second.live();
    await second.filled();
    expect((await second.page()).messages.map((message) => message.id)).not.toContain(id);
    await expectAsFresh(second);
  });

  test('while its window is open goes on without a word of being offline', async () => {
    const { computer, first } = await joined();
    const count = first.heard.connectionChanged.length;
    await loseQueue(computer);
    const missed = [await ben.tell('ada', 'one'), await ben.tell('ada', 'two')];
    await first.until(() => first.heard.messagesReset.length > 0);
    await caughtUp(first, missed.at(-1));
    expect(idsOf(first)).toEqual(missed);
    expect(first.heard.connectionChanged).toHaveLength(count);
    const page = await first.page();
    expect(page.messages.slice(-2).map(({ id }) => id)).toEqual(missed);
  });

  test('a client that is killed in the middle of catching up still tells all that it missed', async () => {
    const { computer, first } = await joined();
    await first.client.stop();
    await loseQueue(computer);
    const missed: number[] = [];
    for (let count = 0; count < 3; count += 1) missed.push(await ben.tell('ada', `missed`));
    // The new queue is registered, and then nothing answers any more.
    const second = await computer.start({
      http: async (request) => {
        if (new URL(request.url).pathname.endsWith('/api/v1/messages')) throw new Error('cut');
        return desktopHttp(request);
      },
    });
    await second.offline();
    expect(idsOf(second)).toEqual([]);
    await computer.kill(second);
    const third = await computer.start();
    await caughtUp(third, missed.at(-1));
    expect(idsOf(third)).toEqual(missed);
    await expectAsFresh(third);
  });

  test('a client without its queue keeps as read here what it could not tell the service yet', async () => {
    const { computer, first } = await joined();
    const id = await ben.say('general', 'unread', 'read me offline');
    await caughtUp(first, id);
    await first.client.stop();
    await loseQueue(computer);
    const offline = await computer.start({ http: () => Promise.reject(new Error('no network')) });
    const target = { kind: 'view', view: { kind: 'feed' } } as const;
    await offline.client.markRead(offline.account.id, target);
    await computer.kill(offline);
    const back = await computer.start();
    const shown: number[] = [];
    back.client.on('stateChanged', ({ changes }) => {
      for (const { newestId } of Object.values(changes.unread ?? {})) shown.push(newestId);
    });
    await back.live();
    await expect.poll(() => ada.flagsOf(id)).toContain('read');
    expect(shown).not.toContain(id);
    await expectAsFresh(back);
  });

  test('a client that lost a private stream while its queue was gone no longer has what it never received of that stream', async () => {
    const name = 'closing';
    const subscriptions = [{ name }];
    await ben.ask('POST', '/users/me/subscriptions', {
      subscriptions,
      invite_only: true,
      history_public_to_subscribers: true,
    });
    const early = await ben.say(name, 'plans', 'before ada was there');
    await ben.ask('POST', '/users/me/subscriptions', {
      subscriptions,
      principals: ['ada@example.com'],
    });
    const { computer, first } = await joined();
    const late = await ben.say(name, 'plans', 'with ada');
    await caughtUp(first, late);
    const stream = (await first.state()).streams.find((each) => each.name === name)!;
    const view = { kind: 'stream', streamId: stream.streamId, topic: null } as const;
    expect((await first.page(view)).messages.map(({ id }) => id)).toEqual([early, late]);
    await first.client.stop();
    await loseQueue(computer);
    await ada.ask('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
    const second = await computer.start();
    await second.until(() => second.heard.messagesReset.length > 0);
    expect(second.heard.messagesRemoved.flatMap(({ ids: gone }) => gone)).toContain(early);
  });
});

test('a service that was started anew without its queues is caught up with', async () => {
  const own = await startService({ dev: true, args: quickService });
  const { port } = new URL(own.origin);
  onTestFinished(() => rm(own.dataDir, { recursive: true, force: true }));
  const computer = await Computer.buy();
  const first = await computer.join({ origin: own.origin, email: name });
  const mate = await Mate.of(() => own.origin, 'ben');
  const seen = await mate.tell('ada', 'seen');
  await caughtUp(first, seen);
  await first.client.stop();
  await own.kill();
  const args = [...quickService, '--port', port, '--queue-idle-seconds', '1'];
  const again = await startService({ dev: true, dataDir: own.dataDir, args });
  onTestFinished(async () => {
    await again.stop();
  });
  const missed = await mate.tell('ada', 'missed');
  const second = await computer.start();
  await caughtUp(second, missed);
  expect(idsOf(second)).toEqual([missed]);
});
