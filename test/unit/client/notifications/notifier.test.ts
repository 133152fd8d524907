import { describe, expect, test } from 'vitest';
import { NotificationLog } from '#client/notifications/notification-log.ts';
import { Notifier, type ArrivedMessage } from '#client/notifications/notifier.ts';
import type { Notice } from '#client/ports.ts';
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import type { NotificationLogRecord, SoundName } from '#shared/bridge/models/notifications.ts';
import { NOTIFICATION_LOG_LIMIT } from '#shared/bridge/models/notifications.ts';
import { cleo, shown } from '#test/support/service/wire-builders.ts';
import { notificationDefaults } from '#shared/api/models/settings.ts';
import { arrivalContext, opsStream } from '#test/support/client/notifications.ts';

const accountId = '1@http://a';
const inOps = { kind: 'stream', streamId: 4, topic: 'deploy' } as const;
const withBen = { kind: 'private', userIds: [2] } as const;
const withCleo = { kind: 'private', userIds: [cleo.id] } as const;

const arrival = (
  id: number,
  more: Partial<ShownMessage> = {},
  ...flags: string[]
): ArrivedMessage => ({
  message: shown(id, more),
  flags,
});

/** A computer whose screen, loudspeaker, clock and disk can be looked at. A restart keeps its disk alone. */
class Desk {
  readonly screen = new Map<string, Notice>();
  readonly rung: Notice[] = [];
  readonly sounds: SoundName[] = [];
  disk: string | null = null;
  /** What a crash in that moment leaves. */
  diskAtFirstRing: string | null = null;
  isDiskFull = false;
  isFocused = false;
  hereSinceMs: number | null = 0;
  isPermitted = true;
  quietUntil: number | null = 0;
  ownSound: SoundName | null = null;
  nowMs = 1_700_000_000_000;
  readonly waits: (() => void)[] = [];

  start(account = accountId): { readonly notifier: Notifier; readonly ledger: NotificationLog } {
    const notificationLog = new NotificationLog(
      {
        load: async () =>
          this.disk === null ? null : (JSON.parse(this.disk) as NotificationLogRecord),
        save: async (record) => {
          if (this.isDiskFull) throw new Error('disk full');
          this.disk = JSON.stringify(record);
        },
      },
      { wait: (_, signal) => this.#wait(signal) },
    );
    return { ledger: notificationLog, notifier: this.join(notificationLog, account) };
  }

  join(notificationLog: NotificationLog, account = accountId): Notifier {
    return new Notifier({
      accountId: account,
      notificationLog,
      clock: { now: () => this.nowMs },
      doNotDisturbUntilSeconds: () => this.quietUntil,
      ownSound: () => this.ownSound,
      attention: {
        isWindowFocused: () => this.isFocused,
        activeSinceMs: () => this.hereSinceMs,
        canNotify: () => this.isPermitted,
        notify: (notice) => {
          this.diskAtFirstRing ??= this.disk;
          this.rung.push(notice);
          this.screen.set(`${notice.accountId} ${notice.tag}`, notice);
        },
        withdraw: (id, tag) => this.screen.delete(`${id} ${tag}`),
        playSound: (sound) => this.sounds.push(sound),
        setBadge: () => undefined,
      },
    });
  }

  bodies(): readonly string[] {
    return [...this.screen.values()].map(({ body }) => body);
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.waits.push(resolve);
      signal.addEventListener('abort', () => resolve());
    });
  }
}

/** Everything that was begun is done: nothing here waits for a clock or a socket. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function deskWith(...arrivals: readonly ArrivedMessage[]) {
  const desk = new Desk();
  const parts = desk.start();
  parts.notifier.arrived(arrivals, arrivalContext());
  await settled();
  return { desk, ...parts };
}

describe('each message rings once', () => {
  test('a private message is shown, sounds and is written down', async () => {
    const { desk, ledger: notificationLog } = await deskWith(arrival(7));
    expect(desk.rung).toMatchObject([{ title: 'Ben Member', body: 'text', messageId: 7 }]);
    expect(desk.sounds).toEqual(['ember']);
    expect(notificationLog.entries()).toEqual([
      {
        atSeconds: 1_700_000_000,
        accountId,
        messageId: 7,
        conversation: withBen,
        streamName: null,
        senderName: 'Ben Member',
        rang: true,
        sounded: true,
        desktopReason: 'private-on',
        soundReason: 'private-on',
      },
    ]);
  });

  test('whatever a new queue and catching up tell again', async () => {
    const { desk, notifier } = await deskWith(arrival(7));
    notifier.arrived([arrival(7)], arrivalContext({}, true));
    notifier.arrived([arrival(7), arrival(8)], arrivalContext());
    await settled();
    expect(desk.rung.map(({ body }) => body)).toEqual(['text', '2 new messages\ntext']);
  });

  test('a message does not ring again after a restart, and what is new then does', async () => {
    const { desk } = await deskWith(arrival(7));
    const { notifier, ledger: notificationLog } = desk.start();
    notifier.arrived([arrival(6), arrival(7), arrival(8)], arrivalContext({}, true));
    await settled();
    expect(desk.rung.map(({ messageId }) => messageId)).toEqual([7, 8]);
    expect(notificationLog.entries().map(({ messageId }) => messageId)).toEqual([8, 7]);
  });

  test('a message does not ring again after a crash right after it rang', async () => {
    const desk = new Desk();
    const { notifier } = desk.start();
    notifier.arrived([arrival(7)], arrivalContext());
    await settled();
    expect(JSON.parse(desk.diskAtFirstRing ?? '{}')).toMatchObject({
      lastDecided: { [accountId]: 7 },
    });
  });

  test('a message rings once with a full disk, too', async () => {
    const desk = new Desk();
    desk.isDiskFull = true;
    const { notifier, ledger: notificationLog } = desk.start();
    notifier.arrived([arrival(7)], arrivalContext());
    await settled();
    expect(desk.rung).toHaveLength(1);
    desk.isDiskFull = false;
    await notificationLog.stop();
    expect(JSON.parse(desk.disk ?? '{}')).toMatchObject({ lastDecided: { [accountId]: 7 } });
  });

  test('a message rings anew where the service lost messages and gives their ids once more', async () => {
    const { desk } = await deskWith(arrival(7), arrival(8));
    const { notifier } = desk.start();
    notifier.registered(7);
    notifier.arrived([arrival(7), arrival(8)], arrivalContext());
    await settled();
    expect(desk.rung.map(({ messageId }) => messageId)).toEqual([7, 8]);
  });

  test('a message rings once for each account separately', async () => {
    const { desk, ledger: notificationLog } = await deskWith(arrival(7));
    const other = desk.join(notificationLog, '1@http://b');
    other.arrived([arrival(7)], arrivalContext());
    await settled();
    expect([...desk.screen.keys()]).toEqual(['1@http://a private:2', '1@http://b private:2']);
  });
});

describe('messages of one conversation', () => {
  test('messages of one conversation share one notification, those of others have their own', async () => {
    const more = { conversation: withCleo, senderId: cleo.id, senderName: cleo.name };
    const { desk } = await deskWith(arrival(7), arrival(8), arrival(9, more));
    expect(desk.rung).toMatchObject([
      { title: 'Ben Member', body: '2 new messages\ntext', messageId: 7 },
      { title: 'Cleo Member', body: 'text', messageId: 9 },
    ]);
  });

  test('messages of one conversation make one sound together, and the ledger says so', async () => {
    const { desk, notifier, ledger: notificationLog } = await deskWith(arrival(7), arrival(8));
    desk.nowMs += 999;
    notifier.arrived([arrival(9)], arrivalContext());
    await settled();
    desk.nowMs += 1;
    notifier.arrived([arrival(10)], arrivalContext());
    await settled();
    expect(desk.sounds).toHaveLength(2);
    expect(notificationLog.entries().map(({ soundReason }) => soundReason)).toEqual([
      'private-on',
      'just-sounded',
      'just-sounded',
      'private-on',
    ]);
  });
});

describe('a notification goes away', () => {
  test('when its messages are read elsewhere, the last of them', async () => {
    const { desk, notifier } = await deskWith(arrival(7), arrival(8));
    notifier.read([7]);
    expect(desk.screen.size).toBe(1);
    notifier.read([8]);
    expect(desk.screen.size).toBe(0);
  });

  test('when everything is read', async () => {
    const { desk, notifier } = await deskWith(arrival(7), arrival(8, { conversation: withCleo }));
    notifier.read('all');
    expect(desk.screen.size).toBe(0);
  });

  test('when its message is deleted; what is left of several is shown without it', async () => {
    const deleted = { rendered: '<p>deleted</p>' };
    const { desk, notifier } = await deskWith(arrival(7), arrival(8, deleted));
    notifier.removed([8]);
    expect(desk.bodies()).toEqual(['text']);
    notifier.removed([7]);
    expect(desk.screen.size).toBe(0);
    expect(desk.sounds).toHaveLength(1);
  });

  test('when the focused window shows its conversation', async () => {
    const { desk, notifier } = await deskWith(arrival(7), arrival(8, { conversation: withCleo }));
    notifier.shown(withBen);
    expect(desk.screen.size).toBe(2);
    desk.isFocused = true;
    notifier.userIsActive();
    expect([...desk.screen.keys()]).toEqual(['1@http://a private:3']);
    notifier.shown({ kind: 'feed' });
    expect(desk.screen.size).toBe(0);
  });

  test('when its session ends', async () => {
    const { desk, notifier } = await deskWith(arrival(7));
    await notifier.stop();
    expect(desk.screen.size).toBe(0);
  });

  test('when the account signs out, and nothing of it is kept', async () => {
    const { desk, notifier, ledger: notificationLog } = await deskWith(arrival(7));
    const other = desk.join(notificationLog, '1@http://b');
    other.arrived([arrival(7)], arrivalContext());
    await settled();
    await notifier.signedOut();
    expect([...desk.screen.keys()]).toEqual(['1@http://b private:2']);
    notifier.arrived([arrival(9)], arrivalContext());
    await settled();
    expect(desk.rung).toHaveLength(2);
    expect(JSON.parse(desk.disk ?? '{}')).toMatchObject({
      lastDecided: { '1@http://b': 7 },
      entries: [{ accountId: '1@http://b' }],
    });
  });

  test('before it was shown, when its message is read in that moment', async () => {
    const desk = new Desk();
    const { notifier, ledger: notificationLog } = desk.start();
    notifier.arrived([arrival(7), arrival(8)], arrivalContext());
    notifier.read([7]);
    notifier.removed([8]);
    await settled();
    expect(desk.rung).toEqual([]);
    expect(desk.sounds).toEqual([]);
    expect(notificationLog.entries()).toMatchObject([
      { messageId: 8, rang: false, desktopReason: 'settled-before' },
      { messageId: 7, sounded: false, soundReason: 'settled-before' },
    ]);
  });
});

describe('what a focused window shows rings all the same', () => {
  const sentAtMs = 1_700_000_000_000;
  test.each([
    ['while nobody is there', null, 0, true],
    [
      'when it was sent while nobody was there, and comes after somebody is back',
      sentAtMs + 60_000,
      0,
      true,
    ],
    ['not when it was sent after somebody came', sentAtMs - 60_000, 0, false],
    ['nor by a clock of this computer that is behind', sentAtMs - 660_000, 600, false],
    ['nor in the second in which somebody came', sentAtMs + 999, 0, false],
  ])('%s', async (_, hereSinceMs, clockAheadSeconds, rings) => {
    const desk = new Desk();
    desk.isFocused = true;
    desk.hereSinceMs = hereSinceMs;
    const { notifier, ledger: notificationLog } = desk.start();
    notifier.shown(withBen);
    notifier.arrived([arrival(7)], arrivalContext({ clockAheadSeconds }, true));
    await settled();
    expect(desk.rung).toHaveLength(rings ? 1 : 0);
    expect(desk.sounds).toHaveLength(rings ? 1 : 0);
    expect(notificationLog.entries()).toMatchObject([
      { desktopReason: rings ? 'private-on' : 'looking' },
    ]);
  });

  test('until whoever comes back sees it', async () => {
    const desk = new Desk();
    desk.isFocused = true;
    desk.hereSinceMs = null;
    const { notifier } = desk.start();
    notifier.shown(withBen);
    notifier.arrived([arrival(7)], arrivalContext());
    await settled();
    notifier.userIsActive();
    expect(desk.screen.size).toBe(1);
    desk.hereSinceMs = sentAtMs + 60_000;
    notifier.userIsActive();
    expect(desk.screen.size).toBe(0);
  });
});

describe('nothing rings', () => {
  test.each<readonly [string, string, (desk: Desk, notifier: Notifier) => void]>([
    ['under do-not-disturb', 'do-not-disturb', (desk) => (desk.quietUntil = null)],
    ['before do-not-disturb ends', 'do-not-disturb', (desk) => (desk.quietUntil = 1_700_000_001)],
    [
      'for what is looked at',
      'looking',
      (desk, notifier) => {
        desk.isFocused = true;
        notifier.shown(withBen);
      },
    ],
  ])('%s', async (_, reason, prepare) => {
    const desk = new Desk();
    const { notifier, ledger: notificationLog } = desk.start();
    prepare(desk, notifier);
    notifier.arrived([arrival(7)], arrivalContext());
    await settled();
    expect(desk.rung).toEqual([]);
    expect(desk.sounds).toEqual([]);
    expect(notificationLog.entries()).toMatchObject([
      { desktopReason: reason, soundReason: reason },
    ]);
  });

  test('a message is not shown on the screen where the system forbids it; the sound is ours', async () => {
    const desk = new Desk();
    desk.isPermitted = false;
    const { notifier, ledger: notificationLog } = desk.start();
    notifier.arrived([arrival(7)], arrivalContext());
    await settled();
    expect(desk.rung).toEqual([]);
    expect(desk.sounds).toEqual(['ember']);
    expect(notificationLog.entries()).toMatchObject([
      { rang: false, desktopReason: 'not-permitted', sounded: true },
    ]);
  });

  test('a message in a stream does not ring unless the stream or a flag says so', async () => {
    const desk = new Desk();
    const { notifier, ledger: notificationLog } = desk.start();
    const inStream = { conversation: inOps };
    const quiet = [arrival(7, inStream), arrival(8, inStream, 'mentioned')];
    notifier.arrived(quiet, arrivalContext());
    const loud = arrivalContext({ streams: [opsStream({ desktopNotifications: true })] });
    notifier.arrived([arrival(9, inStream), arrival(10, inStream, 'wildcard_mentioned')], loud);
    await settled();
    expect(notificationLog.entries().toReversed()).toMatchObject([
      { messageId: 7, rang: false, desktopReason: 'stream-off', streamName: 'ops' },
      { messageId: 8, rang: true, desktopReason: 'mention-on' },
      { messageId: 9, rang: true, sounded: false, desktopReason: 'stream-on' },
      { messageId: 10, rang: true, desktopReason: 'wildcard-on' },
    ]);
    expect(desk.rung.at(-1)).toMatchObject({ title: 'Ben Member (#ops › deploy)' });
  });
});

test('after an absence what is old in a stream is silent, what is new or for the reader rings', async () => {
  const desk = new Desk();
  const { notifier, ledger: notificationLog } = desk.start();
  const nowSeconds = desk.nowMs / 1000;
  const old = { sentAtSeconds: nowSeconds - 601 };
  const recent = { sentAtSeconds: nowSeconds - 600 };
  const loud = { streams: [opsStream({ desktopNotifications: true })] };
  const missed = [
    arrival(7, { ...old, conversation: inOps }),
    arrival(8, { ...recent, conversation: inOps }),
    arrival(9, old),
  ];
  notifier.arrived(missed, arrivalContext(loud, true));
  notifier.arrived([arrival(10, { ...old, conversation: inOps })], arrivalContext(loud));
  await settled();
  expect(notificationLog.entries().toReversed()).toMatchObject([
    { messageId: 7, rang: false, desktopReason: 'catch-up' },
    { messageId: 8, rang: true, desktopReason: 'stream-on' },
    { messageId: 9, rang: true, desktopReason: 'private-on' },
    { messageId: 10, rang: true, desktopReason: 'stream-on' },
  ]);
});

test('the sound is that of the account, or the one that this computer chose', async () => {
  const desk = new Desk();
  const { notifier } = desk.start();
  const ding = arrivalContext({
    notifications: { ...notificationDefaults, notification_sound: 'ding' },
  });
  notifier.arrived([arrival(7)], ding);
  await settled();
  desk.ownSound = 'knock';
  desk.nowMs += 5000;
  notifier.arrived([arrival(8)], ding);
  await settled();
  expect(desk.sounds).toEqual(['chime', 'knock']);
});

describe('the ledger', () => {
  test('the ledger keeps the last decisions across a restart, silent ones too', async () => {
    const desk = new Desk();
    const first = desk.start();
    const ids = Array.from({ length: NOTIFICATION_LOG_LIMIT + 10 }, (_, index) => index + 1);
    const own = ids.map((id) => arrival(id, { isOwn: true }));
    first.notifier.arrived(own, arrivalContext());
    await settled();
    await first.ledger.stop();
    const { ledger: notificationLog } = desk.start();
    await notificationLog.ready;
    expect(notificationLog.entries().map(({ messageId }) => messageId)).toEqual(
      ids.slice(-NOTIFICATION_LOG_LIMIT).reverse(),
    );
    expect(notificationLog.lastDecided(accountId)).toBe(NOTIFICATION_LOG_LIMIT + 10);
  });

  test('the ledger writes many silent decisions at once', async () => {
    const { desk, notifier } = await deskWith(arrival(1, { isOwn: true }));
    notifier.arrived([arrival(2, { isOwn: true })], arrivalContext());
    await settled();
    expect(desk.disk).toBeNull();
    expect(desk.waits).toHaveLength(1);
    desk.waits[0]!();
    await settled();
    expect(JSON.parse(desk.disk ?? '{}')).toMatchObject({ lastDecided: { [accountId]: 2 } });
  });

  test('the ledger begins anew where it cannot be read', async () => {
    const desk = new Desk();
    desk.disk = '{';
    const { notifier, ledger: notificationLog } = desk.start();
    notifier.arrived([arrival(7)], arrivalContext());
    await settled();
    expect(notificationLog.entries()).toHaveLength(1);
    expect(desk.rung).toHaveLength(1);
  });
});
