import { alertWords } from './alert-words.ts';
import { avatars } from './avatars.ts';
import { bots, botStorage } from './bots.ts';
import { closing } from './closing.ts';
import { compatibility } from './compatibility.ts';
import { emoji } from './emoji.ts';
import { events } from './events.ts';
import { invitations } from './invitations.ts';
import { lifecycle } from './lifecycle.ts';
import { linkifiers } from './linkifiers.ts';
import { messages } from './messages.ts';
import { pointer } from './pointer.ts';
import { presence } from './presence.ts';
import { profileFields } from './profile-fields.ts';
import { reactions } from './reactions.ts';
import { readState } from './read-state.ts';
import { realm } from './realm.ts';
import { search } from './search.ts';
import { server } from './server.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';
import { streamAdmin } from './stream-admin.ts';
import { streams } from './streams.ts';
import { submessages } from './submessages.ts';
import { subscriptions } from './subscriptions.ts';
import { typing } from './typing.ts';
import { uploads } from './uploads.ts';
import { userAdmin } from './user-admin.ts';
import { userGroups } from './user-groups.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

/** The endpoint table: everything that the service answers below `/api/v1`. */
export const api = {
  reactions,
  emoji,
  typing,
  presence,
  pointer,
  statuses,
  avatars,
  lifecycle,
  messages,
  readState,
  search,
  alertWords,
  events,
  streams,
  users,
  userAdmin,
  settings,
  bots,
  botStorage,
  server,
  uploads,
  webhooks,
  subscriptions,
  streamAdmin,
  realm,
  linkifiers,
  userGroups,
  profileFields,
  submessages,
  invitations,
  closing,
  compatibility,
};

export type Api = typeof api;
