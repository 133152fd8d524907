/** What integrations are sorted by. Apart from their schemas, so that a window which lists them loads none. */
export const integrationSubjects = [
  'code',
  'builds',
  'alarms',
  'tickets',
  'business',
  'anything',
] as const;
