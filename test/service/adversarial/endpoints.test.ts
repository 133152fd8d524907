/**
 * Adversarial text in every argument of every endpoint: as the argument itself, and in every place of it that takes text.
 * What takes a moment is measured at three lengths.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attacksIn, shareOf } from '#test/support/adversarial/attacks.ts';
import { type Argument, argumentsOf, placesIn } from '#test/support/adversarial/requests.ts';
import { Client } from '#test/support/adversarial/client.ts';
import { faultsOf, type Place } from '#test/support/adversarial/screen.ts';
import { endpoints } from '#test/support/fuzz/answers.ts';
import { plausible, textOf } from '#test/support/fuzz/values.ts';
import { randomFrom } from '#test/support/random.ts';
import { ada, startTestService, type TestService } from '#test/support/service/api.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';

/** Quadratic work on so much takes half a second: what it is to an argument thirty times as long need not be waited for. */
const LENGTH = 32_768;
/** What is refused at that length may be taken at this one: a message, a description. */
const SHORT_LENGTH = 9000;

const attacks = attacksIn('src-main');

type Fields = Readonly<Record<string, unknown>>;

class Target {
  readonly #client: Client;
  readonly #authorization: string;

  constructor(client: Client, authorization: string) {
    this.#client = client;
    this.#authorization = authorization;
  }

  async call({ method, path }: AnyEndpoint, fields: Fields): Promise<number> {
    const captured = new Set<string>();
    const filled = path.replace(/:([a-z_]+)/g, (_, name: string) => {
      const value = textOf(fields[name] ?? 1).toWellFormed();
      captured.add(name);
      return encodeURIComponent(name === 'integration' ? 'helloworld' : value.slice(0, 4000));
    });
    const rest = Object.entries({ ...fields, ...(method === 'POST' ? {} : { method }) });
    const form = rest.filter(([name]) => !captured.has(name));
    const body = JSON.stringify(
      Object.fromEntries(form.map(([name, value]) => [name, textOf(value).toWellFormed()])),
    );
    const headers = { authorization: this.#authorization, 'content-type': 'application/json' };
    return this.#client.post(`/api/v1${filled}`, headers, body);
  }
}

/** Arguments that are right, for the others than the one that is looked at. */
function othersOf(all: readonly Argument[], name: string, seed: number): Fields {
  const random = randomFrom(seed);
  return Object.fromEntries(
    all
      .filter((each) => each.name !== name && each.isRequired)
      .map((each) => [each.name, plausible(random, each.name, each.schema)]),
  );
}

/** Nothing is waited for. */
const calm: Fields = { dont_block: 'true' };

describe('adversarial text', () => {
  let service: TestService;
  let client: Client;
  let target: Target;
  beforeAll(async () => {
    service = await startTestService({ longpollSeconds: 0.02 });
    client = new Client(service.origin);
    target = new Target(client, await service.authorization(ada));
  });
  afterAll(() => {
    client.end();
    return service.stop();
  });

  let index = 0;
  test.for(endpoints)(
    '%s takes time in proportion to each argument [endpoints.time-proportion-argument]',
    async ([name, endpoint]) => {
      const all = argumentsOf(endpoint);
      const faults: string[] = [];
      for (const argument of all) {
        const others = { ...calm, ...othersOf(all, argument.name, index) };
        const send = (value: unknown): Promise<number> =>
          target.call(endpoint, { ...others, [argument.name]: value });
        const at = (path: string, length: number, fill: (text: string) => unknown): Place => ({
          name: `${name} ${argument.name}${path}`,
          length,
          send: (text) => send(fill(text)),
        });
        const places = placesIn(randomFrom(index), argument.name, argument.schema);
        if (places.every(([path]) => path !== '')) {
          const place = at('', LENGTH, (text) => text);
          faults.push(...(await faultsOf(place, shareOf(attacks, index++))));
        }
        for (const [path, fill] of places) {
          // What is refused for its length is read as far as that.
          const isTaken = (await send(fill('a'.repeat(LENGTH)))) === 200;
          for (const length of isTaken ? [LENGTH] : [LENGTH, SHORT_LENGTH]) {
            const place = at(path, length, fill);
            faults.push(...(await faultsOf(place, shareOf(attacks, index++))));
          }
        }
      }
      expect(faults).toEqual([]);
    },
  );
});
