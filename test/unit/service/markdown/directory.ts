import { compileLinkifier } from '#service/markdown/syntax/linkifiers.ts';
import {
  enginesFor,
  type MentionDirectory,
  type OrganizationMarkup,
  renderMessage,
  type RenderingContext,
} from '#service/markdown/render.ts';

const users = [
  { userId: 12, fullName: 'Ada Admin' },
  { userId: 3, fullName: 'Ben Member' },
  { userId: 40, fullName: 'Sam Twin' },
  { userId: 41, fullName: 'sam twin' },
  { userId: 7, fullName: 'Ö <b>&"x' },
];
const streams = [
  { streamId: 4, name: 'ops' },
  { streamId: 9, name: 'release v1.0 (beta)' },
  { streamId: 11, name: 'a>b' },
];
const groups = [{ groupId: 3, name: 'helpers', memberIds: [40, 3] }];

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A small organization: two people share a name, one has a name made of markup. */
export const directory: MentionDirectory = {
  findUsersByName: (name) => users.filter((user) => isSame(user.fullName, name)),
  findUser: (userId) => users.find((user) => user.userId === userId),
  findStreamByName: (name) => streams.find((stream) => isSame(stream.name, name)),
  findGroup: (name) => groups.find((group) => isSame(group.name, name)),
};

export const linkifiers = [
  compileLinkifier('#(?P<id>[0-9]+)', 'https://t.test/issues/%(id)s'),
  compileLinkifier('(?P<key>[A-Z]{3})-(?P<id>[0-9]+)', 'https://t.test/%(key)s?n=%(id)s'),
];

export const markup: OrganizationMarkup = {
  linkifiers,
  customEmoji: new Map([
    ['party', '/user_avatars/1/emoji/images/7.png'],
    ['thank_you', '/user_avatars/1/emoji/images/8.png'],
  ]),
  defaultCodeLanguage: null,
  showsLinkedImages: true,
};

export const engines = await enginesFor('```math', null);

export const context: RenderingContext = { directory, markup, engines };

export const htmlOf = (content: string, changes: Partial<OrganizationMarkup> = {}): string =>
  renderMessage(content, { ...context, markup: { ...markup, ...changes } }).html;
