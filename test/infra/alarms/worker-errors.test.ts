import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { failedCalls } from '../../../infra/constructs/log-group.ts';
import { endpoints, mailReportRule } from '../../../infra/endpoints.ts';
import { functionNames } from '../../../infra/function-names.ts';
import { logSink } from '../../../shared/log.ts';
import { worker } from '../../../shared/wiring/worker.ts';
import { countedBy } from '../../support/metric-filter.ts';
import { logicalIdOf, resourcesOf, selling, templateOf } from '../synthesized.ts';

const isCounted = countedBy(failedCalls.logPatternString);

/** A line of Lambda itself, in the form of its schema of events: nobody has seen it on AWS. */
const platform = (type: string, record: object): string =>
  JSON.stringify({ time: '2026-01-31T10:00:00.000Z', type: `platform.${type}`, record: { requestId: 'r', ...record } });

const metrics = { durationMs: 60_000, billedDurationMs: 60_000, memorySizeMB: 256, maxMemoryUsedMB: 256 };

async function linesOf(work: () => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const spy = vi.spyOn(logSink, 'write').mockImplementation((line) => void lines.push(line));
  await worker(work)().catch(() => undefined);
  spy.mockRestore();
  return lines;
}

describe('the metric of worker errors counts', () => {
  it('a call that ends with an exception, by the one line that our code logs', async () => {
    const failing = await linesOf(async () => {
      throw new Error('no', { cause: new Error('KMS') });
    });
    expect(failing.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'error', error: 'Error', reason: 'no', cause: 'Error: KMS' }),
    ]);
    expect(failing.map(isCounted)).toEqual([true]);
    expect(await linesOf(async () => {})).toEqual([]);
  });

  it.each([
    ['runs into its timeout', { status: 'timeout' }],
    ['uses up its memory', { status: 'error', errorType: 'Runtime.OutOfMemory' }],
    ['ends its process', { status: 'error', errorType: 'Runtime.ExitError' }],
    ['has code that does not load', { status: 'error', errorType: 'Runtime.ImportModuleError' }],
    ['is ended by a fault of Lambda', { status: 'failure', errorType: 'Sandbox.Failure' }],
  ])('a call that %s, by the report of Lambda', (_, record) => {
    expect(isCounted(platform('report', { metrics, ...record }))).toBe(true);
  });

  it.each([
    ['a report of a call that succeeded', platform('report', { metrics, status: 'success' })],
    ['another line about the same failure', platform('runtimeDone', { status: 'timeout' })],
    ['a failed start, whose call has its own report', platform('initReport', { status: 'error', phase: 'init' })],
    [
      'the line of Node’s runtime about an exception that we log too',
      '{"timestamp":"2026-01-31T10:00:00.000Z","level":"ERROR","requestId":"r","message":{"errorType":"Error"}}',
    ],
    [
      'an error of one row, which the call survived',
      '{"level":"error","message":"A due row is left to a later sweep"}',
    ],
    ['a measurement', '{"_aws":{},"merchant":"demo","stage":"live","UnansweredRows":1}'],
  ])('not %s', (_, line) => {
    expect(isCounted(line)).toBe(false);
  });
});

/** The description of a function that answers requests: their method and paths. */
const request = /^(GET|POST|PUT|PATCH|DELETE|ANY) /;

describe('each function that no caller waits for', () => {
  const workers = [...functionNames.slice(endpoints.length), mailReportRule.function];

  it.each([...new Set(workers)])('%s logs an exception as a failed call', (name) => {
    expect(readFileSync(`functions/${name}.ts`, 'utf8')).toMatch(/^export const handler = worker\(/m);
  });

  it('writes to the log of the workers, and the others to that of the functions', () => {
    const template = templateOf(...selling);
    const group = (id: string) => ({ Ref: logicalIdOf(template, 'AWS::Logs::LogGroup', id) });
    const of = (log: object) =>
      Object.values(resourcesOf(template, 'AWS::Lambda::Function')).filter(
        ({ Properties }) => JSON.stringify(Properties.LoggingConfig?.LogGroup) === JSON.stringify(log),
      );
    const descriptions = of(group('WorkerLogs')).map(({ Properties }) => Properties.Description);
    expect(descriptions.length).toBeGreaterThanOrEqual(4);
    for (const { Properties } of of(group('FunctionLogs'))) expect(Properties.Description).toMatch(request);
    for (const description of descriptions) expect(description).not.toMatch(request);
  });
});
