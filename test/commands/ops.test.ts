import { readFileSync } from 'node:fs';
import type { StartQueryCommandInput } from '@aws-sdk/client-cloudwatch-logs';
import { describe, expect, it } from 'vitest';
import { runBooks } from '../../infra/commands/books.ts';
import { runKeys } from '../../infra/commands/keys.ts';
import { cleanUp } from '../../infra/commands/ops/clean.ts';
import { followId } from '../../infra/commands/ops/follow.ts';
import { readLogs } from '../../infra/commands/ops/logs.ts';
import { alarmsOfEverything, alarmsOfStop, documentWorker, moneyFunctions } from '../../infra/commands/ops/money.ts';
import { listArns, listOutputs } from '../../infra/commands/ops/parts.ts';
import { purgeFailures } from '../../infra/commands/ops/queues.ts';
import { readStatus } from '../../infra/commands/ops/status.ts';
import { startMoney, stopMoney } from '../../infra/commands/ops/stop-start.ts';
import { runOps } from '../../infra/commands/ops.ts';
import { runProcessor } from '../../infra/commands/processor.ts';
import { typed } from '../support/wire/command.ts';
import { type Answers, operatorContext } from './operator-context.ts';
import { playStack, queueUrl, resource, stackId } from './played-stack.ts';

const missing = (lines: readonly string[]) => lines.filter((line) => line.startsWith('[ ]'));

describe('the stop command', () => {
  it('stops all functions that move money or issue documents, and lists the alarms that this will cause', async () => {
    const stack = playStack();
    const { lines } = await stopMoney(operatorContext(stack.answers).context);
    expect([...stack.stopped].sort()).toEqual([...moneyFunctions].sort());
    for (const name of [
      'refunds/create-refund',
      'checkout/pay-checkout',
      'dashboard/manage-payments',
      'invoices/get-invoice',
    ])
      expect(stack.stopped).toContain(name);
    expect(stack.mappings).toEqual({ documents: false, relay: true });
    expect([...stack.disabled]).toEqual([]);
    expect(lines).toContain(`stopped ${documentWorker}`);
    const rings = lines.flatMap((line) => /^will ring: ([^,]+)/.exec(line)?.[1] ?? []);
    expect(rings).toEqual(['API errors', 'Oldest undone document', 'Money alerts']);
  });

  it('stops the settling of open payments too when everything is to stop', async () => {
    const stack = playStack();
    const { lines } = await stopMoney(operatorContext(stack.answers, { options: { everything: true } }).context);
    expect([...stack.disabled].sort()).toEqual(['Erase', 'Reconcile', 'Sweep']);
    expect(lines.join('\n')).toContain('will ring: Heartbeat');
  });

  it('is undone by start, for every part that was stopped', async () => {
    const stack = playStack();
    await stopMoney(operatorContext(stack.answers, { options: { everything: true } }).context);
    stack.mappings['relay'] = false;
    stack.disabled.add('FetchRates');
    await startMoney(operatorContext(stack.answers).context);
    expect([stack.stopped.size, stack.disabled.size, stack.mappings]).toEqual([0, 0, { documents: true, relay: true }]);
  });

  it('refuses a stack without any function to stop', async () => {
    const { answers } = playStack({ ListStackResources: () => ({ StackResourceSummaries: [] }) });
    await expect(stopMoney(operatorContext(answers).context)).rejects.toThrow('has no functions that take money');
  });

  it('refers only to sections that the runbook has', () => {
    const runbook = readFileSync('docs/runbook.md', 'utf8');
    for (const { section } of [...alarmsOfStop, ...alarmsOfEverything]) expect(runbook).toContain(`### ${section}\n`);
  });
});

describe('the status command', () => {
  it('reports no problem when there is none', async () => {
    const { isFine, lines } = await readStatus(operatorContext(playStack().answers).context);
    expect([isFine, missing(lines)]).toEqual([true, []]);
  });

  it.each([
    { deployed: '0.2.0+97cf8f7a', line: '[x] the version is 0.2.0+97cf8f7a' },
    { deployed: '0.2.0+97cf8f7a.dirty', line: '[!] the version is 0.2.0+97cf8f7a.dirty: it was deployed with changes' },
    { deployed: undefined, line: ' -  the stack does not say its version: it is 0.2.0 or older' },
  ])('shows the deployed version: $deployed', async ({ deployed, line }) => {
    const Outputs = deployed ? [{ OutputKey: 'Version', OutputValue: deployed }] : [];
    const stack = { StackId: stackId, StackStatus: 'UPDATE_COMPLETE', Outputs };
    const { answers } = playStack({ DescribeStacks: () => ({ Stacks: [stack] }) });
    const { isFine, lines } = await readStatus(operatorContext(answers).context);
    expect([isFine, lines[0]?.slice(0, line.length)]).toEqual([true, line]);
  });

  it('lists the stopped functions and how to start them', async () => {
    const stack = playStack();
    await stopMoney(operatorContext(stack.answers, { options: { everything: true } }).context);
    const { isFine, lines } = await readStatus(operatorContext(stack.answers).context);
    expect(isFine).toBe(false);
    expect(missing(lines)).toEqual([
      expect.stringMatching(/stopped: .*create-refund.*npm run ops -- start --merchant shop --stage live/),
      expect.stringContaining('EventsIssueDocumentsBatches0A1B2C3D is Disabled'),
      expect.stringMatching(/disabled: EventsSweep.*EventsReconcile.*EventsErase/),
    ]);
  });

  it.each<{ fault: string; play: Answers; says: string }>([
    {
      fault: 'a message in a queue',
      play: {
        GetQueueAttributes: ({ QueueUrl }: { QueueUrl: string }) => ({
          Attributes: { ApproximateNumberOfMessages: QueueUrl.endsWith('Undelivered') ? '2' : '0' },
        }),
      },
      says: '2 in undelivered: read docs/runbook.md#undelivered-events',
    },
    {
      fault: 'an alarm',
      play: {
        DescribeAlarms: () => ({
          MetricAlarms: [{ AlarmName: 'ApiErrors', AlarmDescription: 'docs/runbook.md#api-errors' }],
        }),
      },
      says: 'ApiErrors rings: docs/runbook.md#api-errors',
    },
    {
      fault: 'no backups',
      play: { DescribeContinuousBackups: () => ({}) },
      says: 'it cannot be restored',
    },
    {
      fault: 'a failed update',
      play: { DescribeStacks: () => ({ Stacks: [{ StackId: stackId, StackStatus: 'UPDATE_ROLLBACK_FAILED' }] }) },
      says: 'tillstack-shop-live is UPDATE_ROLLBACK_FAILED',
    },
  ])('reports $fault', async ({ play, says }) => {
    const { isFine, lines } = await readStatus(operatorContext(playStack(play).answers).context);
    expect([isFine, missing(lines)]).toEqual([false, [expect.stringContaining(says)]]);
  });
});

const sale = { pay: `pay_${'a'.repeat(21)}`, session: `cks_${'a'.repeat(21)}`, event: `evt_${'a'.repeat(21)}` };
/** The seconds and the sources of lines. */
const seen = (lines: readonly string[]) => lines.map((line) => line.slice(17).split('  ').slice(0, 2).join(' '));

describe('the logs command', () => {
  it('prints lines in order of time, each with its function', async () => {
    const { lines } = await readLogs(operatorContext(playStack().answers).context);
    expect(seen(lines)).toEqual([
      '05.000Z checkout/pay-checkout',
      '06.000Z checkout/pay-checkout',
      '07.000Z webhooks',
      '08.000Z refunds/create-refund',
      '09.000Z access-log',
    ]);
  });

  it.each([
    { options: { function: 'pay-checkout' }, lines: ['05.000Z', '06.000Z'] },
    { options: { errors: true }, lines: ['08.000Z'] },
    { options: { find: '"status":"404"}' }, lines: ['09.000Z'] },
    { options: { function: 'pay-checkout', find: sale.pay }, lines: ['06.000Z'] },
    { options: { function: 'pay-checkout', errors: true }, lines: ['No line'] },
  ])('prints only the lines selected by $options', async ({ options, lines }) => {
    const found = await readLogs(operatorContext(playStack().answers, { options }).context);
    expect(seen(found.lines).map((line) => line.split(' ')[0])).toEqual(
      lines.map((line) => (line === 'No line' ? '' : line)),
    );
  });

  it('makes one query over all logs and the whole period', async () => {
    const { context, sent } = operatorContext(playStack().answers, { options: { since: '2d' } });
    await readLogs(context);
    const asked = sent.flatMap(([name, input]) => (name === 'StartQuery' ? [input as StartQueryCommandInput] : []));
    expect(asked).toEqual([expect.objectContaining({ logGroupNames: ['/functions', '/workers', '/access'] })]);
    const [{ startTime = 0, endTime = 0 } = {}] = asked;
    expect(endTime - startTime).toBeGreaterThanOrEqual(2 * 86_400);
    expect(endTime - startTime).toBeLessThan(2 * 86_400 + 5);
  });

  it.each([{ since: 'yesterday' }, { function: 'nothing' }])('refuses %j', async (options) => {
    await expect(readLogs(operatorContext(playStack().answers, { options }).context)).rejects.toThrow();
  });

  it('fails when the query fails, or when an older release has one log per function', async () => {
    const failed = playStack({ GetQueryResults: () => ({ status: 'Failed' }) });
    await expect(readLogs(operatorContext(failed.answers).context)).rejects.toThrow(
      'CloudWatch ended the query: Failed.',
    );
    const old = playStack({ ListStackResources: () => ({ StackResourceSummaries: [] }) });
    await expect(readLogs(operatorContext(old.answers).context)).rejects.toThrow('is of an older release');
  });
});

describe('the follow command', () => {
  it('finds every log line of a sale, also those of its requests, session and events', async () => {
    const { context, commandsSent } = operatorContext(playStack().answers, { options: { id: sale.pay } });
    const { lines, json } = await followId(context);
    expect(seen(lines)).toEqual([
      '06.000Z checkout/pay-checkout',
      '07.000Z webhooks',
      '08.000Z refunds/create-refund',
      '09.000Z access-log',
    ]);
    expect(json).toHaveLength(4);
    expect(commandsSent().filter((name) => name === 'StartQuery')).toHaveLength(2);
  });

  it('says that no log line contains the id', async () => {
    const options = { id: `ref_${'b'.repeat(21)}`, since: '3h' };
    const { isFine, lines } = await followId(operatorContext(playStack().answers, { options }).context);
    expect([isFine, lines]).toEqual([true, [`No line names ${options.id} since 3h.`]]);
  });

  it.each([undefined, 'pay_', 'nothing', `xyz_${'a'.repeat(21)}`, `${sale.pay}/|.*`])(
    'refuses %s, and lists what it accepts',
    async (id) => {
      const { context, sent } = operatorContext(playStack().answers, { options: { id } });
      await expect(followId(context)).rejects.toThrow(/cks_…, .*evt_…, .*pay_…, .*ref_…/);
      expect(sent).toEqual([]);
    },
  );

  it('ends with exit code 2 for an argument that is not an id', async () => {
    const { code, error } = await typed(runOps, ['follow', 'nothing', '--merchant', 'demo', '--stage', 'live']);
    expect([code, error]).toEqual([2, expect.stringContaining('nothing cannot be followed')]);
  });
});

describe('the resources of a stack', () => {
  it('are listed by ARN', async () => {
    const { lines } = await listArns(operatorContext(playStack().answers).context);
    const said = lines.join('\n');
    expect(said).toContain('arn:aws:lambda:eu-central-1:123456789012:function:refunds/create-refund');
    expect(said).toContain('arn:aws:sqs:eu-central-1:123456789012:FailedRelays');
    expect(said).toContain('arn:aws:events:eu-central-1:123456789012:rule/bus/dispatch');
    expect(said).toContain('arn:aws:s3:::images');
  });

  it('include the outputs of the stack', async () => {
    expect((await listOutputs(operatorContext(playStack().answers).context)).lines).toEqual(['PublicUrl = https://x']);
  });
});

describe('the purge command', () => {
  it('deletes the messages of one queue only after a confirmation', async () => {
    const { answers } = playStack();
    const asked = operatorContext(answers, { options: { queue: 'failed-relays' } });
    await expect(purgeFailures(asked.context)).rejects.toThrow('Add --yes');
    expect(asked.commandsSent()).not.toContain('PurgeQueue');
    const { context, sent } = operatorContext(answers, { options: { queue: 'failed-relays', yes: true } });
    await purgeFailures(context);
    expect(sent).toContainEqual(['PurgeQueue', { QueueUrl: queueUrl('FailedRelays') }]);
  });

  it('accepts only queues of failed messages', async () => {
    const { context } = operatorContext(playStack().answers, { options: { queue: 'documents', yes: true } });
    await expect(purgeFailures(context)).rejects.toThrow('--queue must be one of failed-relays');
  });
});

describe('the clean command', () => {
  /** A first deployment that failed, after which the table stays. */
  function playFailure(faults: Answers = {}) {
    let isThere = true;
    const failed = { StackId: stackId, StackName: 'tillstack-shop-live' };
    return {
      ListStackResources: () => ({
        StackResourceSummaries: [resource('ImagesBucket', 'S3::Bucket', 'images')],
      }),
      DescribeStacks: () => ({
        Stacks: [{ ...failed, StackStatus: isThere ? 'ROLLBACK_COMPLETE' : 'DELETE_COMPLETE' }],
      }),
      ListTables: () => ({
        TableNames: ['tillstack-shop-live-DataTable1-2', 'tillstack-shop-live-DataTable1-2-restored'],
      }),
      Scan: () => ({ Items: [] }),
      ListObjectVersions: () => ({}),
      UpdateTerminationProtection: () => ({}),
      DeleteStack: () => {
        isThere = false;
        return {};
      },
      UpdateTable: () => ({}),
      DeleteTable: () => ({}),
      DeleteBucket: () => ({}),
      ...faults,
    } as Answers;
  }

  it('removes a stack whose first deployment failed, with its empty table and bucket', async () => {
    const { context, commandsSent } = operatorContext(playFailure(), { options: { yes: true } });
    const { json } = await cleanUp(context);
    expect(json).toEqual({ removed: ['tillstack-shop-live', 'tillstack-shop-live-DataTable1-2', 'images'] });
    expect(commandsSent().filter((name) => /^(Update|Delete)/.test(name))).toEqual([
      ...['UpdateTerminationProtection', 'DeleteStack', 'UpdateTable', 'DeleteTable', 'DeleteBucket'],
    ]);
  });

  it.each<{ because: string; play: Answers; says: string; yes?: boolean }>([
    {
      because: 'the stack works',
      play: { DescribeStacks: () => ({ Stacks: [{ StackStatus: 'UPDATE_COMPLETE' }] }) },
      says: 'only a first deployment',
    },
    { because: 'a table has a row', play: { Scan: () => ({ Items: [{}] }) }, says: 'has rows, so it stays' },
    {
      because: 'a bucket has an object',
      play: { ListObjectVersions: () => ({ Versions: [{}] }) },
      says: 'has objects',
    },
    { because: 'it is not told twice', play: {}, says: 'Add --yes', yes: false },
  ])('removes nothing when $because', async ({ play, says, yes = true }) => {
    const { context, commandsSent } = operatorContext(playFailure(play), { options: { yes } });
    await expect(cleanUp(context)).rejects.toThrow(says);
    expect(commandsSent().filter((name) => /^(Update|Delete)/.test(name))).toEqual([]);
  });
});

it.each([
  { command: 'ops', run: runOps },
  { command: 'books', run: runBooks },
  { command: 'keys', run: runKeys },
  { command: 'processor', run: runProcessor },
])('npm run $command -- --help prints its usage, and does nothing else', async ({ command, run }) => {
  const secret = () => Promise.reject(new Error('A secret was asked for.'));
  const said = await typed((args, to) => run(args, { ...to, secret }), ['--help']);
  expect(said).toEqual({ code: 0, out: expect.stringContaining(`npm run ${command} -- `), error: '' });
});

it.each([
  { args: ['nothing'], says: 'There is no command "nothing". "npm run ops -- --help" lists them.' },
  { args: ['status'], says: '--stage is required.' },
  { args: ['status', '--stage', 'live'], says: '--merchant is required.' },
  { args: ['status', '--colour'], says: "Unknown option '--colour'" },
])('npm run ops -- $args ends with exit code 2 and a reason', async ({ args, says }) => {
  expect(await typed(runOps, args)).toEqual({ code: 2, out: '', error: expect.stringContaining(says) });
});
