import { z } from 'zod';
import { oneOf, positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { emojiTypes } from '#shared/api/models/emoji.ts';
import { optional, required, wire } from '#shared/api/wire.ts';

const path = '/messages/:message_id/reactions';

export const reactions = {
  add: endpoint({
    method: 'POST',
    path,
    auth: 'user',
    params: wire({
      messageId: required(positiveInt),
      emojiName: required(text, 'text'),
      emojiCode: optional(text),
      reactionType: optional(oneOf(emojiTypes)),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'React to a message with an emoji.',
    spec: 'API decisions 5 and 7.1',
  }),
  remove: endpoint({
    method: 'DELETE',
    path,
    auth: 'user',
    /** A name or a code is needed. */
    params: wire({
      messageId: required(positiveInt),
      emojiName: optional(text, 'text'),
      emojiCode: optional(text),
      reactionType: optional(oneOf(emojiTypes)),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: "Take back one of the caller's reactions.",
    spec: 'API decisions 5 and 7.1',
  }),
};
