/** What people are doing: present, away, typing. */
import { z } from 'zod';
import type { Presence, Status } from '#shared/bridge/models/client-state.ts';
import { conversationKey } from '#shared/bridge/models/conversation.ts';
import type { SessionState, Typist } from './session-state.ts';
import { isEqual } from './collections/sorted.ts';
import { WireReport, type WireStatus } from './wire.ts';

/** A person of whom nothing more is heard types no longer. */
export const TYPING_SECONDS = 15;

interface Report {
  readonly status: 'active' | 'idle';
  readonly timestamp: number;
}

/** The newest of a person's reports; of those of one second the most present. */
export function newestReport(reports: readonly Report[]): Presence | null {
  let newest: Presence | null = null;
  for (const { status, timestamp: atSeconds } of reports)
    newest = newer(newest, { status, atSeconds });
  return newest;
}

function newer(known: Presence | null, report: Presence): Presence {
  if (known === null || report.atSeconds > known.atSeconds) return report;
  const isMorePresent = report.atSeconds === known.atSeconds && report.status === 'active';
  return isMorePresent && known.status !== 'active' ? report : known;
}

type Presences = SessionState['presences'];

/** Of each person what was reported last. */
export function newestPresences(known: Presences, told: Presences): Presences {
  const newest = { ...told };
  for (const [id, presence] of Object.entries(known)) {
    const other = told[Number(id)];
    if (other === undefined || presence.atSeconds > other.atSeconds) newest[Number(id)] = presence;
  }
  return newest;
}

/** The status after a change that names what changed; null where nothing is set. */
export function statusFrom(
  known: Status | undefined,
  { away, status_text: text }: z.output<typeof WireStatus>,
): Status | null {
  const status = { isAway: away ?? known?.isAway ?? false, text: text ?? known?.text ?? '' };
  return status.isAway || status.text !== '' ? status : null;
}

export const PresenceEvent = z.object({
  user_id: z.int(),
  presence: z.record(z.string(), WireReport),
});

export function presenceChanged(
  state: SessionState,
  { user_id: userId, presence }: z.output<typeof PresenceEvent>,
): SessionState {
  const known = state.presences[userId] ?? null;
  const reported = newestReport(Object.values(presence));
  if (reported === null) return state;
  const presenceNow = known === null ? reported : newer(known, reported);
  if (presenceNow === known) return state;
  return { ...state, presences: { ...state.presences, [userId]: presenceNow } };
}

export const StatusEvent = z.object({
  user_id: z.int(),
  away: z.boolean().optional(),
  status_text: z.string().optional(),
});

export function statusChanged(
  state: SessionState,
  { user_id: userId, ...change }: z.output<typeof StatusEvent>,
): SessionState {
  const known = state.statuses[userId];
  const status = statusFrom(known, change);
  if (isEqual(status ?? undefined, known)) return state;
  const { [userId]: _, ...others } = state.statuses;
  return { ...state, statuses: status === null ? others : { ...others, [userId]: status } };
}

const Typing = z.object({ user_id: z.int() });

export const TypingEvent = z.object({
  op: z.enum(['start', 'stop']),
  sender: Typing,
  recipients: z.array(Typing),
});

export function typingChanged(
  state: SessionState,
  { op, sender, recipients }: z.output<typeof TypingEvent>,
  nowSeconds: number,
): SessionState {
  const userId = sender.user_id;
  if (userId === state.ownUserId) return state;
  const others = recipients.map(({ user_id: id }) => id).filter((id) => id !== state.ownUserId);
  const key = conversationKey({ kind: 'private', userIds: others });
  const rest = state.typists.filter((typist) => typist.userId !== userId || typist.key !== key);
  if (op === 'start')
    return withTypists(state, [...rest, { key, userId, sinceSeconds: nowSeconds }]);
  return rest.length === state.typists.length ? state : withTypists(state, rest);
}

/** Whoever has written a message is done with typing it. */
export function typingEnded(state: SessionState, key: string, userId: number): SessionState {
  const rest = state.typists.filter((typist) => typist.userId !== userId || typist.key !== key);
  return rest.length === state.typists.length ? state : withTypists(state, rest);
}

/** Without those of whom nothing was heard for a while; the same state where there are none. */
export function expireTyping(state: SessionState, nowSeconds: number): SessionState {
  const rest = state.typists.filter(
    ({ sinceSeconds }) => nowSeconds < sinceSeconds + TYPING_SECONDS,
  );
  return rest.length === state.typists.length ? state : withTypists(state, rest);
}

/** The way of an answer takes some time, which is no difference of the clocks. */
const CLOCK_TOLERANCE_SECONDS = 2;

/** @param told  the time of the service, in an answer that came at `nowSeconds`; undefined where it does not say */
export function withServiceTime(
  state: SessionState,
  told: number | undefined,
  nowSeconds: number,
): SessionState {
  if (told === undefined) return state;
  const ahead = Math.round(told - nowSeconds);
  const clockAheadSeconds = Math.abs(ahead) <= CLOCK_TOLERANCE_SECONDS ? 0 : ahead;
  const change = Math.abs(clockAheadSeconds - state.clockAheadSeconds);
  const isSame = clockAheadSeconds !== 0 && change <= CLOCK_TOLERANCE_SECONDS;
  return change === 0 || isSame ? state : { ...state, clockAheadSeconds };
}

function withTypists(state: SessionState, typists: readonly Typist[]): SessionState {
  const typing: Record<string, number[]> = {};
  for (const { key, userId } of typists) (typing[key] ??= []).push(userId);
  for (const userIds of Object.values(typing)) userIds.sort((a, b) => a - b);
  return { ...state, typists, typing: isEqual(typing, state.typing) ? state.typing : typing };
}
