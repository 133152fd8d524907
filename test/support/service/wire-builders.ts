/** Complete wire objects of which a test says only what it is about. */
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import type { EventMessage } from '#shared/api/models/message.ts';
import type { RegisteredSubscription } from '#shared/api/models/stream.ts';
import type { RealmUser } from '#shared/api/models/user.ts';

export interface PersonSeed {
  readonly id: number;
  readonly email: string;
  readonly name: string;
}

export const ada: PersonSeed = { id: 1, email: 'ada@example.com', name: 'Ada Admin' };
export const ben: PersonSeed = { id: 2, email: 'ben@example.com', name: 'Ben Member' };
export const cleo: PersonSeed = { id: 3, email: 'cleo@example.com', name: 'Cleo Member' };

export const realmUser = (person: PersonSeed, more: Partial<RealmUser> = {}): RealmUser => ({
  user_id: person.id,
  email: person.email,
  full_name: person.name,
  is_admin: person.id === ada.id,
  is_guest: false,
  is_bot: false,
  avatar_url: null,
  timezone: '',
  date_joined: '2024-03-01T09:30:00+00:00',
  profile_data: {},
  ...more,
});

export const subscription = (
  streamId: number,
  name: string,
  more: Partial<RegisteredSubscription> = {},
): RegisteredSubscription => ({
  stream_id: streamId,
  name,
  description: '',
  rendered_description: '',
  invite_only: false,
  is_web_public: false,
  is_announcement_only: false,
  history_public_to_subscribers: true,
  first_message_id: null,
  stream_weekly_traffic: null,
  is_old_stream: false,
  email_address: '',
  color: '#76ce90',
  pin_to_top: false,
  is_muted: false,
  in_home_view: true,
  desktop_notifications: false,
  audible_notifications: false,
  push_notifications: false,
  email_notifications: false,
  ...more,
});

const messageBase = (id: number, sender: PersonSeed, content: string) => ({
  id,
  recipient_id: 1,
  subject_links: [],
  content,
  content_type: 'text/html' as const,
  timestamp: 1_700_000_000 + id,
  client: 'test',
  is_me_message: false,
  sender_id: sender.id,
  sender_email: sender.email,
  sender_full_name: sender.name,
  sender_short_name: sender.name,
  sender_realm_str: '',
  avatar_url: null,
  submessages: [],
  reactions: [],
});

export interface StreamPlace {
  readonly streamId: number;
  readonly topic: string;
}

export const streamMessage = (
  id: number,
  sender: PersonSeed,
  place: StreamPlace,
  content = '<p>text</p>',
): EventMessage => ({
  ...messageBase(id, sender, content),
  type: 'stream',
  stream_id: place.streamId,
  display_recipient: `stream ${place.streamId}`,
  subject: place.topic,
});

export const privateMessage = (
  id: number,
  sender: PersonSeed,
  participants: readonly PersonSeed[],
  content = '<p>text</p>',
): EventMessage => ({
  ...messageBase(id, sender, content),
  type: 'private',
  display_recipient: participants.map((person) => ({
    id: person.id,
    email: person.email,
    full_name: person.name,
    short_name: person.name,
    is_mirror_dummy: false,
  })),
  subject: '',
});

export const shown = (id: number, more: Partial<ShownMessage> = {}): ShownMessage => ({
  id,
  conversation: { kind: 'private', userIds: [ben.id] },
  senderId: ben.id,
  senderName: ben.name,
  rendered: '<p>text</p>',
  sentAtSeconds: 1_700_000_000,
  avatarUrl: null,
  is_me_message: false,
  editedAtSeconds: null,
  isOwn: false,
  isRead: false,
  isStarred: false,
  isMentioned: false,
  hasAlertWord: false,
  reactions: [],
  match: null,
  localId: null,
  ...more,
});
