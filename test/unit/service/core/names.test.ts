import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '#shared/api/errors.ts';
import { fold } from '#shared/text/fold.ts';
import {
  checkDescription,
  checkEmail,
  checkFullName,
  checkPassword,
  checkRealmName,
  checkStreamName,
  checkTopic,
  countCharacters,
  cutCharacters,
  normalizeColor,
} from '#service/core/rules/names.ts';

const refused = expect.objectContaining({ name: 'ServiceError', code: 'BAD_REQUEST' });
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

/** What a check answers, or undefined where it refuses; anything else that is thrown fails the test. */
function attempt(check: (text: string) => string, text: string): string | undefined {
  try {
    return check(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).message).not.toMatch(/\n/);
    return undefined;
  }
}

describe('what names are compared by', () => {
  test.for([
    ['General', 'general'],
    ['  general ', 'general'],
    ['\u00a0GENERAL\u3000', 'general'],
    ['Ｇｅｎｅｒａｌ', 'general'],
    ['cafe\u0301', 'café'],
    ['ﬁsh', 'fish'],
    ['ΑΘΗΝΑ', 'αθηνα'],
    ['ПРИВЕТ', 'привет'],
    ['日本', '日本'],
    ['a  b', 'a  b'],
  ])('%j is the same name as %j', ([one, other]) => {
    expect(fold(one!)).toBe(fold(other!));
  });

  test.for([
    ['general', 'genera1'],
    ['a b', 'ab'],
    ['o', 'ö'],
    ['🙂', '🙃'],
  ])('%j is another name than %j', ([one, other]) => {
    expect(fold(one!)).not.toBe(fold(other!));
  });

  test('the folded form of a name does not change when it is folded again, or written in capitals or small letters', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        expect(fold(fold(name))).toBe(fold(name));
        expect(fold(` ${name}\t`)).toBe(fold(name));
        expect(fold(name.normalize('NFD'))).toBe(fold(name));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('limits', () => {
  const limited: readonly (readonly [string, (text: string) => string, number])[] = [
    ['a topic', checkTopic, 60],
    ['a stream name', checkStreamName, 60],
    ['a stream description', checkDescription, 1024],
    ['a full name', checkFullName, 100],
    ['a password', checkPassword, 100],
    ['the name of an organization', checkRealmName, 60],
  ];
  test.for(limited)(
    '%s is limited in code points, not in what they are made of',
    ([, check, limit]) => {
      for (const character of ['x', 'é', '日', '🙂']) {
        expect(check(character.repeat(limit))).toBe(character.repeat(limit));
        expect(() => check(character.repeat(limit + 1))).toThrow(refused);
      }
    },
  );

  test.for([
    [checkFullName, 'a', 'Full name must have 2 to 100 characters'],
    [checkPassword, 'cactus7', 'Password must have at least 8 characters'],
    [checkPassword, 'x'.repeat(101), 'Password must have at most 100 characters'],
    [checkRealmName, 'x'.repeat(61), 'Organization name must be one line of at most 60 characters'],
    [checkTopic, 'x'.repeat(61), 'Topic too long (limit: 60 characters)'],
    [checkStreamName, 'x'.repeat(61), 'Stream name too long (limit: 60 characters)'],
  ] as const)('%o refuses %j as programs know it: %s', ([check, text, sentence]) => {
    expect(() => check(text)).toThrow(sentence);
  });

  test('blanks around a topic or a name do not count and are not kept', () => {
    expect(checkTopic(` \t${'x'.repeat(60)}\n `)).toBe('x'.repeat(60));
    expect(checkStreamName(`\u3000${'x'.repeat(60)} `)).toBe('x'.repeat(60));
    expect(checkFullName(' Ada ')).toBe('Ada');
  });

  test.for([
    ['a topic', checkTopic],
    ['a stream name', checkStreamName],
    ['the name of an organization', checkRealmName],
    ['a full name', checkFullName],
  ] as const)('%s may not be blank or of several lines', ([, check]) => {
    for (const text of [
      '',
      ' ',
      '\t\n',
      '\u3000',
      'a\nb',
      'a\rb',
      'a\u2028b',
      'a\0b',
      'a\u007fb',
    ]) {
      expect(() => check(text)).toThrow(refused);
    }
  });

  test('a full name has at least two characters and none of those that form mentions', () => {
    for (const name of ['x', '🙂', 'a*b', 'a`b', 'a>b', 'a"b', 'a@b']) {
      expect(() => checkFullName(name)).toThrow(refused);
    }
    for (const name of ['Bo', '🙂🙂', "Ada d'Arc", 'Jean-Luc (he)', 'א ב']) {
      expect(checkFullName(name)).toBe(name);
    }
  });

  test.for([
    ['a stream name', checkStreamName],
    ['a full name', checkFullName],
  ] as const)('%s has nothing that only turns or splits what is seen', ([, check]) => {
    for (const sign of ['\u061c', '\u200e', '\u200f', '\u202e', '\u2066', '\u2069', '\u00ad']) {
      expect(() => check(`Ada${sign}Lee`)).toThrow(refused);
    }
    for (const name of ['Ada\u200bLee', 'א\u200bב', 'Ada\ufeff Lee', 'A\u2060da']) {
      expect(() => check(name)).toThrow(refused);
    }
    for (const joiner of ['\u200c', '\u200d']) {
      for (const name of [
        `Ad${joiner}a`,
        `Ж${joiner}и`,
        `é${joiner}e`,
        `e\u0301${joiner}e`,
        `a ${joiner}b`,
      ]) {
        expect(() => check(name)).toThrow(refused);
      }
    }
    for (const name of [
      'می\u200cخواهم',
      'क्\u200dष',
      'ന്\u200d',
      '👩\u200d🚀',
      '🏳️\u200d🌈',
      '👩🏽\u200d💻 Ada',
    ]) {
      expect(check(name)).toBe(name);
    }
  });

  test('a description is one line, however it was typed', () => {
    expect(checkDescription(' one\r\ntwo\n\n\nthree ')).toBe('one two three');
    expect(checkDescription('')).toBe('');
    expect(() => checkDescription('a\0b')).toThrow(refused);
  });

  test('a password has at least eight characters and is taken as it is', () => {
    expect(() => checkPassword('1234567')).toThrow(refused);
    expect(checkPassword('  spaces  ')).toBe('  spaces  ');
  });

  test('whatever a check accepts, it accepts again as it is', () => {
    const checks = [
      checkTopic,
      checkStreamName,
      checkDescription,
      checkFullName,
      checkRealmName,
      checkEmail,
    ];
    fc.assert(
      fc.property(anyText, fc.constantFrom(...checks), (text, check) => {
        const accepted = attempt(check, text);
        if (accepted === undefined) return;
        expect(check(accepted)).toBe(accepted);
        expect(accepted).not.toMatch(/[\0\n\r\u2028\u2029]/);
      }),
      { numRuns: 3000, examples: [['a\u2028b', checkDescription]] },
    );
  });
});

describe('an e-mail address', () => {
  test.for(['ada@example.com', ' ada@example.com ', 'a.b+c@localhost', 'ünïcode@exämple.com'])(
    '%j is one',
    (email) => {
      expect(checkEmail(email)).toBe(email.trim());
    },
  );
  test.for([
    '',
    'ada',
    '@example.com',
    'ada@',
    'a@b@c',
    'a b@c',
    'a,b@c',
    'a:b@c',
    '"a"@b',
    '<a@b>',
    'a(b)@c',
    'a\0@b',
    'a\u001b@b',
    `${'x'.repeat(250)}@b.cd`,
  ])('%j is none', (email) => {
    expect(() => checkEmail(email)).toThrow(refused);
  });
});

describe('cutting a text', () => {
  test('a cut text keeps whole characters, at most as many as asked for', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), (text, limit) => {
        const cut = cutCharacters(text, limit);
        expect(countCharacters(cut)).toBe(Math.min(limit, countCharacters(text)));
        expect(text.startsWith(cut)).toBe(true);
      }),
    );
    expect(cutCharacters('🙂🙂🙂', 2)).toBe('🙂🙂');
  });
});

describe('a colour', () => {
  test.for([
    ['#76ce90', '#76ce90'],
    ['#76CE90', '#76ce90'],
    ['76ce90', '#76ce90'],
    ['#fa0', '#ffaa00'],
    ['FA0', '#ffaa00'],
    [' #fff ', '#ffffff'],
  ])('%j is listed as %s', ([color, listed]) => {
    expect(normalizeColor(color!)).toBe(listed);
  });
  test.for([
    '',
    '#',
    'red',
    '#ffff',
    '#fffff',
    '#1234567',
    '##fff',
    '#ggg',
    'rgb(1,2,3)',
    '#fff;x',
  ])('%j is none', (color) => {
    expect(normalizeColor(color)).toBeUndefined();
  });
  test('a colour is always of one form, or none', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(normalizeColor(text) ?? '#000000').toMatch(/^#[0-9a-f]{6}$/);
      }),
    );
  });
});
