/** The network between a client and a real service, with the faults that a test asks for. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Http, HttpRequest, HttpResponse } from '#client/ports.ts';
import { type Api, createApi, type Credentials } from '#client/transport/api.ts';
import { desktopClock } from '#desktop/system/clock.ts';

/**
 * `cut`: nothing arrives. `lost`: the service does what it was asked, and its answer never comes. `hung`: the request
 * arrives nowhere and nobody says so. `strange`: something on the way answers instead. `late`: the request arrives
 * after whoever sent it has given up.
 */
export type Fault = 'none' | 'cut' | 'lost' | 'hung' | 'strange' | 'late';

/** The address that the client knows; the service behind it may move. */
export const knownAddress = 'http://service.test';

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const leave = (): void => reject(new Error('given up'));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  });

export class FaultyNetwork {
  /** What happens to the next requests, one by one; then `usual`. */
  readonly faults: Fault[] = [];
  usual: Fault = 'none';
  /** Everything that was sent, in its order. */
  readonly requests: HttpRequest[] = [];
  readonly #origin: () => string;
  readonly #forwarded = new Set<Promise<unknown>>();

  constructor(origin: () => string) {
    this.#origin = origin;
  }

  readonly http: Http = async (request) => {
    this.requests.push(request);
    const fault = this.faults.shift() ?? this.usual;
    switch (fault) {
      case 'none':
        return this.#forward(request, request.signal);
      case 'cut':
        throw new Error('refused');
      case 'hung':
        return never(request.signal);
      case 'strange':
        return { status: 502, text: '<h1>Bad gateway</h1>' };
      case 'lost':
        await this.#forward(request);
        throw new Error('the connection ended');
      case 'late': {
        void delay(20).then(() => this.#forward(request).catch(() => undefined));
        throw new Error('the connection ended');
      }
    }
  };

  /** Its calls are waited for as long as a person's are, so that a busy machine is no fault of the network. */
  api(credentials: Credentials): Api {
    return createApi({ http: this.http, clock: desktopClock, address: knownAddress, credentials });
  }

  /** Settles when nothing is on its way any more. */
  async quiet(): Promise<void> {
    await delay(25);
    while (this.#forwarded.size > 0) await Promise.allSettled(this.#forwarded);
  }

  #forward(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
    const { method, url, headers, body } = request;
    const answer = (async () => {
      const there = url.replace(knownAddress, this.#origin());
      const response = await fetch(there, { method, headers, body, signal: signal ?? null });
      return { status: response.status, text: await response.text() };
    })();
    this.#forwarded.add(answer);
    void answer.then(
      () => this.#forwarded.delete(answer),
      () => this.#forwarded.delete(answer),
    );
    return answer;
  }
}

/** Everything takes a hundredth of its time, with the 30 s after which a call is given up. */
export const fastClock: Clock = {
  now: Date.now,
  random: Math.random,
  wait: async (delayMs, signal) => {
    // Aborting ends the wait; that is all there is to the rejection.
    await delay(delayMs / 100, undefined, { signal, ref: false }).catch(() => undefined);
  },
};
