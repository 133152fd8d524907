/** Queues of one account of each kind, to see who is told of a change and who is not. */
import type { Message } from '#shared/api/models/message.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  type Params,
  type TestQueue,
  type TestService,
} from './api.ts';

export const everyone: readonly string[] = [ada, ben, cleo, gus, echoBot];

type ToldFlags = Readonly<Record<string, unknown>>;

export class FlagQueues {
  readonly #queues: readonly TestQueue[];

  private constructor(queues: readonly TestQueue[]) {
    this.#queues = queues;
  }

  /** @param types  the events that are looked at */
  static async open(service: TestService, types: readonly string[]): Promise<FlagQueues> {
    const params: Params = { event_types: types };
    const queues: TestQueue[] = [];
    for (const who of everyone) queues.push(await service.register(who, params));
    return new FlagQueues(queues);
  }

  /** What each account has heard since the last call, without ids; accounts that heard nothing are left out. */
  async heard(): Promise<Readonly<Record<string, readonly ToldFlags[]>>> {
    const heard: Record<string, readonly ToldFlags[]> = {};
    for (const queue of this.#queues) {
      const events = (await queue.now()).map((event): ToldFlags => {
        const { id: _, ...rest } = event;
        return rest;
      });
      if (events.length > 0) heard[queue.who] = events;
    }
    return heard;
  }
}

export const flagEvent = (
  op: 'add' | 'remove',
  flag: string,
  messages: readonly number[],
  all = false,
): ToldFlags => ({ type: 'update_message_flags', op, operation: op, flag, messages, all });

/** The flags of messages as an account reads them, by id. */
export async function flagsFor(
  read: (id: number) => Promise<Message | undefined>,
  ids: readonly number[],
): Promise<readonly (readonly string[] | undefined)[]> {
  const flags: (readonly string[] | undefined)[] = [];
  for (const id of ids) flags.push((await read(id))?.flags);
  return flags;
}
