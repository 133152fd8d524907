/**
 * What an operator reads. Never pass a key, a password, a query string or the content of a message: the log
 * is copied into bug reports.
 */
import { isDiskFull } from './error-code.ts';
import { print } from './terminal.ts';

type Write = (message: string, data?: Readonly<Record<string, unknown>>) => void;

export interface Log {
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

const MAX_CAUSES = 5;

function describeError(error: Error, depth = 0): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const described: Record<string, unknown> = { name, message };
  // A full disk is nothing of ours to look for.
  if (!isDiskFull(error)) described['stack'] = stack;
  if ('code' in error) described['code'] = error.code;
  if (cause !== undefined && depth < MAX_CAUSES) {
    described['cause'] = cause instanceof Error ? describeError(cause, depth + 1) : cause;
  }
  return described;
}

const plain = (_key: string, value: unknown): unknown => {
  if (value instanceof Error) return describeError(value);
  return typeof value === 'bigint' ? String(value) : value;
};

/** One line of JSON, ended by a line break. What cannot be written as JSON is left out, never thrown. */
export function logLine(level: string, message: string, data: object | undefined): string {
  const head = { time: new Date().toISOString(), level, message };
  try {
    return `${JSON.stringify({ ...head, ...data }, plain)}\n`;
  } catch {
    return `${JSON.stringify(head)}\n`;
  }
}

const writeTo =
  (level: string): Write =>
  (message, data) => {
    print('stderr', logLine(level, message, data).trimEnd());
  };

/** A warning or an error, as somebody reads it who has no terminal. */
export interface LoggedWarning {
  readonly timeMs: number;
  readonly level: 'warn' | 'error';
  readonly message: string;
  /** What came with it as JSON, without stacks; empty for nothing. */
  readonly details: string;
}

const MAX_WARNED = 100;
const MAX_DETAILS = 1000;

const withoutStack = (key: string, value: unknown): unknown =>
  key === 'stack' ? undefined : value;

function detailsOf(data: object | undefined): string {
  if (data === undefined) return '';
  try {
    const described = JSON.parse(JSON.stringify(data, plain)) as unknown;
    return JSON.stringify(described, withoutStack).slice(0, MAX_DETAILS);
  } catch {
    return '';
  }
}

/** The same log, which also keeps the last hundred warnings and errors, the newest first. */
export function withRecentWarnings(
  log: Log,
  now: () => number,
): {
  readonly log: Log;
  readonly warned: () => readonly LoggedWarning[];
  /** How many there were since the start. */
  readonly warningCounts: () => Readonly<Record<LoggedWarning['level'], number>>;
} {
  let kept: readonly LoggedWarning[] = [];
  const counts = { warn: 0, error: 0 };
  const keeping =
    (level: LoggedWarning['level']): Write =>
    (message, data) => {
      log[level](message, data);
      counts[level] += 1;
      const entry = { timeMs: now(), level, message, details: detailsOf(data) };
      kept = [entry, ...kept.slice(0, MAX_WARNED - 1)];
    };
  return {
    log: { info: log.info, warn: keeping('warn'), error: keeping('error') },
    warned: () => kept,
    warningCounts: () => counts,
  };
}

/** JSON lines on standard error; standard output belongs to the launch contract. */
export const stderrLog: Log = {
  info: writeTo('info'),
  warn: writeTo('warn'),
  error: writeTo('error'),
};
