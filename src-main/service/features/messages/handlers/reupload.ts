import type { OfferedMessage, recovery } from '#shared/api/endpoints/messages/reupload.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { ReuploadOffer, ReuploadOperations } from '../operations/reupload.ts';

const offerOf = (message: OfferedMessage): ReuploadOffer => ({
  id: message.id,
  senderId: message.sender_id,
  sentAt: message.timestamp,
  place:
    message.stream_id === undefined
      ? { kind: 'private', userIds: message.user_ids ?? [] }
      : { kind: 'stream', streamId: message.stream_id, topic: message.topic ?? '' },
  content: message.content,
  proof: message.proof,
});

export const reuploadHandlers = (domain: ReuploadOperations): Handlers<typeof recovery> => ({
  lacking: async ({ caller }, { known }) => ({
    lacking: [...(await domain.listLacking(caller, known))],
  }),
  offer: async (call, { messages }) => ({
    results: await domain.offer(call, messages.map(offerOf)),
  }),
});
