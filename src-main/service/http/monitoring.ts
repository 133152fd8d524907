/** What programs that watch the service ask it: whether it serves, and its figures (API decisions 15.17). */
import { timingSafeEqual, createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#node/clock.ts';
import { SlidingWindow } from './limits/rate-limit.ts';
import { sendText } from './static.ts';

export interface Health {
  readonly version: string;
  /** UNIX seconds. */
  readonly started_at: number;
  readonly database_bytes: number;
  readonly upload_bytes: number;
  readonly disk: { readonly free_bytes: number; readonly total_bytes: number };
  readonly memory_bytes: number;
  readonly queues: number;
  readonly connected: number;
}

export interface Monitoring {
  /** Whether an organization is served here, or can be created; rejects where the database does not answer. */
  readonly isServing: () => Promise<boolean>;
  readonly health: () => Promise<Health>;
  /** Since the start. */
  readonly warningCounts: () => Readonly<Record<'warn' | 'error', number>>;
  /** UNIX seconds of the newest archive; null where none was made here. */
  readonly lastBackupAt: () => Promise<number | null>;
  /** Which GET /metrics takes; null where there are no figures. */
  readonly metricsToken: string | null;
}

const MINUTE_MS = 60_000;
/** More than any balancer asks for; less than would cost anybody anything. */
const HEALTH_CALLS = 600;
const FAILED_TOKENS = 10;
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Kind = 'counter' | 'gauge';

interface Metric {
  readonly name: string;
  readonly kind: Kind;
  readonly help: string;
  /** Each with its labels as they are written: `{code="2xx"}`, or nothing. */
  readonly values: readonly (readonly [labels: string, value: number])[];
}

const metric = (name: string, kind: Kind, help: string, value: number): Metric => ({
  name,
  kind,
  help,
  values: [['', value]],
});

/** Classes of HTTP statuses as Prometheus' other exporters write them. */
type Counts = Readonly<Record<string, number>>;

/** The text format of Prometheus. */
const textOf = (metrics: readonly Metric[]): string =>
  metrics
    .flatMap(({ name, kind, help, values }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${kind}`,
      ...values.map(([labels, value]) => `${name}${labels} ${String(value)}`),
    ])
    .map((line) => `${line}\n`)
    .join('');

const labelled = (label: string, counts: Counts): Metric['values'] =>
  Object.entries(counts).map(([value, count]) => [`{${label}="${value}"}`, count]);

async function metricsOf(
  { health, warningCounts, lastBackupAt }: Monitoring,
  answers: Counts,
): Promise<readonly Metric[]> {
  const [now, backupAt] = await Promise.all([health(), lastBackupAt()]);
  const { user, system } = process.cpuUsage();
  const { free_bytes: free, total_bytes: total } = now.disk;
  return [
    {
      name: 'hearth_info',
      kind: 'gauge',
      help: 'The version of the service.',
      values: [[`{version="${now.version}"}`, 1]],
    },
    metric('process_start_time_seconds', 'gauge', 'When it started.', now.started_at),
    metric('process_cpu_seconds_total', 'counter', 'Processor time.', (user + system) / 1e6),
    metric('process_resident_memory_bytes', 'gauge', 'Memory of the process.', now.memory_bytes),
    metric('hearth_database_bytes', 'gauge', 'Size of the database.', now.database_bytes),
    metric('hearth_upload_bytes', 'gauge', 'Size of the uploaded files.', now.upload_bytes),
    metric('hearth_disk_free_bytes', 'gauge', 'Free space of the disk of the data.', free),
    metric('hearth_disk_total_bytes', 'gauge', 'Size of the disk of the data.', total),
    metric('hearth_event_queues', 'gauge', 'Event queues.', now.queues),
    metric('hearth_connected_clients', 'gauge', 'Clients that wait for events.', now.connected),
    metric(
      'hearth_last_backup_timestamp_seconds',
      'gauge',
      'When the newest archive was made; 0 for none.',
      backupAt ?? 0,
    ),
    {
      name: 'hearth_log_entries_total',
      kind: 'counter',
      help: 'Warnings and errors.',
      values: labelled('level', warningCounts()),
    },
    {
      name: 'hearth_http_answers_total',
      kind: 'counter',
      help: 'Answers over HTTP.',
      values: labelled('code', answers),
    },
  ];
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Equally long for every guess. */
const isToken = (header: string | undefined, token: Buffer): boolean =>
  timingSafeEqual(digest(/^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? ''), token);

function countAnswers(app: FastifyInstance): Counts {
  const counts: Record<string, number> = { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 };
  app.addHook('onResponse', (_request, { statusCode }, done) => {
    const code = `${String(Math.floor(statusCode / 100))}xx`;
    counts[code] = (counts[code] ?? 0) + 1;
    done();
  });
  return counts;
}

/** Serves GET /health without a key, and GET /metrics to whoever has the token. */
export function serveMonitoring(app: FastifyInstance, monitoring: Monitoring, clock: Clock): void {
  const calls = new SlidingWindow({ hits: HEALTH_CALLS, windowMs: MINUTE_MS }, clock);
  const failures = new SlidingWindow({ hits: FAILED_TOKENS, windowMs: MINUTE_MS }, clock);
  const addressOf = (request: FastifyRequest): string => app.clientAddresses.addressOf(request);

  app.get('/health', async (request, reply) => {
    if (!calls.take(addressOf(request)).isAllowed) return sendText(reply, 429, '');
    const isServing = await monitoring.isServing().catch(() => false);
    return sendText(reply, isServing ? 200 : 503, '');
  });

  const { metricsToken } = monitoring;
  if (metricsToken === null) return;
  const token = digest(metricsToken);
  const answers = countAnswers(app);
  /** Whoever asks meanwhile is given the same. */
  let underWay: Promise<string> | undefined;
  const figures = (): Promise<string> =>
    (underWay ??= metricsOf(monitoring, answers)
      .then(textOf)
      .finally(() => (underWay = undefined)));
  const refuse = (reply: FastifyReply, address: string): FastifyReply =>
    failures.take(address).isAllowed
      ? sendText(
          reply.header('www-authenticate', 'Bearer'),
          401,
          'The token is missing or wrong.\n',
        )
      : sendText(reply, 429, 'Too many wrong tokens: try again in a minute.\n');

  app.get('/metrics', async (request, reply) => {
    const address = addressOf(request);
    const isKnown =
      failures.peek(address).isAllowed && isToken(request.headers.authorization, token);
    if (!isKnown) return refuse(reply, address);
    return sendText(reply, 200, await figures(), METRICS_TYPE);
  });
}
