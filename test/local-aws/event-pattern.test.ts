import { expect, it } from 'vitest';
import { dispatchRule, streamConsumer } from '../../infra/endpoints.ts';
import { matchesPattern } from '../../infra/local-aws/bus/event-pattern.ts';

it.each([
  [true, { source: ['tillstack'] }, { source: 'tillstack', 'detail-type': 'payment.succeeded' }],
  [false, { source: ['tillstack'] }, { source: 'tillstack2' }],
  [false, { source: ['tillstack'] }, {}],
  [true, { 'detail-type': ['a', 'b'] }, { 'detail-type': 'b' }],
  [true, { 'detail-type': [{ prefix: 'payment.' }] }, { 'detail-type': 'payment.failed' }],
  [false, { 'detail-type': [{ prefix: 'payment.' }] }, { 'detail-type': 'refund.failed' }],
  [true, { a: { b: [1] } }, { a: { b: 1, c: 2 } }],
  [false, { a: { b: [1] } }, { a: 1 }],
  [true, { tags: ['x'] }, { tags: ['y', 'x'] }],
  [false, { a: ['1'], b: ['2'] }, { a: '1', b: '3' }],
])('it is %s that the pattern %j matches the event %j', (expected, pattern, event) => {
  expect(matchesPattern(pattern, event)).toBe(expected);
});

it('the local event bus supports every event pattern of the stack', () => {
  expect(matchesPattern(dispatchRule.pattern, { source: 'tillstack' })).toBe(true);
  const inserted = { eventName: 'INSERT', dynamodb: { NewImage: { entity: { S: 'EVENT' } } } };
  expect(matchesPattern(streamConsumer.filter, inserted)).toBe(true);
  expect(matchesPattern(streamConsumer.filter, { ...inserted, eventName: 'MODIFY' })).toBe(false);
});
