import { ipcMain, type WebFrameMain } from 'electron';
import type { z } from 'zod';

export interface ServedCall<Arguments extends readonly unknown[]> {
  readonly channel: string;
  /** In what a refused caller is told. */
  readonly name: string;
  readonly isTrusted: (frame: WebFrameMain | null) => boolean;
  readonly loadCodec: () => Promise<z.ZodType<Arguments>>;
  readonly run: (...args: Arguments) => Promise<unknown>;
}

/** Serves a call to trusted frames; the calls of any other and malformed arguments are rejected. */
export function serveCall<Arguments extends readonly unknown[]>({
  channel,
  name,
  isTrusted,
  loadCodec,
  run,
}: ServedCall<Arguments>): void {
  ipcMain.handle(channel, async (event, ...args: unknown[]) => {
    if (!isTrusted(event.senderFrame)) throw new Error(`${name} from an untrusted frame`);
    const parsed = (await loadCodec()).safeParse(args);
    // The issues are left out: the message goes to the page, and arguments may hold a password.
    if (!parsed.success) throw new Error(`${name} with malformed arguments`);
    return run(...parsed.data);
  });
}
