/** Adversarial text in everything else that is read: files, links, packets, what is typed or pasted, answers of a service. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode, encode } from 'dns-packet';
import type { ResponsePacket } from 'multicast-dns';
import { afterAll, describe, test } from 'vitest';
import { openStream, createSealingKey } from '#backup/archive/age.ts';
import { storedNamesOf } from '#backup/archive/read-archive.ts';
import { readRecoveryCode } from '#backup/archive/recovery-code.ts';
import { packTar, unpackTar } from '#backup/archive/tar.ts';
import { joinLinkIn, joinTokenOf } from '#shared/join-link.ts';
import { plainText } from '#client/plain-text.ts';
import { checkEmail, checkNewStream } from '#client/session/form-checks.ts';
import { originsFor } from '#client/transport/address.ts';
import { measurePicture } from '#shared/pictures/measure.ts';
import { parseDeepLink } from '#desktop/system/deep-links.ts';
import { servicesIn } from '#desktop/system/discovery.ts';
import { hardwareAddressOf, routerIn } from '#desktop/system/gateways.ts';
import { readArchiveSummary } from '#backup/archive-description.ts';
import { officeOf } from '#backup/retention.ts';
import { archiveName } from '#backup/sealed-copy.ts';
import { readStoredList } from '#backup/restore-stored-files.ts';
import { readZuliprc } from '#cli/send-message.ts';
import { createPacketFilter } from '#node/discovery/mdns.ts';
import { SERVICE } from '#node/discovery/announcer.ts';
import { findTransferCode } from '#node/migration/transfer-code.ts';
import { createHighlighter } from '#shared/search/highlight.ts';
import { parseQuery } from '#shared/search/query.ts';
import { indexedWords } from '#shared/search/index-tokens.ts';
import { readInvitees } from '#service/features/people/rules/invitations.ts';
import { markChanges } from '#service/markdown/html-diff.ts';
import { sanitizeStrictly } from '#service/markdown/sanitize.ts';
import { badAddresses } from '#renderer/lib/links/addresses.ts';
import { fileNameOf } from '#renderer/lib/links/links.ts';
import { skeletonOf } from '#shared/text/look-alikes.ts';
import { loadConfusables } from '#node/confusables.ts';
import { targetOfNarrow } from '#renderer/lib/links/narrow-links.ts';
import { passwordLinkIn } from '#renderer/lib/links/password-link.ts';
import { extractDates } from '#renderer/lib/search/search-dates.ts';
import { openFilter } from '#renderer/lib/search/search-query.ts';
import { triggerAt } from '#renderer/lib/writing/completion.ts';
import { isInOpenFence } from '#renderer/lib/writing/fence.ts';
import { groupsOf, wildcardOf } from '#renderer/lib/writing/mentions.ts';
import { attacksIn, shareOf } from '#test/support/adversarial/attacks.ts';
import { expectNoFaults } from '#test/support/adversarial/screen.ts';

const attacks = attacksIn('src-main', 'src-renderer');

const folder = mkdtempSync(join(tmpdir(), 'hearth-adversarial-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function* chunked(text: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < text.length; at += 1000)
    yield new TextEncoder().encode(text.slice(at, at + 1000));
}

/** What refuses is as well as what reads: how long it takes is what is asked. */
async function attempt(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // Most of it is nothing that can be read.
  }
}

async function readAll(
  entries: AsyncIterable<{ readonly content: AsyncIterable<Uint8Array> }>,
): Promise<number> {
  let bytes = 0;
  for await (const { content } of entries) {
    for await (const chunk of content) bytes += chunk.length;
  }
  return bytes;
}

const identity = (await createSealingKey()).identity;
const ofPicture = (header: readonly number[] | string) => (text: string) =>
  measurePicture(Buffer.concat([Buffer.from(header as string, 'latin1'), Buffer.from(text)]));
const confusables = await loadConfusables();
const query = parseQuery('"lunch soup" tod* word');
const entryOf = (text: string) => ({
  name: 'stored-files.json',
  sizeBytes: Buffer.byteLength(text),
  content: chunked(text),
});

/** As a file, which is an archive or not. */
async function inFile(text: string): Promise<unknown> {
  const file = join(folder, 'archive');
  writeFileSync(file, text);
  return storedNamesOf(file);
}

async function inArchive(text: string): Promise<unknown> {
  const content = Buffer.from(text);
  const source = {
    name: 'stored-files.txt',
    sizeBytes: content.length,
    open: async function* () {
      yield content;
    },
  };
  const parts: Uint8Array[] = [];
  for await (const part of packTar([source], 0)) parts.push(part);
  const file = join(folder, 'tar');
  writeFileSync(file, Buffer.concat(parts));
  return storedNamesOf(file);
}

const admits = createPacketFilter({ subnet: '10.0.0.0/8', labels: [SERVICE] }, () => Infinity);
function heard(packet: Buffer): unknown {
  return admits(packet, '10.0.0.1') ? servicesIn(decode(packet) as ResponsePacket) : undefined;
}

/** An office that is told of with this, by as many records as it is long. */
function toldWith(text: string): Buffer {
  const names = text.match(/[^]{1,40}/g) ?? [];
  return encode({
    type: 'response',
    answers: names.flatMap((name) => [
      { name: SERVICE, type: 'PTR', data: `${name}.${SERVICE}` },
      { name: `${name}.${SERVICE}`, type: 'TXT', data: ['v=1', `name=${name}`] },
    ]),
  });
}

type Reader = readonly [name: string, read: (text: string) => unknown];

const ofFiles: readonly Reader[] = [
  ['an archive', inFile],
  ['the names in an archive', inArchive],
  ['a tar', (text) => readAll(unpackTar(chunked(text)))],
  ['a sealed stream', (text) => openStream(chunked(text), identity)],
  [
    'a sealed stream with its first line',
    (text) => openStream(chunked(`age-encryption.org/v1\n-> ${text}`), identity),
  ],
  ['the list of stored files', (text) => readStoredList(entryOf(text))],
  ['what an archive says of itself', readArchiveSummary],
  ['the name of an archive', officeOf],
  ['the name of an organization as one of a file', (text) => archiveName(text, new Date(0))],
  ['a recovery code', readRecoveryCode],
  ['a zuliprc', readZuliprc],
  ['a picture', ofPicture('')],
  ['a PNG', ofPicture('\x89PNG\r\n\x1a\n')],
  ['a JPEG', ofPicture('\xff\xd8\xff')],
  ['a GIF', ofPicture('GIF89a\x01\0\x01\0\0')],
  ['a WebP', ofPicture('RIFF\0\0\x01\0WEBPVP8 ')],
  ['an AVIF', ofPicture('\0\0\0\x1cftypavif')],
  ['routes of the system', (text) => routerIn('192.168.1.0/24', text, 'linux')],
  [
    'a packet of multicast DNS',
    (text) => heard(Buffer.concat([Buffer.from(SERVICE), Buffer.from(text)])),
  ],
  [
    'a packet of multicast DNS that tells of offices',
    (text) => heard(toldWith(text.slice(0, 1000))),
  ],
  [
    'records of multicast DNS',
    (text) => servicesIn(decode(toldWith(text.slice(0, 8000))) as ResponsePacket),
  ],
  ['neighbours of the system', (text) => hardwareAddressOf('192.168.1.1', text)],
];

const ofText: readonly Reader[] = [
  ['a join link', joinLinkIn],
  ['a join token', joinTokenOf],
  ['a move code', findTransferCode],
  ['a link to the application', parseDeepLink],
  ['a link to the application with its scheme', (text) => parseDeepLink(`hearth://${text}`)],
  ['an address of a service', originsFor],
  ['an e-mail address', checkEmail],
  [
    'a stream',
    (text) =>
      checkNewStream({ name: text, description: text } as Parameters<typeof checkNewStream>[0]),
  ],
  ['a list of invited people', readInvitees],
  ['invited people in the window', badAddresses],
  ['a rendered message as plain text', (text) => plainText(text, 200)],
  ['a rendered message that is marked', (text) => createHighlighter(query).html(text)],
  ['a query', parseQuery],
  [
    'a query that is looked for',
    (text) => createHighlighter(parseQuery(text.slice(0, 2000))).html('<p>a soup</p>'),
  ],
  ['words of a message', (text) => indexedWords(text, text)],
  ['HTML that is cleaned', sanitizeStrictly],
  ['changes of a message', (text) => markChanges('<p>a</p>', `<p>${text}</p>`)],
  ['a narrow of a link', (text) => targetOfNarrow(text, 1)],
  ['a password link', passwordLinkIn],
  ['the name of a file in a link', fileNameOf],
  ['the skeleton of a name', (text) => skeletonOf(text, confusables)],
  ['dates of a search', (text) => extractDates(text, 0)],
  ['a filter of a search', openFilter],
  ['what completion looks for', (text) => triggerAt(text, text.length)],
  ['an open fence', isInOpenFence],
  ['wildcards of what is written', wildcardOf],
  ['groups of what is written', groupsOf],
];

const LENGTH = 32_768;
describe('adversarial text', () => {
  test.for([...ofFiles, ...ofText])(
    '%s is read in proportion to its length [readers.read-proportion-length]',
    async ([name, read]) => {
      const send = (text: string): Promise<void> => attempt(() => read(text));
      await expectNoFaults([{ name, length: LENGTH, send }], () =>
        shareOf(attacks, name.length, { others: 4 }),
      );
    },
  );
});
