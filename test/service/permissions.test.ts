/**
 * Every operation, made by every kind of account and by nobody, about things that they may and may not know of: what is
 * answered, and who is told of it, is what the model says.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultLimits, withoutRates } from '#shared/limits.ts';
import {
  type Caller,
  callers,
  cast,
  isStranger,
  listeners,
  strangers,
  type Member,
} from '../support/matrix/cast.ts';
import type { Thing } from '../support/matrix/facts.ts';
import { downloads } from '../support/matrix/place-rules.ts';
import { type Operation, operations } from '../support/matrix/scenarios.ts';
import type { PreparedCall, Use } from '../support/matrix/scenario.ts';
import { type Heard, MatrixWorld } from '../support/matrix/world.ts';
import { type Answer, startTestService } from '../support/service/api.ts';

/** Whoever calls without an account has no more than a guest who is nowhere. */
const asMember = (caller: Caller): Member =>
  isStranger(caller)
    ? { name: 'guest', role: 'guest', bot: null, at: 'out' }
    : { ...cast[caller], name: caller };

const strangersCodes = {
  nobody: 'UNAUTHORIZED',
  'a wrong key': 'INVALID_API_KEY',
  'a deactivated account': 'USER_DEACTIVATED',
} as const;

/** Where no key is looked at, some who have none, or one that opens nothing else, stand for all. */
const callersOf = ({ row }: Operation): readonly Caller[] =>
  row.auth === 'none' ? [...strangers, 'guest', 'incoming bot'] : callers;

/** 'ok', or the code of the error. */
function expectedCode({ row }: Operation, caller: Caller, thing: Thing): string {
  if (row.auth !== 'none' && isStranger(caller)) {
    if (row.auth === 'webhook' && caller === 'nobody') return 'REQUEST_VARIABLE_MISSING';
    return strangersCodes[caller];
  }
  const by = asMember(caller);
  if (row.auth === 'user' && by.bot === 'incoming') return 'UNAUTHORIZED';
  if (row.may(by, thing)) return 'ok';
  return typeof row.code === 'string' ? row.code : row.code(by, thing);
}

/** By event, the names of those who are told when a caller who may does it. */
function expectedEvents({ row }: Operation, caller: Caller, thing: Thing) {
  const by = asMember(caller);
  const told = Object.entries(row.tells).map(
    ([event, audience]) =>
      [
        event,
        listeners.flatMap((who) => (audience(who, by, thing) ? [who.name] : [])).sort(),
      ] as const,
  );
  return Object.fromEntries(told.filter(([, who]) => who.length > 0));
}

const codeOf = ({ status, body }: Answer): unknown =>
  status === 200 ? 'ok' : (body['code'] ?? 'NONE');

interface Cell {
  readonly caller: Caller;
  readonly code: string;
  readonly events: ReturnType<typeof expectedEvents>;
}

/** What a call brought. Events between `after` and `until` are its own: nobody else calls. */
interface Outcome {
  readonly cell: Cell;
  readonly answer: readonly unknown[];
  readonly after: number;
  readonly until: number;
}

const isLoud = ({ events }: Cell): boolean => Object.keys(events).length > 0;

describe('what each kind of account may do, and who is told', () => {
  let world: MatrixWorld;
  beforeAll(async () => {
    // Each case makes what it is about.
    const made = { profileFields: Infinity, userGroups: Infinity, linkifiers: Infinity };
    const limits = { ...withoutRates(defaultLimits), failedKeys: Infinity, ...made };
    world = new MatrixWorld(await startTestService({ limits }));
    await world.prepare();
  });
  afterAll(() => world.stop());

  async function send(
    operation: Operation,
    use: Use,
    { params, body }: PreparedCall,
  ): Promise<Answer> {
    return world.service.answer(null, operation.endpoint, params, {
      headers: await world.authorizationOf(use.caller),
      ...(body === undefined ? {} : { body }),
    });
  }

  /** What is answered; `hidden` where it is what is answered about things that are not there. */
  async function outcome(
    operation: Operation,
    use: Use,
    call: PreparedCall,
  ): Promise<readonly unknown[]> {
    const { row, scenario } = operation;
    const answer = await send(operation, use, call);
    const code = codeOf(answer);
    if (row.shows !== undefined && code === 'ok') {
      return [code, scenario.finds?.(answer.body, call.params)];
    }
    const isRefused = code !== 'ok' && !isStranger(use.caller) && use.caller !== 'incoming bot';
    if (!isRefused || row.knows === undefined || scenario.unknown === undefined) return [code];
    const params = { ...call.params, ...scenario.unknown };
    const unknown = await send(operation, use, { ...call, params });
    return [
      code,
      JSON.stringify(unknown.body) === JSON.stringify(answer.body) ? 'hidden' : 'known',
    ];
  }

  function expectedAnswer({ row, scenario }: Operation, { caller, code }: Cell, thing: Thing) {
    const by = asMember(caller);
    if (row.shows !== undefined && code === 'ok') return [code, row.shows(by, thing)];
    const isRefused = code !== 'ok' && !isStranger(caller) && caller !== 'incoming bot';
    if (!isRefused || row.knows === undefined || scenario.unknown === undefined) return [code];
    return [code, row.knows(by, thing) ? 'known' : 'hidden'];
  }

  async function call(
    operation: Operation,
    cell: Cell,
    use: Use,
    prepared: PreparedCall,
  ): Promise<Outcome> {
    const after = world.newestEvent();
    const answer = await outcome(operation, use, prepared);
    operation.scenario.settle?.(use);
    return { cell, answer, after, until: world.newestEvent() };
  }

  async function prepare(operation: Operation, cell: Cell, thing: Thing) {
    const use = { world, caller: cell.caller, thing, isSpent: isLoud(cell) };
    await world.authorizationOf(cell.caller);
    return { cell, use, prepared: await operation.scenario.prepare(use) };
  }

  /** All are prepared before the first of them is made: whatever differs afterwards, they did. */
  async function refused(operation: Operation, cells: readonly Cell[], thing: Thing) {
    const calls: Awaited<ReturnType<typeof prepare>>[] = [];
    for (const cell of cells) calls.push(await prepare(operation, cell, thing));
    const happened: Outcome[] = [];
    const changed = await world.changedBy(async () => {
      for (const { cell, use, prepared } of calls)
        happened.push(await call(operation, cell, use, prepared));
    });
    return { happened, changed };
  }

  /** Where what happened is not what the model says, in a line each. */
  function disagreements(
    operation: Operation,
    thing: Thing,
    happened: readonly Outcome[],
    heard: readonly Heard[],
  ) {
    return happened.flatMap(({ cell, answer, after, until }) => {
      const expected = expectedAnswer(operation, cell, thing);
      const lines =
        answer.join() === expected.join()
          ? []
          : [`${answer.join(' ')} instead of ${expected.join(' ')}`];
      const own = heard.filter(({ id }) => after < id && id <= until);
      for (const event of new Set([...own.map(({ kind }) => kind), ...Object.keys(cell.events)])) {
        const told = new Set(own.flatMap(({ kind, who }) => (kind === event ? [who] : [])));
        const meant = cell.events[event] ?? [];
        const more = [...told].filter((who) => !meant.includes(who));
        const fewer = meant.filter((who) => !told.has(who));
        if (more.length > 0) lines.push(`${event} tells ${more.join(', ')}`);
        if (fewer.length > 0) lines.push(`${event} does not tell ${fewer.join(', ')}`);
      }
      return lines.map((line) => `${cell.caller}: ${line}`);
    });
  }

  const cases = operations.flatMap((operation) =>
    operation.row.on.map((thing) => ({
      operation,
      thing,
      title:
        operation.row.on.length === 1
          ? operation.name
          : `${operation.name}: ${thing.place}, ${thing.moment}`,
    })),
  );

  test.for(cases)(
    '$title: answered and told as the rules say [permissions.answered-rules-say]',
    async ({ operation, thing }) => {
      const cells = callersOf(operation).map((caller): Cell => {
        const code = expectedCode(operation, caller, thing);
        return {
          caller,
          code,
          events: code === 'ok' ? expectedEvents(operation, caller, thing) : {},
        };
      });
      const start = world.newestEvent();
      const isRefused = ({ code }: Cell): boolean => code !== 'ok';
      const { happened, changed } = await refused(operation, cells.filter(isRefused), thing);
      for (const cell of cells.filter((each) => !isRefused(each))) {
        const { use, prepared } = await prepare(operation, cell, thing);
        happened.push(await call(operation, cell, use, prepared));
      }
      const lines = disagreements(operation, thing, happened, await world.heard(start));
      expect(lines, lines.join('\n')).toEqual([]);
      expect(changed).toEqual([]);
    },
  );

  test.for(downloads.on)(
    'a file in a message: $place, $moment [permissions.file-message]',
    async (thing) => {
      const { file } = (await world.stage(thing.place)).filled[thing.moment];
      const status = async (caller: Caller): Promise<number> => {
        const headers = await world.authorizationOf(caller);
        return (await fetch(new URL(file, world.service.origin), { headers })).status;
      };
      const expected = (caller: Caller): number => {
        if (isStranger(caller) || caller === 'incoming bot') return 401;
        return downloads.may(asMember(caller), thing) ? 200 : 403;
      };
      const happened = [];
      for (const caller of callers) happened.push([caller, await status(caller)]);
      expect(happened).toEqual(callers.map((caller) => [caller, expected(caller)]));
    },
  );
});
