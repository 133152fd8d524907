import { events } from './events.ts';
import { messages } from './messages.ts';
import { server } from './server.ts';
import { streams } from './streams.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

/** The endpoint table: everything that the service answers below `/api/v1`. */
export const api = { messages, events, streams, users, server, webhooks };

export type Api = typeof api;
