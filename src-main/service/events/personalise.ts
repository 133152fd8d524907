/** What no event may store, or stores open: put in when the event is sent. */
import type { LoggedEvent } from '../db/event-log.ts';
import { avatarShape, avatarUrl } from '../core/rules/shapes.ts';
import type { Store } from '../db/port.ts';
import type { QueueOptions } from './queue.ts';

type Payload = LoggedEvent['payload'];

type PersonaliseOptions = Pick<QueueOptions, 'clientGravatar' | 'includeSubscribers'>;

/** What a client with these options is told of an event that is neither a new nor a changed message. */
export type Personalise = (event: LoggedEvent, options: PersonaliseOptions) => Promise<Payload>;

const membersOf = (value: unknown): Payload =>
  typeof value === 'object' && value !== null ? (value as Payload) : {};

/** Of somebody who is new, or of a changed picture. */
const isAvatarOpen = (person: Payload): boolean =>
  person['avatar_url'] === null || person['avatar_source'] === 'G';

/** Whether everybody who is told of the event is told the same, as it is stored. */
export function isSameForAll({ type, payload }: LoggedEvent, options: PersonaliseOptions): boolean {
  switch (type) {
    case 'message':
    case 'update_message':
    case 'realm_bot':
      return false;
    case 'subscription':
      return payload['op'] !== 'add' || options.includeSubscribers;
    case 'realm_user':
      return options.clientGravatar || !isAvatarOpen(membersOf(payload['person']));
    default:
      return true;
  }
}

/** Clients that want no subscribers are told of a subscription without them. */
function withoutSubscribers(payload: Payload): Payload {
  const subscriptions = payload['subscriptions'] as readonly { readonly subscribers?: unknown }[];
  return {
    ...payload,
    subscriptions: subscriptions.map(({ subscribers: _, ...rest }) => rest),
  };
}

/** @param deriveKey  the API key of an account's key generation */
export function createPersonalise(
  store: Pick<Store, 'findUser'>,
  deriveKey: (userId: number, generation: number) => string,
): Personalise {
  /** The generation of the key stands in its place. */
  function withKey(payload: Payload): Payload {
    const bot = membersOf(payload['bot']);
    if (!('api_key' in bot)) return payload;
    const key = deriveKey(Number(bot['user_id']), Number(bot['api_key']));
    return { ...payload, bot: { ...bot, api_key: key } };
  }

  /** A gravatar is left open for clients that compute it. */
  async function withAvatar(payload: Payload): Promise<Payload> {
    const person = membersOf(payload['person']);
    const user = await store.findUser(Number(person['user_id']));
    if (user === undefined) return payload;
    const avatar =
      payload['op'] === 'add' ? { avatar_url: avatarUrl(user, false) } : avatarShape(user, false);
    return { ...payload, person: { ...person, ...avatar } };
  }

  return (event, options) => {
    const { type, payload } = event;
    if (isSameForAll(event, options)) return Promise.resolve(payload);
    if (type === 'realm_user') return withAvatar(payload);
    return Promise.resolve(type === 'realm_bot' ? withKey(payload) : withoutSubscribers(payload));
  };
}
