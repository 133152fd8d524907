/** What `hearth user` does. */
import { buffer } from 'node:stream/consumers';
import { counted } from '#node/wording.ts';
import { commandName } from '#node/own-command.ts';
import { requestPeople } from '#hosting/commands/command-socket.ts';
import type { PeopleAnswer, PeopleRequest } from '#hosting/commands/people-requests.ts';
import type { UserCommand } from '../command-kinds.ts';
import type { CommandOutput } from '../command-output.ts';
import { readGivenFile } from '../given-file.ts';
import { CsvError, csvLine, placeText } from './csv.ts';
import { type BadLine, type PersonLine, readPeopleFile, roleNames } from './people-file.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

type Person = PeopleAnswer['people'][number];

const fieldsOf = ({ id, email, fullName, role, isActive, isBot, link }: Person) => ({
  id,
  email,
  name: fullName,
  role: roleNames[role],
  is_active: isActive,
  is_bot: isBot,
  ...(link === undefined ? {} : { link }),
});

async function manage(dataDir: string, asked: PeopleRequest): Promise<PeopleAnswer> {
  const answer = await requestPeople(dataDir, asked);
  if (answer !== undefined) return answer;
  const { managePeopleWithoutService } = await import('#hosting/commands/offline-commands.ts');
  return managePeopleWithoutService(dataDir, asked);
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

const bytesIn = (file: string): Promise<Uint8Array> =>
  file === '-' ? buffer(process.stdin) : readGivenFile(file);

const linkNote = `Each link is good once, and for ten days; whoever has it signs in as that person. "${commandName} reset-password EMAIL" makes another one.`;

type FileAction = Extract<UserCommand['action'], { readonly kind: 'add-file' }>;

/** @throws ExplainedError where it is no such file at all */
function peopleIn(file: string, bytes: Uint8Array, { others }: FileAction) {
  try {
    return readPeopleFile(bytes, others);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const told = cliWords('people_file_unusable', { file, reason: error.message });
    throw new ExplainedError(told, { cause: error });
  }
}

const columnOf = { email: 'email', fullName: 'name', streams: 'streams' } as const;

/** Of whom the service will not have, by their place among those who were asked for. */
const badLinesOf = (
  unusable: PeopleAnswer['unusable'],
  written: readonly PersonLine[],
): readonly BadLine[] =>
  unusable.map(({ index, field, reason, sameAs }) => {
    const first = sameAs === undefined ? '' : `, first in line ${String(written[sameAs]?.line)}`;
    return { line: written[index]?.line ?? 0, column: columnOf[field], reason: reason + first };
  });

function badLinesOutput(bad: readonly BadLine[], all: number, isJson: boolean): CommandOutput {
  const lines = bad.toSorted((one, other) => one.line - other.line);
  const message = `Nobody was added: ${counted(bad.length, 'line')} of ${String(all)} cannot be used.`;
  const said = lines.map(({ line, column, reason }) => `${placeText(line, column)}: ${reason}`);
  return isJson
    ? {
        lines: [],
        warnings: [],
        exitCode: 1,
        fields: { result: 'error', message, bad_lines: lines },
      }
    : { lines: [], warnings: [...said, message], fields: {}, exitCode: 1 };
}

async function addFile(
  { dataDir, isJson }: UserCommand,
  action: FileAction,
): Promise<CommandOutput> {
  const { file, skipsKnown } = action;
  const { people: written, bad } = peopleIn(file, await bytesIn(file), action);
  const people = written.map(({ person }) => person);
  // Whoever mends a file sees all that is wrong with it.
  const isOnlyChecked = bad.length > 0;
  const answer = await manage(dataDir, { kind: 'add', skipsKnown, isOnlyChecked, people });
  const { people: added, unusable, known } = answer;
  if (isOnlyChecked || unusable.length > 0) {
    const all = [...bad, ...badLinesOf(unusable, written)];
    return badLinesOutput(all, written.length + bad.length, isJson);
  }
  const rows = added.map(({ email, fullName, link = '' }) => csvLine([email, fullName, link]));
  const skipped = `${counted(known.length, 'line')} left out: these addresses had an account already.`;
  return {
    lines: ['email,name,link', ...rows],
    warnings: [
      ...(known.length > 0 ? [skipped] : []),
      added.length > 0 ? linkNote : cliWords('nobody_added').message,
    ],
    fields: { added: added.map(fieldsOf), already_there: known },
    exitCode: 0,
  };
}

async function addOne(
  dataDir: string,
  person: Extract<UserCommand['action'], { readonly kind: 'add' }>['person'],
): Promise<CommandOutput> {
  const { people, unusable } = await manage(dataDir, {
    kind: 'add',
    skipsKnown: false,
    isOnlyChecked: false,
    people: [person],
  });
  const [added] = people;
  if (added === undefined) {
    throw new ExplainedError(unusable[0]?.reason ?? cliWords('nobody_added'));
  }
  return {
    lines: [
      `added ${added.email} as ${roleNames[added.role]}`,
      `password link: ${added.link ?? ''}`,
      linkNote,
    ],
    warnings: [],
    fields: { added: [fieldsOf(added)], already_there: [] },
    exitCode: 0,
  };
}

/** @throws errors of one sentence */
export async function runUser(command: UserCommand): Promise<CommandOutput> {
  const { dataDir, action } = command;
  if (action.kind === 'add') return addOne(dataDir, action.person);
  if (action.kind === 'add-file') return addFile(command, action);
  const { people } = await manage(dataDir, action);
  const fields = { users: people.map(fieldsOf) };
  return { lines: tableOf(people), warnings: [], fields, exitCode: 0 };
}
