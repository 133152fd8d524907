import { expect, test } from 'vitest';
import { targetOfNarrow } from '#renderer/lib/links/narrow-links.ts';
import { finishText, type SearchSource } from '#renderer/lib/search/search-query.ts';
import { checkQueueNarrow } from '#service/events/scan.ts';
import { knownOperator } from '#shared/search/narrow-terms.ts';
import { operatorNames, operators, type OperatorName } from '#shared/search/operators.ts';

const source: SearchSource = {
  streams: [{ streamId: 4, name: 'ops' }],
  people: [{ userId: 7, fullName: 'Ben' }],
  topics: ['lunch'],
  ownUserId: 2,
  nowMs: 0,
};

/** What people type or link to with each operator, and the term that they mean. */
const examples: Readonly<Record<OperatorName, readonly [box: string, link: string, unknown]>> = {
  stream: ['ops', '4-ops', 4],
  topic: ['lunch', 'lunch', 'lunch'],
  sender: ['Ben', '7-ben', 7],
  'pm-with': ['Ben', '7-ben', [7]],
  'group-pm-with': ['', '7-ben', 7],
  is: ['alerted', 'alerted', 'alerted'],
  has: ['link', 'link', 'link'],
  near: ['9', '9', 9],
  id: ['', '9', 9],
  in: ['', 'home', 'home'],
  streams: ['', 'public', 'public'],
  search: ['', 'tea', 'tea'],
  'sent-after': ['', '', null],
  'sent-before': ['', '', null],
  'sent-within': ['', '', null],
};

const namesOf = (place: 'api' | 'queue' | 'box' | 'link') => [...operatorNames(place)];

test.each(namesOf('api').filter(([, operator]) => operator !== 'search'))(
  '%s is %s in the API',
  (name, operator) => {
    expect(knownOperator({ operator: name, operand: '' })).toBe(operator);
  },
);

test.each(namesOf('box'))('%s: is %s in the search box', (name, operator) => {
  const [typed, , operand] = examples[operator];
  expect(finishText(`${name}:${typed}`, source)).toEqual({
    terms: [{ operator, operand }],
    text: '',
  });
});

// Behind a term that no view of the window shows, so that a search is all there is.
test.each(namesOf('link'))('%s is %s in a link', (name, operator) => {
  const [, linked, operand] = examples[operator];
  const target = targetOfNarrow(`-is/unread/${name}/${linked}`, 2);
  const unread = { operator: 'is', operand: 'unread', negated: true };
  const terms = operator === 'near' ? [unread] : [unread, { operator, operand }];
  expect(target).toEqual({
    view: { kind: 'search', terms },
    messageId: operator === 'near' ? operand : null,
  });
});

test('queues know four operators by one name each', () => {
  const isTaken = (operator: string): boolean => {
    try {
      checkQueueNarrow([[operator, 'private']]);
      return true;
    } catch {
      return false;
    }
  };
  const names = Object.values(operators).flatMap((each) => [...each.names]);
  expect(names.filter(isTaken)).toEqual(['stream', 'topic', 'sender', 'is']);
});

test('with is the number of a message, in links and in the search box alone', () => {
  expect(operatorNames('link').get('with')).toBe('near');
  expect(operatorNames('box').get('with')).toBe('near');
  expect(operatorNames('api').has('with')).toBe(false);
  expect(() => knownOperator({ operator: 'with', operand: 9 })).toThrow('unknown operator with');
});
