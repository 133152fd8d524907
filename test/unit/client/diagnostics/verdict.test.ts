import { expect, test } from 'vitest';
import { checkNames } from '#shared/bridge/models/connection-check.ts';
import type { ConnectionFacts, ProbeResult, ProbedCertificate } from '#client/diagnostics/facts.ts';
import { reportText } from '#client/diagnostics/report.ts';
import { furthestDiagnosis, diagnose } from '#client/diagnostics/verdict.ts';

const fingerprint = 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst';
const nowMs = Date.UTC(2026, 10, 23);

const certificate: ProbedCertificate = {
  fingerprint,
  isTrusted: false,
  fault: 'SELF_SIGNED_CERT_IN_CHAIN',
  issuer: 'Hearth office',
  beginsAtMs: Date.UTC(2025, 10, 1),
  endsAtMs: Date.UTC(2027, 0, 1),
};
const probe: ProbeResult = {
  redirectsTo: ['192.168.1.20'],
  port: 'open',
  isOtherNetwork: false,
  protocol: 'tls',
  certificate,
};
const well: ConnectionFacts = {
  address: 'https://192.168.1.20:9981',
  fingerprint,
  nowMs,
  ownNetworks: ['192.168.1.0/24'],
  probe,
  answered: { kind: 'service', version: '0.1.0', hasOrganization: true },
  signIn: 'accepted',
};

const unlike = (change: Partial<ProbeResult>): Partial<ConnectionFacts> => ({
  probe: { ...probe, ...change },
});
const showing = (change: Partial<ProbedCertificate>): Partial<ConnectionFacts> =>
  unlike({ certificate: { ...certificate, ...change } });
const otherPin = `b${fingerprint.slice(1)}`;
const running = (version: string): Partial<ConnectionFacts> => ({
  answered: { kind: 'service', version, hasOrganization: true },
});

test.each<[string, Partial<ConnectionFacts>, (typeof checkNames)[number], string]>([
  ['a name that nobody knows', unlike({ redirectsTo: [], port: 'silent' }), 'name', 'unknown-name'],
  [
    'a name, without any network',
    { ...unlike({ redirectsTo: [], port: 'silent' }), ownNetworks: [] },
    'name',
    'offline',
  ],
  ['silence', unlike({ port: 'silent' }), 'address', 'silent'],
  [
    'silence without any network',
    { ...unlike({ port: 'silent' }), ownNetworks: [] },
    'address',
    'offline',
  ],
  [
    'silence from another network',
    unlike({ port: 'silent', isOtherNetwork: true }),
    'address',
    'other-network',
  ],
  [
    'silence to a browser',
    { probe: null, fingerprint: null, answered: { kind: 'nothing' } },
    'address',
    'silent-to-browser',
  ],
  ['a closed port', unlike({ port: 'closed' }), 'port', 'closed'],
  ['plain HTTP', unlike({ protocol: 'http', certificate: null }), 'tls', 'plain-http'],
  ['another language', unlike({ protocol: 'else', certificate: null }), 'tls', 'not-a-service'],
  [
    'TLS where HTTP was typed',
    { address: 'http://192.168.1.20:9981', fingerprint: null },
    'tls',
    'needs-https',
  ],
  ['another key', showing({ fingerprint: otherPin }), 'identity', 'other-key'],
  ['no key', showing({ fingerprint: null }), 'identity', 'other-key'],
  [
    'a certificate that the system trusts, of somebody else',
    showing({ fingerprint: null, isTrusted: true, fault: '' }),
    'identity',
    'other-key',
  ],
  [
    'no encryption where the key is known',
    { address: 'http://192.168.1.20', ...unlike({ protocol: 'http', certificate: null }) },
    'identity',
    'other-key',
  ],
  [
    'a certificate for other names',
    { fingerprint: null, ...showing({ fingerprint: null, fault: 'ERR_TLS_CERT_ALTNAME_INVALID' }) },
    'identity',
    'other-name',
  ],
  [
    'a certificate that nobody vouches for',
    { fingerprint: null, ...showing({ fingerprint: null }), answered: { kind: 'strange' } },
    'identity',
    'unknown-certificate',
  ],
  [
    'a certificate of tomorrow',
    showing({ fingerprint: null, fault: 'CERT_NOT_YET_VALID' }),
    'clock',
    'clock-behind',
  ],
  [
    'a certificate of yesterday',
    showing({ fingerprint: null, fault: 'CERT_HAS_EXPIRED' }),
    'clock',
    'certificate-ended',
  ],
  ['no answer', { answered: { kind: 'nothing' } }, 'version', 'unanswered'],
  ['a strange answer', { answered: { kind: 'strange' } }, 'version', 'not-a-service'],
  ['a refusal', { answered: { kind: 'refused', message: 'Not now.' } }, 'version', 'refused'],
  ['an older service', running('0.0.9'), 'version', 'old-service'],
  [
    'a service without an organization',
    { answered: { kind: 'service', version: '0.1.0', hasOrganization: false } },
    'version',
    'no-organization',
  ],
  ['a refused key', { signIn: 'refused' }, 'signIn', 'key-refused'],
  ['a deactivated account', { signIn: 'deactivated' }, 'signIn', 'deactivated'],
])('%s is what is wrong', (_title, change, failed, fault) => {
  const verdict = diagnose({ ...well, ...change });
  expect(verdict.fault).toBe(fault);
  const at = checkNames.indexOf(failed);
  expect(verdict.steps.map(({ name }) => name)).toEqual(checkNames);
  expect(verdict.steps[at]?.result).toBe('failed');
  expect(verdict.steps.slice(0, at).map(({ result }) => result)).not.toContain('not-reached');
  expect(new Set(verdict.steps.slice(at + 1).map(({ result }) => result))).toEqual(
    new Set(at === checkNames.length - 1 ? [] : ['not-reached']),
  );
  expect(verdict.sentence).toMatch(/^[A-Z0-9h].*\.$/);
  expect(verdict.sentence).not.toMatch(/undefined|null/);
});

test.each<[string, Partial<ConnectionFacts>]>([
  ['the key of the office, whatever the dates say', showing({ fault: 'CERT_HAS_EXPIRED' })],
  ['a certificate that the system trusts, with the proof', showing({ isTrusted: true, fault: '' })],
  ['an unknown office, whose words a person compares', { fingerprint: null, signIn: null }],
  ['a newer service', running('1.0.0-beta')],
  [
    'a service behind plain HTTP on this computer',
    {
      address: 'http://127.0.0.1:9981',
      fingerprint: null,
      ...unlike({ protocol: 'http', certificate: null }),
    },
  ],
  ['an answer to a browser', { probe: null, fingerprint: null, ownNetworks: null }],
])('nothing is wrong with %s', (_title, change) => {
  const verdict = diagnose({ ...well, ...change });
  expect(verdict.fault).toBeNull();
  expect(verdict.steps.map(({ result }) => result)).not.toContain('failed');
  expect(verdict.sentence).toMatch(/^Hearth answers at /);
});

test('the one of several addresses that came furthest counts', () => {
  const tried = [unlike({ port: 'silent' }), unlike({ port: 'closed' }), unlike({ port: 'closed' })]
    .map((change) => ({ ...well, ...change }))
    .map((facts) => ({ facts, verdict: diagnose(facts) }));
  expect(furthestDiagnosis(tried)).toBe(tried[1]);
  expect(furthestDiagnosis([...tried, { facts: well, verdict: diagnose(well) }])?.facts).toBe(well);
});

test('the report has everything that was found, by address', () => {
  const facts = { ...well, ...showing({ fingerprint: otherPin }) };
  const head = {
    nowMs,
    about: 'Hearth 0.1.0',
    ownNetworks: well.ownNetworks,
    realmName: 'Lantern',
  };
  expect(reportText(head, [{ facts, verdict: diagnose(facts) }]))
    .toBe(`Why Hearth does not connect to Lantern, 2026-11-23T00:00:00.000Z
Hearth 0.1.0
networks: 192.168.1.0/24

https://192.168.1.20:9981
  name: passed
  address: passed
  port: passed
  tls: passed
  identity: failed
  clock: not-reached
  version: not-reached
  signIn: not-reached
  leads to: 192.168.1.20
  certificate by Hearth office, 2025-11-01T00:00:00.000Z to 2027-01-01T00:00:00.000Z (SELF_SIGNED_CERT_IN_CHAIN)
  key shown: ${otherPin}
  key expected: ${fingerprint}
  ${diagnose(facts).sentence}
`);
});
