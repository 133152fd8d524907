import { describe, expect, test } from 'vitest';
import { decisionReasons } from '#shared/bridge/models/notifications.ts';
import {
  notificationLogOutcome,
  notificationLogSentence,
} from '#renderer/i18n/settings/notifications.ts';

const conversation = { kind: 'stream', streamId: 4, topic: 'deploy' } as const;
const sentence = (reason: (typeof decisionReasons)[number], streamName: string | null = 'ops') => {
  const entry = { conversation, streamName, desktopReason: reason, soundReason: reason };
  return [notificationLogSentence(entry, 'desktop'), notificationLogSentence(entry, 'sound')];
};

describe('the ledger says why', () => {
  test.each(decisionReasons)('%s in a sentence', (reason) => {
    for (const text of sentence(reason)) expect(text).toMatch(/^[A-Z“].*\.$/);
  });

  test('the ledger names the setting that decided, for the notification and for the sound', () => {
    expect(sentence('private-off')).toEqual([
      'A private message, but “Notifications for private messages and mentions” is off.',
      'A private message, but “Sounds for private messages and mentions” is off.',
    ]);
    expect(sentence('stream-off')).toEqual([
      'Stream #ops has notifications off for you.',
      'Stream #ops has sounds off for you.',
    ]);
    expect(sentence('muted-topic')[0]).toBe('The topic “deploy” is muted for you.');
    expect(sentence('muted-stream', null)[0]).toBe('The stream is muted for you.');
  });

  test('every reason in another sentence', () => {
    const all = decisionReasons.map((reason) => sentence(reason)[0]);
    expect(new Set(all).size).toBe(decisionReasons.length);
  });

  test('the ledger says what happened', () => {
    expect(notificationLogOutcome({ rang: true, sounded: true })).toBe('Shown with a sound');
    expect(notificationLogOutcome({ rang: false, sounded: false })).toBe('Silent');
  });
});
