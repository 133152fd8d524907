/** What people read of outgoing bots and the network of the computer that hosts. */
export const targetWords = {
  title: 'Bots inside of this network',
  hint: 'Outgoing bots reach the public internet alone. Here they may be let to single names, addresses or networks of this computer’s network, each with a port. The audit log tells of it, and nobody can change it from another computer.',
  none: 'They reach nothing inside of this network.',
  label: 'Let them reach',
  example: 'jenkins.lan:8080 or 10.1.0.0/24:443',
  allow: 'Allow',
  removeLabel: (target: string): string => `Remove ${target}`,
} as const;
