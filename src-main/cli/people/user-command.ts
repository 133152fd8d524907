/** What `hearth user` does. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { codeOf } from '#node/error-code.ts';
import { counted } from '#node/wording.ts';
import { commandName } from '#node/own-command.ts';
import { requestPeople } from '#hosting/commands/command-socket.ts';
import { managePeopleWithoutService } from '#hosting/commands/offline-commands.ts';
import type { PeopleAnswer, PeopleRequest } from '#hosting/commands/people-requests.ts';
import { compose } from '#hosting/compose-service.ts';
import type { UserCommand } from '../command-kinds.ts';
import { CsvError, csvLine } from './csv.ts';
import { type BadLine, type PersonLine, readPeopleFile, roleNames } from './people-file.ts';

export interface UserOutput {
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Nothing was done, for several reasons. */
export class BadLinesError extends Error {
  readonly bad: readonly BadLine[];

  constructor(bad: readonly BadLine[], all: number) {
    const lines = bad.length === 1 ? '1 line' : `${String(bad.length)} lines`;
    super(
      `Nobody was added: ${lines} of ${counted(all, 'person').replace('persons', 'people')} cannot be used.`,
    );
    this.bad = bad;
  }
}

type Person = PeopleAnswer['people'][number];

const fieldsOf = ({ id, email, fullName, role, isActive, isBot, link }: Person) => ({
  ...{ id, email, name: fullName, role: roleNames[role], is_active: isActive, is_bot: isBot },
  ...(link === undefined ? {} : { link }),
});

async function manage(dataDir: string, asked: PeopleRequest): Promise<PeopleAnswer> {
  const answer = await requestPeople(dataDir, asked);
  return answer ?? managePeopleWithoutService(dataDir, asked, compose);
}

const stateOf = ({ isBot, isActive }: Person): string =>
  [isBot ? 'bot' : '', isActive ? '' : 'deactivated'].filter((word) => word !== '').join(', ');

/** In columns as wide as the longest. */
function tableOf(people: readonly Person[]): readonly string[] {
  const rows = people.map((each) => [
    each.email,
    each.fullName,
    roleNames[each.role],
    stateOf(each),
  ]);
  const widths = [0, 1, 2].map((at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

async function bytesIn(file: string): Promise<Uint8Array> {
  if (file === '-') return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw new Error(`The file ${file} cannot be read (${codeOf(error)}).`, { cause: error });
  }
}

const linkNote = `Each link is good once, and for ten days; whoever has it signs in as that person. "${commandName} reset-password EMAIL" makes another one.`;

type FileAction = Extract<UserCommand['action'], { readonly kind: 'add-file' }>;

function peopleOf(file: string, bytes: Uint8Array, { others }: FileAction): readonly PersonLine[] {
  try {
    const { people, bad } = readPeopleFile(bytes, others);
    if (bad.length > 0) throw new BadLinesError(bad, people.length + bad.length);
    return people;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Error(`The file ${file} cannot be used: ${error.message}.`, { cause: error });
  }
}

async function addFile(dataDir: string, action: FileAction): Promise<UserOutput> {
  const { file, skipsKnown } = action;
  const written = peopleOf(file, await bytesIn(file), action);
  const people = written.map(({ person }) => person);
  const {
    people: added,
    unusable,
    known,
  } = await manage(dataDir, { kind: 'add', skipsKnown, people });
  if (unusable.length > 0) {
    const bad = unusable.map(({ index, reason }) => ({ line: written[index]?.line ?? 0, reason }));
    throw new BadLinesError(bad, people.length);
  }
  const rows = added.map(({ email, fullName, link = '' }) => csvLine([email, fullName, link]));
  const skipped = `${counted(known.length, 'address').replace('addresss', 'addresses')} had an account already.`;
  return {
    lines: ['email,name,link', ...rows],
    warnings: [...(known.length > 0 ? [skipped] : []), ...(added.length > 0 ? [linkNote] : [])],
    fields: { added: added.map(fieldsOf), already_there: known },
  };
}

async function addOne(
  dataDir: string,
  person: Extract<UserCommand['action'], { readonly kind: 'add' }>['person'],
): Promise<UserOutput> {
  const { people, unusable } = await manage(dataDir, {
    ...{ kind: 'add', skipsKnown: false, people: [person] },
  });
  const [added] = people;
  if (added === undefined) throw new Error(unusable[0]?.reason ?? 'Nobody was added.');
  return {
    lines: [
      `added ${added.email} as ${roleNames[added.role]}`,
      `password link: ${added.link ?? ''}`,
      linkNote,
    ],
    warnings: [],
    fields: { added: [fieldsOf(added)], already_there: [] },
  };
}

/** @throws BadLinesError, errors of one sentence */
export async function runUser({ dataDir, action }: UserCommand): Promise<UserOutput> {
  if (action.kind === 'add') return addOne(dataDir, action.person);
  if (action.kind === 'add-file') return addFile(dataDir, action);
  const { people } = await manage(dataDir, action);
  return { lines: tableOf(people), warnings: [], fields: { users: people.map(fieldsOf) } };
}
