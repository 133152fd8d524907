/** Somebody at a window of the application, who counts what they have to do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { projectDir } from '#scripts/project-dir.ts';
import type { DeskAnswer, DeskQuestion, Thing } from './desk-process.ts';
import type { ReceivedNotification } from '../desktop/desktop-notifications.ts';
import type { Socket } from './lan.ts';

const program = fileURLToPath(new URL('desk-process.ts', import.meta.url));
const session = join(projectDir, 'scripts/test-electron/session');

export interface Effort {
  /** Fields that were filled in. */
  readonly inputs: number;
  readonly clicks: number;
  /** That were pressed besides those that write. */
  readonly keys: number;
  readonly seconds: number;
}

export type Hand = 'mouse' | 'keyboard';

/** More than that nobody would press to get to a button. */
const TABS_AT_MOST = 60;

export class Desk {
  readonly #child: ChildProcess;
  readonly #hand: Hand;
  #count = 0;
  #effort = { inputs: 0, clicks: 0, keys: 0 };
  #startedAt = 0;

  private constructor(child: ChildProcess, hand: Hand) {
    this.#child = child;
    this.#hand = hand;
  }

  static async at(socket: Socket, hand: Hand): Promise<Desk> {
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', program];
    // Whoever is root in their networks alone would be taken for somebody else by the bus of the session.
    const id = process.getuid?.() ?? 0;
    const asMyself = id === 0 ? [] : ['unshare', '--user', `--map-user=${String(id)}`, '--'];
    const child = spawn(session, [...socket.command, ...asMyself, ...node], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const desk = new Desk(child, hand);
    onTestFinished(async () => {
      const ended = once(child, 'exit');
      try {
        await desk.#ask('quit');
      } finally {
        child.disconnect();
        await ended;
      }
    });
    await desk.#answered(0);
    return desk;
  }

  /** The application is opened, by a link that somebody clicked or by itself. */
  async open(...links: readonly string[]): Promise<void> {
    this.#startedAt ||= performance.now();
    await this.#ask('start', ...links);
  }

  /** The application is quit, and what it has kept stays for the next time it is opened. */
  close(): Promise<void> {
    return this.#ask('close');
  }

  /** What it took since it was first opened. */
  effort(): Effort {
    const seconds = Math.round((performance.now() - this.#startedAt) / 100) / 10;
    return { ...this.#effort, seconds };
  }

  /** Presses a button, a link, a tab. */
  async use(thing: Thing): Promise<void> {
    if (this.#hand === 'mouse') return this.#click(thing);
    await this.#walkTo(thing);
    // What is chosen by arrows is chosen already.
    if (thing.role !== 'tab') await this.press(thing.role === 'checkbox' ? 'Space' : 'Enter');
  }

  async backfill(thing: Thing, text: string): Promise<void> {
    if (this.#hand === 'keyboard') await this.#walkTo(thing);
    else if (!(await this.#ask<boolean>('isFocused', thing))) await this.#click(thing);
    await this.#ask('type', text);
    this.#effort.inputs += 1;
  }

  async press(key: string): Promise<void> {
    await this.#ask('press', key);
    this.#effort.keys += 1;
  }

  sees(thing: Thing): Promise<void> {
    return this.#ask('sees', thing);
  }

  /** What stands in it, as it is shown. */
  textOf(thing: Thing): Promise<string> {
    return this.#ask('textOf', thing);
  }

  /** Settles once a message with this text is in the window. */
  reads(text: string): Promise<void> {
    return this.#ask('reads', text);
  }

  clipboard(): Promise<string> {
    return this.#ask('clipboard');
  }

  /** Has another program in front. */
  lookAway(): Promise<void> {
    return this.#ask('lookAway');
  }

  /** Settles once the notification daemon of this desktop was given one of this kind. */
  async isNotified(wanted: { readonly title: string; readonly body: string }): Promise<void> {
    const received = (): Promise<readonly ReceivedNotification[]> => this.#ask('notifications');
    await expect.poll(received).toContainEqual(expect.objectContaining(wanted));
  }

  async #click(thing: Thing): Promise<void> {
    await this.#ask('click', thing);
    this.#effort.clicks += 1;
  }

  async #walkTo(thing: Thing): Promise<void> {
    const isThere = (): Promise<boolean> => this.#ask('isFocused', thing);
    await this.sees(thing);
    // Before it has painted a page is given no keys, and sixty of them are soon gone.
    await expect.poll(() => this.#ask('isPainted')).toBe(true);
    for (let steps = 0; !(await isThere()); steps += 1) {
      if (steps === TABS_AT_MOST) throw new Error(`no way by keyboard to ${thing.name}`);
      const isAmongTabs = thing.role === 'tab' && (await this.#ask('isAmongTabs'));
      await this.press(isAmongTabs ? 'ArrowDown' : 'Tab');
    }
  }

  async #ask<T>(name: DeskQuestion['name'], ...args: readonly unknown[]): Promise<T> {
    const id = (this.#count += 1);
    const answered = this.#answered(id);
    this.#child.send({ id, name, args } satisfies DeskQuestion);
    return (await answered) as T;
  }

  #answered(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const listener = (answer: DeskAnswer): void => {
        if (answer.id !== id) return;
        this.#child.off('message', listener);
        if (answer.problem === undefined) resolve(answer.value);
        else reject(new Error(answer.problem));
      };
      this.#child.on('message', listener);
    });
  }
}
