import { ipcMain, type WebContents, type WebFrameMain } from 'electron';
import {
  callNames,
  firstAnswersChannel,
  type BridgeCalls,
  type FirstAnswer,
} from '#preload/bridge.ts';
import type { CallCodecs } from './call-codecs.ts';
import { callChannel } from './channels.ts';
import type { FirstAnswers } from './first-answers.ts';
import type { PageCalls } from './page-calls.ts';
import { serveCall } from './serve-call.ts';

let codecs: Promise<CallCodecs> | undefined;

/** Loaded for the first call: there is none before the page begins, and schemas take longer than all else that comes before that. */
const loadCodecs = (): Promise<CallCodecs> =>
  (codecs ??= import('./call-codecs.ts').then(({ callCodecs }) => callCodecs));

type Run = (...args: readonly unknown[]) => Promise<unknown>;

/** The page makes them by itself as it starts, and paints without their answers. */
const patient: ReadonlySet<keyof BridgeCalls> = new Set([
  'connection',
  'file',
  'showView',
  'state',
  'resumeUploads',
  'topics',
  'reportActivity',
]);

/** What is loaded after the window was opened. */
export type LateCalls = Omit<BridgeCalls, keyof PageCalls>;

export interface BridgeParts {
  readonly isTrusted: (frame: WebFrameMain | null) => boolean;
  readonly own: PageCalls;
  readonly late: Promise<LateCalls>;
  /** Somebody waits for the late calls. */
  readonly hurry: () => void;
}

/** Serves every call to trusted frames; the calls of any other and malformed arguments are rejected. */
export function serveBridge({ isTrusted, own, late, hurry }: BridgeParts): void {
  async function run(name: keyof BridgeCalls, args: readonly unknown[]): Promise<unknown> {
    if (name in own) return (own[name as keyof PageCalls] as Run)(...args);
    if (!patient.has(name)) hurry();
    return ((await late)[name as keyof LateCalls] as Run)(...args);
  }

  for (const name of callNames) {
    serveCall<readonly unknown[]>({
      channel: callChannel(name),
      name,
      isTrusted,
      loadCodec: async () => (await loadCodecs())[name],
      run: (...args) => run(name, args),
    });
  }
}

export interface FirstAnswersParts {
  readonly isOfWindow: (contents: WebContents) => boolean;
  /** Beside what was kept. */
  readonly own: () => readonly FirstAnswer[];
  readonly first: FirstAnswers | undefined;
  readonly late: Promise<unknown>;
  readonly tellOver: () => void;
}

/**
 * Tells a page before it begins what it would ask first. Its document has no address yet at that moment: that it is the one of
 * the window has to do, which is confined to its own page.
 */
export function serveFirstAnswers({
  isOfWindow,
  own,
  first,
  late,
  tellOver,
}: FirstAnswersParts): void {
  let kept = first;
  late.then(
    () => {
      kept = undefined;
      tellOver();
    },
    // Whoever loads them tells of it.
    () => undefined,
  );
  ipcMain.on(firstAnswersChannel, (event) => {
    event.returnValue = isOfWindow(event.sender) ? [...own(), ...(kept?.() ?? [])] : [];
  });
}
