import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ada, ben, privateMessage } from '#test/support/service/wire-builders.ts';
import { settle } from '#test/support/fake-clock.ts';
import type { Fault } from '#test/support/client/model-service.ts';
import { ModelService } from '#test/support/client/model-service.ts';
import { createSession } from '#test/support/client/session.ts';

type Step =
  | { readonly kind: 'send' | 'lose queues' | 'wake' | 'heartbeat' | 'settle' }
  | { readonly kind: 'fault'; readonly fault: Fault | null }
  | { readonly kind: 'repeat'; readonly index: number }
  | { readonly kind: 'noise'; readonly event: unknown }
  | { readonly kind: 'pass'; readonly durationMs: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Step>({ kind: 'send' }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>(
      { kind: 'lose queues' },
      { kind: 'wake' },
      { kind: 'heartbeat' },
      { kind: 'settle' },
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<(Fault | null)[]>(
        'refused',
        'answer lost',
        { status: 502, text: '<html>' },
        null,
      )
      .map((fault): Step => ({ kind: 'fault', fault })),
  },
  { weight: 2, arbitrary: fc.nat(20).map((index): Step => ({ kind: 'repeat', index })) },
  { weight: 1, arbitrary: fc.anything().map((event): Step => ({ kind: 'noise', event })) },
  {
    weight: 3,
    arbitrary: fc.nat(90_000).map((durationMs): Step => ({ kind: 'pass', durationMs })),
  },
);

type Running = ReturnType<typeof createSession>;

async function perform({ service, session, clock }: Running, taken: Step): Promise<void> {
  switch (taken.kind) {
    case 'send':
      service.sendPrivate(ben, [ada, ben], `<p>${service.nextMessageId}</p>`);
      return;
    case 'lose queues':
      service.loseQueues();
      return;
    case 'wake':
      session.wake();
      return;
    case 'heartbeat':
      service.emit({ type: 'heartbeat' });
      return;
    case 'settle':
      return settle();
    case 'fault':
      service.faults.push(taken.fault);
      return;
    case 'repeat':
      service.noise.push(...service.emitted.slice(taken.index, taken.index + 2));
      return;
    case 'noise':
      // With an id that says nothing about the order, it is one more event that no one knows.
      if (!hasIntegerId(taken.event)) service.noise.push(taken.event);
      return;
    case 'pass':
      return clock.advance(taken.durationMs);
  }
}

const hasIntegerId = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && 'id' in event && Number.isInteger(event.id);

test('every message is told once and in order, whatever happens to queues, requests and answers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const service = new ModelService();
      service.messages.push(privateMessage(500, ben, [ada, ben]));
      const running = createSession(service);
      const { told, clock, session } = running;
      const ended = session.run();
      await settle();
      for (const taken of steps) await perform(running, taken);
      service.faults.length = 0;
      service.noise.length = 0;
      await clock.advance(200_000);
      session.wake();
      await settle();
      const ids = told.messages.map(({ id }) => id);
      expect(ids).toEqual(service.messages.slice(1).map(({ id }) => id));
      // The newest message stands in the last line, below how many there are.
      const noticed = told.notices.map(({ body }) => Number(body.split('\n').at(-1)));
      expect(noticed).toEqual(ids.filter((id) => noticed.includes(id)));
      expect(noticed.at(-1)).toBe(ids.at(-1));
      expect(told.connections.at(-1)).toEqual({ state: 'live' });
      await session.stop();
      await ended;
      expect(clock.pending).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
