import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideNotification,
  type NotificationFacts,
} from '#client/notifications/notification-rules.ts';
import type { NotificationSettings } from '#shared/api/models/settings.ts';
import { silentSettings } from '#test/support/client/notifications.ts';

/**
 * The oracle: the sentences of the specification as a table. The first row that fits decides; `*` fits everything.
 * `reader` is the setting for private messages and mentions, `counts` is wildcard_mentions_notify, and `stream` is what
 * holds for the stream: its own setting (`own-…`), the account's (`all-…`), or none because it is not subscribed to.
 */
const table = `
own read where   quiet  named all  word reader counts stream  away | rings reason
yes *    *       *      *     *    *    *      *      *       *    | no    own-message
no  yes  *       *      *     *    *    *      *      *       *    | no    already-read
no  no   private *      *     *    *    on     *      *       *    | yes   private-on
no  no   private *      *     *    *    off    *      *       *    | no    private-off
no  no   stream  *      yes   *    *    on     *      *       *    | yes   mention-on
no  no   stream  stream yes   *    *    off    *      *       *    | no    mention-off
no  no   stream  topic  yes   *    *    off    *      *       *    | no    mention-off
no  no   stream  stream no    *    *    *      *      *       *    | no    muted-stream
no  no   stream  topic  no    *    *    *      *      *       *    | no    muted-topic
no  no   stream  none   *     yes  *    on     on     *       *    | yes   wildcard-on
no  no   stream  none   *     *    yes  on     *      *       *    | yes   alert-word-on
no  no   stream  none   *     *    *    *      *      own-on  no   | yes   stream-on
no  no   stream  none   *     *    *    *      *      all-on  no   | yes   streams-on
no  no   stream  none   yes   *    *    off    *      *       *    | no    mention-off
no  no   stream  none   no    yes  *    *      off    *       *    | no    wildcard-ignored
no  no   stream  none   no    yes  *    off    on     *       *    | no    wildcard-off
no  no   stream  none   no    no   yes  off    *      *       *    | no    alert-word-off
no  no   stream  none   no    no   no   *      *      none    *    | no    not-subscribed
no  no   stream  none   no    no   no   *      *      own-on  yes  | no    catch-up
no  no   stream  none   no    no   no   *      *      all-on  yes  | no    catch-up
no  no   stream  none   no    no   no   *      *      own-off *    | no    stream-off
no  no   stream  none   no    no   no   *      *      all-off *    | no    streams-off
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((half) => half.trim().split(/\s+/)));
const columns = table[0]![0]!;
const rows = table.slice(1);

/** One situation in the words of the table, for both ways to ring, with what surrounds it. */
interface Situation {
  readonly own: boolean;
  readonly read: boolean;
  readonly where: 'private' | 'group' | 'stream';
  readonly quiet: 'stream' | 'topic' | 'none';
  readonly named: boolean;
  readonly all: boolean;
  readonly word: boolean;
  readonly counts: boolean;
  readonly away: boolean;
  readonly isSubscribed: boolean;
  readonly desktop: Switches;
  readonly sound: Switches;
  readonly isLookedAt: boolean;
  readonly quietTime: 'off' | 'over' | 'running' | 'endless';
  readonly display: number;
}
interface Switches {
  readonly reader: boolean;
  readonly ofStream: boolean | null;
  readonly forStreams: boolean;
}

const yes = (is: boolean): string => (is ? 'yes' : 'no');
const on = (is: boolean): string => (is ? 'on' : 'off');

function cellsOf(s: Situation, { reader, ofStream, forStreams }: Switches): Map<string, string> {
  const stream = ofStream === null ? `all-${on(forStreams)}` : `own-${on(ofStream)}`;
  // A stream that is not subscribed to cannot be muted.
  const quiet = s.quiet === 'stream' && !s.isSubscribed ? 'none' : s.quiet;
  return new Map([
    ['own', yes(s.own)],
    ['read', yes(s.read)],
    ['where', s.where === 'stream' ? 'stream' : 'private'],
    ['quiet', quiet],
    ['named', yes(s.named)],
    ['all', yes(s.all)],
    ['word', yes(s.word)],
    ['reader', on(reader)],
    ['counts', on(s.counts)],
    ['stream', s.isSubscribed ? stream : 'none'],
    ['away', yes(s.away)],
  ]);
}

function expected(s: Situation, switches: Switches): { isOn: boolean; deciding: string } {
  const cells = cellsOf(s, switches);
  const fits = (pattern: string, index: number): boolean =>
    pattern === '*' || pattern === cells.get(columns[index]!);
  const [, [rings, reason] = []] = rows.find(([patterns]) => patterns!.every(fits)) ?? [];
  if (rings === undefined || reason === undefined) throw new Error('the table has a hole');
  if (rings === 'no') return { isOn: false, deciding: reason };
  if (s.isLookedAt) return { isOn: false, deciding: 'looking' };
  const isQuietTime = s.quietTime === 'running' || s.quietTime === 'endless';
  return isQuietTime
    ? { isOn: false, deciding: 'do-not-disturb' }
    : { isOn: true, deciding: reason };
}

/** "1 all unreads, 2 private messages and mentions, 3 none"; muted streams do not count, mentions do. */
function expectedBadge(s: Situation): boolean {
  const counted = new Set<string>();
  if (s.display !== 3) {
    if (s.where !== 'stream') counted.add('private');
    if (s.named || s.all) counted.add('mention');
  }
  if (s.display === 1 && s.isSubscribed && s.quiet === 'none') counted.add('unmuted');
  return counted.size > 0 && !s.own && !s.read;
}

const NOW = 1_700_000_000;
const ends = { off: 0, over: NOW, running: NOW + 1, endless: null } as const;
const conversations = {
  private: { kind: 'private', userIds: [2] },
  group: { kind: 'private', userIds: [2, 3] },
  stream: { kind: 'stream', streamId: 4, topic: 'Deploy' },
} as const;

function factsOf(s: Situation, more: Partial<NotificationSettings> = {}): NotificationFacts {
  return {
    message: {
      conversation: conversations[s.where],
      isOwn: s.own,
      isRead: s.read,
      isMentioned: s.named,
      isWildcardMentioned: s.all,
      hasAlertWord: s.word,
    },
    settings: {
      ...silentSettings,
      enable_desktop_notifications: s.desktop.reader,
      enable_sounds: s.sound.reader,
      enable_stream_desktop_notifications: s.desktop.forStreams,
      enable_stream_audible_notifications: s.sound.forStreams,
      wildcard_mentions_notify: s.counts,
      desktop_icon_count_display: s.display,
      ...more,
    },
    stream:
      s.where === 'stream' && s.isSubscribed
        ? {
            isMuted: s.quiet === 'stream',
            desktopNotifications: s.desktop.ofStream,
            audibleNotifications: s.sound.ofStream,
          }
        : null,
    // One of another stream, one of another topic, and the one itself in another case.
    mutedTopics: [
      { streamId: 5, topic: 'deploy' },
      { streamId: 4, topic: 'other' },
      ...(s.quiet === 'topic' ? [{ streamId: 4, topic: 'deploy ' }] : []),
    ],
    isLookedAt: s.isLookedAt,
    doNotDisturbUntilSeconds: ends[s.quietTime],
    nowSeconds: NOW,
    isCatchUp: s.away,
  };
}

function check(s: Situation): void {
  expect(decideNotification(factsOf(s)), JSON.stringify(s)).toEqual({
    desktop: expected(s, s.desktop),
    sound: expected(s, s.sound),
    badge: expectedBadge(s),
  });
}

const bools = [false, true] as const;
const inherited = [null, false, true] as const;

/** Every combination of the lists, with one value of each. */
function* product<T extends Readonly<Record<string, readonly unknown[]>>>(
  lists: T,
): Generator<{ readonly [K in keyof T]: T[K][number] }> {
  const entries = Object.entries(lists);
  const total = entries.reduce((count, [, list]) => count * list.length, 1);
  for (let index = 0; index < total; index += 1) {
    let rest = index;
    const chosen = entries.map(([name, list]) => {
      const value = list[rest % list.length];
      rest = Math.floor(rest / list.length);
      return [name, value] as const;
    });
    yield Object.fromEntries(chosen) as { readonly [K in keyof T]: T[K][number] };
  }
}

describe('the rules and the table agree', () => {
  const plain = { quietTime: 'off', isLookedAt: false, display: 1, away: false } as const;

  test('every combination of what a message is and what settings say is decided as the table says', () => {
    const lists = {
      where: ['private', 'group', 'stream'] as const,
      own: bools,
      read: bools,
      quiet: ['stream', 'topic', 'none'] as const,
      named: bools,
      all: bools,
      word: bools,
      counts: bools,
      isSubscribed: bools,
      away: bools,
      reader: bools,
      ofStream: inherited,
      forStreams: bools,
    };
    const seen = new Set<string>();
    for (const { reader, ofStream, forStreams, ...rest } of product(lists)) {
      const desktop = { reader, ofStream, forStreams };
      // The other way to ring has the opposite settings, so that neither can borrow from the other.
      const opposite = ofStream === null ? true : null;
      const sound = { reader: !reader, ofStream: opposite, forStreams: !forStreams };
      const situation = { ...plain, ...rest, desktop, sound };
      check(situation);
      seen.add(JSON.stringify(situation));
    }
    expect(seen.size).toBeGreaterThanOrEqual(5000);
  });

  test('every combination of focus, do-not-disturb and the number on the icon is decided as the table says', () => {
    const lists = {
      where: ['private', 'stream'] as const,
      read: bools,
      quiet: ['stream', 'topic', 'none'] as const,
      named: bools,
      all: bools,
      isSubscribed: bools,
      isLookedAt: bools,
      quietTime: ['off', 'over', 'running', 'endless'] as const,
      display: [1, 2, 3],
      reader: bools,
      ofStream: inherited,
    };
    for (const { reader, ofStream, ...rest } of product(lists)) {
      const switches = { reader, ofStream, forStreams: false };
      const fixed = { own: false, word: false, counts: true, away: false };
      check({ ...fixed, ...rest, desktop: switches, sound: switches });
    }
  });

  const switches = fc.record({
    reader: fc.boolean(),
    ofStream: fc.constantFrom(...inherited),
    forStreams: fc.boolean(),
  });
  const situation: fc.Arbitrary<Situation> = fc.record({
    own: fc.boolean(),
    read: fc.boolean(),
    where: fc.constantFrom('private', 'group', 'stream'),
    quiet: fc.constantFrom('stream', 'topic', 'none'),
    named: fc.boolean(),
    all: fc.boolean(),
    word: fc.boolean(),
    counts: fc.boolean(),
    away: fc.boolean(),
    isSubscribed: fc.boolean(),
    desktop: switches,
    sound: switches,
    isLookedAt: fc.boolean(),
    quietTime: fc.constantFrom('off', 'over', 'running', 'endless'),
    display: fc.constantFrom(1, 2, 3),
  });

  test('anything else about a notification is decided as the table says', () => {
    fc.assert(fc.property(situation, check), { numRuns: 5000 });
  });

  test('whatever settings of e-mail, phone, digest, sign-in, content and sound say', () => {
    const elsewhere = fc.record({
      enable_stream_email_notifications: fc.boolean(),
      enable_stream_push_notifications: fc.boolean(),
      notification_sound: fc.constantFrom('zulip', 'ding', 'gong'),
      enable_offline_email_notifications: fc.boolean(),
      enable_offline_push_notifications: fc.boolean(),
      enable_online_push_notifications: fc.boolean(),
      enable_digest_emails: fc.boolean(),
      enable_login_emails: fc.boolean(),
      message_content_in_email_notifications: fc.boolean(),
      pm_content_in_desktop_notifications: fc.boolean(),
      realm_name_in_notifications: fc.boolean(),
    });
    fc.assert(
      fc.property(situation, elsewhere, (s, more) => {
        expect(decideNotification(factsOf(s, more))).toEqual(decideNotification(factsOf(s)));
      }),
      { numRuns: 2000 },
    );
  });
});

const allOn: Switches = { reader: true, ofStream: null, forStreams: false };
const ordinary: Situation = {
  own: false,
  read: false,
  where: 'stream',
  quiet: 'none',
  named: false,
  all: false,
  word: false,
  counts: true,
  away: false,
  isSubscribed: true,
  desktop: allOn,
  sound: allOn,
  isLookedAt: false,
  quietTime: 'off',
  display: 1,
};
const streamOn: Switches = { ...allOn, ofStream: true };
const off: Switches = { reader: false, ofStream: null, forStreams: false };

describe('by the defaults of an account', () => {
  test.each([
    ['a private message', { where: 'private' }, 'rings', 'private-on'],
    ['a group message', { where: 'group' }, 'rings', 'private-on'],
    ['a message of a stream', {}, 'is silent', 'streams-off'],
    ['a mention by name', { named: true }, 'rings', 'mention-on'],
    ['a mention of everybody', { all: true }, 'rings', 'wildcard-on'],
    ['an alert word', { word: true }, 'rings', 'alert-word-on'],
    ['an own private message', { where: 'private', own: true }, 'is silent', 'own-message'],
    [
      'a private message that was read',
      { where: 'private', read: true },
      'is silent',
      'already-read',
    ],
    ['a mention in a muted stream', { named: true, quiet: 'stream' }, 'rings', 'mention-on'],
    ['a mention in a muted topic', { named: true, quiet: 'topic' }, 'rings', 'mention-on'],
    ['everybody in a muted stream', { all: true, quiet: 'stream' }, 'is silent', 'muted-stream'],
    ['everybody in a muted topic', { all: true, quiet: 'topic' }, 'is silent', 'muted-topic'],
    ['an alert word in a muted topic', { word: true, quiet: 'topic' }, 'is silent', 'muted-topic'],
    [
      'a private message that is looked at',
      { where: 'private', isLookedAt: true },
      'is silent',
      'looking',
    ],
    [
      'a private message under do-not-disturb',
      { where: 'private', quietTime: 'running' },
      'is silent',
      'do-not-disturb',
    ],
    [
      'a private message under endless do-not-disturb',
      { where: 'private', quietTime: 'endless' },
      'is silent',
      'do-not-disturb',
    ],
    [
      'a private message after do-not-disturb',
      { where: 'private', quietTime: 'over' },
      'rings',
      'private-on',
    ],
    [
      'a private message that came in the absence',
      { where: 'private', away: true },
      'rings',
      'private-on',
    ],
    ['a mention that came in the absence', { named: true, away: true }, 'rings', 'mention-on'],
  ] as const)('%s %s', (_, more, outcome, deciding) => {
    const { desktop, sound } = decideNotification(factsOf({ ...ordinary, ...more }));
    const verdict = { isOn: outcome === 'rings', deciding };
    expect({ desktop, sound }).toEqual({ desktop: verdict, sound: verdict });
  });
});

describe('by other settings', () => {
  test.each([
    ['a stream with notifications on rings', { desktop: streamOn }, true, 'stream-on'],
    [
      'so does one that follows the account',
      { desktop: { ...allOn, forStreams: true } },
      true,
      'streams-on',
    ],
    [
      'a stream that is off stays off whatever the account says',
      { desktop: { ...allOn, ofStream: false, forStreams: true } },
      false,
      'stream-off',
    ],
    [
      'a muted stream with notifications on is silent',
      { desktop: streamOn, quiet: 'stream' },
      false,
      'muted-stream',
    ],
    ['a muted topic there is silent', { desktop: streamOn, quiet: 'topic' }, false, 'muted-topic'],
    [
      'what came there in the absence is silent',
      { desktop: streamOn, away: true },
      false,
      'catch-up',
    ],
    [
      'a private message with the setting off is silent',
      { desktop: off, where: 'private' },
      false,
      'private-off',
    ],
    [
      'a mention with the setting off is silent',
      { desktop: off, named: true },
      false,
      'mention-off',
    ],
    [
      'a mention with the setting off rings by its stream',
      { desktop: { ...off, ofStream: true }, named: true },
      true,
      'stream-on',
    ],
    [
      'everybody is nobody when the setting says so',
      { all: true, counts: false },
      false,
      'wildcard-ignored',
    ],
    [
      'everybody with an alert word rings all the same',
      { all: true, counts: false, word: true },
      true,
      'alert-word-on',
    ],
    [
      'an alert word with the setting off is silent',
      { desktop: off, word: true },
      false,
      'alert-word-off',
    ],
    [
      'do-not-disturb is not blamed for what a setting silences',
      { desktop: off, where: 'private', quietTime: 'endless' },
      false,
      'private-off',
    ],
    ['a stream that was left is silent', { isSubscribed: false }, false, 'not-subscribed'],
  ] as const)('%s', (_, more, isOn, deciding) => {
    const { desktop } = decideNotification(factsOf({ ...ordinary, ...more }));
    expect(desktop).toEqual({ isOn, deciding });
  });

  test('the sound has settings of its own', () => {
    const facts = factsOf({ ...ordinary, desktop: off, sound: streamOn });
    expect(decideNotification(facts)).toMatchObject({
      desktop: { isOn: false, deciding: 'streams-off' },
      sound: { isOn: true, deciding: 'stream-on' },
    });
  });

  test.each([
    ['all: a message of a stream', 1, {}, true],
    ['all: a message of a muted stream', 1, { quiet: 'stream' }, false],
    ['private and mentions: a message of a stream', 2, {}, false],
    ['private and mentions: a private message', 2, { where: 'private' }, true],
    ['private and mentions: a mention', 2, { named: true }, true],
    ['private and mentions: a mention in a muted topic', 2, { named: true, quiet: 'topic' }, true],
    ['none: a private message', 3, { where: 'private' }, false],
    [
      'under do-not-disturb: a private message',
      1,
      { where: 'private', quietTime: 'endless' },
      true,
    ],
    ['an own message', 1, { where: 'private', own: true }, false],
  ] as const)('the badge counts %s', (_, display, more, isCounted) => {
    const { badge } = decideNotification(factsOf({ ...ordinary, ...more, display }));
    expect(badge).toBe(isCounted);
  });
});
