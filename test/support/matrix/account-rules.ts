/**
 * Who may do what with accounts, with what belongs to them, and with the organization, and who is told of it: API
 * decisions 7.3, 7.4, 7.6, 8.2, 10.4 and 15.
 */
import {
  admins,
  all,
  allMembers,
  and,
  both,
  either,
  everybody,
  is,
  isAdmin,
  isMember,
  isPerson,
  nobody,
  only,
  people,
  self,
} from './facts.ts';
import { row } from './row.ts';

const memberPerson = both(isPerson, isMember);
const authorOrAdmin = either(is('author'), isAdmin);
/** The author owns the bot. */
const ofBot = and(only('author'), admins);
const open = { auth: 'none' } as const;
const accountsChange = { 'realm_user update': all };

export const accountRules = {
  emoji: {
    list: row(everybody),
    add: row(isMember, { 'realm_emoji update': all }),
    deactivate: row(authorOrAdmin, { 'realm_emoji update': all }),
  },
  presence: {
    report: row(isPerson, { presence: people }),
    ofUser: row(everybody),
    list: row(everybody),
  },
  statuses: { set: row(isPerson, { user_status: all }) },
  avatars: { set: row(isPerson, accountsChange), remove: row(isPerson, accountsChange) },
  alertWords: {
    list: row(everybody),
    add: row(everybody, { alert_words: self }),
    put: row(everybody, { alert_words: self }),
    remove: row(everybody, { alert_words: self }),
  },
  users: {
    me: row(everybody),
    list: row(everybody),
    create: row(isAdmin, { 'realm_user add': all, 'subscription peer_add': allMembers }),
    fetchApiKey: row(everybody, {}, open),
    devFetchApiKey: row(everybody, {}, open),
  },
  userAdmin: {
    get: row(everybody),
    update: { name: row(isAdmin, accountsChange), role: row(isAdmin, accountsChange) },
    deactivate: row(isAdmin, { 'realm_user remove': all }),
    reactivate: row(isAdmin, { 'realm_user add': all }),
    regenerateKey: row(isPerson),
  },
  settings: {
    update: row(isPerson, accountsChange),
    notifications: row(isPerson, { update_global_notifications: self }),
    display: row(isPerson, { update_display_settings: self }),
  },
  devices: {
    signIn: row(everybody, {}, open),
    list: row(isPerson),
    end: { own: row(isPerson), "another's": row(nobody) },
    /** The key with which all of them come is of no device. */
    endCurrent: row(nobody),
    listOf: row(isAdmin),
    lastUses: row(isAdmin),
    endOf: row(isAdmin),
    renewKeys: {
      'of a person': row(isAdmin),
      'of a bot': row(isAdmin, { 'realm_bot update': ofBot }),
    },
  },
  passwordLinks: { make: row(isAdmin), use: row(everybody, {}, open) },
  bots: {
    create: row(memberPerson, { 'realm_user add': all, 'realm_bot add': and(self, admins) }),
    list: row(everybody, {}, { shows: is('author') }),
    update: {
      name: row(authorOrAdmin, {
        ...accountsChange,
        'realm_bot update': ofBot,
      }),
      owner: row(isAdmin, {
        ...accountsChange,
        'realm_bot update': admins,
        'realm_bot delete': only('author'),
        'realm_bot add': only('bystander'),
        message: and(self, only('bystander')),
      }),
    },
    regenerateKey: row(authorOrAdmin, { 'realm_bot update': ofBot }),
    deactivate: row(authorOrAdmin, {
      'realm_bot remove': ofBot,
      'realm_user remove': all,
    }),
  },
  botStorage: { put: row(everybody), get: row(everybody), remove: row(everybody) },
  server: {
    settings: row(everybody, {}, open),
    addresses: row(isPerson),
    /** Nobody but the office has the key that signs one. */
    meetEpoch: row(nobody, {}, open),
    /** There is one already. */
    createOrganization: row(nobody, {}, open),
  },
  uploads: {
    upload: row(everybody, { 'attachment add': self }),
    begin: row(everybody),
    state: row(is('author')),
    piece: row(is('author')),
    finish: row(is('author'), { 'attachment add': self }),
    abandon: row(is('author')),
    list: row(everybody, {}, { shows: is('author') }),
    remove: row(authorOrAdmin, { 'attachment remove': only('author') }),
  },
  webhooks: {
    receive: row(everybody, { message: all }, { auth: 'webhook' }),
    probe: row(everybody, {}, { auth: 'webhook' }),
  },
  integrations: {
    list: row(everybody),
    bots: row(isPerson),
    setUp: row(is('author')),
    pause: row(is('author')),
  },
  deliveries: {
    list: row(is('author')),
    get: row(is('author')),
    again: row(is('author'), { message: all }),
  },
  realm: {
    update: {
      description: row(isAdmin, { 'realm update': all }),
      'editing of messages': row(isAdmin, { 'realm update_dict': all }),
    },
  },
  realmIcon: {
    set: row(isAdmin, { 'realm update_dict': all }),
    remove: row(isAdmin, { 'realm update_dict': all }),
  },
  linkifiers: {
    filters: row(everybody),
    list: row(everybody),
    add: row(isAdmin, { realm_filters: all }),
    remove: row(isAdmin, { realm_filters: all }),
  },
  auditLog: { list: row(isAdmin), export: row(isAdmin) },
  health: { show: row(isAdmin) },
  officeFiles: {
    listOwn: row(everybody, {}, { shows: is('author') }),
    listAll: row(isAdmin),
  },
  userGroups: {
    list: row(everybody),
    create: row(memberPerson, { 'user_group add': all }),
    post: row(memberPerson, { 'user_group add': all }),
    /** The author is in it. */
    update: row(authorOrAdmin, { 'user_group update': all }),
    remove: row(authorOrAdmin, { 'user_group remove': all }),
    changeMembers: row(authorOrAdmin, { 'user_group add_members': all }),
  },
  profileFields: {
    list: row(everybody),
    add: row(isAdmin, { 'custom_profile_fields add': all }),
    order: row(isAdmin, { 'custom_profile_fields add': all }),
    update: row(isAdmin, { 'custom_profile_fields add': all }),
    remove: row(isAdmin, { 'custom_profile_fields add': all }),
    answer: row(isPerson, accountsChange),
    withdraw: row(isPerson, accountsChange),
  },
  invitations: {
    list: row(memberPerson, {}, { shows: authorOrAdmin }),
    invite: row(memberPerson, { invites_changed: admins }),
    inviteMany: row(memberPerson, { invites_changed: admins }),
    revoke: row(authorOrAdmin, { invites_changed: admins }),
    look: row(everybody, {}, open),
    accept: row(
      everybody,
      { invites_changed: admins, 'realm_user add': all, 'subscription peer_add': allMembers },
      open,
    ),
  },
  joinRequests: {
    ask: row(everybody, { join_requests: admins }, open),
    state: row(everybody, {}, open),
    withdraw: row(everybody, { join_requests: admins }, open),
    list: row(isAdmin),
    accept: row(isAdmin, { join_requests: admins, invites_changed: admins }),
    decline: row(isAdmin, { join_requests: admins }),
  },
  compatibility: {
    listDevelopmentUsers: row(everybody, {}, open),
    setTutorialStatus: row(isPerson),
    addAppleToken: row(isPerson),
    removeAppleToken: row(isPerson),
    addAndroidToken: row(isPerson),
    removeAndroidToken: row(isPerson),
  },
  closing: {
    deactivate: row(isAdmin, { 'realm deactivated': all }),
    reactivate: row(everybody, {}, open),
  },
};
