import type { AddressCheck, LocalNetwork, NetworkAccess } from '#shared/bridge/models/hosting.ts';

/** What is said of the way to an organization that lives on this computer. */
export const networkAccessWords = {
  open: 'Let others in this network join',
  openHint:
    'Colleagues in the same network can then reach the organization on this computer. Everything they send is encrypted. A network that is new is asked for first.',
  staysAwake: 'Stay awake while others are connected',
  staysAwakeHint:
    'On mains power this computer does not fall asleep by itself then. When it sleeps, nobody reaches the organization.',
  networks: 'Networks',
  networksHint: 'Only those that you agree to; in others nobody is listened to.',
  noNetwork: 'This computer is in no network now.',
  networkProblems: {
    'port-taken': 'Another program uses the port in this network. Quit that program.',
    failed: 'The system did not let Hearth listen in this network.',
  } satisfies Record<NonNullable<LocalNetwork['problem']>, string>,

  addresses: 'Addresses',
  addressesHint:
    'Any of them leads here. They may change with the network: tell colleagues the new one then.',
  noAddress: 'Nobody can reach this computer now.',
  copy: 'Copy',
  copyAddress: (address: string): string => `Copy ${address}`,
  check: 'Can others reach me?',
  checking: 'Looking…',
  checked: {
    reached: 'It answers there, and proves who it is.',
    nobody: 'Nothing answers there.',
    'somebody-else': 'Another computer answers there.',
  } satisfies Record<AddressCheck['result'], string>,
  checkHint:
    'This computer asked itself. If a colleague still gets no answer, a firewall is between you.',

  firewall: 'Firewall',
  firewallHint: {
    linux: (port: string): string =>
      `If this computer has a firewall, open port ${port}: enter “sudo ufw allow ${port}/tcp” or “sudo firewall-cmd --add-port=${port}/tcp --permanent” in a terminal.`,
    macos: (): string =>
      'macOS may ask whether Hearth may accept connections: choose Allow. Later it is under System Settings, Network, Firewall.',
    windows: (): string =>
      'Windows may ask whether Hearth may communicate: allow it in private networks. Later it is under Windows Security, Firewall, Allow an app.',
  } satisfies Record<NetworkAccess['system'], (port: string) => string>,

  identity: 'Safety words',
  identityHint:
    'A colleague who types the address is shown three rows of words. Read these to them: they choose the same.',
  pin: 'Key fingerprint',
  authority: 'Save the certificate…',
  authorityHint:
    'For browsers and programs that do not know Hearth: they trust this organization’s addresses, and no others, by it.',
  authoritySaved: 'The certificate is saved.',

  visitors: 'Connected now',
  noVisitors: 'No other computer is connected.',

  shut: 'Only this computer can reach that address now.',

  ask: {
    title: (organization: string): string => `Only this computer can reach ${organization}`,
    text: 'Let colleagues in the same network join? You can change that at any time in the settings.',
    yes: 'Let others join',
    no: 'Not now',
  },
  askNetwork: {
    title: 'You are in another network',
    text: (subnet: string, organization: string): string =>
      `Nobody in ${subnet} can reach ${organization} unless you agree. Do so in an office or at home, not in a café.`,
    yes: 'Let others here join',
    no: 'Not here',
  },
} as const;
