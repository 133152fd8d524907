export interface MentionedUser {
  readonly userId: number;
  readonly fullName: string;
}

interface MentionedGroup {
  readonly groupId: number;
  readonly name: string;
  readonly memberIds: readonly number[];
}

/** What the renderer may know about people and streams; the caller loads it before rendering. */
export interface MentionDirectory {
  /** Active accounts with that name, whatever the letter case. */
  readonly findUsersByName: (fullName: string) => readonly MentionedUser[];
  /** An active account. */
  readonly findUser: (userId: number) => MentionedUser | undefined;
  /** Only streams that the sender can see, whatever the letter case. */
  readonly findStreamByName: (
    name: string,
  ) => { readonly streamId: number; readonly name: string } | undefined;
  /** A group of people, with those who are in it. */
  readonly findGroup: (name: string) => MentionedGroup | undefined;
}
