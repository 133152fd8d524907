/** The calls of the API that a window makes through its session as they are, by the names of the endpoint table. */
import type { Api } from '../api/endpoints/index.ts';
import type { AnyEndpoint, ArgumentsOf, ResultOf } from '../api/endpoint.ts';

type NameIn<A extends keyof Api> = `${A}.${keyof Api[A] & string}`;
/** `aggregate.endpoint`, as the table is built. */
export type EndpointName = { [A in keyof Api]: NameIn<A> }[keyof Api];

/**
 * What is not here has a call of its own on the bridge, or is none of a window's business: sending and reading
 * messages, queues, files, organizations.
 */
export const requestable = [
  'alertWords.add',
  'alertWords.remove',
  'auditLog.export',
  'auditLog.list',
  'avatars.remove',
  'bots.create',
  'bots.deactivate',
  'bots.list',
  'bots.regenerateKey',
  'bots.update',
  'deliveries.again',
  'deliveries.get',
  'deliveries.list',
  'devices.end',
  'devices.endOf',
  'devices.lastUses',
  'devices.list',
  'devices.listOf',
  'devices.renewKeys',
  'emoji.deactivate',
  'emoji.list',
  'health.show',
  'integrations.bots',
  'integrations.list',
  'integrations.pause',
  'integrations.setUp',
  'invitations.invite',
  'invitations.inviteMany',
  'invitations.list',
  'invitations.revoke',
  'joinRequests.accept',
  'joinRequests.decline',
  'joinRequests.list',
  'lifecycle.delete',
  'lifecycle.deleteTopic',
  'lifecycle.edit',
  'lifecycle.get',
  'lifecycle.history',
  'linkifiers.add',
  'linkifiers.list',
  'linkifiers.remove',
  'messages.render',
  'officeFiles.listAll',
  'officeFiles.listOwn',
  'passwordLinks.make',
  'profileFields.add',
  'profileFields.answer',
  'profileFields.order',
  'profileFields.remove',
  'profileFields.update',
  'reactions.add',
  'reactions.remove',
  'realm.update',
  'realmIcon.remove',
  'settings.display',
  'settings.notifications',
  'settings.update',
  'statuses.set',
  'streamAdmin.addDefault',
  'streamAdmin.archive',
  'streamAdmin.removeDefault',
  'streamAdmin.update',
  'streams.list',
  'streams.members',
  'streams.subscribe',
  'subscriptions.muteTopic',
  'subscriptions.setProperties',
  'subscriptions.unsubscribe',
  'typing.notify',
  'uploads.list',
  'uploads.remove',
  'userAdmin.deactivate',
  'userAdmin.get',
  'userAdmin.reactivate',
  'userAdmin.regenerateKey',
  'userAdmin.update',
  'userGroups.changeMembers',
  'userGroups.create',
  'userGroups.remove',
  'userGroups.update',
  'users.create',
  'users.fetchApiKey',
] as const satisfies readonly EndpointName[];

/** Those that take one file. */
export const fileRequestable = [
  'avatars.set',
  'emoji.add',
  'realmIcon.set',
] as const satisfies readonly EndpointName[];

export type FileRequestName = (typeof fileRequestable)[number];
export type RequestName = (typeof requestable)[number];

type EndpointNamed<N extends string> = N extends `${infer A extends keyof Api}.${infer E}`
  ? E extends keyof Api[A]
    ? Api[A][E] extends AnyEndpoint
      ? Api[A][E]
      : never
    : never
  : never;

/** The decoded arguments, as the endpoint names them. */
export type RequestArguments<N extends RequestName | FileRequestName> = ArgumentsOf<
  EndpointNamed<N>
>;
/** The answer in its wire form, without `result` and `msg`. */
export type RequestResult<N extends RequestName | FileRequestName> = ResultOf<EndpointNamed<N>>;
