/** A person takes what they wrote, their private conversations and their files along, as a folder that anybody reads. */
import type { ExportResult } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { AnswerOf, ArgumentsOf } from '#shared/api/endpoint.ts';
import type { NarrowTerm } from '#shared/api/narrow.ts';
import type { Message } from '#shared/api/models/message.ts';
import type { Clock, ExportFolder, ExportPort } from '../ports.ts';
import type { Api } from '../transport/api.ts';
import type { ApiOutcome } from '../transport/answers.ts';
import type { Files } from '../uploads/files.ts';
import { conversationsOf } from './conversations.ts';
import { conversationPage, indexPage } from './pages.ts';
import { toldOf } from '#shared/i18n/explained-error.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

export interface ExportParts {
  readonly api: Api;
  readonly clock: Clock;
  readonly files: Pick<Files, 'write'>;
  /** Absent where there are no folders: in a browser. */
  readonly exportFolders: ExportPort | undefined;
  readonly ownUserId: number;
  readonly ownName: () => string;
  readonly realmName: () => string;
  /** The origin of the service. */
  readonly origin: () => string;
}

const PAGE = 1000;
/** A service that is asked too often says how long to wait. */
const MAX_REFUSALS = 20;

type PageArguments = ArgumentsOf<typeof endpoints.messages.page>;
type Page = AnswerOf<typeof endpoints.messages.page>;

async function patiently<T>(
  clock: Clock,
  ask: () => Promise<ApiOutcome<T>>,
): Promise<ApiOutcome<T>> {
  for (let refusals = 0; ; refusals += 1) {
    const outcome = await ask();
    const wait = outcome.ok ? undefined : outcome.failure.retryAfterMs;
    if (wait === undefined || refusals === MAX_REFUSALS) return outcome;
    await clock.wait(wait, new AbortController().signal);
  }
}

/** All of a narrow, the oldest first. */
async function allOf(
  { api, clock }: ExportParts,
  narrow: readonly NarrowTerm[],
): Promise<Outcome<readonly Message[]>> {
  const all: Message[] = [];
  let anchor = 0;
  for (;;) {
    const args: PageArguments = { narrow, anchor, numBefore: 0, numAfter: PAGE, withSource: true };
    const outcome: ApiOutcome<Page> = await patiently(clock, () =>
      api.call(endpoints.messages.page, args),
    );
    if (!outcome.ok) return outcome;
    const { messages, found_newest: isEnd } = outcome.value;
    // The anchor itself comes again.
    all.push(...messages.filter(({ id }) => id !== anchor));
    const last = messages.at(-1);
    if (isEnd || last === undefined) return success(all);
    anchor = last.id;
  }
}

async function messagesOf(parts: ExportParts): Promise<Outcome<readonly Message[]>> {
  const own = await allOf(parts, [
    { operator: 'sender', operand: parts.ownUserId, negated: false },
    { operator: 'is', operand: 'private', negated: true },
  ]);
  if (!own.ok) return own;
  const talks = await allOf(parts, [{ operator: 'is', operand: 'private', negated: false }]);
  return talks.ok ? success([...own.value, ...talks.value]) : talks;
}

interface ExportedFiles {
  /** Where each is in the folder, by its path at the service. */
  readonly places: ReadonlyMap<string, string>;
  readonly named: readonly { readonly name: string; readonly href: string }[];
  readonly missing: readonly string[];
}

/** What any file system can have as a name; the number before it keeps two of one name apart. */
const plainName = (name: string): string =>
  name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}._ -]+/gu, '_')
    .slice(-80);

async function takeFiles(
  { api, clock, files }: ExportParts,
  folder: ExportFolder,
): Promise<Outcome<ExportedFiles>> {
  const listed = await patiently(clock, () => api.call(endpoints.uploads.list, {}));
  if (!listed.ok) return listed;
  const places = new Map<string, string>();
  const named: { name: string; href: string }[] = [];
  const missing: string[] = [];
  for (const { name, path_id: pathId } of listed.value.attachments) {
    const path = `/user_uploads/${pathId}`;
    const href = `files/${String(named.length + 1)}-${plainName(name)}`;
    const target = await folder.create(href);
    const written = await files.write(encodeURI(path), target);
    if (!written.ok) {
      await target.remove();
      if (written.failure.code === 'NOT_STORED') return written;
      missing.push(name);
      continue;
    }
    await target.finish();
    places.set(path, `../${encodeURI(href)}`);
    places.set(encodeURI(path), `../${encodeURI(href)}`);
    named.push({ name, href });
  }
  return success({ places, named, missing });
}

const numbered = (index: number, title: string): string =>
  `conversations/${String(index + 1)}-${plainName(title)}.html`;

async function backfill(parts: ExportParts, folder: ExportFolder): Promise<Outcome<ExportResult>> {
  const found = await messagesOf(parts);
  if (!found.ok) return found;
  const taken = await takeFiles(parts, folder);
  if (!taken.ok) return taken;
  const { places, named, missing } = taken.value;
  const conversations = conversationsOf(found.value, parts.ownUserId);
  for (const [index, conversation] of conversations.entries()) {
    const text = conversationPage(conversation, { origin: parts.origin(), files: places });
    await folder.write(numbered(index, conversation.title), text);
  }
  const listed = conversations.map(({ title, messages }, index) => ({
    title,
    href: numbered(index, title),
    count: messages.length,
  }));
  const madeAt = Math.floor(parts.clock.now() / 1000);
  const [ownName, realmName] = [parts.ownName(), parts.realmName()];
  const about = { realmName, ownName, madeAt };
  await folder.write('messages.json', `${JSON.stringify({ ...about, conversations }, null, 1)}\n`);
  const index = indexPage({ ...about, conversations: listed, files: named, missing });
  await folder.write('index.html', index);
  return success({
    path: await folder.finish(),
    messages: found.value.length,
    files: named.length,
    missingFiles: missing.length,
  });
}

/** Null where the person chooses no folder. What is not whole leaves nothing. */
export async function exportMessages(parts: ExportParts): Promise<Outcome<ExportResult | null>> {
  const { exportFolders, realmName } = parts;
  if (exportFolders === undefined) {
    return failure('NO_FOLDERS', clientWords('export_needs_application'));
  }
  const folder = await exportFolders.choose(plainName(realmName()));
  if (folder === null) return success(null);
  try {
    const filled = await backfill(parts, folder);
    if (!filled.ok) await folder.remove();
    return filled;
  } catch (error) {
    await folder.remove();
    return failure(
      'NOT_STORED',
      clientWords('export_not_stored', { reason: toldOf(error).message }),
    );
  }
}
