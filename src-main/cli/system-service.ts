/** The headless service as one of the system's: the file that says so, and the commands that make the system look. */
import { posix } from 'node:path';
import { xdgDir } from '#node/paths.ts';
import { serveEnvironment } from '#node/own-command.ts';

export interface ServicePlace {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly userId: number;
  /** For the whole computer, from its start on, in place of one account. */
  readonly isForSystem: boolean;
}

export interface SystemService {
  readonly file: string;
  readonly text: (words: readonly string[]) => string;
  /** Each is a program with its arguments. */
  readonly begin: readonly (readonly string[])[];
  readonly end: readonly (readonly string[])[];
  /** Ends with 0 where it runs. */
  readonly isRunning: readonly string[];
  /** When it starts, as a sentence. */
  readonly starts: string;
}

const UNIT = 'hearth.service';
const LABEL = 'org.hearth.serve';

/** As systemd reads a word: in quotes, with what it would expand. */
const inUnit = (word: string): string =>
  `"${word
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')}"`;

/** As systemd reads it. */
const environment = Object.entries(serveEnvironment)
  .map(([name, value]) => `Environment=${name}=${value}`)
  .join('\n');

const unitText = (words: readonly string[], { isForSystem, env }: ServicePlace): string => `[Unit]
Description=Hearth
After=network-online.target
Wants=network-online.target

[Service]
${environment}
ExecStart=${words.map(inUnit).join(' ')}
${isForSystem && env['SUDO_USER'] ? `User=${env['SUDO_USER']}\n` : ''}Restart=on-failure
RestartSec=5
UMask=0077

[Install]
WantedBy=${isForSystem ? 'multi-user.target' : 'default.target'}
`;

const inPlist = (word: string): string =>
  word.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const plistText = (
  words: readonly string[],
  { isForSystem, env }: ServicePlace,
): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${inPlist(word)}</string>`).join('\n')}
  </array>
${isForSystem && env['SUDO_USER'] ? `  <key>UserName</key>\n  <string>${inPlist(env['SUDO_USER'])}</string>\n` : ''}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>Umask</key>
  <integer>63</integer>
</dict>
</plist>
`;

function ofSystemd(place: ServicePlace): SystemService {
  const { env, home, isForSystem } = place;
  const config = xdgDir(env['XDG_CONFIG_HOME'], home, '.config');
  const folder = isForSystem ? '/etc/systemd/system' : posix.join(config, 'systemd', 'user');
  const systemctl = ['systemctl', ...(isForSystem ? [] : ['--user'])];
  return {
    file: posix.join(folder, UNIT),
    text: (words) => unitText(words, place),
    begin: [
      [...systemctl, 'daemon-reload'],
      [...systemctl, 'enable', UNIT],
      [...systemctl, 'restart', UNIT],
    ],
    end: [[...systemctl, 'disable', '--now', UNIT]],
    isRunning: [...systemctl, 'is-active', '--quiet', UNIT],
    starts: isForSystem
      ? 'It starts with the computer.'
      : 'It starts when you sign in; "loginctl enable-linger" makes it start with the computer.',
  };
}

function ofLaunchd(place: ServicePlace): SystemService {
  const { home, userId, isForSystem } = place;
  const folder = isForSystem
    ? '/Library/LaunchDaemons'
    : posix.join(home, 'Library', 'LaunchAgents');
  const domain = isForSystem ? 'system' : `gui/${String(userId)}`;
  const file = posix.join(folder, `${LABEL}.plist`);
  return {
    file,
    text: (words) => plistText(words, place),
    begin: [['launchctl', 'bootstrap', domain, file]],
    end: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
    isRunning: ['launchctl', 'print', `${domain}/${LABEL}`],
    starts: isForSystem ? 'It starts with the computer.' : 'It starts when you sign in.',
  };
}

/** Undefined where Hearth knows no way for it. */
export function systemService(place: ServicePlace): SystemService | undefined {
  if (place.platform === 'linux') return ofSystemd(place);
  return place.platform === 'darwin' ? ofLaunchd(place) : undefined;
}
