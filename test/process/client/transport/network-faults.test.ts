import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { backoffMs } from '#client/transport/backoff.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import {
  Computer,
  hastyClock,
  quickService,
  readOnly,
  type Running,
} from '#test/support/client/computer.ts';
import { FaultyLine, type LineState } from '#test/support/client/faulty-line.ts';
import { ids, Mate } from '#test/support/window/office-mates.ts';
import { type RunningService, startService } from '#test/support/service/service.ts';

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

interface Wired {
  readonly computer: Computer;
  readonly running: Running;
  readonly line: FaultyLine;
}

async function wired(): Promise<Wired> {
  const line = new FaultyLine(() => service.origin);
  await line.open();
  onTestFinished(() => line.close());
  const computer = await Computer.buy();
  computer.clock = hastyClock;
  const running = await computer.join({ origin: line.origin, email: 'ada@example.com' });
  await running.filled();
  return { computer, running, line };
}

const rendered = (running: Running): readonly string[] =>
  running.arrived().map(({ rendered: html }) => html);

const faults: readonly LineState[] = ['refused', 'hung', 'half-open', 'mute', 'cut'];

describe.each(faults)('a line that is %s', (fault) => {
  test('a broken line says so, and when it is open again everything arrives once and in order', async () => {
    const { running, line } = await wired();
    const marked = await ben.say('general', 'marks', 'to be marked');
    const starred = await ben.say('general', 'marks', 'to be starred');
    await running.until(() => running.arrived().length === 2);
    const seconds = Math.floor(Date.now() / 1000);

    await line.become(fault);
    for (const text of ['first', 'second', 'third']) await running.send(`${fault} ${text}`);
    const { id } = running.account;
    await running.client.markRead(id, readOnly(marked));
    await running.client.star(id, starred, true);
    await ben.tell('ada', `${fault} meanwhile`);
    await running.offline();
    const offline = running.connection!;
    expect(offline).toMatchObject({ reason: `${line.origin} does not answer.` });
    expect('liveUntilSeconds' in offline && offline.liveUntilSeconds).toBeGreaterThan(seconds - 5);
    expect((await running.state()).outbox).toHaveLength(3);
    expect((await running.page()).messages.at(-1)?.isStarred).toBe(true);

    await line.become('open');
    await running.live();
    const all = [...['first', 'second', 'third'].map((text) => `${fault} ${text}`)];
    const own = (texts: readonly string[]): readonly string[] =>
      texts.filter((text) => all.includes(text));
    await expect.poll(async () => own(await ada.contents())).toEqual(all);
    await expect.poll(async () => (await running.state()).outbox).toEqual([]);
    await expect.poll(() => ada.flagsOf(marked)).toContain('read');
    await expect.poll(() => ada.flagsOf(starred)).toContain('starred');
    const wanted = [...all, `${fault} meanwhile`].map((text) => `<p>${text}</p>`).sort();
    await running.until(() => running.arrived().length >= 6);
    expect(rendered(running).slice(2).toSorted()).toEqual(wanted);
    // What a dead connection brings late is not taken for another message.
    line.drop();
    const last = await ben.tell('ada', `${fault} afterwards`);
    await running.until(() => running.arrived().some((message) => message.id === last));
    expect(own(await ada.contents())).toEqual(all);
    expect(running.arrived()).toHaveLength(7);
  });
});

describe('a line', () => {
  test('a line that is slow is waited for', async () => {
    const { running, line } = await wired();
    await line.become('slow');
    const id = await ben.tell('ada', 'x'.repeat(3000));
    await running.send('over a slow line');
    await running.until(() => running.arrived().some((message) => message.id === id));
    await expect.poll(() => ada.contents()).toContain('over a slow line');
    expect(running.connection).toEqual({ state: 'live' });
  });

  test('a line that dies unnoticed is found out by the first call that has no answer', async () => {
    const { computer, running, line } = await wired();
    await running.client.stop();
    // Nobody else would find out for more than a minute.
    const waits: number[] = [];
    const patient = await computer.start({
      clock: {
        ...hastyClock,
        wait: (delayMs, signal) => {
          waits.push(delayMs);
          return hastyClock.wait(delayMs === 75_000 ? 10 * delayMs : delayMs, signal);
        },
      },
    });
    await patient.live();
    await line.become('half-open');
    await patient.send('into the void');
    await patient.offline();
    expect(waits).toContain(15_000);
    await line.become('open');
    await patient.live();
    await expect.poll(() => ada.contents()).toContain('into the void');
  });

  test('a line that is dead after sleep is found out at once, and left', async () => {
    const { running, line } = await wired();
    await line.become('half-open');
    const id = await ben.tell('ada', 'while asleep');
    // The connections of before stay dead.
    await line.become('open');
    running.client.wake();
    await running.until(() => running.arrived().some((message) => message.id === id));
    expect(running.arrived().filter((message) => message.id === id)).toHaveLength(1);
  });

  test('a line that takes one call only does not leave a page without what it lacked', async () => {
    const { computer, running } = await wired();
    await running.client.stop();
    let isRefused = false;
    const second = await computer.start({
      http: async (request) => {
        if (isRefused && request.url.includes('/api/v1/messages?')) throw new Error('refused');
        return desktopHttp(request);
      },
    });
    await second.live();
    isRefused = true;
    const stream = (await second.state()).otherStreams[0] ?? (await second.state()).streams[0]!;
    expect(await second.client.clearCache(second.account.id)).toMatchObject({ ok: true });
    await second.live();
    const view = { kind: 'stream', streamId: stream.streamId, topic: null } as const;
    const resets = second.heard.messagesReset.length;
    expect((await second.page(view)).isComplete).toBe(false);
    isRefused = false;
    await second.until(() => second.heard.messagesReset.length > resets);
    expect((await second.page(view)).isComplete).toBe(true);
  });
});

describe('trying again', () => {
  test('each new attempt waits longer, up to half a minute, and never twice the same for everybody', () => {
    for (let failures = 1; failures < 40; failures += 1) {
      const most = Math.min(30_000, 500 * 2 ** (failures - 1));
      for (const random of [0, 0.3, 0.999]) {
        const pause = backoffMs(failures, random);
        expect(pause).toBeLessThanOrEqual(most);
        expect(pause).toBeGreaterThanOrEqual(most / 2);
      }
    }
  });

  test('a service that is down is asked less and less often', async () => {
    const { computer, running, line } = await wired();
    await line.become('refused');
    await running.offline();
    const from = computer.requests.length;
    await expect.poll(() => computer.requests.length - from).toBeGreaterThanOrEqual(5);
    const times = computer.requests.slice(from).map(({ atMs }) => atMs);
    const pauses = times.slice(1).map((time, index) => time - times[index]!);
    // Half of half a second, twice that, and so on, by the client's clock.
    pauses.forEach((pause, index) => {
      expect(pause).toBeGreaterThanOrEqual(24 * 2 ** index);
    });
    await line.become('open');
    await running.live();
  });
});

describe('several organizations', () => {
  test('several organizations do not wait for each other when one of them is down', async () => {
    const { computer, running, line } = await wired();
    const other = await startService({ dev: true, args: quickService });
    onTestFinished(async () => {
      await other.stop();
    });
    const request = { address: other.origin, email: 'ada@example.com', password: '' };
    const outcome = await running.client.connect(request);
    const second = outcome.ok ? outcome.value : null;
    await running.until(() => running.connectionOf(second!)?.state === 'live');
    await line.become('refused');
    await running.offline();
    expect(running.connectionOf(second!)).toEqual({ state: 'live' });
    const mate = await Mate.of(() => other.origin, 'ben');
    const id = await mate.tell('ada', 'from the other one');
    await running.until(() =>
      running.heard.messagesArrived.some(
        ({ accountId, messages }) =>
          accountId === second!.id && messages.some((message) => message.id === id),
      ),
    );
    await running.client.stop();

    const again = await computer.start();
    await again.until(() => again.connectionOf(second!)?.state === 'live');
    await again.offline();
    expect((await again.state()).ownUserId).toBe(ids.ada);
    expect((await again.page()).messages.length).toBeGreaterThan(0);
  });
});
