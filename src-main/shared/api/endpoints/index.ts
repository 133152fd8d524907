import { auditLog } from './organization/audit-log.ts';
import { health } from './organization/health.ts';
import { alertWords } from './people/alert-words.ts';
import { avatars } from './people/avatars.ts';
import { bots, botStorage } from './bots/bots.ts';
import { closing } from './organization/closing.ts';
import { compatibility } from './organization/compatibility.ts';
import { devices } from './people/devices.ts';
import { emoji } from './organization/emoji.ts';
import { events } from './events.ts';
import { deliveries, integrations } from './bots/integrations.ts';
import { invitations } from './people/invitations.ts';
import { joinRequests } from './people/join-requests.ts';
import { lifecycle } from './messages/message-changes.ts';
import { linkifiers } from './organization/linkifiers.ts';
import { messages } from './messages/messages.ts';
import { officeFiles } from './organization/file-usage.ts';
import { passwordLinks } from './people/password-links.ts';
import { pointer } from './reading/pointer.ts';
import { presence } from './people/presence.ts';
import { profileFields } from './people/profile-fields.ts';
import { reactions } from './messages/reactions.ts';
import { readState } from './reading/read-state.ts';
import { recovery } from './messages/reupload.ts';
import { realm } from './organization/settings.ts';
import { realmIcon } from './organization/icon.ts';
import { search } from './reading/search.ts';
import { server } from './organization/server.ts';
import { settings } from './people/settings.ts';
import { statuses } from './people/statuses.ts';
import { streamAdmin } from './streams/stream-admin.ts';
import { streams } from './streams/streams.ts';
import { submessages } from './messages/submessages.ts';
import { subscriptions } from './streams/subscriptions.ts';
import { typing } from './messages/typing.ts';
import { uploads } from './files/uploads.ts';
import { userAdmin } from './people/user-admin.ts';
import { userGroups } from './people/user-groups.ts';
import { users } from './people/users.ts';
import { webhooks } from './bots/webhooks.ts';

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
  recovery,
  readState,
  search,
  alertWords,
  events,
  streams,
  users,
  devices,
  passwordLinks,
  userAdmin,
  settings,
  bots,
  botStorage,
  server,
  uploads,
  webhooks,
  integrations,
  deliveries,
  subscriptions,
  streamAdmin,
  realm,
  realmIcon,
  linkifiers,
  auditLog,
  health,
  officeFiles,
  userGroups,
  profileFields,
  submessages,
  invitations,
  joinRequests,
  closing,
  compatibility,
};

export type Api = typeof api;
