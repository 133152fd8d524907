/** As much of the Chrome DevTools Protocol as it takes to look into a page that is just starting. */

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: Error) => void;
}

export interface Devtools {
  readonly send: <T>(method: string, params: object, session?: string) => Promise<T>;
  readonly onEvent: (listener: (method: string, params: unknown) => void) => void;
  readonly close: () => void;
}

export async function connectDevtools(url: string): Promise<Devtools> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, Waiting>();
  const listeners: ((method: string, params: unknown) => void)[] = [];
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(String(data)) as Answer;
    if (method !== undefined) for (const listener of listeners) listener(method, params);
    const asked = waiting.get(id ?? 0);
    waiting.delete(id ?? 0);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(error.message));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the application has ended'));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`no connection to ${url}`)));
  });
  return {
    send: <T>(method: string, params: object, sessionId?: string) =>
      new Promise<T>((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve: (result) => resolve(result as T), reject });
        socket.send(JSON.stringify({ id, method, params, sessionId }));
      }),
    onEvent: (listener) => void listeners.push(listener),
    close: () => socket.close(),
  };
}
