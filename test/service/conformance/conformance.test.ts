/**
 * Every row of the specification's tables has a test, and what the code offers has a row: arguments, fields and
 * events alike. A row is proved by whoever reads the test; that the test is still there is proved here.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { api } from '#shared/api/endpoints/index.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { errorStatuses } from '#shared/api/errors.ts';
import { Event } from '#shared/api/events.ts';
import { auditTypes } from '#shared/api/models/audit.ts';
import { Message, MessageSnapshot } from '#shared/api/models/message.ts';
import { notificationSettings } from '#shared/api/models/settings.ts';
import { settingAnswer } from '#shared/api/setting-codecs.ts';
import { Stream, Subscription } from '#shared/api/models/stream.ts';
import { Member, Profile } from '#shared/api/models/user.ts';
import { wireName } from '#shared/api/wire.ts';
import { projectDir } from '#test/support/machine.ts';
import { idsIn } from './claims.ts';
import { conformanceDocument } from './document.ts';
import { cellsIn, tableNamed } from './documents.ts';
import { carriers, carriersIn, problemOf } from './proofs.ts';
import { rows } from './rows/index.ts';
import { repeatedKeysIn, titlesIn } from './titles.ts';

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();
const namesIn = (table: string): string[] =>
  rows.filter((row) => row.table === table).map((row) => row.name);
/** The names in a table that says before each of them what it belongs to. */
const partsIn = (table: string, whole: string): string[] =>
  namesIn(table).flatMap((name) =>
    name.startsWith(`${whole}: `) ? [name.slice(whole.length + 2)] : [],
  );

/** What the code offers beside the documents. */
const OWN = "Hearth's own";

describe('the rows', () => {
  /** The names of a table's rows, as the documents write them. */
  function namesInDocument(table: string): readonly string[] {
    const found = tableNamed(table);
    if (found === undefined) throw new Error(`the documents have no section ${table}`);
    const cells = cellsIn(found.heading.text);
    if (table.startsWith('API decisions 7.')) {
      return cells.flatMap(([kind, name = '']) => (kind === 'M' ? [name] : []));
    }
    if (table === 'API decisions 8.2') {
      return cells.map(([type = '', op = '']) => (op === '-' ? type : `${type} ${op}`));
    }
    if (!table.startsWith('specification 3')) return cells.map(([name = '']) => name);
    return cells.map(([state = '', trigger = '', condition = '']) =>
      condition === 'none' ? `${state} – ${trigger}` : `${state} – ${trigger} (${condition})`,
    );
  }

  const tables = [...new Set(rows.map(({ table }) => table))];
  const inDocuments = tables.filter((table) => table !== OWN && !table.endsWith(', in prose'));

  test.each(inDocuments)('the rows of %s are those of the document', (table) => {
    expect(sorted(namesIn(table))).toEqual(sorted(namesInDocument(table)));
  });

  test('the rows are as many as the documents have, no table left out', () => {
    expect(rows).toHaveLength(438);
    expect(tables).toHaveLength(50);
  });

  test('the rows are listed once each', () => {
    const keys = rows.map(({ table, name }) => `${table}: ${name}`);
    expect(keys.filter((key, index) => keys.indexOf(key) < index)).toEqual([]);
    const dir = join(projectDir, 'test', 'service', 'conformance', 'rows');
    const files = globSync('*.ts', { cwd: dir });
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      expect(repeatedKeysIn(readFileSync(join(dir, file), 'utf8')), file).toEqual([]);
    }
  });

  test.each(rows)('$table: $name is proved by tests that exist', ({ ids }) => {
    expect(ids).not.toEqual([]);
    expect(ids.map(problemOf).filter((problem) => problem !== undefined)).toEqual([]);
  });
});

describe('the ids that tests carry', () => {
  const page = readFileSync(join(projectDir, 'docs', 'security.md'), 'utf8');
  const named = new Set([...rows.flatMap(({ ids }) => ids), ...idsIn(page)]);

  test('every id of a test is named by a row, or by a claim of docs/security.md', () => {
    expect([...carriers.keys()].filter((id) => !named.has(id))).toEqual([]);
    expect(carriers.size).toBeGreaterThan(600);
  });

  test('no two tests carry one id', () => {
    const twice = [...carriers].filter(([, files]) => files.length > 1);
    expect(twice).toEqual([]);
  });
});

test('the page of conformance names every row and its tests', () => {
  const page = conformanceDocument();
  expect(rows.filter(({ ids }) => !ids.every((id) => page.includes(`\`${id}\``)))).toEqual([]);
});

describe('every argument of an endpoint that the specification names', () => {
  const endpoints: readonly AnyEndpoint[] = Object.values(api).flatMap((group) =>
    Object.values<AnyEndpoint>(group),
  );
  const inSection4 = endpoints.filter(({ spec }) => /^specification (?:\d and )?4\b/.test(spec));

  const withBraces = (path: string): string => path.replace(/:([a-z_]+)/g, '{$1}');
  const requestOf = ({ method, path }: AnyEndpoint): string => `${method} ${withBraces(path)}`;

  const registration = Object.keys(api.events.register.params.fields).map(wireName);

  /** Arguments that only the API decisions add. */
  const beyond: Readonly<Record<string, readonly string[]>> = {
    'POST /messages': ['queue_id', 'client', 'delivery_type', 'deliver_at'],
    'POST /register': ['queue_lifespan_secs'],
    'POST /external/{integration}': ['only_events', 'exclude_events', 'branches'],
    // The arguments of registering count as one row.
    'GET /events': registration,
  };

  function argumentsOf(endpoint: AnyEndpoint): string[] {
    const names = Object.keys(endpoint.params.fields).map(wireName);
    const left = beyond[requestOf(endpoint)] ?? [];
    const key = endpoint.auth === 'webhook' ? ['api_key'] : [];
    return sorted([...names.filter((name) => !left.includes(name)), ...key]);
  }

  const PROSE = 'specification 4, in prose';

  function argumentsInRows(request: string): string[] {
    const elsewhere = [PROSE, OWN].flatMap((table) => partsIn(table, request));
    return sorted([...namesIn(`specification 4, ${request}`), ...elsewhere]);
  }

  test.each(inSection4.map((endpoint) => [requestOf(endpoint), endpoint] as const))(
    'every argument is a row of %s, and every row is an argument',
    (request, endpoint) => {
      expect(argumentsInRows(request)).toEqual(argumentsOf(endpoint));
    },
  );

  test('every argument of an endpoint is looked for, as every row of specification 4 is', () => {
    const tables = rows.flatMap(({ table }) =>
      table.startsWith('specification 4, ') && table !== PROSE
        ? [table.slice('specification 4, '.length)]
        : [],
    );
    const inProse = namesIn(PROSE).map((name) => name.slice(0, name.indexOf(': ')));
    const requests = inSection4.map(requestOf);
    expect(requests).toEqual(expect.arrayContaining(sorted([...tables, ...inProse])));
    expect(requests).toHaveLength(22);
  });
});

describe('every field of what the specification describes', () => {
  /** What a profile has beside what a member has stands in the text. */
  const profile = namesIn('specification 2, in prose').map((name) => name.split(' ')[1] ?? '');
  const streamRows = namesIn('specification 2, Stream');

  test.each<[string, readonly string[], z.ZodObject, readonly string[]]>([
    [
      'a message',
      [...namesIn('specification 2, Message'), ...partsIn(OWN, 'Message')],
      Message,
      [
        ...['last_edit_timestamp', 'edit_history', 'match_content', 'match_subject'],
        ...['proof', 'recovered_at'],
      ],
    ],
    [
      'a snapshot of a message',
      namesIn('specification 2, Edit-history snapshot'),
      MessageSnapshot,
      [],
    ],
    [
      'a stream',
      streamRows,
      Stream,
      [
        'rendered_description',
        'is_web_public',
        'is_announcement_only',
        'history_public_to_subscribers',
        'first_message_id',
        'is_default',
        ...['is_archived', 'archived_at', 'returning_user_ids'],
      ],
    ],
    [
      'a subscription',
      [...streamRows, ...namesIn('specification 2, Subscription')],
      Subscription,
      [
        'rendered_description',
        'is_web_public',
        'is_announcement_only',
        'history_public_to_subscribers',
        'first_message_id',
        'stream_weekly_traffic',
        'is_old_stream',
        'is_muted',
        'email_notifications',
      ],
    ],
    ['a member', namesIn('specification 2, User'), Member, ['bot_owner_id']],
    [
      'the own profile',
      [...namesIn('specification 2, User'), ...profile],
      Profile,
      ['bot_owner_id'],
    ],
    [
      'the server settings',
      namesIn('specification 2, Server settings'),
      api.server.settings.result,
      [
        ...['zulip_version', 'setup_code_required', 'epoch', 'successor', 'successor_key'],
        'join_requests',
      ],
    ],
    [
      'the notification settings',
      namesIn('specification 4, PATCH /settings/notifications'),
      settingAnswer(notificationSettings),
      [],
    ],
  ])(
    'every field is a row of %s, and every row is a field',
    (_, named, model, addedByDecisions) => {
      expect(sorted(Object.keys(model.shape))).toEqual(sorted([...named, ...addedByDecisions]));
    },
  );
});

describe('every event', () => {
  /** The values that a field of a schema may have; none where there is no such field. */
  function valuesOf(schema: unknown): readonly string[] {
    if (schema instanceof z.ZodLiteral) return [...schema.values].map(String);
    if (schema instanceof z.ZodEnum) return schema.options.map(String);
    return [];
  }

  function kindsOf(schema: z.core.$ZodType): readonly string[] {
    if (!(schema instanceof z.ZodObject)) throw new Error('an event is described by an object');
    const shape: Readonly<Record<string, unknown>> = schema.shape;
    const [type] = valuesOf(shape['type']);
    const ops = 'op' in shape ? valuesOf(shape['op']) : [''];
    return ops.map((op) => `${type ?? ''} ${op}`.trim());
  }

  /** Their rows name no op: the two flags events share one, the other has only one. */
  const opsLeftOut: Readonly<Record<string, readonly string[]>> = {
    update_message_flags: ['add', 'remove'],
    custom_profile_fields: ['add'],
  };

  function kindsInRow(name: string): readonly string[] {
    const [type = '', ...rest] = name.split(' ');
    const ops = rest
      .join(' ')
      .split(/[,/]/)
      .map((op) => op.trim());
    return (opsLeftOut[type] ?? ops).map((op) => `${type} ${op}`.trim());
  }

  test('every event that the service emits has a row, and every row is an event', () => {
    const inRows = namesIn('API decisions 8.2').flatMap(kindsInRow);
    expect(sorted(Event.options.flatMap(kindsOf))).toEqual(sorted(inRows));
  });
});

test('every code of an error has a row, and every row is a code', () => {
  const named = namesIn('API decisions 1.2').map((name) =>
    name === '(key absent)' ? 'NONE' : name,
  );
  expect(sorted(named)).toEqual(sorted(Object.keys(errorStatuses)));
});

test('every type of entry in the audit log has a row, and every row is one', () => {
  const named = namesIn('API decisions 15.9').flatMap((name) => name.split(', '));
  expect(sorted(named.filter((name) => !name.includes(' ')))).toEqual(sorted(auditTypes));
});

describe('every endpoint that clients need', () => {
  const shapeOf = (path: string): string => path.replace(/:[a-z_]+|\{[^{}]+\}/g, '*');
  const known = new Set(
    Object.values(api).flatMap((group) =>
      Object.values<AnyEndpoint>(group).map(({ method, path }) => `${method} ${shapeOf(path)}`),
    ),
  );
  /** For programs that are no clients. */
  const besideTheApi = ['GET /health', 'GET /metrics'];
  const named = rows
    .filter(({ table, name }) => /^API decisions (?:7|15)\./.test(table) && !name.includes(' //'))
    .map(({ name }) => name)
    .filter((name) => name.includes(' /') && !besideTheApi.includes(name));

  test('every endpoint that Hearth adds has a row', () => {
    const added = Object.values(api).flatMap((group) =>
      Object.values<AnyEndpoint>(group).filter(({ spec }) => spec.startsWith('API decisions 15')),
    );
    const inRows = named.map(shapeOf);
    for (const { method, path } of added) expect(inRows).toContain(`${method} ${shapeOf(path)}`);
    expect(added.length).toBeGreaterThan(9);
  });

  test.each(named)('%s is in the endpoint table', (name) => {
    const [path = ''] = /\/(?:[^\s;{]|\{[^}]*\})+/.exec(name.replace(/^[A-Z/]+ /, ' ')) ?? [];
    const methods = name.match(/\b(?:GET|POST|PUT|PATCH|DELETE)\b/g) ?? [];
    expect(methods).not.toEqual([]);
    for (const method of methods) expect(known).toContain(`${method} ${shapeOf(path)}`);
  });
});

describe('the titles of tests', () => {
  const source = `
    test('plain', () => {});
    it("quoted [cats.quoted]", () => {});
    test.each([['a']])('of %s', () => {});
    test.for<[string]>(table)('for %s [cats.table]', () => {});
    describe('outer [cats.outer]', () => {
      describe.each(kinds)(\`in \${kind}\`, () => {
        test(\`with \${name} [cats.template]\`, () => {});
      });
      test.skip('skipped [cats.skipped]', () => {});
      test.todo('to be written [cats.todo]');
    });
    describe.skip('left out', () => { test('inside [cats.inside]', () => {}); });
    other('no test [cats.other]', () => {});
  `;

  test('titles are read from every form in which a test is written, and those of tests that do not run are not', () => {
    expect(titlesIn(source)).toEqual([
      'plain',
      'quoted [cats.quoted]',
      'of %s',
      'for %s [cats.table]',
      'with ${name} [cats.template]',
    ]);
  });

  test('an id is carried by each test whose title ends in it, and by no group', () => {
    const sources = [['a', source] as const, ['b', "test('again [cats.table]', run);"] as const];
    expect([...carriersIn(sources)]).toEqual([
      ['cats.quoted', ['a']],
      ['cats.table', ['a', 'b']],
      ['cats.template', ['a']],
    ]);
    expect(carriersIn([['c', "test('a list [a, b]', run); test('[Cats]', run);"]]).size).toBe(0);
  });

  test('a key that stands twice in a list of rows is found', () => {
    expect(repeatedKeysIn("const a = { x: 1, 'y z': { x: 1 }, 'y z': 2, x: 3 };")).toEqual([
      'y z',
      'x',
    ]);
  });
});
