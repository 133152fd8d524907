import { expect, onTestFinished, test } from 'vitest';
import { Listener, type ReceivedEvent } from '../support/crash/listener.ts';
import { Worker } from '../support/crash/worker.ts';
import { shortOrLong } from '../support/long.ts';
import { randomFrom } from '../support/random.ts';
import { credentials, type RunningService, startService } from '../support/service/service.ts';
import { temporaryDir } from '../support/service/store.ts';

const KILLS = shortOrLong(5, 30);
const people = ['ada', 'ben', 'cleo'] as const;

interface Hand {
  readonly worker: Worker;
  readonly userId: number;
  /** Fetches all the time, and loses the service with everybody else. */
  readonly following: Listener;
  /** Fetches once, at the end. */
  readonly idle: Listener;
}

async function hire(origin: string, seed: number): Promise<readonly Hand[]> {
  return Promise.all(
    people.map(async (name, index) => {
      const who = await credentials(origin, `${name}@example.com`);
      const streams = [1, 2].map((number) => `${name} ${String(number)}`);
      return {
        worker: new Worker(who, randomFrom(seed + index), streams),
        userId: index + 1,
        following: await Listener.register(origin, who),
        idle: await Listener.register(origin, who),
      };
    }),
  );
}

/** Lets everybody work until a number of changes was acknowledged, and kills the service there. */
async function workUntilKilled(
  service: RunningService,
  hands: readonly Hand[],
  killAfter: number,
): Promise<void> {
  let done = 0;
  let killed: Promise<void> | undefined;
  const kill = (): void => void (killed ??= service.kill());
  if (killAfter === 0) setImmediate(kill);
  const onDone = (): void => {
    done++;
    if (done >= killAfter) kill();
  };
  await Promise.all(
    hands.flatMap(({ worker, following }) => [
      worker.work(service.origin, onDone),
      following.follow(service.origin),
    ]),
  );
  await killed;
}

const messageIdOf = (event: ReceivedEvent): number =>
  (event['message'] as { readonly id: number }).id;

const contentsOf = (events: readonly ReceivedEvent[]): readonly unknown[] =>
  events.map((event) => event['content']);

/** What every event announced, without the text, which a late fetch shows as it is by then. */
const outline = ({ events }: Listener): readonly string[] =>
  events.map((event) => `${String(event.id)} ${event.type}`);

function expectToldOnce({ worker, userId, following }: Hand): void {
  const heard = following.ofType('message').map(messageIdOf);
  for (const id of worker.sentIds) {
    expect(
      heard.filter((each) => each === id),
      `message ${String(id)} was told`,
    ).toHaveLength(1);
  }
  const edited = contentsOf(following.ofType('update_message'));
  for (const edit of worker.edits) expect(edited.filter((each) => each === edit)).toEqual([edit]);
  const starred = following
    .ofType('update_message_flags')
    .filter((event) => event['flag'] === 'starred');
  expect(starred).toHaveLength(worker.changesOf('starred'));
  const reacted = following.ofType('reaction').filter((event) => event['user_id'] === userId);
  expect(reacted).toHaveLength(worker.changesOf('reaction'));
  expect(following.ofType('muted_topics')).toHaveLength(worker.changesOf('muted'));
  expect(following.ofType('alert_words')).toHaveLength(worker.changesOf('word'));
  const joined = following
    .ofType('subscription')
    .filter((event) => event['op'] === 'add' || event['op'] === 'remove');
  expect(joined).toHaveLength(worker.changesOf('stream'));
}

const seed = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 1_000_000));

test(`a service killed ${String(KILLS)} times under mixed load has lost, repeated and reordered nothing (CRASH_SEED=${String(seed)})`, async () => {
  const random = randomFrom(seed);
  const dataDir = temporaryDir();
  let service = await startService({ dev: true, dataDir, args: ['--no-rate-limits'] });
  onTestFinished(() => service.kill());
  const hands = await hire(service.origin, seed);
  for (let kills = 0; kills < KILLS; kills++) {
    await workUntilKilled(service, hands, random.below(60));
    service = await startService({ dev: true, dataDir, args: ['--no-rate-limits'] });
    for (const { worker, userId } of hands) await worker.verify(service.origin, userId);
  }
  for (const hand of hands) {
    await hand.following.catchUp(service.origin);
    await hand.idle.catchUp(service.origin);
    hand.following.expectInOrder();
    expect(outline(hand.idle)).toEqual(outline(hand.following));
    expectToldOnce(hand);
    expect(hand.worker.sentIds.length).toBeGreaterThan(KILLS);
  }
  expect(await service.stop()).toBe(0);
});
