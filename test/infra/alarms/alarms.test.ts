import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failedCalls } from '../../../infra/constructs/log-group.ts';
import { functionNames } from '../../../infra/function-names.ts';
import { metricNames, metricNamespace } from '../../../infra/metric-names.ts';
import { customDomain, logicalIdOf, type Resource, resourcesOf, templateOf, theOnly, walled } from '../synthesized.ts';

const template = templateOf('live');
const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm');
const alarm = (name: string) => alarms[logicalIdOf(template, 'AWS::CloudWatch::Alarm', `Alarms${name}`)]!.Properties;
const dimensions = (list: { Name: string; Value: unknown }[]) =>
  Object.fromEntries(list.map(({ Name, Value }) => [Name, Value]));
const own = { merchant: 'demo', stage: 'live' };

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
const anchors = [...readFileSync('docs/runbook.md', 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
  anchorOf(heading ?? ''),
);
const sectionOf = ({ Properties }: Resource): string =>
  /docs\/runbook\.md#(\S+)$/.exec(Properties.AlarmDescription)?.[1] ?? 'none';

const theOnlyId = (type: string): string => Object.keys(resourcesOf(template, type))[0] ?? 'none';

/** The functions that the alarms of one kind watch together. */
const watched = (kind: string, metricName: string, of = template): string[] =>
  Object.entries(resourcesOf(of, 'AWS::CloudWatch::Alarm'))
    .filter(([id]) => new RegExp(`^Alarms${kind}[0-9A-F]{8}$`).test(id))
    .flatMap(([, { Properties }]) => Properties.Metrics)
    .filter(({ MetricStat }) => MetricStat?.Metric.MetricName === metricName)
    .map(({ MetricStat }) => MetricStat.Metric.Dimensions[0].Value.Ref);

describe('every alarm', () => {
  it('says what is wrong and links to a section of the runbook', () => {
    for (const resource of Object.values(alarms)) {
      expect(anchors).toContain(sectionOf(resource));
      expect(resource.Properties.AlarmDescription).toMatch(/^[A-Z].+\. What to do: /);
    }
  });

  it('rings at the first period that reaches its threshold; missing data counts only for the heartbeat', () => {
    const silenceIsBad = Object.entries(alarms).filter(([, { Properties }]) => {
      expect(Properties).toMatchObject({
        EvaluationPeriods: 1,
        ComparisonOperator: expect.stringMatching(/^(GreaterThan|LessThan)OrEqualToThreshold$/),
        TreatMissingData: expect.stringMatching(/^(notB|b)reaching$/),
      });
      expect(Properties.ActionsEnabled).not.toBe(false);
      return Properties.TreatMissingData === 'breaching';
    });
    expect(silenceIsBad.map(([id]) => id)).toEqual([expect.stringMatching(/^AlarmsHeartbeat/)]);
  });

  it('sends a mail to the merchant’s address, if there is one, when the problem starts and ends', () => {
    const mailed = templateOf('live', walled);
    const topic = { Ref: expect.stringMatching(/^AlarmsTopic/) };
    for (const { Properties } of Object.values(resourcesOf(mailed, 'AWS::CloudWatch::Alarm')))
      expect(Properties).toMatchObject({ AlarmActions: [topic], OKActions: [topic] });
    expect(theOnly(mailed, 'AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
    for (const { Properties } of Object.values(alarms)) expect(Properties).not.toHaveProperty('AlarmActions');
  });

  it('sends a message to the merchant’s own topic, with or without a mail address', () => {
    const own = 'arn:aws:sns:eu-central-1:111111111111:on-call';
    for (const settings of [{ alarmTopicArn: own }, { alarmTopicArn: own, alarmEmail: 'ops@example.com' }]) {
      const mailed = 'alarmEmail' in settings ? [{ Ref: expect.stringMatching(/^AlarmsTopic/) }] : [];
      for (const { Properties } of Object.values(resourcesOf(templateOf('live', settings), 'AWS::CloudWatch::Alarm')))
        expect(Properties).toMatchObject({ AlarmActions: [...mailed, own], OKActions: [...mailed, own] });
    }
  });

  it('can publish to its topic, and only over TLS', () => {
    const [denied, allowed] = theOnly(templateOf('live', walled), 'AWS::SNS::TopicPolicy').Properties.PolicyDocument
      .Statement;
    expect(denied).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
    expect(allowed).toMatchObject({
      Effect: 'Allow',
      Action: 'sns:Publish',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    });
  });

  it('uses at most ten metrics, which is CloudWatch’s limit, and all alarms use at most 25', () => {
    const counts = Object.values(alarms).map(
      ({ Properties }) =>
        (Properties.Metrics ?? [{ MetricStat: {} }]).filter(({ MetricStat }: { MetricStat?: object }) => MetricStat)
          .length,
    );
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(25);
  });
});

describe('alarms watch', () => {
  /** The pattern of a metric filter, and the name of the metric of an alarm, which it counts in a log group. */
  const filterOf = (name: string, log: string): string => {
    const [filter] = Object.values(resourcesOf(template, 'AWS::Logs::MetricFilter')).filter(
      ({ Properties }) => Properties.LogGroupName.Ref === logicalIdOf(template, 'AWS::Logs::LogGroup', log),
    );
    const [counted] = filter?.Properties.MetricTransformations ?? [];
    expect(counted).toEqual({
      MetricNamespace: alarm(name).Namespace,
      MetricName: alarm(name).MetricName,
      MetricValue: '1',
    });
    return filter?.Properties.FilterPattern;
  };

  it('the failed calls of every worker, because no API caller sees them, at three within five minutes', () => {
    expect(filterOf('WorkerErrors', 'WorkerLogs')).toBe(failedCalls.logPatternString);
    expect(alarm('WorkerErrors')).toMatchObject({ Statistic: 'Sum', Period: 300, Threshold: 3 });
  });

  it('payments whose state the processor could not report for five minutes, only in live', () => {
    expect(alarm('UnansweredRows')).toMatchObject({
      Namespace: 'Tillstack',
      MetricName: 'UnansweredRows',
      Statistic: 'Sum',
      Period: 300,
      Threshold: 4,
    });
    expect(JSON.stringify(templateOf('sandbox').toJSON())).not.toContain('UnansweredRows');
  });

  it('the API’s 5xx answers', () => {
    expect(alarm('ApiErrors')).toMatchObject({
      Namespace: 'AWS/ApiGateway',
      MetricName: '5xx',
      Statistic: 'Sum',
      Period: 300,
      Threshold: 5,
    });
  });

  it('the age of the oldest record in the stream, at 5 minutes', () => {
    expect(alarm('StreamAge')).toMatchObject({
      MetricName: 'IteratorAge',
      Statistic: 'Maximum',
      Period: 300,
      Threshold: 300_000,
    });
    expect(alarm('StreamAge').Dimensions[0].Value.Ref).toBe(
      logicalIdOf(template, 'AWS::Lambda::Function', 'RelayEvents'),
    );
  });

  const idsOf = (names: readonly string[]) =>
    names.map((id) => logicalIdOf(template, 'AWS::Lambda::Function', id)).toSorted();

  it('the throttles of the sweep and the relay, at one: they notice first that the account has no concurrency left', () => {
    expect(watched('Throttles', 'Throttles').toSorted()).toEqual(idsOf(['RelayEvents', 'SweepDue']));
    expect(alarm('Throttles').Threshold).toBe(1);
  });

  it('the throttles of all event workers, and of each with its own concurrency, if one has it', () => {
    const limited = templateOf('live', { reservedConcurrency: { 'sweep-due': 2, 'watch-shop': 2 } });
    const found = watched('Throttles', 'Throttles', limited);
    expect(found).toEqual(
      expect.arrayContaining(idsOf(['RelayEvents', 'DispatchWebhook', 'IssueDocuments', 'SweepDue'])),
    );
    expect(found).toHaveLength(5);
  });

  it('whether the sweep succeeds, by the count of its errors, which is zero while it runs', () => {
    const heartbeat = alarm('Heartbeat');
    expect(heartbeat).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'Errors',
      Statistic: 'Sum',
      Period: 300,
      Threshold: 3,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'breaching',
    });
    expect(heartbeat.Dimensions[0].Value.Ref).toBe(logicalIdOf(template, 'AWS::Lambda::Function', 'SweepDue'));
  });

  it('the oldest due event, at 5 minutes', () => {
    const watch = alarm('OldestDueEvent');
    expect(watch).toMatchObject({
      Namespace: 'Tillstack',
      MetricName: 'OldestDueEventAgeSeconds',
      Statistic: 'Maximum',
      Period: 300,
      Threshold: 300,
    });
    expect(dimensions(watch.Dimensions)).toEqual(own);
  });

  it('the oldest document that is not finished, at 15 minutes', () => {
    const watch = alarm('OldestUndoneDocument');
    expect(watch).toMatchObject({
      Namespace: 'Tillstack',
      MetricName: 'OldestUndoneDocumentAgeSeconds',
      Statistic: 'Maximum',
      Period: 300,
      Threshold: 900,
    });
    expect(dimensions(watch.Dimensions)).toEqual(own);
  });

  it('each of the four queues of failed messages, above 0', () => {
    for (const name of ['FailedRelays', 'Undelivered', 'FailedDispatches', 'FailedDocuments']) {
      expect(alarm(name)).toMatchObject({
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Statistic: 'Maximum',
        Period: 300,
        Threshold: 1,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      });
      expect(alarm(name).Dimensions[0].Value['Fn::GetAtt'][0]).toBe(
        logicalIdOf(template, 'AWS::SQS::Queue', `Events${name}`),
      );
    }
  });

  it('the table’s throttling, of reads and writes together, at 50 within five minutes', () => {
    const [sum, ...each] = alarm('ThrottledTable').Metrics;
    expect([sum.Expression, alarm('ThrottledTable').Threshold]).toEqual(['SUM([m0, m1])', 50]);
    expect(each.map(({ MetricStat }: { MetricStat: { Metric: object } }) => MetricStat.Metric)).toEqual(
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map((MetricName) => ({
        Namespace: 'AWS/DynamoDB',
        MetricName,
        Dimensions: [{ Name: 'TableName', Value: { Ref: theOnlyId('AWS::DynamoDB::Table') } }],
      })),
    );
  });

  it('the answers 429, counted by a filter of the access log, at 300 within five minutes', () => {
    expect(filterOf('TooManyRequests', 'HttpAccessLog')).toBe('{ $.status = "429" }');
    expect(alarm('TooManyRequests')).toMatchObject({ Statistic: 'Sum', Period: 300, Threshold: 300 });
  });

  it('every disabled webhook endpoint', () => {
    expect(alarm('EndpointsDisabled')).toMatchObject({
      Namespace: 'Tillstack',
      MetricName: 'EndpointsDisabled',
      Statistic: 'Sum',
      Threshold: 1,
    });
  });

  it('the certificate of a custom domain, from twenty days before its expiry', () => {
    const named = templateOf('live', { customDomain });
    const id = logicalIdOf(named, 'AWS::CloudWatch::Alarm', 'AlarmsCertificate');
    expect(resourcesOf(named, 'AWS::CloudWatch::Alarm')[id]?.Properties).toMatchObject({
      Namespace: 'AWS/CertificateManager',
      MetricName: 'DaysToExpiry',
      Dimensions: [{ Name: 'CertificateArn', Value: customDomain.certificateArn }],
      Statistic: 'Minimum',
      Threshold: 20,
      ComparisonOperator: 'LessThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    });
    expect(Object.keys(alarms).filter((id) => id.startsWith('AlarmsCertificate'))).toEqual([]);
  });

  it('the share of failed payments, only in live', () => {
    const [ratio, ...counts] = alarm('PaymentFailures').Metrics;
    expect(ratio).toMatchObject({
      Expression:
        'IF(SUM([FILL(succeeded, 0), FILL(failed, 0)]) >= 10, failed / SUM([FILL(succeeded, 0), FILL(failed, 0)]), 0)',
      ReturnData: true,
    });
    expect(
      counts.map(({ MetricStat }: { MetricStat: { Metric: { MetricName: string } } }) => MetricStat.Metric.MetricName),
    ).toEqual(['PaymentsSucceeded', 'PaymentsFailed']);
    for (const { MetricStat } of counts) {
      expect(MetricStat).toMatchObject({ Metric: { Namespace: 'Tillstack' }, Period: 3600, Stat: 'Sum' });
      expect(dimensions(MetricStat.Metric.Dimensions)).toEqual(own);
    }
    expect(alarm('PaymentFailures').Threshold).toBe(0.5);
    const mailed = templateOf('sandbox', { alarmEmail: 'ops@example.com' });
    const sandboxed = Object.keys(resourcesOf(mailed, 'AWS::CloudWatch::Alarm'));
    expect(sandboxed).toHaveLength(Object.keys(alarms).length - 4);
  });
});

describe('an idle stack', () => {
  const table = /## What an idle stack costs in a month\n\n([\s\S]*?)\n\n/.exec(
    readFileSync('docs/costs.md', 'utf8'),
  )?.[1];
  const rows = (table ?? '').split('\n').slice(2);
  const cells = (row: string) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('*', ''));
  const costs = rows.map(cells).map(([part = '', , live, sandbox]) => ({
    part,
    cents: [live, sandbox].map((dollars) => Math.round(Number(dollars) * 100)),
  }));

  it('costs what the lines of the page add up to', () => {
    const lines = costs.slice(0, -1);
    expect(lines.length).toBeGreaterThan(5);
    const sums = [0, 1].map((at) => lines.reduce((sum, { cents }) => sum + (cents[at] ?? 0), 0));
    expect(costs.at(-1)).toEqual({ part: 'together', cents: sums });
  });

  it('pays ten cents for each metric that an alarm watches, and in a sandbox for none', () => {
    const metrics = Object.values(alarms).flatMap(({ Properties }) =>
      (Properties.Metrics ?? [{ MetricStat: {} }]).filter(({ MetricStat }: { MetricStat?: object }) => MetricStat),
    );
    expect(JSON.stringify(templateOf('sandbox').toJSON())).not.toContain('AWS::CloudWatch::Alarm');
    expect(costs.find(({ part }) => part.startsWith('alarms'))?.cents).toEqual([metrics.length * 10, 0]);
  });
});

it('every function metric that an alarm uses is measured by a function', () => {
  const sources = [...globSync('functions/**/*.ts'), 'shared/wiring/metrics.ts', 'shared/events/counted-events.ts']
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  for (const name of Object.values(metricNames)) expect(sources).toContain(`'${name}'`);
  expect(readFileSync('shared/wiring/metrics.ts', 'utf8')).toContain(`Namespace: '${metricNamespace}'`);
});

it('the CloudWatch dashboard links to the runbook and shows alarms, errors and waiting times', () => {
  const body: unknown[] = theOnly(template, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody['Fn::Join'][1];
  const { widgets } = JSON.parse(body.map((part) => (typeof part === 'string' ? part : 'value')).join(''));
  const [text, ...graphs] = widgets.map(({ properties }: { properties: object }) => properties);
  expect(text.markdown).toContain('docs/runbook.md');
  expect(graphs.at(-1).metrics[0][0].expression).toBe(
    `SEARCH('{Tillstack,merchant,stage,version} MetricName="VersionStarts" merchant="demo" stage="live"', 'Sum', 300)`,
  );
  const drawn = graphs.map(({ metrics }: { metrics: [string, string, ...unknown[]][] }) =>
    metrics.map(([, name]) => name),
  );
  const visible = 'ApproximateNumberOfMessagesVisible';
  expect(drawn).toEqual([
    ['Count', '4xx', '5xx'],
    ['Latency', 'Latency'],
    ['PaymentsSucceeded', 'PaymentsFailed'],
    functionNames.map(() => 'Errors'),
    ['OldestDueEventAgeSeconds', 'OldestUndoneDocumentAgeSeconds', 'IteratorAge'],
    [visible, visible, visible, visible],
    [undefined],
  ]);
});
