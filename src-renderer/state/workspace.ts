import { createContext } from 'svelte';
import type { Account, Conversation, ShownMessage } from '#shared/bridge/models/client.ts';
import type { Preferences as Choices } from '#shared/bridge/models/preferences.ts';
import type { Bridge } from '#preload/bridge.ts';
import { words } from '../i18n/common.ts';
import { textOf } from '../lib/sanitize.ts';
import { Announcer } from './announcer.svelte.ts';
import { UserCards } from './messages/cards.svelte.ts';
import { createComposePort } from './compose/compose-port.ts';
import { Compose } from './compose/compose.svelte.ts';
import { DetailsColumn } from './details.svelte.ts';
import { Drafts } from './compose/drafts.svelte.ts';
import { Folding } from './messages/folding.svelte.ts';
import { Link } from './messages/link.svelte.ts';
import { type ComposePort, MessageActions } from './messages/message-actions.svelte.ts';
import { Minutes } from './current-time.svelte.ts';
import { Navigation } from './places/navigation.svelte.ts';
import { Overlays } from './overlays.svelte.ts';
import { isSamePlace } from './places/places.ts';
import type { Preferences } from './settings/preferences.svelte.ts';
import { Reading } from './messages/reading.ts';
import { OrganizationState } from './organization.svelte.ts';
import { SearchBox } from './search-box.svelte.ts';
import { ServiceFiles } from '../lib/service-files.ts';
import { Saves } from './saves.svelte.ts';
import { Sidebar } from './places/sidebar.svelte.ts';
import type { UserActivity } from './user-activity.ts';
import { StreamActions } from './places/stream-actions.ts';
import { Timeline } from './messages/timeline.svelte.ts';
import { Today } from './today.svelte.ts';
import { Topics } from './places/topics.svelte.ts';
import { Viewer } from './viewer.svelte.ts';

/** What the views of one account share. */
export interface Workspace {
  readonly account: Account;
  readonly bridge: Bridge;
  readonly organization: OrganizationState;
  readonly link: Link;
  readonly navigation: Navigation;
  readonly sidebar: Sidebar;
  readonly timeline: Timeline;
  readonly reading: Reading;
  readonly actions: MessageActions;
  readonly files: ServiceFiles;
  readonly saves: Saves;
  readonly viewer: Viewer;
  readonly cards: UserCards;
  readonly details: DetailsColumn;
  readonly folding: Folding;
  readonly search: SearchBox;
  readonly streams: StreamActions;
  readonly topics: Topics;
  readonly drafts: Drafts;
  readonly compose: Compose;
  readonly overlays: Overlays;
  readonly announcer: Announcer;
  readonly today: Today;
  readonly minutes: Minutes;
  readonly preferences: Preferences;
  /** Settles when nothing that was written is in this page only. */
  readonly flush: () => Promise<void>;
  readonly stop: () => void;
}

interface MovedParts {
  readonly port: Pick<ComposePort, 'focus'>;
}

const ANNOUNCED_CHARACTERS = 200;

const isWriting = (): boolean =>
  document.activeElement?.matches('[data-region="compose"] textarea') === true;

export function openWorkspace(
  bridge: Bridge,
  account: Account,
  preferences: Preferences,
  userActivity: UserActivity,
): Workspace {
  const organization = new OrganizationState(bridge, account.id);
  const link = new Link(bridge, account.id);
  const navigation = new Navigation(organization);
  const topics = new Topics(bridge, account.id);
  const drafts = new Drafts(bridge, account.id, organization);
  const [announcer, overlays, minutes] = [
    new Announcer(),
    new Overlays(),
    new Minutes(organization),
  ];
  const timeline = new Timeline(bridge, account.id, {
    isWatched: (each) => userActivity.sawSince(each.sentAtSeconds - organization.serviceSeconds(0)),
    onArrival: (message) => announce(message, announcer, preferences.choices.announce),
    onElsewhere: (...found) => followMessage({ navigation, port }, ...found),
    onMoved: (from, to, readId) => followMove({ compose, navigation, port }, from, to, readId),
  });
  const reading = new Reading({
    mark: (passage) => void bridge.markRead(account.id, { kind: 'passage', ...passage }),
    choice: () => preferences.choices.markRead,
    userActivity,
  });
  const files = new ServiceFiles(bridge, account);
  const saves = new Saves(bridge, account);
  const compose = new Compose({ bridge, accountId: account.id, drafts, organization, preferences });
  const port = createComposePort(compose, navigation);
  const actions = new MessageActions({
    bridge,
    account,
    organization,
    timeline,
    navigation,
    overlays,
    announcer,
    reading,
    compose: port,
  });
  const shown = [organization, link, topics, timeline, reading, files, saves, announcer, minutes];
  return {
    account,
    bridge,
    organization,
    link,
    navigation,
    sidebar: new Sidebar(organization, navigation, topics),
    timeline,
    reading,
    actions,
    files,
    saves,
    viewer: new Viewer(),
    cards: new UserCards(),
    details: new DetailsColumn(),
    folding: new Folding(),
    search: new SearchBox(),
    streams: new StreamActions({ bridge, account, organization, overlays }),
    topics,
    drafts,
    compose,
    overlays,
    announcer,
    today: new Today(minutes),
    minutes,
    preferences,
    flush: () => handOver(drafts, compose, reading),
    stop: () => [...shown, compose, drafts].forEach((part) => part.stop()),
  };
}

/** Whoever goes back comes to what they read before, not to the place in which the message no longer is. */
function followMessage(
  { navigation, port }: Pick<Workspace, 'navigation'> & MovedParts,
  to: Conversation,
  messageId: number,
  isReading: boolean,
): void {
  const wasWriting = isWriting();
  if (isReading) navigation.go(to, messageId);
  else navigation.replace(to, messageId);
  if (wasWriting) port.focus();
}

/** Who reads a topic goes along when it gets another name, and takes what they were writing there. */
function followMove(
  { compose, navigation, port }: Pick<Workspace, 'compose' | 'navigation'> & MovedParts,
  from: Conversation,
  to: Conversation,
  readId: number | null,
): void {
  if (!isSamePlace(navigation.place, from)) return;
  const wasWriting = isWriting();
  if (!compose.goesElsewhere(from)) compose.move(from, to);
  navigation.replace(to, readId);
  if (wasWriting) port.focus();
}

async function handOver(drafts: Drafts, { uploads }: Compose, reading: Reading): Promise<void> {
  reading.flush();
  await Promise.all([drafts.flush(), uploads.leave()]);
}

function announce(
  { isMentioned, senderName, rendered }: ShownMessage,
  announcer: Announcer,
  choice: Choices['announce'],
): void {
  if (choice === 'off' || (choice === 'mentions' && !isMentioned)) return;
  const text = textOf(rendered).slice(0, ANNOUNCED_CHARACTERS);
  announcer.announce(words.timeline.arrived(senderName, text));
}

export const [workspaceOf, provideWorkspace] = createContext<Workspace>();
