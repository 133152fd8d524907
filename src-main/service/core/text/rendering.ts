/** Rendering: what a text names is loaded first, because the renderer itself waits for nothing. */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '../ports/handlers.ts';
import {
  enginesFor,
  type MentionDirectory,
  mentionCandidates,
  type Rendered,
  renderMessage,
  renderPlain,
  type RenderingContext,
} from '#service/markdown/render.ts';
import type { AccountRow, Store, StreamRow, UserGroup } from '#service/db/port.ts';
import { markupOf } from './markup.ts';
import { fold } from '#shared/text/fold.ts';
import { findVisibleStream } from '../stream-access.ts';

export interface RenderingOperations {
  /**
   * The content of a message as the given author's HTML, with what has to be known about it.
   * @throws BAD_REQUEST when it cannot be rendered
   */
  readonly render: (author: Caller, content: string) => Promise<Rendered>;
}

async function loadDirectory(
  store: Store,
  caller: Caller,
  content: string,
): Promise<MentionDirectory> {
  const candidates = mentionCandidates(content);
  const byName = new Map<string, readonly AccountRow[]>();
  for (const name of candidates.names) {
    byName.set(fold(name), await store.listActiveUsersByName(fold(name)));
  }
  const byId = new Map<number, AccountRow>();
  for (const id of candidates.userIds) {
    const user = await store.findUser(id);
    if (user?.is_active === 1) byId.set(id, user);
  }
  const streams = new Map<string, StreamRow>();
  for (const name of candidates.streamNames) {
    const found = await store.read((tx) => findVisibleStream(tx, caller, name));
    if (found !== undefined) streams.set(fold(name), found.stream);
  }
  const groups = new Map<string, UserGroup>();
  for (const name of candidates.groupNames) {
    const group = await store.findUserGroupByName(fold(name));
    if (group !== undefined) groups.set(fold(name), group);
  }
  const shape = (user: AccountRow): { userId: number; fullName: string } => ({
    userId: user.id,
    fullName: user.full_name,
  });
  return {
    findUsersByName: (name) => (byName.get(fold(name)) ?? []).map(shape),
    findUser(id) {
      const user = byId.get(id);
      return user === undefined ? undefined : shape(user);
    },
    findStreamByName(name) {
      const stream = streams.get(fold(name));
      return stream === undefined ? undefined : { streamId: stream.id, name: stream.name };
    },
    findGroup(name) {
      const group = groups.get(fold(name));
      return group && { groupId: group.id, name: group.name, memberIds: group.members };
    },
  };
}

function render(content: string, context: RenderingContext): Rendered {
  try {
    return renderMessage(content, context);
  } catch (cause) {
    const error = refusal('message_not_renderable');
    error.cause = cause;
    throw error;
  }
}

/** @param ownOrigins  addresses of the service, as they are now */
export function renderingOperations(
  store: Store,
  ownOrigins: () => readonly string[],
): RenderingOperations {
  const currentMarkup = markupOf(store);
  return {
    async render(author, content) {
      const markup = await currentMarkup();
      const plain = renderPlain(content, markup);
      if (plain !== undefined) return plain;
      return render(content, {
        markup,
        ownOrigins,
        directory: await loadDirectory(store, author, content),
        engines: await enginesFor(content, markup.defaultCodeLanguage),
      });
    },
  };
}
