import { z } from 'zod';
import { bool, int, oneOf, positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { Message, MessageSnapshot } from '#shared/api/models/message.ts';
import { optional, required, wire, withDefault } from '#shared/api/wire.ts';

const messageId = required(positiveInt);

/** What becomes of a message after it was sent. */
export const lifecycle = {
  get: endpoint({
    method: 'GET',
    path: '/messages/:message_id',
    auth: 'user',
    params: wire({
      messageId,
      applyMarkdown: withDefault(bool, true),
      withSource: withDefault(bool, false),
    }),
    result: z.object({ raw_content: z.string(), message: Message }),
    errors: ['BAD_REQUEST'],
    summary: 'Fetch one message, with its content as it was typed.',
    spec: 'API decisions 7.1',
  }),
  history: endpoint({
    method: 'GET',
    path: '/messages/:message_id/history',
    auth: 'user',
    params: wire({ messageId }),
    /** The original first. */
    result: z.object({ message_history: z.array(MessageSnapshot) }),
    errors: ['BAD_REQUEST'],
    summary: 'List every version of a message.',
    spec: 'specification 2 and 4, GET /messages/{message_id}/history; API decisions 5',
  }),
  edit: endpoint({
    method: 'PATCH',
    path: '/messages/:message_id',
    auth: 'user',
    params: wire(
      {
        messageId,
        content: optional(text, 'text'),
        /** Ignored for a private message. */
        topic: optional(text, 'text'),
        propagateMode: withDefault(
          oneOf(['change_one', 'change_later', 'change_all']),
          'change_one',
        ),
        streamId: optional(int),
      },
      { topic: ['subject'] },
    ),
    result: z.object({}),
    errors: ['BAD_REQUEST', 'REQUEST_CONFUSING_VAR'],
    summary: 'Change the content of a message, or move it to another topic or stream.',
    spec: 'API decisions 7.1 and 7.2',
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/messages/:message_id',
    auth: 'user',
    params: wire({ messageId }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Delete a message for good.',
    spec: 'specification 4, DELETE /messages/{message_id}; API decisions 7.1',
  }),
  deleteTopic: endpoint({
    method: 'POST',
    path: '/streams/:stream_id/delete_topic',
    auth: 'user',
    access: 'admin',
    params: wire({ streamId: required(positiveInt), topicName: required(text, 'text') }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Delete all messages of a topic (administrators).',
    spec: 'API decisions 7.1',
  }),
};
