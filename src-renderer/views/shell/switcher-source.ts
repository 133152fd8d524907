import type { StreamTopic } from '#shared/bridge/models/client.ts';
import { isDoNotDisturb } from '#shared/bridge/models/preference-defaults.ts';
import { hintOf, type ShortcutId } from '#renderer/lib/keys.ts';
import type { Application } from '#renderer/state/application.svelte.ts';
import { isPage, type Place } from '#renderer/state/places/places.ts';
import type { SwitcherSource } from '#renderer/state/places/switcher.ts';
import { mentionCount } from '#renderer/state/places/unread.ts';
import type { Workspace } from '#renderer/state/workspace.ts';
import { placeWords } from '#renderer/i18n/places.ts';
import { words } from '#renderer/i18n/common.ts';
import { listedPlaces } from '../pages/pages.ts';
import type { Commands } from './commands.ts';

const views = [...listedPlaces.map(({ kind }) => kind), 'streams'] as const;

/** Topics that have something unread, those that were loaded, and those of this computer that were found. */
function knownTopics(
  { organization, topics }: Workspace,
  kept: readonly StreamTopic[],
): SwitcherSource['topics'] {
  const unread = Object.values(organization.unread).flatMap(({ conversation }) =>
    conversation.kind === 'stream' && organization.findStream(conversation.streamId) !== undefined
      ? [{ streamId: conversation.streamId, topic: conversation.topic }]
      : [],
  );
  const open = kept.filter(({ streamId }) => organization.findAnyStream(streamId) !== undefined);
  return [...unread, ...topics.all, ...open];
}

export function placeItems(workspace: Workspace, kept: readonly StreamTopic[]): SwitcherSource {
  const { organization, sidebar } = workspace;
  const unreadOf = (place: Place): number => {
    if (place.kind === 'mentions') return mentionCount(organization.unread);
    if (isPage(place)) return 0;
    const { wanted, other } = sidebar.markOf(place);
    return wanted + other;
  };
  return {
    streams: [...sidebar.allStreams],
    topics: knownTopics(workspace, kept),
    people: organization.others,
    privates: sidebar.allPrivates,
    views: views.map((kind) => ({ place: { kind }, name: words.views[kind] })),
    commands: [],
    visited: workspace.navigation.visited,
    namesOf: (userIds) => organization.namesOf(userIds),
    streamNameOf: (streamId) => organization.streamNameOf(streamId),
    unreadOf,
  };
}

/** What can be done from the switcher. @param close  runs a command after the switcher is gone */
export function switcherCommands(
  workspace: Workspace,
  application: Application,
  commands: Commands,
  close: (run: () => void) => () => void,
): SwitcherSource['commands'] {
  const { organization, overlays, preferences, account } = workspace;
  const text = placeWords.commands;
  const command = (id: ShortcutId, name: string) => ({
    key: `command:${id}`,
    name,
    detail: hintOf(preferences.keyboard, id),
    run: close(() => commands[id]()),
  });
  const own = (key: string, name: string, run: () => void) => ({
    key: `command:${key}`,
    name,
    detail: '',
    run: close(run),
  });
  const isQuiet = isDoNotDisturb(preferences.choices, Date.now() / 1000);
  const canCreate = organization.state.organization.canCreateStreams;
  return [
    command('settings', text.settings),
    command('doNotDisturb', isQuiet ? text.doNotDisturbOff : text.doNotDisturbOn),
    command('markAllRead', text.markAllRead),
    ...(canCreate ? [own('new-stream', text.newStream, () => overlays.open('new-stream'))] : []),
    command('newPrivate', text.newPrivate),
    command('search', text.search),
    command('shortcuts', text.shortcuts),
    command('leftColumn', text.leftColumn),
    command('rightColumn', text.rightColumn),
    ...(organization.own?.isAdmin === true
      ? [own('add-person', text.addPerson, () => overlays.open('add-person'))]
      : []),
    ...application.accounts
      .filter(({ id }) => id !== account.id)
      .map(({ id, realmName }) =>
        own(`organization:${id}`, text.organization(realmName), () => application.choose(id)),
      ),
    own('add-organization', text.addOrganization, () => application.startAdding()),
  ];
}
