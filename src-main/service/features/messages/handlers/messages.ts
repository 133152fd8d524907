import { CLIENT_CHARACTERS } from '#shared/api/bounds.ts';
import type { messages } from '#shared/api/endpoints/messages/messages.ts';
import type { ParamsOf } from '#shared/api/endpoint.ts';
import { variableMissing } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { HistoryOperations } from '#service/features/reading/operations/message-pages.ts';
import type { Draft, MessageOperations } from '../operations/messages.ts';
import { cutCharacters } from '#service/core/rules/names.ts';
import { parsePrivateRecipients, parseStreamRecipient } from '../rules/recipients.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { pagePiece, serializedPage } from './serialized-page.ts';

type SendParams = ParamsOf<typeof messages.send>;

/** Pages of more rows are put together one after the other, because all of one is in memory. */
const LONG_PAGE = 1000;

function targetOf(params: SendParams): Draft['target'] {
  if (params.type === 'private' || params.type === 'direct') {
    return { kind: 'private', recipients: parsePrivateRecipients(params.to) };
  }
  if (params.topic === undefined) throw variableMissing('topic');
  return { kind: 'stream', stream: parseStreamRecipient(params.to), topic: params.topic };
}

/** @throws BAD_REQUEST rather than sending at once what was meant for later */
function refuseScheduled(params: SendParams): void {
  const isLater = params.deliveryType !== undefined && params.deliveryType !== 'send_now';
  if (isLater || params.deliverAt !== undefined) {
    throw refusal('scheduled_messages_unsupported');
  }
}

export const messageHandlers = (
  domain: MessageOperations & HistoryOperations,
): Handlers<typeof messages> => {
  const inLane = createConcurrencyLimit(1);
  return {
    async send({ caller, client }, params) {
      refuseScheduled(params);
      const { queueId, localId } = params;
      const id = await domain.sendMessage(caller, {
        client: cutCharacters(params.client?.trim() ?? '', CLIENT_CHARACTERS) || client,
        content: params.content,
        echo: queueId === undefined || localId === undefined ? null : { queueId, localId },
        localId,
        target: targetOf(params),
        widget: params.widgetContent && JSON.stringify(params.widgetContent),
      });
      return { id };
    },
    async page({ caller }, params) {
      const isLong = params.numBefore + params.numAfter > LONG_PAGE;
      const get = () => domain.getMessages(caller, params, pagePiece);
      const { bounds, pieces } = await (isLong ? inLane(get) : get());
      return serializedPage(bounds, pieces);
    },
    render: async ({ caller }, { content }) => ({
      rendered: await domain.renderContent(caller, content),
    }),
  };
};
