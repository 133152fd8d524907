/** The state as it is kept: in slices, so that little is written where little changed. */
import { z } from 'zod';
import { organizationDefaults } from '#shared/api/models/organization-settings.ts';
import { displayDefaults, notificationDefaults } from '#shared/api/models/settings.ts';
import type { Conversation } from '#shared/bridge/models/conversation.ts';
import { PersistentMap } from './collections/persistent-map.ts';
import { defaultOrganization, withRealmSettings } from './settings.ts';
import type { SessionState } from './session-state.ts';
import { type PartName, partNames } from './told-parts.ts';
import { noUnread, UNREAD_PARTS, unreadEntries, type UnreadEntry, withUnread } from './unread.ts';

/** Another number for another form: what was kept in another one than these is fetched anew. */
const FORM = 3;
/** Had the settings of the organization by other names. */
const FORM_BEFORE = 2;

const list = z.array(z.unknown());
const record = z.record(z.string(), z.unknown());

/** The form's number says what is in the slices; this finds out whether they are all there. */
const partForms = Object.fromEntries(
  partNames.map((name) => [name, z.union([list, record])]),
) as unknown as Record<PartName, z.ZodType>;
const forms = {
  ...partForms,
  ownUserId: z.int(),
  organization: record,
  people: list,
  streams: list,
  otherStreams: list,
  // Profiles of before have none.
  goneStreams: list.default([]),
  mutedPlaces: list,
  mutedTopics: list,
  formerStreamIds: list,
  privateConversations: list,
  maxMessageId: z.int(),
  notifications: record,
  display: record,
} satisfies { readonly [K in keyof SessionState]?: z.ZodType };

type KeptName = keyof typeof forms;
/** Neither who is there nor who types, nor who came, nor how the clocks go or which file came: that is over when it is read. */
const kept = Object.keys(forms) as readonly KeptName[];

const Slices = z.looseObject({
  ...forms,
  form: z.literal([FORM, FORM_BEFORE]),
  starred: z.array(z.int()),
});

const unreadSlice = (part: number): string => `unread.${String(part)}`;

/**
 * Slices by name, of JSON values: all of them, or those that changed since `before`.
 */
export function slicesOf(state: SessionState, before?: SessionState): Record<string, unknown> {
  const slices: Record<string, unknown> = before === undefined ? { form: FORM } : {};
  for (const name of kept) if (state[name] !== before?.[name]) slices[name] = state[name];
  if (state.starred !== before?.starred) slices.starred = [...state.starred].map(([id]) => id);
  state.unreadStore.parts.forEach((part, index) => {
    if (part === before?.unreadStore.parts[index]) return;
    slices[unreadSlice(index)] = grouped(unreadEntries(part));
  });
  return slices;
}

interface Group {
  readonly conversation: Conversation;
  readonly ids: number[];
  readonly mentions: number[];
}

/** Each conversation once: the messages of a part are mostly of few. */
function grouped(entries: Iterable<UnreadEntry>): readonly Group[] {
  const groups = new Map<Conversation, Group>();
  for (const { id, conversation, isMention } of entries) {
    const group: Group = groups.get(conversation) ?? { conversation, ids: [], mentions: [] };
    (isMention ? group.mentions : group.ids).push(id);
    groups.set(conversation, group);
  }
  return [...groups.values()];
}

const UnreadGroup = z.object({
  conversation: z.union([
    z.object({ kind: z.literal('stream'), streamId: z.int(), topic: z.string() }),
    z.object({ kind: z.literal('private'), userIds: z.array(z.int()) }),
  ]),
  ids: z.array(z.int()),
  mentions: z.array(z.int()),
});

const Settings = z.object({
  organization: z.object({ settings: record }),
  notifications: record,
  display: record,
});

/** Whether they have every setting: of what an earlier version did not know no event tells. */
export function isComplete(slices: Readonly<Record<string, unknown>>): boolean {
  const { data } = Settings.safeParse(slices);
  const tables = [
    [organizationDefaults, data?.organization.settings],
    [notificationDefaults, data?.notifications],
    [displayDefaults, data?.display],
  ] as const;
  return tables.every(([defaults, kept = {}]) =>
    Object.keys(defaults).every((key) => Object.hasOwn(kept, key)),
  );
}

/** What `slicesOf` gave; null where it is of another form or not whole. */
export function stateFromSlices(slices: Readonly<Record<string, unknown>>): SessionState | null {
  const read = Slices.safeParse(slices);
  const unread = Array.from({ length: UNREAD_PARTS }, (_, part) =>
    z.array(UnreadGroup).safeParse(slices[unreadSlice(part)]),
  );
  if (!read.success || !unread.every((part) => part.success)) return null;
  const entries = unread.flatMap(({ data }) => data).flatMap(ungrouped);
  const values: Record<string, unknown> = {};
  for (const name of kept) values[name] = read.data[name];
  const { organization, notifications, display } = read.data;
  // Until a snapshot says the rest.
  const named = withRealmSettings(defaultOrganization, organization);
  values['organization'] = {
    ...named,
    ...organization,
    settings: { ...named.settings, ...(organization['settings'] as object | undefined) },
  };
  values['notifications'] = { ...notificationDefaults, ...notifications };
  values['display'] = { ...displayDefaults, ...display };
  return {
    ...(values as unknown as Pick<SessionState, KeptName>),
    clockAheadSeconds: 0,
    fileChange: 0,
    presences: {},
    memberChanges: {},
    typing: {},
    typists: [],
    starred: PersistentMap.from(read.data.starred.map((id) => [id, true] as const)),
    unreadStore: withUnread(noUnread, entries),
  };
}

const ungrouped = ({
  conversation,
  ids,
  mentions,
}: z.output<typeof UnreadGroup>): UnreadEntry[] => [
  ...ids.map((id) => ({ id, conversation, isMention: false })),
  ...mentions.map((id) => ({ id, conversation, isMention: true })),
];
