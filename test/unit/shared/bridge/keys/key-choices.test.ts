import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isStroke, overlap } from '#shared/bridge/keys/chords.ts';
import {
  asDigits,
  chordsOf,
  conflictsOf,
  isChanged,
  keyboardOf,
  refusalOf,
  withKeys,
  type BoundAction,
  type ChangedKeys,
  type Keyboard,
} from '#shared/bridge/keys/key-choices.ts';
import { keyActions, type ActionId, type KeyAction } from '#shared/bridge/keys/keys.ts';
import { SavedPreferences } from '#shared/bridge/models/preferences.ts';
import { anyChord, anyStroke } from '#test/support/window/strokes.ts';

const systems = [
  { system: 'a Mac', isMac: true },
  { system: 'others', isMac: false },
];

function action(id: ActionId, isMac = false): KeyAction {
  const found = keyActions(isMac).find((each) => each.id === id);
  if (found === undefined) throw new Error(`no action ${id}`);
  return found;
}

const chosen = (keyboard: Keyboard, id: ActionId): readonly string[] =>
  keyboard.find((each) => each.id === id)?.chosen ?? [];
const after = (changed: ChangedKeys, id: ActionId): readonly string[] =>
  chosen(keyboardOf(changed, false), id);

const meet = (one: KeyAction, other: KeyAction): boolean =>
  [one.context, other.context].includes('anywhere') || one.context === other.context;

/** Every key that means two things in one place. */
const clashes = (keyboard: Keyboard): readonly string[] => {
  const own = keyboard.filter(({ sameAs }) => sameAs === undefined);
  const keys = own.flatMap((each) => chordsOf(each).map((chord) => ({ each, chord })));
  return keys.flatMap((one, at) =>
    keys
      .slice(at + 1)
      .filter((other) => meet(one.each, other.each) && overlap(one.chord, other.chord))
      .map((other) => `${one.chord}: ${one.each.id} and ${other.each.id}`),
  );
};

const changeable = keyActions(false).filter(
  ({ defaults, sameAs }) => defaults.length > 0 && sameAs === undefined,
);
const anyId = fc.constantFrom(...changeable.map(({ id }) => id));
const anyChanges: fc.Arbitrary<ChangedKeys> = fc
  .array(fc.tuple(anyId, fc.array(anyChord, { maxLength: 3 })), { maxLength: 12 })
  .map((entries) => Object.fromEntries(entries));

describe.each(systems)('on $system', ({ isMac }) => {
  test('the default keys are allowed, and none means two things in one place', () => {
    const keyboard = keyboardOf({}, isMac);
    expect(clashes(keyboard)).toEqual([]);
    expect(keyboard.filter(isChanged)).toEqual([]);
    for (const each of keyActions(isMac))
      for (const chord of each.defaults)
        expect({ chord, refusal: refusalOf(each, chord, isMac) }).toEqual({ chord, refusal: null });
  });

  test('whatever was kept, no key means two things in one place, and fixed keys stay', () => {
    fc.assert(
      fc.property(anyChanges, anyStroke, (changed, given) => {
        const keyboard = keyboardOf(changed, isMac);
        expect(clashes(keyboard)).toEqual([]);
        for (const each of keyboard) {
          expect(each.fixed).toEqual(action(each.id, isMac).fixed);
          if (each.sameAs !== undefined) continue;
          for (const chord of each.chosen.filter((one) => !each.defaults.includes(one)))
            expect(refusalOf(each, chord, isMac)).toBeNull();
        }
        const meant = (context: string): readonly BoundAction[] =>
          keyboard.filter(
            (each) =>
              each.context === context && chordsOf(each).some((chord) => isStroke(chord, given)),
          );
        for (const context of ['anywhere', 'list', 'compose'])
          expect(meant(context).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });

  test('an action gets exactly the keys that it is given, and only their owners lose any', () => {
    fc.assert(
      fc.property(anyChanges, anyId, anyChord, (changed, id, chord) => {
        const before = keyboardOf(changed, isMac);
        const conflicts = conflictsOf(before, id, [chord]);
        fc.pre(refusalOf(action(id, isMac), chord, isMac) === null);
        fc.pre(conflicts.every(({ isFixed }) => !isFixed));
        const next = withKeys(changed, isMac, id, [chord]);
        const keyboard = keyboardOf(next, isMac);
        expect(chosen(keyboard, id)).toEqual([chord]);
        const losers = conflicts.map((conflict) => conflict.id);
        for (const each of before.filter(({ sameAs }) => sameAs === undefined)) {
          const left = each.chosen.filter(
            (one) => !losers.includes(each.id) || !overlap(one, chord),
          );
          if (each.id !== id)
            expect(chosen(keyboard, each.id)).toEqual(expect.arrayContaining(left));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('what is kept is only what differs, and is read back as it was', () => {
    fc.assert(
      fc.property(anyChanges, anyId, fc.array(anyChord, { maxLength: 2 }), (changed, id, keys) => {
        const allowed = keys.filter(
          (chord) =>
            refusalOf(action(id, isMac), chord, isMac) === null &&
            conflictsOf(keyboardOf(changed, isMac), id, [chord]).every(({ isFixed }) => !isFixed),
        );
        const next = withKeys(changed, isMac, id, allowed);
        for (const [each, chords] of Object.entries(next))
          expect(chords).not.toEqual(action(each as ActionId, isMac).defaults);
        expect(SavedPreferences.parse(JSON.parse(JSON.stringify({ keys: next }))).keys).toEqual(
          next,
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('a key that another action has', () => {
  test.each([
    ['search', 'Ctrl+K', ['switcher']],
    ['recent', 'J', ['nextMessage']],
    ['recent', 'Ctrl+B', ['bold']],
    ['reply', 'N', ['nextUnreadTopic']],
    ['bold', 'Ctrl+S', []],
    ['star', 'Ctrl+B', []],
    ['recent', 'Ctrl+5', ['organization']],
    ['recent', 'G', []],
    ['recent', 'T', []],
  ] as const)('%s asked for %s: %j', (id, chord, others) => {
    const conflicts = conflictsOf(keyboardOf({}, false), id, [chord]);
    expect(conflicts).toEqual(others.map((each) => ({ id: each, isFixed: false })));
  });

  test('a key that is chosen twice is one, and a default that is chosen twice is not kept', () => {
    expect(withKeys({}, false, 'feed', ['D', 'D'])).toEqual({ feed: ['D'] });
    expect(withKeys({}, false, 'feed', ['A', 'A'])).toEqual({});
  });

  test('a taken key that is fixed is told apart, also where the action itself has it', () => {
    const keyboard = keyboardOf({}, false);
    expect(conflictsOf(keyboard, 'star', ['Enter'])).toEqual([{ id: 'reply', isFixed: true }]);
    expect(conflictsOf(keyboard, 'reply', ['Enter'])).toEqual([{ id: 'reply', isFixed: true }]);
    expect(conflictsOf(keyboard, 'star', ['Shift+Enter'])).toEqual([]);
  });

  test('a taken key is lost by the other action, and comes back with the choice', () => {
    const taken = withKeys({}, false, 'feed', ['D']);
    expect(taken).toEqual({ feed: ['D'] });
    expect([after(taken, 'feed'), after(taken, 'drafts')]).toEqual([['D'], []]);
    expect(withKeys(taken, false, 'feed', ['A'])).toEqual({});
    expect(withKeys(taken, false, 'drafts', ['D'])).toEqual({ feed: [] });
  });

  test('a taken key is lost by a choice of the person, too, and that choice keeps its other keys', () => {
    const changed = withKeys({}, false, 'search', ['Ctrl+Shift+F', 'G']);
    const next = withKeys(changed, false, 'recent', ['G']);
    expect(next).toEqual({ search: ['Ctrl+Shift+F'], recent: ['G'] });
    expect(withKeys(next, false, 'search', ['Ctrl+Shift+F', '/'])).toEqual({ recent: ['G'] });
  });

  test('a taken key is given up for what acts from other programs', () => {
    expect(withKeys({}, false, null, ['Ctrl+K'])).toEqual({ switcher: [] });
    expect(withKeys({ feed: ['Ctrl+G'] }, false, null, ['Ctrl+G'])).toEqual({ feed: [] });
  });

  test('going to where the message will be follows going to where one writes', () => {
    expect(after({ writing: ['Alt+W'] }, 'goThere')).toEqual(['Alt+W']);
  });
});

test.each([
  ['recent', 'Tab', 'field'],
  ['recent', 'Shift+Tab', 'field'],
  ['recent', 'Enter', 'field'],
  ['recent', 'Ctrl+Enter', 'field'],
  ['recent', 'ArrowDown', 'field'],
  ['recent', 'Shift+Home', 'field'],
  ['recent', 'Alt+ArrowUp', null],
  ['recent', 'Alt+Backspace', 'field'],
  ['recent', 'Escape', 'field'],
  ['recent', 'Shift+Escape', null],
  ['recent', 'Ctrl+C', 'field'],
  ['star', 'Ctrl+C', 'field'],
  ['star', 'Delete', null],
  ['star', 'Shift+ArrowUp', null],
  ['recent', 'Ctrl+Q', 'system'],
  ['recent', 'Ctrl+=', 'system'],
  ['recent', 'F11', 'system'],
  ['recent', 'Alt+F4', 'system'],
  ['recent', 'F7', null],
  ['recent', 'Ctrl+1…9', 'digit'],
  ['organization', 'Ctrl+K', 'digit'],
  ['organization', 'Alt+1…9', null],
  ['bold', 'B', 'text'],
  ['bold', '*', 'text'],
  ['bold', 'F2', null],
  ['bold', 'Alt+B', null],
] as const)('whether %s may have %s: %s', (id, chord, refusal) => {
  expect(refusalOf(action(id), chord, false)).toBe(refusal);
});

test('a key that acts from other programs needs Ctrl or Alt, or is a function key', () => {
  const asked = ['H', 'Shift+H', 'Shift+Escape', 'Ctrl+Alt+H', 'F9', 'Shift+F9', 'Ctrl+C'];
  expect(asked.map((chord) => refusalOf(null, chord, false))).toEqual([
    'text',
    'text',
    'text',
    null,
    null,
    null,
    'field',
  ]);
});

test('keys of the Mac itself are refused there, and those of other systems are not', () => {
  const recent = action('recent', true);
  const asked = ['Ctrl+H', 'Alt+ArrowLeft', 'F11', 'Alt+ArrowUp'];
  expect(asked.map((chord) => refusalOf(recent, chord, true))).toEqual([
    'system',
    'field',
    null,
    null,
  ]);
});

test('a digit stands for all of them', () => {
  expect(['Alt+4', '9', 'Ctrl+0', 'Ctrl+K'].map(asDigits)).toEqual([
    'Alt+1…9',
    '1…9',
    'Ctrl+0',
    'Ctrl+K',
  ]);
});

describe('keys that were kept', () => {
  const read = (keys: unknown): unknown => SavedPreferences.parse({ theme: 'dark', keys });

  test.each([
    [
      { recent: ['G'], inbox: [] },
      { recent: ['G'], inbox: [] },
    ],
    [{ recent: ['G'], laterAction: ['H'] }, { recent: ['G'] }],
    [{ recent: ['g'], inbox: ['H'] }, { inbox: ['H'] }],
    [{ recent: 'G', inbox: [3], feed: null, drafts: ['Ctrl+Nonsense'] }, {}],
    [{ recent: ['A', 'B', 'E', 'F', 'H'] }, {}],
    [JSON.parse('{"__proto__":["G"]}'), {}],
    [[], undefined],
    ['G', undefined],
    [undefined, undefined],
  ])('%j is read as %j, and the other choices stay', (kept, keys) => {
    expect(read(kept)).toEqual({ theme: 'dark', ...(keys === undefined ? {} : { keys }) });
  });

  test('keys that were kept and are not possible any more do nothing', () => {
    expect(after({ recent: ['Ctrl+C'] }, 'recent')).toEqual([]);
    expect(after({ star: ['Enter'] }, 'star')).toEqual([]);
    expect(after({ firstMessage: ['G'] }, 'firstMessage')).toEqual([]);
    expect(after({ recent: ['G'], feed: ['G'] }, 'feed')).toEqual([]);
  });
});
