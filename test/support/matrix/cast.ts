/** One account of every kind that calls can come from, and where it stands to the places that calls are about. */
export interface Account {
  readonly role: 'admin' | 'member' | 'guest';
  /** Null for a person. */
  readonly bot: 'generic' | 'incoming' | 'outgoing' | null;
  /** Whose bot it is. */
  readonly owner?: string;
  /** In a place, taken out of it again, or never there. */
  readonly at: 'in' | 'former' | 'out';
}

const person = (role: Account['role'], at: Account['at']): Account => ({ role, at, bot: null });
const bot = (kind: Account['bot'], owner: string, at: Account['at']): Account => ({
  ...{ role: 'member', bot: kind, owner, at },
});

export const cast = {
  admin: person('admin', 'out'),
  'admin inside': person('admin', 'in'),
  member: person('member', 'out'),
  /** Made the places, wrote the messages, and owns whatever else a call is about. */
  author: person('member', 'in'),
  'member inside': person('member', 'in'),
  'former member': person('member', 'former'),
  guest: person('guest', 'out'),
  'guest inside': person('guest', 'in'),
  'former guest': person('guest', 'former'),
  "admin's bot": bot('generic', 'admin', 'out'),
  "member's bot": bot('generic', 'member', 'out'),
  "author's bot": bot('generic', 'author', 'in'),
  'former bot': bot('generic', 'former member', 'former'),
  /** A bot has at most the role of its owner, as that is now. */
  "guest's bot": { ...bot('generic', 'guest', 'out'), role: 'guest' },
  'outgoing bot': bot('outgoing', 'author', 'in'),
  'incoming bot': bot('incoming', 'author', 'in'),
  /** These call nothing; others do things to them. */
  resident: person('member', 'in'),
  bystander: person('member', 'out'),
} as const satisfies Record<string, Account>;

export type Name = keyof typeof cast;
export const names = Object.keys(cast) as readonly Name[];

/** An account with its name, as the rules look at it. */
export type Member = Account & { readonly name: Name };
export const members: readonly Member[] = names.map((name) => ({ ...cast[name], name }));

/** Calls that come from no account, whatever they are about. */
export const strangers = ['nobody', 'a wrong key', 'a deactivated account'] as const;
export type Stranger = (typeof strangers)[number];

/** Who calls: everybody but those to whom things are done. */
export type Caller = Name | Stranger;
export const callers: readonly Caller[] = [
  ...strangers,
  ...names.filter((name) => name !== 'bystander' && name !== 'resident'),
];

export const isStranger = (caller: Caller): caller is Stranger =>
  (strangers as readonly string[]).includes(caller);

/** Has queues: an incoming webhook bot may only send. */
export const listeners: readonly Member[] = members.filter(({ bot: kind }) => kind !== 'incoming');
