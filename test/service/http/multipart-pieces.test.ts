import { expect, test } from 'vitest';
import { readMultipart, readMultipartFiles } from '#service/http/multipart.ts';
import { type Random, randomFrom } from '#test/support/random.ts';

const TYPE = 'multipart/form-data; boundary=bound';
const DELIMITER = '\r\n--bound';

/** Texts that look like delimiters, line breaks and the blank line, as often as not. */
function nearly(random: Random): string {
  const pieces = ['\r', '\n', '-', '--', 'x', DELIMITER.slice(0, -1), '--bound', '\r\n\r\n', 'yz'];
  return Array.from({ length: random.below(8) }, () => random.pick(pieces)).join('');
}

const partOf = (random: Random, index: number): string => {
  const file = random.below(3) === 0 ? '' : `; filename="${String(index)}.bin"`;
  return `Content-Disposition: form-data; name="p"${file}\r\n\r\n${nearly(random)}`;
};

function bodyOf(random: Random): Buffer {
  const parts = Array.from({ length: random.below(4) }, (_, index) => partOf(random, index));
  const text = `${random.below(4) === 0 ? 'preamble\r\n' : ''}--bound${parts
    .map((part) => `\r\n${part}${DELIMITER}`)
    .join('')}--\r\n`;
  // Some end too early, or have a byte that belongs to nothing.
  const cut = random.below(4) === 0 ? text.slice(0, random.below(text.length)) : text;
  return Buffer.from(cut, 'latin1');
}

async function* cutUp(body: Buffer, random: Random): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length;) {
    const end = at + 1 + random.below(9);
    yield body.subarray(at, end);
    at = end;
  }
}

async function asPieces(body: Buffer, random: Random): Promise<string> {
  const files: string[] = [];
  try {
    for await (const event of readMultipartFiles(TYPE, cutUp(body, random))) {
      if (event.kind === 'file') files.push(`${event.fileName}:`);
      else files.push(`${files.pop() ?? ''}${Buffer.from(event.bytes).toString('latin1')}`);
    }
    return JSON.stringify(files);
  } catch (error) {
    return String(error);
  }
}

function asWhole(body: Buffer): string {
  try {
    return JSON.stringify(
      [...readMultipart(TYPE, body)].flatMap(({ file, value }) =>
        file === null ? [] : [`${file.name}:${Buffer.from(value).toString('latin1')}`],
      ),
    );
  } catch (error) {
    return String(error);
  }
}

test('a multipart body says the same however it is cut up, and is malformed where it is as a whole', async () => {
  const random = randomFrom(20_261_130);
  const seen = new Set<string>();
  for (let round = 0; round < 3000; round += 1) {
    const body = bodyOf(random);
    const whole = asWhole(body);
    expect(await asPieces(body, random), body.toString('latin1')).toBe(whole);
    seen.add(whole.slice(0, 6));
  }
  // Both kinds came: files, and refusals.
  expect(seen.size).toBeGreaterThan(3);
});

test('a multipart body has what its parts say, delimiters that are none included', () => {
  const part = 'Content-Disposition: form-data; name="f"; filename="a"\r\n\r\n';
  const value = `one${DELIMITER.slice(0, -1)}\r\n`;
  const body = Buffer.from(`--bound\r\n${part}${value}${DELIMITER}\r\n${part}${DELIMITER}--`);
  expect([...readMultipart(TYPE, body)].map((each) => Buffer.from(each.value).toString())).toEqual([
    value,
    '',
  ]);
});
