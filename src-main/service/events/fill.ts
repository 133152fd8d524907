/** What no event may store, or stores open: put in when the event is sent. */
import type { LoggedEvent } from '../ports/log.ts';
import { avatarShape } from '../domain/rules/shapes.ts';
import type { Store } from '../store/port.ts';
import type { QueueOptions } from './queue.ts';

type Payload = LoggedEvent['payload'];

export type Fill = (
  event: LoggedEvent,
  options: Pick<QueueOptions, 'clientGravatar'>,
) => Promise<Payload>;

const membersOf = (value: unknown): Payload =>
  typeof value === 'object' && value !== null ? (value as Payload) : {};

/** @param deriveKey  the API key of an account's key generation */
export function createFill(
  store: Store,
  deriveKey: (userId: number, generation: number) => string,
): Fill {
  /** The generation of the key stands in its place. */
  function withKey(payload: Payload): Payload {
    const bot = membersOf(payload['bot']);
    if (!('api_key' in bot)) return payload;
    const key = deriveKey(Number(bot['user_id']), Number(bot['api_key']));
    return { ...payload, bot: { ...bot, api_key: key } };
  }

  /** A changed gravatar is left open for clients that compute gravatars. */
  async function withAvatar(payload: Payload): Promise<Payload> {
    const person = membersOf(payload['person']);
    if (person['avatar_source'] !== 'G') return payload;
    const user = await store.findUser(Number(person['user_id']));
    const avatar = user === undefined ? {} : avatarShape(user, false);
    return { ...payload, person: { ...person, ...avatar } };
  }

  return (event, options) => {
    const { type, payload } = event;
    if (type === 'realm_bot') return Promise.resolve(withKey(payload));
    const isUpdate = type === 'realm_user' && payload['op'] === 'update';
    return isUpdate && !options.clientGravatar ? withAvatar(payload) : Promise.resolve(payload);
  };
}
