import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SECRET_FILE } from '#node/tls/server-identity.ts';
import { createApiKeys } from '#service/security/api-keys.ts';
import { macFunctionOf } from '#service/core/rules/message-macs.ts';
import type { ChangedText, MessageRow } from '#service/db/port.ts';
import { api } from '#shared/api/endpoints/index.ts';
import type { OfferedMessage } from '#shared/api/endpoints/messages/reupload.ts';
import type { Message } from '#shared/api/models/message.ts';
import { shortOrLong } from '#test/support/long.ts';
import {
  ada,
  ben,
  cleo,
  gus,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { backUp, restoreTo } from '#test/support/service/restored.ts';

const { lacking, offer } = api.recovery;
const own = { with_source: true };

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.stop());

/** As our own clients keep a message, and give it back. */
function offered(message: Message | undefined): OfferedMessage {
  if (message?.proof === undefined) throw new Error('a message without a proof');
  const { display_recipient: people } = message;
  return {
    id: message.id,
    sender_id: message.sender_id,
    timestamp: message.timestamp,
    content: message.source ?? '',
    proof: message.proof,
    ...(typeof people === 'string'
      ? { stream_id: message.stream_id, topic: message.subject }
      : { user_ids: people.map(({ id }) => id) }),
  };
}

const proofsOf = (event: unknown): Readonly<Record<string, string>> =>
  (event as { readonly proofs?: Record<string, string> } | undefined)?.proofs ?? {};

const keep = async (who: string, id: number): Promise<OfferedMessage> =>
  offered(await service.read(who, id, own));

async function give(who: string, ...messages: readonly OfferedMessage[]): Promise<string[]> {
  return (await service.ask(who, offer, { messages })).results.map(({ result }) => result);
}

const versionOf = ({ id, proof }: OfferedMessage): readonly [number, number] => [
  id,
  Number(proof.split('.')[0]),
];

describe('a message that only members still have', () => {
  test('a lost message comes back as it was: number, author, time, place; read, marked, found, and told to our clients [recovery.lost-message-comes]', async () => {
    const backup = await backUp(service);
    const id = await service.say(ben, 'general', 'lunch', 'a **rare** soup for @**Cleo Member**');
    const before = await service.read(cleo, id, own);
    const kept = offered(before);
    await restoreTo(service, backup);
    const told = await service.register(cleo, own);
    const plain = await service.register(cleo);
    const later = await service.say(ada, 'general', 'lunch', 'later');
    expect(later).toBeGreaterThan(id + 1e7);
    expect(
      await service.ask(ada, lacking, {
        known: [
          [id, 0],
          [later, 0],
        ],
      }),
    ).toEqual({ lacking: [id] });
    expect(await give(ada, kept)).toEqual(['recovered']);
    const after = await service.read(cleo, id, own);
    expect(after).toEqual({
      ...before,
      ...{ avatar_url: expect.any(String), client: expect.any(String) },
      recovered_at: expect.any(Number),
      flags: ['read', 'mentioned'],
    });
    expect((await told.now()).at(-1)).toMatchObject({
      type: 'messages_recovered',
      message_ids: [id],
    });
    expect((await plain.now()).map(({ type }) => type)).toEqual(['message']);
    expect(await service.read(cleo, id)).not.toHaveProperty('recovered_at');
    const narrow = [{ operator: 'search', operand: 'rare' }];
    const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow };
    const found = await service.ask(cleo, api.messages.page, page);
    expect(found.messages.map((each) => each.id)).toEqual([id]);
    const unread = { ...page, narrow: [{ operator: 'is', operand: 'unread' }] };
    const left = await service.ask(cleo, api.messages.page, unread);
    expect(left.messages.map((each) => each.id)).toEqual([later]);
  });

  test('a lost message is put in once, however often and by whomever it is offered [recovery.lost-message-put]', async () => {
    const backup = await backUp(service);
    const kept = await keep(ben, await service.say(ben, 'general', 'lunch', 'once'));
    await restoreTo(service, backup);
    expect(await give(ben, kept, kept)).toEqual(['recovered', 'present']);
    const before = service.dump();
    expect(await give(cleo, kept)).toEqual(['present']);
    expect(service.dump()).toEqual(before);
  });

  test('a lost message is refused where a single thing in it is another, and that is counted [recovery.lost-message-refused]', async () => {
    const backup = await backUp(service);
    const kept = await keep(ben, await service.say(ben, 'general', 'lunch', 'the truth'));
    const secret = await keep(ben, await service.tell(ben, [cleo], 'a secret'));
    await restoreTo(service, backup);
    const [number, mac] = kept.proof.split('.');
    const forged: readonly OfferedMessage[] = [
      { ...kept, id: kept.id + 1 },
      { ...kept, sender_id: idOf[ada] ?? 0 },
      { ...kept, timestamp: kept.timestamp - 1 },
      { ...kept, stream_id: Number(kept.stream_id) + 1 },
      { ...kept, topic: 'Lunch' },
      { ...kept, content: 'a lie' },
      { ...kept, proof: `${Number(number) + 1}.${mac ?? ''}` },
      { ...kept, proof: 'none' },
      { ...secret, user_ids: [1, 2, 3] },
    ];
    const tables = ({ audit_entry: _, ...rest }: ReturnType<TestService['dump']>) => rest;
    const before = tables(service.dump());
    expect(await give(ben, ...forged)).toEqual(forged.map(() => 'unproven'));
    expect(tables(service.dump())).toEqual(before);
    expect(await give(ben, kept, { ...kept, content: 'a lie' })).toEqual(['recovered', 'unproven']);
    const { entries } = await service.ask(ada, api.auditLog.list, {
      types: ['messages_recovered'],
    });
    const actor_id = idOf[ben];
    expect(entries).toMatchObject([
      { actor_id, details: { messages: 1, forged: 1 } },
      { actor_id, details: { messages: 0, forged: 9 } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('truth');
  });

  test('a text that was changed after the backup comes back in its last version alone', async () => {
    const known = await service.say(ben, 'general', 'lunch', 'a slip');
    const slip = await keep(cleo, known);
    const backup = await backUp(service);
    const late = await service.say(ben, 'general', 'lunch', 'a late slip');
    const versions = [slip, await keep(cleo, late)];
    for (const content of ['still a slip', 'well put']) {
      for (const message_id of [known, late]) {
        await service.ask(ben, api.lifecycle.edit, { message_id, content });
        versions.push(await keep(cleo, message_id));
      }
    }
    const edits = editsOf(service.dump());
    await restoreTo(service, backup, undefined, edits);
    const before = await service.read(gus, known, { apply_markdown: false });
    expect(before?.content).toMatch(WITHHELD);
    const { lacking: numbers } = await service.ask(cleo, lacking, {
      known: versions.map(versionOf),
    });
    expect(numbers).toEqual([known, known, late, late, late]);
    const slips = versions.slice(0, 4);
    expect(await give(cleo, ...slips)).toEqual(['present', 'deleted', 'deleted', 'deleted']);
    expect(await service.read(gus, late)).toBeUndefined();
    expect(await give(cleo, ...versions.slice(4))).toEqual(['recovered', 'recovered']);
    for (const id of [known, late]) {
      expect(await service.read(gus, id)).toMatchObject({ content: '<p>well put</p>' });
    }
    expect(await give(cleo, ...slips)).toEqual(slips.map(() => 'present'));
  });

  test('a lost message is taken only from whoever reads its place, and only where that is still there [recovery.lost-message-taken]', async () => {
    const backup = await backUp(service);
    const led = await keep(ben, await service.say(ben, 'leads', 'plans', 'for leads'));
    const told = await keep(ben, await service.tell(ben, [cleo], 'for two'));
    await service.join(ben, ['founded since']);
    const homeless = await keep(
      ben,
      await service.say(ben, 'founded since', 'a', 'without a place'),
    );
    const email = 'new@example.com';
    await service.ask(ada, api.users.create, {
      email,
      password: 'long enough',
      full_name: 'New',
      short_name: 'n',
    });
    const orphan = await keep(email, await service.say(email, 'general', 'a', 'without an author'));
    await restoreTo(service, backup);
    const everything = [led, told, homeless, orphan];
    expect(await give(cleo, ...everything)).toEqual(['refused', 'recovered', 'refused', 'refused']);
    expect(await give(gus, led, told)).toEqual(['refused', 'refused']);
    expect(await give(ben, ...everything)).toEqual(['recovered', 'present', 'refused', 'refused']);
    expect(await service.read(cleo, told.id)).toMatchObject({ content: '<p>for two</p>' });
    expect(await service.read(cleo, led.id)).toBeUndefined();
  });

  test('a lost message stays deleted where that is known, from before the backup, beside it, or since [recovery.lost-message-stays]', async () => {
    const early = await keep(ben, await service.say(ben, 'general', 'a', 'deleted before'));
    await service.ask(ada, api.lifecycle.delete, { message_id: early.id });
    const old = await keep(
      ben,
      await service.say(ben, 'general', 'a', 'deleted after it was backed up'),
    );
    const backup = await backUp(service);
    const lost = await keep(
      ben,
      await service.say(ben, 'general', 'a', 'deleted after the backup'),
    );
    const back = await keep(ben, await service.say(ben, 'general', 'a', 'deleted once it is back'));
    for (const { id } of [old, lost])
      await service.ask(ada, api.lifecycle.delete, { message_id: id });
    const rows = service.rows('account') as never[];
    const deletedIds = service.rows('deleted_message').map((row) => Number(row['message_id']));
    expect(deletedIds).toEqual([early.id, old.id, lost.id]);
    await restoreTo(service, backup, { accounts: rows, deviceIds: [], deletedIds });
    expect(await service.read(ben, old.id)).toBeUndefined();
    expect(await give(ben, back)).toEqual(['recovered']);
    await service.ask(ada, api.lifecycle.delete, { message_id: back.id });
    const all = [early, old, lost, back];
    expect(await service.ask(cleo, lacking, { known: all.map(versionOf) })).toEqual({
      lacking: all.map(({ id }) => id),
    });
    expect(await give(cleo, ...all)).toEqual(all.map(() => 'deleted'));
  });

  test('a lost message shows its latest change, in whatever order its versions are offered [recovery.lost-message-shows]', async () => {
    const known = await service.say(ben, 'general', 'a', 'first');
    const backup = await backUp(service);
    const queue = await service.register(cleo, own);
    const id = await service.say(ben, 'general', 'a', 'one');
    const one = await keep(cleo, id);
    await service.ask(ben, api.lifecycle.edit, { message_id: id, content: 'two' });
    const two = await keep(cleo, id);
    await service.ask(ben, api.lifecycle.edit, { message_id: id, topic: 'b', content: 'three' });
    const three = await keep(cleo, id);
    await service.ask(ben, api.lifecycle.edit, { message_id: known, content: 'second' });
    const changed = await keep(cleo, known);
    const proofs = (await queue.now()).flatMap((event) => Object.values(proofsOf(event)));
    expect(proofs).toEqual([two.proof, three.proof, changed.proof]);
    await restoreTo(service, backup);
    const all = [one, two, three, changed];
    expect(await service.ask(cleo, lacking, { known: all.map(versionOf) })).toEqual({
      lacking: [known, id, id, id],
    });
    expect(await give(cleo, two, one)).toEqual(['recovered', 'present']);
    expect(await give(ben, three, changed, two)).toEqual(['recovered', 'recovered', 'present']);
    expect(await service.read(cleo, id, own)).toMatchObject({
      source: 'three',
      subject: 'b',
      proof: three.proof,
    });
    expect(await service.read(cleo, known, own)).toMatchObject({
      source: 'second',
      proof: changed.proof,
    });
    await service.ask(ben, api.lifecycle.edit, { message_id: id, content: 'since' });
    expect(await give(cleo, three)).toEqual(['present']);
    expect(await service.read(cleo, id, own)).toMatchObject({ source: 'since' });
  });

  test('an edited message is proven anew, with all that moves along with a topic, and to nobody who sees it as it was [recovery.edited-message-proven]', async () => {
    const ids = [];
    for (const text of ['x', 'y', 'z']) ids.push(await service.say(ben, 'leads', 'old', text));
    const queue = await service.register(ben, own);
    const params = { message_id: ids[1], topic: 'new', propagate_mode: 'change_all' };
    await service.ask(ada, api.lifecycle.edit, params);
    const [event] = await queue.now();
    const kept = await Promise.all(ids.map((id) => keep(ben, id)));
    expect(proofsOf(event)).toEqual(Object.fromEntries(kept.map(({ id, proof }) => [id, proof])));
    await service.ask(ada, api.subscriptions.unsubscribe, {
      subscriptions: ['leads'],
      principals: [ben],
    });
    await service.ask(ada, api.lifecycle.edit, {
      message_id: ids[0],
      topic: 'not for ben',
      propagate_mode: 'change_all',
    });
    for (const id of ids) expect(await service.read(ben, id, own)).not.toHaveProperty('proof');
  });

  test('what is hidden from a guest is answered as if it had never been written, deleted or edited [recovery.hidden-guest-answered]', async () => {
    const places = [{ name: 'visitors' }];
    await service.ask(ada, api.streams.subscribe, {
      subscriptions: places,
      principals: [ada, gus],
    });
    const [secret, edited, deleted] = [
      await service.say(ada, 'leads', 'plan', 'secret'),
      await service.say(ada, 'leads', 'plan', 'edited'),
      await service.say(ada, 'leads', 'plan', 'deleted'),
    ];
    for (const content of ['twice', 'thrice'])
      await service.ask(ada, api.lifecycle.edit, { message_id: edited, content });
    await service.ask(ada, api.lifecycle.delete, { message_id: deleted });
    const asked = [secret, edited, deleted, deleted + 1000];
    for (const number of [0, 1, 2, 3]) {
      const known = asked.map((id) => [id, number]);
      expect(await service.ask(gus, lacking, { known })).toEqual({ lacking: asked });
    }

    const seen = [
      await keep(gus, await service.say(ada, 'visitors', 'a', 'moved')),
      await keep(gus, await service.say(ada, 'visitors', 'b', 'moved and deleted')),
    ];
    const leads = service.rows('stream').find(({ name }) => name === 'leads')?.['id'];
    for (const { id } of seen)
      await service.ask(ada, api.lifecycle.edit, { message_id: id, stream_id: leads });
    await service.ask(ada, api.lifecycle.delete, { message_id: seen[1]?.id });
    expect(await service.ask(gus, lacking, { known: seen.map(versionOf) })).toEqual({
      lacking: seen.map(({ id }) => id),
    });
    expect(await give(gus, ...seen)).toEqual(['deleted', 'deleted']);
    await service.ask(ada, api.subscriptions.unsubscribe, {
      subscriptions: ['visitors'],
      principals: [gus],
    });
    expect(await give(gus, ...seen)).toEqual(['refused', 'refused']);
  });

  test('lost messages leave narrows by time right, between messages of other hours and whatever the order', async () => {
    const first = await service.say(ben, 'general', 'hours', 'first');
    const { stream_id: streamId = 0 } = (await service.read(ben, first)) ?? {};
    const backup = await backUp(service);
    await restoreTo(service, backup);
    await service.say(ben, 'general', 'hours', 'now');
    const secret = await readFile(join(service.dataDir, SECRET_FILE));
    const { messageMac } = createApiKeys(secret);
    const hours = [2, 3, 3, 2, 7, 4];
    const said = hours.map((hour, index): OfferedMessage => {
      const row = {
        ...{ id: first + 1 + index, sender_id: 2, sent_at: hour * 3600 + 60, topic: 'hours' },
        ...{ content: String(index), edit_number: 0, stream_id: streamId },
      };
      const { sent_at: timestamp, edit_number: _, ...rest } = row;
      return { ...rest, timestamp, proof: macFunctionOf(messageMac)(row as MessageRow, []) };
    });
    const order = [4, 1, 5, 0, 3, 2].flatMap((index) => said[index] ?? []);
    expect(await give(ben, ...order)).toEqual(said.map(() => 'recovered'));
    for (const hour of new Set(hours)) {
      const narrow = [{ operator: 'sent-within', operand: [hour * 3600, (hour + 1) * 3600] }];
      const page = { anchor: 'newest', num_before: 50, num_after: 0, narrow };
      const { messages } = await service.ask(ben, api.messages.page, page);
      const expected = said.filter((_, index) => hours[index] === hour);
      expect(messages.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    }
  });
});

type Act =
  { readonly kind: 'post' } | { readonly kind: 'edit' | 'delete' | 'look'; readonly which: number };

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Act>({ kind: 'post' }) },
  fc.record({ kind: fc.constantFrom<'edit' | 'delete'>('edit', 'delete'), which: fc.nat(20) }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant<'look'>('look'), which: fc.nat(20) }) },
);

/** What there is of a message: its text, and how often it was changed. */
interface Version {
  readonly text: string;
  readonly edits: number;
}

/** What is in the office, what was kept of it, and who saw what. */
class Model {
  readonly live = new Map<number, Version>();
  readonly posted: number[] = [];
  readonly deleted: number[] = [];
  readonly seen: { readonly offer: OfferedMessage; readonly version: Version }[] = [];
  backup: { at: Map<number, Version>; bytes: Uint8Array; deleted: number[] };

  constructor(bytes: Uint8Array) {
    this.backup = { at: new Map(), bytes, deleted: [] };
  }

  async keep(): Promise<void> {
    const bytes = await backUp(service);
    this.backup = { at: new Map(this.live), bytes, deleted: [...this.deleted] };
  }

  async act(step: Act, text: string): Promise<void> {
    if (step.kind === 'post') {
      const id = await service.say(ben, 'general', 'model', text);
      this.posted.push(id);
      this.live.set(id, { text, edits: 0 });
      return;
    }
    const id = this.posted[step.which % this.posted.length] ?? 0;
    const known = this.live.get(id);
    if (known !== undefined) await this.#change(step.kind, { id, known, text });
  }

  async #change(
    kind: 'edit' | 'delete' | 'look',
    { id, known, text }: { readonly id: number; readonly known: Version; readonly text: string },
  ): Promise<void> {
    if (kind === 'look') {
      this.seen.push({ offer: await keep(cleo, id), version: known });
    } else if (kind === 'edit') {
      await service.ask(ben, api.lifecycle.edit, { message_id: id, content: text });
      this.live.set(id, { text, edits: known.edits + 1 });
    } else {
      await service.ask(ada, api.lifecycle.delete, { message_id: id });
      this.live.delete(id);
      this.deleted.push(id);
    }
  }

  /**
   * After everything that was seen is offered.
   * @param isKnown  whether it is known beside the backup what was deleted and changed since
   */
  expected(isKnown: boolean): readonly (readonly [number, string])[] {
    const gone = new Set(isKnown ? this.deleted : this.backup.deleted);
    const lastOf = (id: number): number => (isKnown ? (this.live.get(id)?.edits ?? 0) : 0);
    const there = new Map([...this.backup.at].filter(([id]) => !gone.has(id)));
    for (const [id, { edits }] of there) {
      if (edits < lastOf(id)) there.set(id, { text: 'withheld', edits });
    }
    for (const {
      offer: { id },
      version,
    } of this.seen) {
      if (gone.has(id) || version.edits < lastOf(id)) continue;
      if (version.edits >= (there.get(id)?.edits ?? 0)) there.set(id, version);
    }
    return [...there].sort(([a], [b]) => a - b).map(([id, { text }]) => [id, text]);
  }
}

const WITHHELD = /^\*This message was changed after the backup .*\*$/;

/** As the service tells of them beside its archives. */
function editsOf({
  message_edit: rows = [],
}: ReturnType<TestService['dump']>): readonly ChangedText[] {
  return (rows as readonly { readonly id: number; readonly message_id: number }[]).map(
    ({ id, message_id: messageId }) => [messageId, id],
  );
}

test('after all offers the office has what the naive model has [recovery.offers-office-naive]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(acts, { minLength: 4, maxLength: 25 }),
      fc.nat(24),
      fc.boolean(),
      fc.infiniteStream(fc.nat(1000)),
      async (steps, backupAt, isKnown, dice) => {
        await service.stop();
        service = await startTestService();
        const model = new Model(await backUp(service));
        for (const [index, step] of steps.entries()) {
          if (index === backupAt) await model.keep();
          await model.act(step, `text ${String(index)}`);
        }
        const standing = { accounts: [], deviceIds: [], deletedIds: model.deleted };
        const edits = editsOf(service.dump());
        if (isKnown) await restoreTo(service, model.backup.bytes, standing, edits);
        else await restoreTo(service, model.backup.bytes);
        const order = model.seen.map(({ offer: each }) => ({ each, at: dice.next().value ?? 0 }));
        for (const { each } of order.sort((a, b) => a.at - b.at)) await give(cleo, each);
        const narrow = [{ operator: 'topic', operand: 'model' }];
        const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
        const params = { ...page, apply_markdown: false };
        const { messages } = await service.ask(ben, api.messages.page, params);
        const has = messages.map(({ id, content }) => [
          id,
          WITHHELD.test(content) ? 'withheld' : content,
        ]);
        expect(has).toEqual(model.expected(isKnown));
      },
    ),
    { numRuns: shortOrLong(10, 200) },
  );
});
