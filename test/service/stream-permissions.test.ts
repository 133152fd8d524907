/** Every kind of stream under every kind of account, subscribed and not (API decisions, section 10.5). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '../../src-main/contract/api/index.ts';
import {
  type Actor,
  canFindToPost,
  canPost,
  canReadHistory,
  canSeeStream,
  canSubscribe,
  type Reach,
  type StreamFacts,
} from '../../src-main/service/domain/rules/permissions.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  startTestService,
  type TestService,
} from '../support/api.ts';
import { actorOf } from '../support/matrix/scenarios.ts';
import { emailOf, type Kind, MatrixWorld, outgoingBot } from '../support/matrix/world.ts';

const kinds = ['admin', 'member', 'guest', 'generic bot', 'outgoing bot'] as const;
type Reader = (typeof kinds)[number];

/** A bot has its owner's reach for posting. */
const owners: Partial<Record<Reader, Kind>> = { 'generic bot': 'admin', 'outgoing bot': 'member' };

const streamKinds = {
  public: { isPrivate: false, isAnnouncementOnly: false, isHistoryPublic: true },
  'private with shared history': {
    isPrivate: true,
    isAnnouncementOnly: false,
    isHistoryPublic: true,
  },
  'private with protected history': {
    isPrivate: true,
    isAnnouncementOnly: false,
    isHistoryPublic: false,
  },
  'public for announcements': { isPrivate: false, isAnnouncementOnly: true, isHistoryPublic: true },
  'private for announcements': {
    isPrivate: true,
    isAnnouncementOnly: true,
    isHistoryPublic: false,
  },
} as const satisfies Record<string, StreamFacts>;
type StreamKind = keyof typeof streamKinds;

const cases = Object.keys(streamKinds).flatMap((stream) =>
  kinds.flatMap((reader) =>
    [true, false].map((isSubscribed) => ({ stream, reader, isSubscribed })),
  ),
) as readonly {
  readonly stream: StreamKind;
  readonly reader: Reader;
  readonly isSubscribed: boolean;
}[];

interface Place {
  readonly id: number;
  readonly name: string;
  readonly oldId: number;
  readonly newId: number;
}

describe('a stream', () => {
  let service: TestService;
  let world: MatrixWorld;
  const principals = [ada, ben, gus, echoBot, outgoingBot];

  beforeAll(async () => {
    service = await startTestService();
    world = new MatrixWorld(service);
    await world.prepare();
  });
  afterAll(() => service.stop());

  /** A message from before anybody of interest was subscribed, and one from after. */
  async function place(facts: StreamFacts, subscribers: readonly string[]): Promise<Place> {
    const name = world.fresh('place ');
    // Somebody else makes it: an administrator who made it would be subscribed.
    await service.join(cleo, [name], {
      invite_only: facts.isPrivate,
      history_public_to_subscribers: facts.isHistoryPublic,
    });
    const { stream_id: id } = await service.ask(cleo, api.streams.findId, { stream: name });
    const oldId = await service.say(cleo, name, 'old');
    if (subscribers.length > 0) await service.join(cleo, [name], { principals: subscribers });
    const newId = await service.say(cleo, name, 'new');
    if (facts.isAnnouncementOnly) {
      await service.ask(ada, api.streamAdmin.update, { stream_id: id, is_announcement_only: true });
    }
    return { id, name, oldId, newId };
  }

  function reachOf(actor: Actor, reader: Reader, isSubscribed: boolean): Reach {
    const owner = owners[reader] === undefined ? null : actorOf(owners[reader]);
    return {
      isAdmin: actor.role === 'admin' || owner?.role === 'admin',
      isGuest: actor.role === 'guest' || owner?.role === 'guest',
      // The owners are subscribed wherever their bots are.
      isSubscribed,
    };
  }

  const isDone = async (
    who: string,
    endpoint: Parameters<TestService['answer']>[1],
    params: Record<string, unknown>,
  ): Promise<boolean> => (await service.answer(who, endpoint, params)).status === 200;

  async function canRead(who: string, name: string, id: number): Promise<boolean> {
    const narrow = [{ operator: 'stream', operand: name }];
    const { status, body } = await service.answer(who, api.messages.page, {
      ...{ anchor: id, num_before: 0, num_after: 0, narrow },
    });
    return status === 200 && (body['messages'] as readonly unknown[]).length === 1;
  }

  async function observe(who: string, { id, name, oldId, newId }: Place) {
    const { streams } = await service.ask(who, api.streams.list, { include_all_active: false });
    const post = { type: 'stream', to: name, topic: 'mine', content: world.fresh('text ') };
    return {
      isListed: streams.some((stream) => stream.stream_id === id),
      isFound: await isDone(who, api.streams.findId, { stream: name }),
      showsTopics: await isDone(who, api.streams.topics, { stream_id: id }),
      readsOld: await canRead(who, name, oldId),
      readsNew: await canRead(who, name, newId),
      opensOld: await isDone(who, api.lifecycle.get, { message_id: oldId }),
      posts: await isDone(who, api.messages.send, post),
      subscribes: await isDone(who, api.streams.subscribe, { subscriptions: [{ name }] }),
    };
  }

  test.for(cases)(
    '$stream, to a $reader whose subscription is $isSubscribed',
    async ({ stream, reader, isSubscribed }) => {
      const facts = streamKinds[stream];
      const actor = actorOf(reader);
      const who = emailOf(reader);
      if (actor === null || who === null) throw new Error('nobody');
      const seen = await observe(who, await place(facts, isSubscribed ? principals : []));
      const reach = reachOf(actor, reader, isSubscribed);
      const readsOld = canReadHistory(actor, facts, isSubscribed);
      expect(seen).toEqual({
        // Administrators find private streams by name; the list of theirs is for include_all_active.
        isListed: isSubscribed || (!facts.isPrivate && actor.role !== 'guest'),
        isFound: canSeeStream(actor, facts, isSubscribed),
        showsTopics: canSeeStream(actor, facts, isSubscribed),
        readsOld,
        readsNew: isSubscribed || readsOld,
        opensOld: readsOld,
        posts: canFindToPost(reach, facts) && canPost(reach, facts),
        subscribes: canSubscribe(actor, facts, isSubscribed),
      });
    },
  );
});
