/**
 * Rings for the messages of one account: asks the rules, shows one notification for each conversation and each message
 * once, takes it back when it is settled, and writes down why.
 */
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import type { View } from '#shared/bridge/models/conversation.ts';
import { conversationKey, isInView } from '#shared/bridge/models/conversation.ts';
import type { NotificationLogEntry, SoundName } from '#shared/bridge/models/notifications.ts';
import { soundFor } from '#shared/bridge/models/notifications.ts';
import type { NotificationLog } from './notification-log.ts';
import { noticeOf } from './notification-text.ts';
import type { StreamFacts, ChannelDecision } from './notification-rules.ts';
import { decideNotification } from './notification-rules.ts';
import type { Attention, Clock } from '../ports.ts';

/** A message as it came, with the flags of the account (`mentioned`, `wildcard_mentioned`, …). */
export interface ArrivedMessage {
  readonly message: ShownMessage;
  readonly flags: readonly string[];
}

/** What is known of the account when messages arrive. */
export interface ArrivalContext {
  readonly state: Pick<
    ClientState,
    'organization' | 'notifications' | 'streams' | 'mutedTopics' | 'people' | 'clockAheadSeconds'
  >;
  /**
   * They were fetched, or they are the first events after a break. What is old among them came while the application
   * was away; what came in a short break rings as ever.
   */
  readonly isCatchUp: boolean;
}

export interface NotifierParts {
  readonly accountId: string;
  readonly attention: Attention;
  readonly clock: Pick<Clock, 'now'>;
  /** One for all accounts. */
  readonly notificationLog: NotificationLog;
  /** UNIX seconds; 0 for off, null until it is turned off. */
  readonly doNotDisturbUntilSeconds: () => number | null;
  /** The sound that was chosen on this computer; null follows the account's setting. */
  readonly ownSound: () => SoundName | null;
}

/** Enough for any overlap of an event queue with catching up. */
const REMEMBERED_IDS = 20_000;
/** Sounds that begin closer together are one noise. */
const SOUND_PAUSE_MS = 1000;
/** Older than this, a message of a stream is no news. */
const ABSENCE_SECONDS = 600;

export class Notifier {
  readonly #parts: NotifierParts;
  readonly #decided = new Set<number>();
  /** Arrived and not decided yet; what is read or deleted meanwhile leaves it. */
  readonly #pending = new Set<number>();
  /** The messages of each notification that is up, by its tag. */
  readonly #up = new Map<string, readonly ShownMessage[]>();
  /** Up to this one an earlier run decided. Null until the notification log is read. */
  #floor: number | null = null;
  #view: View | null = null;
  #context: ArrivalContext | null = null;
  #soundedAtMs = Number.NEGATIVE_INFINITY;
  #isSignedOut = false;
  /** Arrivals are decided one batch after the other. */
  #work: Promise<void> = Promise.resolve();
  #letGo: (() => void) | null = null;

  constructor(parts: NotifierParts) {
    this.#parts = parts;
  }

  /** Messages that arrived, ascending. Those that were given before, in this run or an earlier one, are left out. */
  arrived(arrivals: readonly ArrivedMessage[], context: ArrivalContext): void {
    const fresh = arrivals.filter(({ message }) => !this.#decided.has(message.id));
    if (fresh.length === 0) return;
    for (const { message } of fresh) this.#remember(message.id);
    this.#then(() => this.#decide(fresh, context));
  }

  /** The service's newest message when a queue was registered: the ids above it stand for nothing yet. */
  registered(newestMessageId: number): void {
    for (const id of this.#decided) if (id > newestMessageId) this.#decided.delete(id);
    this.#then(async () => {
      const { notificationLog, accountId } = this.#parts;
      if (this.#floorOf() > newestMessageId) this.#floor = newestMessageId;
      if (notificationLog.lastDecided(accountId) <= newestMessageId) return;
      notificationLog.setLastDecided(accountId, newestMessageId);
      notificationLog.saveSoon();
    });
  }

  /** While it is held nothing is decided: what comes next may say that a message was read already, or is gone. */
  hold(isHeld: boolean): void {
    this.#letGo?.();
    this.#letGo = null;
    if (!isHeld) return;
    const held = new Promise<void>((resolve) => {
      this.#letGo = resolve;
    });
    this.#work = this.#work.then(() => held);
  }

  /** They were read here or elsewhere; `all` stands for every message. */
  read(ids: readonly number[] | 'all'): void {
    const settled = ids === 'all' ? null : new Set(ids);
    this.#settle(({ id }) => settled?.has(id) !== false);
    if (settled === null) this.#pending.clear();
    else for (const id of settled) this.#pending.delete(id);
  }

  /** They were deleted, or may no longer be read: their text does not stay on the screen. */
  removed(ids: readonly number[]): void {
    const gone = new Set(ids);
    for (const id of gone) this.#pending.delete(id);
    const touched = this.#settle(({ id }) => gone.has(id));
    for (const tag of touched) this.#show(tag);
  }

  /** What the window shows of this account; null for none. */
  shown(view: View | null): void {
    this.#view = view;
    this.userIsActive();
  }

  /** The window got the focus, or somebody came back to it. */
  userIsActive(): void {
    this.#settle((message) => this.#isLookedAt(message));
  }

  /** The account leaves this computer, and with it what is known of its messages. */
  async signedOut(): Promise<void> {
    this.#isSignedOut = true;
    await this.stop();
    this.#parts.notificationLog.forget(this.#parts.accountId);
    await this.#parts.notificationLog.save();
  }

  /** The session ends; another one may follow, or a restart. */
  async stop(): Promise<void> {
    this.hold(false);
    this.#pending.clear();
    this.#settle(() => true);
    await this.#work;
  }

  #then(step: () => Promise<void>): void {
    this.#work = this.#work.then(() => this.#parts.notificationLog.ready).then(step);
  }

  #remember(id: number): void {
    this.#pending.add(id);
    this.#decided.add(id);
    const [oldest] = this.#decided;
    if (this.#decided.size > REMEMBERED_IDS && oldest !== undefined) this.#decided.delete(oldest);
  }

  #floorOf(): number {
    return (this.#floor ??= this.#parts.notificationLog.lastDecided(this.#parts.accountId));
  }

  async #decide(arrivals: readonly ArrivedMessage[], context: ArrivalContext): Promise<void> {
    if (this.#isSignedOut) return;
    this.#context = context;
    const floor = this.#floorOf();
    const fresh = arrivals.filter(
      ({ message }) => message.id > floor || !this.#pending.delete(message.id),
    );
    const decided = this.#decisions(fresh, context);
    const newestId = Math.max(floor, ...fresh.slice(-1).map(({ message }) => message.id));
    const { notificationLog, accountId } = this.#parts;
    notificationLog.setLastDecided(
      accountId,
      Math.max(newestId, notificationLog.lastDecided(accountId)),
    );
    // Known on disk before it is heard: a crash in between leaves an unread mark, not a second ring after the restart.
    const isHeard = decided.some(({ desktop, sound }) => desktop.isOn || sound.isOn);
    if (isHeard) await notificationLog.save();
    notificationLog.add(this.#ring(decided, context));
    if (isHeard) await notificationLog.save();
    else notificationLog.saveSoon();
  }

  #decisions(
    arrivals: readonly ArrivedMessage[],
    context: ArrivalContext,
  ): readonly DecidedMessage[] {
    const { state, isCatchUp } = context;
    const streams = new Map(state.streams.map((stream) => [stream.streamId, stream]));
    const nowSeconds = this.#nowSeconds();
    return arrivals.map(({ message, flags }) => {
      const { conversation } = message;
      const stream =
        conversation.kind === 'stream' ? (streams.get(conversation.streamId) ?? null) : null;
      const { desktop, sound } = decideNotification({
        message: {
          conversation,
          isOwn: message.isOwn,
          isRead: message.isRead || flags.includes('read'),
          isMentioned: flags.includes('mentioned'),
          isWildcardMentioned: flags.includes('wildcard_mentioned'),
          hasAlertWord: flags.includes('has_alert_word'),
        },
        settings: state.notifications,
        stream: stream satisfies StreamFacts | null,
        mutedTopics: state.mutedTopics,
        isLookedAt: this.#isWatched(message, context),
        doNotDisturbUntilSeconds: this.#parts.doNotDisturbUntilSeconds(),
        nowSeconds,
        isCatchUp: isCatchUp && nowSeconds - message.sentAtSeconds > ABSENCE_SECONDS,
      });
      return { message, desktop, sound, streamName: stream?.name ?? null };
    });
  }

  /** What happened, for the notification log. */
  #ring(
    decided: readonly DecidedMessage[],
    context: ArrivalContext,
  ): readonly NotificationLogEntry[] {
    const tags = new Set<string>();
    const atSeconds = this.#nowSeconds();
    const entries = decided.map((each): NotificationLogEntry => {
      const { message, streamName } = each;
      const { id: messageId, conversation, senderName } = message;
      const { desktop, sound } = this.#atLast(each, context);
      if (sound.isOn) this.#playSound();
      if (desktop.isOn) {
        const tag = conversationKey(conversation);
        tags.add(tag);
        this.#up.set(tag, [...(this.#up.get(tag) ?? []), message]);
      }
      return {
        atSeconds,
        accountId: this.#parts.accountId,
        messageId,
        conversation,
        streamName,
        senderName,
        rang: desktop.isOn,
        sounded: sound.isOn,
        desktopReason: desktop.deciding,
        soundReason: sound.deciding,
      };
    });
    for (const tag of tags) this.#show(tag);
    return entries;
  }

  /** The verdicts once what happened since is considered. */
  #atLast({ message, desktop, sound }: DecidedMessage, context: ArrivalContext): ChannelDecisions {
    const isSettled = !this.#pending.delete(message.id) || this.#isWatched(message, context);
    if (isSettled)
      return { desktop: unless(desktop, 'settled-before'), sound: unless(sound, 'settled-before') };
    const isClose = this.#parts.clock.now() - this.#soundedAtMs < SOUND_PAUSE_MS;
    return {
      desktop: this.#parts.attention.canNotify() ? desktop : unless(desktop, 'not-permitted'),
      sound: isClose ? unless(sound, 'just-sounded') : sound,
    };
  }

  #show(tag: string): void {
    const [first, ...more] = this.#up.get(tag) ?? [];
    const context = this.#context;
    if (first === undefined || context === null) return;
    const { conversation } = first;
    const { people, streams, notifications: settings, organization } = context.state;
    const stream =
      conversation.kind === 'stream'
        ? streams.find(({ streamId }) => streamId === conversation.streamId)
        : undefined;
    const notice = noticeOf({
      accountId: this.#parts.accountId,
      messages: [first, ...more],
      settings,
      organizationName: organization.settings.name,
      streamName: stream?.name ?? null,
      nameOf: (userId) => people.find((person) => person.userId === userId)?.fullName,
    });
    this.#parts.attention.notify(notice);
  }

  #playSound(): void {
    const { attention, clock, ownSound } = this.#parts;
    this.#soundedAtMs = clock.now();
    const setting = this.#context?.state.notifications.notification_sound ?? '';
    attention.playSound(soundFor(setting, ownSound()));
  }

  /** Takes messages out of the notifications; one without messages is withdrawn. The tags of those that are left. */
  #settle(isSettled: (message: ShownMessage) => boolean): readonly string[] {
    const touched: string[] = [];
    for (const [tag, messages] of [...this.#up]) {
      const left = messages.filter((message) => !isSettled(message));
      if (left.length === messages.length) continue;
      if (left.length > 0) {
        this.#up.set(tag, left);
        touched.push(tag);
        continue;
      }
      this.#up.delete(tag);
      this.#parts.attention.withdraw(this.#parts.accountId, tag);
    }
    return touched;
  }

  #isLookedAt(message: ShownMessage): boolean {
    const view = this.#view;
    const { isWindowFocused, activeSinceMs } = this.#parts.attention;
    return (
      view !== null && isWindowFocused() && activeSinceMs() !== null && isInView(message, view)
    );
  }

  /** What was sent while nobody was there is news to whoever looks there now. */
  #isWatched(message: ShownMessage, { state }: ArrivalContext): boolean {
    const hereSinceMs = this.#parts.attention.activeSinceMs() ?? 0;
    const sentAtSeconds = message.sentAtSeconds - state.clockAheadSeconds;
    return sentAtSeconds >= Math.floor(hereSinceMs / 1000) && this.#isLookedAt(message);
  }

  #nowSeconds(): number {
    return Math.floor(this.#parts.clock.now() / 1000);
  }
}

interface ChannelDecisions {
  readonly desktop: ChannelDecision;
  readonly sound: ChannelDecision;
}

interface DecidedMessage extends ChannelDecisions {
  readonly message: ShownMessage;
  readonly streamName: string | null;
}

/** What was on is off for this reason; what was off keeps its own. */
const unless = (
  verdict: ChannelDecision,
  deciding: ChannelDecision['deciding'],
): ChannelDecision => (verdict.isOn ? { isOn: false, deciding } : verdict);
