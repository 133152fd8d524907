/** What a window asks of one session, as calls of the API. */
import { api as endpoints } from '../contract/api/index.ts';
import { NEWEST_ANCHOR } from '../contract/codecs.ts';
import type { Account, NewStream } from '../contract/models/client.ts';
import type { Api } from './api.ts';
import { answer } from './api.ts';
import type { SessionCalls } from './calls.ts';
import { checkNewPerson, checkNewStream } from './request-rules.ts';
import { isWanted, narrowOf, recipientOf, shownMessage } from './shown-message.ts';

interface Parts {
  readonly api: Api;
  readonly account: Account;
  /** The queue whose event tells of a message sent here; null while there is none. */
  readonly queueId: () => string | null;
  /** Never the same text twice. */
  readonly nextLocalId: () => string;
}

export function createSessionCalls(parts: Parts): Omit<SessionCalls, 'realm'> {
  const { api, account } = parts;
  const ownUserId = account.userId;
  return {
    messages: async (request) => {
      const outcome = await api.call(endpoints.messages.page, {
        anchor: request.beforeId ?? NEWEST_ANCHOR,
        numBefore: request.limit,
        numAfter: 0,
        narrow: narrowOf(request.view, ownUserId),
        clientGravatar: true,
      });
      return answer(outcome, ({ messages, found_oldest: hasOldest }) => ({
        messages: messages
          .filter(isWanted(request))
          .map((message) => shownMessage(message, message.flags, ownUserId)),
        hasOldest,
      }));
    },
    sendMessage: async ({ conversation, content }) => {
      const queueId = parts.queueId() ?? undefined;
      const localId = queueId === undefined ? undefined : parts.nextLocalId();
      const recipient = recipientOf(conversation, ownUserId);
      const outcome = await api.call(endpoints.messages.send, {
        ...recipient,
        content,
        queueId,
        localId,
      });
      return answer(outcome, ({ id }) => id);
    },
    topics: async (streamId) => {
      const outcome = await api.call(endpoints.streams.topics, { streamId });
      return answer(outcome, ({ topics }) => topics.map(({ name }) => name));
    },
    createStream: (stream) => createStream(api, account, stream),
    createPerson: async (person) => {
      const checked = checkNewPerson(person);
      if (!checked.ok) return checked;
      const outcome = await api.call(endpoints.users.create, {
        email: person.email.trim(),
        fullName: person.fullName.trim(),
        password: person.password,
      });
      return answer(outcome, ({ user_id: userId }) => userId);
    },
  };
}

async function createStream(
  api: Api,
  { userId }: Account,
  { name, description, isPrivate, userIds }: NewStream,
): ReturnType<SessionCalls['createStream']> {
  const checked = checkNewStream({ name, description, isPrivate, userIds });
  if (!checked.ok) return checked;
  const outcome = await api.call(endpoints.streams.subscribe, {
    subscriptions: [{ name: name.trim(), description: description.trim() }],
    inviteOnly: isPrivate,
    // Without principals the caller is subscribed; with some, exactly those.
    principals: userIds.length === 0 ? [] : [...new Set([userId, ...userIds])],
  });
  return answer(outcome, ({ subscribed, already_subscribed: already }) => {
    const names = [...Object.values(subscribed), ...Object.values(already)].flat();
    return names[0] ?? name.trim();
  });
}
