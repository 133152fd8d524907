/** Choices of this computer as tables, from which their codec, what holds by default and their controls follow. */

export type PreferenceSection = 'reading' | 'computer';

interface Flag {
  readonly initial: boolean;
  /** The part of the display page that has its switch; absent where something else has one, or none has it. */
  readonly section?: PreferenceSection;
  /** Where it means nothing in a browser. */
  readonly isOfDesktop?: true;
}

/** Choices that are on or off: the codec, what holds by default and the switches follow from them. */
export const preferenceFlags = {
  /** Keys without Ctrl or Alt act outside of text fields. */
  singleKeys: { initial: true },
  startAtLogin: { initial: false, section: 'computer', isOfDesktop: true },
  /** Closing the window keeps the application running; false quits it. */
  closeToTray: { initial: true, section: 'computer', isOfDesktop: true },
  /** The person was told once that closing the window does not quit. */
  wasToldOfTray: { initial: false },
  /** While others are connected to the organization of this computer, it does not fall asleep by itself on mains power. */
  staysAwake: { initial: true },
  /** Pictures are sent without what tells where, when and with which device they were taken. */
  removeCameraData: { initial: true, section: 'reading' },
  spellCheck: { initial: false, section: 'reading', isOfDesktop: true },
  /** Older history is not fetched in the background. */
  isFillPaused: { initial: false },
} as const satisfies Readonly<Record<string, Flag>>;

export type PreferenceFlag = keyof typeof preferenceFlags;
/** Those of them that a part of the display page has. */
export type PreferenceSwitch = {
  [K in PreferenceFlag]: (typeof preferenceFlags)[K] extends { section: string } ? K : never;
}[PreferenceFlag];

/** In CSS pixels and in MiB. */
export const preferenceRanges = {
  fontSize: { least: 12, most: 20 },
  cacheLimitMiB: { least: 50, most: 1_000_000 },
} as const;

/** Those of a part of the display page, in their order. */
export const switchesIn = (section: PreferenceSection, isDesktop: boolean): PreferenceSwitch[] =>
  Object.entries<Flag>(preferenceFlags)
    .filter(([, flag]) => flag.section === section && (isDesktop || flag.isOfDesktop !== true))
    .map(([key]) => key as PreferenceSwitch);

export const initialFlags = Object.fromEntries(
  Object.entries(preferenceFlags).map(([key, { initial }]) => [key, initial]),
) as Record<PreferenceFlag, boolean>;
