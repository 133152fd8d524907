/** Whom messages name. */
import type { AccountRow, MessageRow, Store } from '#service/db/port.ts';
import type { MessagePeople } from '#service/core/rules/shapes.ts';
import { topicLinks } from '#service/core/text/markup.ts';

/** Answers who a message names, remembering what it has looked up: at once where it need not look again. */
export type PeopleOf = (row: MessageRow) => MessagePeople | Promise<MessagePeople>;

const nobody: readonly AccountRow[] = [];

export function peopleOf(store: Store): PeopleOf {
  const users = new Map<number, AccountRow>();
  const conversations = new Map<number, readonly AccountRow[]>();

  async function getUser(id: number): Promise<AccountRow> {
    const user = users.get(id) ?? (await store.findUser(id));
    if (user === undefined) throw new Error(`no account ${String(id)}`);
    users.set(id, user);
    return user;
  }
  async function participantsOf(recipientId: number): Promise<readonly AccountRow[]> {
    const known = conversations.get(recipientId);
    if (known !== undefined) return known;
    const participants: AccountRow[] = [];
    for (const id of await store.listParticipantIds(recipientId))
      participants.push(await getUser(id));
    conversations.set(recipientId, participants);
    return participants;
  }
  let linksOf: ((topic: string) => readonly string[]) | undefined;
  const links = new Map<string, readonly string[]>();
  function linksIn(topic: string, find: (topic: string) => readonly string[]): readonly string[] {
    const found = links.get(topic) ?? find(topic);
    links.set(topic, found);
    return found;
  }

  async function load(row: MessageRow): Promise<MessagePeople> {
    const find = (linksOf ??= await store.read(topicLinks));
    return {
      sender: await getUser(row.sender_id),
      participants: row.stream_id === null ? await participantsOf(row.recipient_id) : nobody,
      subjectLinks: row.topic === null ? [] : linksIn(row.topic, find),
    };
  }

  return (row) => {
    const sender = users.get(row.sender_id);
    const participants = row.stream_id === null ? conversations.get(row.recipient_id) : nobody;
    if (linksOf === undefined || sender === undefined || participants === undefined)
      return load(row);
    return {
      sender,
      participants,
      subjectLinks: row.topic === null ? [] : linksIn(row.topic, linksOf),
    };
  };
}
