import { createContext } from 'svelte';
import type { Account, ShownMessage } from '../../src-main/contract/models/client.ts';
import type { Bridge } from '../../src-preload/bridge.ts';
import { words } from '../text/words.ts';
import { textOf } from '../ui/sanitize.ts';
import { Announcer } from './announcer.svelte.ts';
import { Compose } from './compose.svelte.ts';
import { Drafts } from './drafts.svelte.ts';
import { Link } from './link.svelte.ts';
import { Navigation } from './navigation.svelte.ts';
import { Overlays } from './overlays.svelte.ts';
import { Preferences } from './preferences.svelte.ts';
import { Realm } from './realm.svelte.ts';
import { Sidebar } from './sidebar.svelte.ts';
import { Timeline } from './timeline.svelte.ts';
import { Today } from './today.svelte.ts';
import { Topics } from './topics.svelte.ts';

/** What the views of one account share. */
export interface Workspace {
  readonly account: Account;
  readonly bridge: Bridge;
  readonly realm: Realm;
  readonly link: Link;
  readonly navigation: Navigation;
  readonly sidebar: Sidebar;
  readonly timeline: Timeline;
  readonly topics: Topics;
  readonly drafts: Drafts;
  readonly compose: Compose;
  readonly overlays: Overlays;
  readonly announcer: Announcer;
  readonly today: Today;
  readonly preferences: Preferences;
  readonly stop: () => void;
}

const ANNOUNCED_CHARACTERS = 200;

export function openWorkspace(bridge: Bridge, account: Account): Workspace {
  const realm = new Realm(bridge, account.id);
  const link = new Link(bridge, account.id);
  const navigation = new Navigation(realm);
  const topics = new Topics(bridge, account.id);
  const drafts = new Drafts();
  const announcer = new Announcer();
  const today = new Today();
  const timeline = new Timeline(bridge, account.id, (message: ShownMessage) => {
    const text = textOf(message.rendered).slice(0, ANNOUNCED_CHARACTERS);
    announcer.announce(words.timeline.arrived(message.senderName, text));
  });
  const stopOpening = bridge.on('conversationOpened', (event) => {
    if (event.accountId === account.id) navigation.go(event.conversation);
  });
  return {
    account,
    bridge,
    realm,
    link,
    navigation,
    sidebar: new Sidebar(realm, navigation, topics),
    timeline,
    topics,
    drafts,
    compose: new Compose(bridge, account.id, drafts),
    overlays: new Overlays(),
    announcer,
    today,
    preferences: new Preferences(),
    stop: () => {
      stopOpening();
      for (const part of [realm, link, topics, timeline, announcer, today]) part.stop();
    },
  };
}

export const [workspaceOf, provideWorkspace] = createContext<Workspace>();
