import { expect, it } from 'vitest';
import { errorsQuery, followQuery } from '../../../shared/domain/log-queries.ts';
import { askLines } from '../../support/log-insights.ts';

const at = '2026-01-31 10:00:00.000';
const messagesIn = (messages: readonly string[], query: string) =>
  askLines(
    messages.map((message) => ({ at, stream: '2026/01/31/f[$LATEST]0', message })),
    query,
  ).map((fields) => fields.find(({ field }) => field === '@message')?.value.trimEnd());

it.each([
  ...['payment_id', 'session_id', 'refund_id', 'event_id', 'endpoint_id', 'key_id', 'dispute_id', 'customer_id'],
  ...['product_id', 'request_id'],
])('a search for an id finds the log lines that have it in the field %s', (name) => {
  const own = JSON.stringify({ level: 'info', message: 'request', [name]: 'xyz_1' });
  expect(messagesIn([own, own.replace('xyz_1', 'xyz_2')], followQuery(['xyz_1']))).toEqual([own]);
});

it('a search for several ids finds the log lines of each', () => {
  const lines = ['a', 'b', 'c'].map((id) => JSON.stringify({ payment_id: `pay_${id}` }));
  expect(messagesIn(lines, followQuery(['pay_a', 'pay_c']))).toEqual([lines[0], lines[2]]);
});

it('the error search finds our own errors, those of code that does not load, and Lambda’s timeouts and crashes with or without ids', () => {
  const errors = [
    '{"level":"error","message":"request failed","status":500}',
    '{"timestamp":"2026-01-31T10:00:00.000Z","level":"ERROR","message":{"errorType":"Runtime.ImportModuleError"}}',
    '{"time":"2026-01-31T10:00:00.000Z","type":"platform.report","record":{"status":"timeout"}}',
  ];
  const others = ['{"level":"info","message":"request","status":404}', '{"level":"warn","message":"money alert"}'];
  expect(messagesIn([...others, ...errors], errorsQuery)).toEqual(errors);
});

it('a search shows the function that wrote each line, taken from the name of its log stream', () => {
  const [, glob = ''] = /parse @logStream "(.*?)" as (.*)/.exec(followQuery(['pay_1'])) ?? [];
  const parts = glob.split('*').map((part) => part.replace(/[[\]/]/g, '\\$&'));
  const stream = '2026/01/31/tillstack-demo-live-CreateRefund0A1B2C3D-x1[$LATEST]0123456789abcdef';
  expect(new RegExp(`^${parts.join('(.*?)')}$`).exec(stream)?.[4]).toBe('tillstack-demo-live-CreateRefund0A1B2C3D-x1');
});
