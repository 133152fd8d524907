/** What was found, as text for whoever helps. */
import type { ConnectionFacts, ProbedCertificate } from './facts.ts';
import type { Diagnosis } from './verdict.ts';

export interface AttemptedAddress {
  readonly facts: ConnectionFacts;
  readonly verdict: Diagnosis;
}

export interface ReportHead {
  readonly nowMs: number;
  /** The program and the system that it runs on. */
  readonly about: string;
  readonly ownNetworks: readonly string[] | null;
  /** Empty where it is not known yet. */
  readonly realmName: string;
}

const time = (timeMs: number): string => new Date(timeMs).toISOString();

function certificateLines({
  fingerprint,
  fault,
  issuer,
  beginsAtMs,
  endsAtMs,
}: ProbedCertificate): string[] {
  return [
    `  certificate by ${issuer}, ${time(beginsAtMs)} to ${time(endsAtMs)}${fault === '' ? '' : ` (${fault})`}`,
    ...(fingerprint === null ? [] : [`  key shown: ${fingerprint}`]),
  ];
}

function linesOf({ facts, verdict }: AttemptedAddress): readonly string[] {
  const { address, fingerprint, probe } = facts;
  return [
    '',
    address,
    ...verdict.steps.map(({ name, result }) => `  ${name}: ${result}`),
    ...(probe === null ? [] : [`  leads to: ${probe.redirectsTo.join(', ') || 'nothing'}`]),
    ...(probe?.certificate ? certificateLines(probe.certificate) : []),
    ...(fingerprint === null ? [] : [`  key expected: ${fingerprint}`]),
    `  ${verdict.sentence}`,
  ];
}

export function reportText(head: ReportHead, tried: readonly AttemptedAddress[]): string {
  const { nowMs, about, ownNetworks, realmName } = head;
  return [
    `Why Hearth does not connect${realmName === '' ? '' : ` to ${realmName}`}, ${time(nowMs)}`,
    about,
    ...(ownNetworks === null ? [] : [`networks: ${ownNetworks.join(', ') || 'none'}`]),
    ...tried.flatMap(linesOf),
    '',
  ].join('\n');
}
