/** What was found, as text for whoever helps. */
import type { Facts, SeenCertificate } from './facts.ts';
import type { Verdict } from './verdict.ts';

export interface Tried {
  readonly facts: Facts;
  readonly verdict: Verdict;
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

function certificateLines({ pin, fault, issuer, beginsAtMs, endsAtMs }: SeenCertificate): string[] {
  return [
    `  certificate by ${issuer}, ${time(beginsAtMs)} to ${time(endsAtMs)}${fault === '' ? '' : ` (${fault})`}`,
    ...(pin === null ? [] : [`  key shown: ${pin}`]),
  ];
}

function linesOf({ facts, verdict }: Tried): readonly string[] {
  const { address, pin, reached } = facts;
  return [
    '',
    address,
    ...verdict.steps.map(({ name, result }) => `  ${name}: ${result}`),
    ...(reached === null ? [] : [`  leads to: ${reached.leadsTo.join(', ') || 'nothing'}`]),
    ...(reached?.certificate ? certificateLines(reached.certificate) : []),
    ...(pin === null ? [] : [`  key expected: ${pin}`]),
    `  ${verdict.sentence}`,
  ];
}

export function reportText(head: ReportHead, tried: readonly Tried[]): string {
  const { nowMs, about, ownNetworks, realmName } = head;
  return [
    `Why Hearth does not connect${realmName === '' ? '' : ` to ${realmName}`}, ${time(nowMs)}`,
    about,
    ...(ownNetworks === null ? [] : [`networks: ${ownNetworks.join(', ') || 'none'}`]),
    ...tried.flatMap(linesOf),
    '',
  ].join('\n');
}
