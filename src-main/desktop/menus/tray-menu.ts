import type { MenuItemConstructorOptions } from 'electron';
import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import { cappedCount, type Badge } from '#shared/policies/unread-counts.ts';
import { isQuiet, quietChoices, quietLabel, type QuietUntil } from './do-not-disturb.ts';

export const noAttention: Badge = { wanted: 0, badge: 0, other: 0, problem: null };

export type HostingPhase = HostingStatus['phase'];

export interface TrayState {
  readonly attention: Badge;
  readonly quietUntil: QuietUntil;
  readonly hosting: HostingPhase;
}

export interface TrayActions {
  readonly open: () => void;
  readonly setQuiet: (until: QuietUntil) => void;
  readonly stopHosting: () => void;
  readonly startHosting: () => void;
  readonly openSettings: () => void;
  readonly quit: () => void;
}

const messages = (count: number): string =>
  `${cappedCount(count)} ${count === 1 ? 'message' : 'messages'}`;

/** One line for the menu and the tooltip. */
export function attentionLine({ wanted, other, problem }: Badge): string {
  if (problem !== null) return problem;
  if (wanted > 0) return `${messages(wanted)} for you`;
  return other > 0 ? `${cappedCount(other)} unread` : 'No unread messages';
}

export type TrayIcon = 'normal' | 'unread' | 'mention' | 'attention';

export function trayIcon({ wanted, other, problem }: Badge): TrayIcon {
  if (problem !== null) return 'attention';
  if (wanted > 0) return 'mention';
  return other > 0 ? 'unread' : 'normal';
}

export function trayTooltip(name: string, { attention, quietUntil }: TrayState, now: Date): string {
  const quiet = isQuiet(quietUntil, now) ? `\n${quietLabel(quietUntil, now)}` : '';
  return `${name}: ${attentionLine(attention)}${quiet}`;
}

export function trayMenu(
  state: TrayState,
  actions: TrayActions,
  now: Date,
): MenuItemConstructorOptions[] {
  return [
    { label: 'Open Hearth', click: actions.open },
    { label: attentionLine(state.attention), enabled: false },
    { type: 'separator' },
    quietItem(state.quietUntil, actions.setQuiet, now),
    ...hostingItems(state.hosting, actions),
    { type: 'separator' },
    { label: 'Settings', click: actions.openSettings },
    { label: 'Quit Hearth', click: actions.quit },
  ];
}

/** Also in the menu of the window. */
export function quietItem(
  until: QuietUntil,
  setQuiet: (until: QuietUntil) => void,
  now: Date,
): MenuItemConstructorOptions {
  const choices = quietChoices(now).map(({ label, until: chosen }) => ({
    label,
    click: () => setQuiet(chosen),
  }));
  const off: MenuItemConstructorOptions = { label: 'Turn off', click: () => setQuiet(0) };
  const isOn = isQuiet(until, now);
  return {
    label: quietLabel(until, now),
    submenu: isOn ? [off, { type: 'separator' }, ...choices] : choices,
  };
}

function hostingItems(hosting: HostingPhase, actions: TrayActions): MenuItemConstructorOptions[] {
  if (hosting === 'off') return [];
  const lines = {
    starting: 'Hosting is starting',
    running: 'Hosting on this computer',
    stopped: 'Hosting is stopped',
    failed: 'Hosting does not work',
  } as const;
  const action: MenuItemConstructorOptions =
    hosting === 'stopped' || hosting === 'failed'
      ? { label: 'Start hosting', click: actions.startHosting }
      : { label: 'Stop hosting…', enabled: hosting === 'running', click: actions.stopHosting };
  return [{ type: 'separator' }, { label: lines[hosting], enabled: false }, action];
}
