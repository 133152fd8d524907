/** One connection that is kept: what is measured shall be the service. */
import { Agent, request } from 'node:http';

export class Client {
  readonly #origin: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** @returns the status, when the answer was read */
  post(
    target: string,
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array,
  ): Promise<number> {
    return this.ask('POST', target, headers, body);
  }

  ask(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array = '',
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      const options = {
        method,
        agent: this.#agent,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      };
      const sent = request(`${this.#origin}${target}`, options, (response) => {
        response.resume();
        response.on('error', reject);
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  end(): void {
    this.#agent.destroy();
  }
}
