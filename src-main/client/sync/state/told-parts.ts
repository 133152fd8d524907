/** Parts of the state that the snapshot tells whole, each under one key: what is fetched, read, kept and replaced follows. */
import { z } from 'zod';
import type { Status } from '#shared/bridge/models/client-state.ts';
import { type Changes, onEvent } from './event.ts';
import { byId, isEqual } from './collections/sorted.ts';
import { statusFrom } from './presence.ts';
import type { SessionState } from './session-state.ts';
import {
  listOf,
  listOrNone,
  WireBot,
  WireEmojiList,
  WireProfileFields,
  WireStatus,
  WireStream,
  WireUserGroup,
} from './wire.ts';

interface Part<T> {
  /** The events that tell of it, by which the snapshot is asked for it. */
  readonly type: string;
  /** In the snapshot. */
  readonly key: string;
  readonly form: z.ZodType<T>;
}

type Parts = { readonly [K in keyof SessionState]?: Part<SessionState[K]> };

const statusesFrom = (
  changes: Readonly<Record<string, z.output<typeof WireStatus>>>,
): Readonly<Record<number, Status>> =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([id, change]) => {
      const status = statusFrom(undefined, change);
      return status === null ? [] : [[id, status] as const];
    }),
  );

const parts = {
  statuses: {
    type: 'user_status',
    key: 'user_status',
    form: z.record(z.string(), WireStatus).catch({}).transform(statusesFrom),
  },
  defaultStreamIds: {
    type: 'default_streams',
    key: 'realm_default_streams',
    form: listOrNone(WireStream).transform((list) => list.map(({ streamId }) => streamId)),
  },
  alertWords: { type: 'alert_words', key: 'alert_words', form: listOrNone(z.string()) },
  customEmoji: { type: 'realm_emoji', key: 'realm_emoji', form: WireEmojiList.catch([]) },
  userGroups: {
    type: 'realm_user_groups',
    key: 'realm_user_groups',
    form: listOrNone(WireUserGroup).transform((list) => byId(list, 'id')),
  },
  profileFields: {
    type: 'custom_profile_fields',
    key: 'custom_profile_fields',
    form: WireProfileFields.catch([]),
  },
  bots: {
    type: 'realm_bot',
    key: 'realm_bots',
    form: listOrNone(WireBot).transform((list) => byId(list, 'userId')),
  },
} satisfies Parts;

export type PartName = keyof typeof parts;
export const partNames = Object.keys(parts) as readonly PartName[];
export const partTypes: readonly string[] = Object.values(parts).map(({ type }) => type);

/** As keys of the snapshot. */
export const partForms = Object.fromEntries(
  Object.values(parts).map(({ key, form }) => [key, form]),
);

/** @param snapshot  read by `partForms` */
export const partsFrom = (
  snapshot: Readonly<Record<string, unknown>>,
): Pick<SessionState, PartName> =>
  Object.fromEntries(partNames.map((name) => [name, snapshot[parts[name].key]])) as unknown as Pick<
    SessionState,
    PartName
  >;

const withPart = <K extends PartName>(
  state: SessionState,
  name: K,
  value: SessionState[K],
): SessionState => (isEqual(value, state[name]) ? state : { ...state, [name]: value });

/** Events that tell the part whole. */
export const partChanges: Changes = {
  alert_words: onEvent(z.object({ alert_words: listOf(z.string()) }), (state, { alert_words }) =>
    withPart(state, 'alertWords', alert_words),
  ),
  custom_profile_fields: onEvent(z.object({ fields: WireProfileFields }), (state, { fields }) =>
    withPart(state, 'profileFields', fields),
  ),
  realm_emoji: onEvent(z.object({ realm_emoji: WireEmojiList }), (state, { realm_emoji }) =>
    withPart(state, 'customEmoji', realm_emoji),
  ),
};
