import type { ClientPorts } from '../ports.ts';

/**
 * The network of an account whose key is not there: every request is answered here, as a service answers a key that it does
 * not accept, and none is sent.
 */
export function refusedNetwork(reason: string): Pick<ClientPorts, 'http' | 'fetchFile'> {
  const text = JSON.stringify({ result: 'error', code: 'INVALID_API_KEY', msg: reason });
  return {
    http: async () => ({ status: 401, text }),
    fetchFile: async () => ({ status: 401, type: '', bytes: null }),
  };
}
