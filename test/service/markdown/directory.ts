import { renderMessage } from '../../../src-main/service/markdown/render.ts';
import type { MentionDirectory } from '../../../src-main/service/markdown/render.ts';

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

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A small organization: two people share a name, one has a name made of markup. */
export const directory: MentionDirectory = {
  findUsersByName: (name) => users.filter((user) => isSame(user.fullName, name)),
  findUser: (userId) => users.find((user) => user.userId === userId),
  findStreamByName: (name) => streams.find((stream) => isSame(stream.name, name)),
};

export const htmlOf = (content: string): string => renderMessage(content, directory).html;
