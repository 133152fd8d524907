/** What a scenario is: how a call is made that succeeds for whoever may make it. */
import { api } from '#shared/api/endpoints/index.ts';
import { ada, type Params } from '../service/api.ts';
import { type Caller, isStranger } from './cast.ts';
import type { Thing } from './facts.ts';
import type { Row } from './row.ts';
import type { MatrixWorld, Stage } from './world.ts';

export interface PreparedCall {
  readonly params: Params;
  readonly body?: BodyInit;
}

/** What a call is prepared for. */
export interface Use {
  readonly world: MatrixWorld;
  readonly caller: Caller;
  readonly thing: Thing;
  /** The call changes things, so that it gets some of its own. */
  readonly isSpent: boolean;
}

export interface Scenario {
  readonly prepare: (use: Use) => PreparedCall | Promise<PreparedCall>;
  /** Whether the answer holds the thing; asked where the row says who is shown it. */
  readonly finds?: (body: Readonly<Record<string, unknown>>, params: Params) => boolean;
  /** The same call about something that is not there. */
  readonly unknown?: Params;
  /** Before anybody looks what they were told. */
  readonly settle?: (use: Use) => void;
}

export type ScenariosOf<Rows> = {
  readonly [K in keyof Rows]: {
    readonly [N in keyof Rows[K]]: Rows[K][N] extends Row
      ? Scenario
      : { readonly [V in keyof Rows[K][N]]: Scenario };
  };
};

export const plain = (params: Params = {}): Scenario => ({ prepare: () => ({ params }) });
export const made = (
  make: (use: Use) => Params | Promise<Params>,
  more: Omit<Scenario, 'prepare'> = {},
): Scenario => ({ prepare: async (use) => ({ params: await make(use) }), ...more });

const NOBODYS_ID = 9_999_999;

/** About a message of the thing's kind. */
export const onMessage = (make: (use: Use) => Params = () => ({})): Scenario =>
  made(
    async (use) => ({ message_id: await use.world.message(use.thing, use.isSpent), ...make(use) }),
    { unknown: { message_id: NOBODYS_ID } },
  );

/** About a stream of the thing's kind: the one that stays, or where it is used up another one. */
export const stageOf = ({ world, thing, isSpent }: Use): Promise<Stage> =>
  isSpent ? world.build(thing.place) : world.stage(thing.place);
export const onStream = (make: (use: Use) => Params = () => ({})): Scenario =>
  made(async (use) => ({ stream_id: (await use.world.stage(use.thing.place)).id, ...make(use) }), {
    unknown: { stream_id: NOBODYS_ID },
  });
export const spendingStream = (make: (use: Use) => Params = () => ({})): Scenario =>
  made(async (use) => ({ stream_id: (await stageOf(use)).id, ...make(use) }), {
    unknown: { stream_id: NOBODYS_ID },
  });

/** As whom something is prepared: the caller where they can, else an administrator. */
export const asCaller = ({ world, caller }: Use): string =>
  isStranger(caller) || caller === 'incoming bot' ? ada : world.emailOf(caller);
export const emoji = { emoji_name: 'tada' };
export const react = async (use: Use): Promise<Params> => {
  const message_id = await use.world.message(use.thing, use.isSpent);
  const params = { message_id, ...emoji };
  if (use.isSpent) await use.world.service.ask(asCaller(use), api.reactions.add, params);
  return params;
};
