import { z } from 'zod';
import { messageIdList, positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { required, wire } from '#shared/api/wire.ts';

/** What accounts have read, and the flags that they set themselves. */
export const readState = {
  markAllAsRead: endpoint({
    method: 'POST',
    path: '/mark_all_as_read',
    auth: 'user',
    params: wire({}),
    result: z.object({}),
    errors: [],
    summary: "Mark all of the caller's unread messages as read.",
    spec: 'specification 4, POST /mark_all_as_read; state table in 3',
  }),
  markStreamAsRead: endpoint({
    method: 'POST',
    path: '/mark_stream_as_read',
    auth: 'user',
    params: wire({ streamId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Mark the messages of a stream as read.',
    spec: 'specification 4, POST /mark_stream_as_read; API decisions 7.1',
  }),
  markTopicAsRead: endpoint({
    method: 'POST',
    path: '/mark_topic_as_read',
    auth: 'user',
    params: wire({ streamId: required(positiveInt), topicName: required(text, 'text') }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Mark the messages of a topic as read.',
    spec: 'specification 4, POST /mark_topic_as_read; API decisions 7.1',
  }),
  changeFlags: endpoint({
    method: 'POST',
    path: '/messages/flags',
    auth: 'user',
    params: wire({
      messages: required(messageIdList),
      op: required(text, 'text'),
      flag: required(text, 'text'),
    }),
    result: z.object({ messages: z.array(z.int()) }),
    errors: ['BAD_REQUEST'],
    summary: 'Add a flag to messages, or remove it: read, starred or collapsed.',
    spec: 'API decisions 5 and 7.1',
  }),
};
