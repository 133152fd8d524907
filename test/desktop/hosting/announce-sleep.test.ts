import { expect, test } from 'vitest';
import { announceSleep } from '#desktop/hosting/announce-sleep.ts';
import { FakeClock, settle } from '#test/support/fake-clock.ts';

/** A host, with what is said to its service and to the system, in order. */
function aHost() {
  const clock = new FakeClock();
  const log: string[] = [];
  const now = { isRunning: true, isStuck: false };
  let look = (): void => undefined;
  let tell = (_isAsleep: boolean): void => undefined;
  const setAsleep = (isAsleep: boolean): Promise<void> => {
    log.push(isAsleep ? 'asleep' : 'awake');
    return now.isStuck ? new Promise(() => undefined) : settle();
  };
  const end = announceSleep({
    hosting: {
      running: () =>
        now.isRunning
          ? { fingerprint: '', listenOn: async () => ({ closed: [], visitors: [] }), setAsleep }
          : undefined,
      onStatus: (listener) => {
        look = () => listener({ phase: 'off' });
        return () => undefined;
      },
    },
    power: {
      onSleep: (listener) => (tell = listener),
      delaySleep: () => {
        log.push('wait');
        return () => log.push('go');
      },
    },
    clock,
    woken: () => log.push('woken'),
  });
  look();
  const sleep = async (isAsleep: boolean): Promise<void> => {
    tell(isAsleep);
    await settle();
    await settle();
  };
  return { clock, log, now, end, sleep, look: () => look() };
}

test('a computer that hosts is let go once its service has told everybody, and waits again when it is awake', async () => {
  const { log, now, end, sleep, look } = aHost();
  look();
  await sleep(true);
  await sleep(true);
  expect(log.splice(0)).toEqual(['wait', 'asleep', 'go']);
  await sleep(false);
  await sleep(false);
  expect(log.splice(0)).toEqual(['wait', 'awake', 'woken']);
  now.isRunning = false;
  look();
  await sleep(true);
  await sleep(false);
  expect(log.splice(0)).toEqual(['go', 'woken']);
  now.isRunning = true;
  look();
  end();
  await sleep(true);
  expect(log).toEqual(['wait', 'go']);
});

test('a service that does not answer holds nobody up for longer than two and a half seconds', async () => {
  const { clock, log, now, sleep } = aHost();
  now.isStuck = true;
  await sleep(true);
  await clock.advance(2_499);
  expect(log).toEqual(['wait', 'asleep']);
  await clock.advance(1);
  expect(log).toEqual(['wait', 'asleep', 'go']);
});

test('a computer that wakes while it still tells waits on, and one that does not sleep after all serves again', async () => {
  const { clock, log, now, sleep } = aHost();
  now.isStuck = true;
  await sleep(true);
  now.isStuck = false;
  await sleep(false);
  await clock.advance(60_000);
  expect(log.splice(0)).toEqual(['wait', 'asleep', 'awake', 'woken']);
  await sleep(true);
  await clock.advance(19_999);
  expect(log.splice(0)).toEqual(['asleep', 'go']);
  await clock.advance(1);
  await settle();
  expect(log).toEqual(['wait', 'awake', 'woken']);
});
