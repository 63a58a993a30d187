import { describe, expect, it } from 'vitest';
import { dispatchRule, queueConsumer, streamConsumer, sweepSchedule } from '../../infra/endpoints.ts';
import { constructIdOf, functionNames } from '../../infra/function-names.ts';
import { documentWorkersOf } from '../../infra/stage-settings.ts';
import { eventSource } from '../../shared/events/catalogue.ts';
import { publishWithinSeconds } from '../../shared/store/events/event-store.ts';
import { dispatchClaimSeconds } from '../../shared/use-cases/webhooks/dispatch-claim.ts';
import { logicalIdOf, type Resource, resourcesOf, selling, statementsOf, templateOf, theOnly } from './synthesized.ts';

const template = templateOf('live');
const functionId = (name: string) => logicalIdOf(template, 'AWS::Lambda::Function', constructIdOf(name));
const queueId = (name: string) => logicalIdOf(template, 'AWS::SQS::Queue', `Events${name}`);
const bus = logicalIdOf(template, 'AWS::Events::EventBus', 'EventsBus');
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const rules = Object.values(resourcesOf(template, 'AWS::Events::Rule')).map(({ Properties }) => Properties);
const ruleOf = (pattern: object) => rules.find((rule) => JSON.stringify(rule.EventPattern) === JSON.stringify(pattern));
const ours = { source: [eventSource] };
const onEvents = ruleOf(ours);
const onSchedule = rules.find((rule) => rule.ScheduleExpression);
const mappings = Object.values(resourcesOf(template, 'AWS::Lambda::EventSourceMapping')).map(
  ({ Properties }) => Properties,
);
const mappingOf = (name: string) => mappings.find(({ FunctionName }) => FunctionName.Ref === functionId(name));
const asyncCalls = Object.values(resourcesOf(template, 'AWS::Lambda::EventInvokeConfig')).map(
  ({ Properties }) => Properties,
);
const asyncCallsOf = (name: string) => asyncCalls.find(({ FunctionName }) => FunctionName.Ref === functionId(name));

describe('the mapping from the table’s stream to the relay function', () => {
  const mapping = mappingOf(streamConsumer.function)!;

  it('passes only new event rows to the relay, ten at a time, the limit of PutEvents', () => {
    expect(mappings).toHaveLength(2);
    expect(mapping.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT'], dynamodb: { NewImage: { entity: { S: ['EVENT'] } } } },
    ]);
    expect(mapping).toMatchObject({ BatchSize: 10, StartingPosition: 'TRIM_HORIZON' });
  });

  it('isolates a record that always fails, retries it for one hour, and then puts it into a queue', () => {
    expect(mapping).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 10,
      MaximumRecordAgeInSeconds: 3600,
      DestinationConfig: { OnFailure: { Destination: arnOf(queueId('FailedRelays')) } },
    });
  });

  it('may only read that stream, fill that queue and send to the queue of documents', () => {
    const rights = statementsOf(template, streamConsumer.function).filter(({ Action }) =>
      /Records|Iterator|sqs/.test(Action.join()),
    );
    expect(rights.map(({ Action, Resource }) => [Action, Resource])).toEqual([
      [
        ['dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:DescribeStream', 'dynamodb:ListStreams'],
        [mapping.EventSourceArn],
      ],
      [['sqs:SendMessage'], [arnOf(queueId('FailedRelays'))]],
      [['sqs:SendMessage'], [arnOf(queueId('IssueDocumentsQueue'))]],
    ]);
  });
});

describe('the bus', () => {
  it('keeps every event for 30 days', () => {
    expect(theOnly(template, 'AWS::Events::Archive').Properties).toMatchObject({
      SourceArn: arnOf(bus),
      RetentionDays: 30,
      EventPattern: ours,
    });
  });

  it('tries for an hour to pass an event to the dispatcher, then puts the event into a queue', () => {
    expect(onEvents).toMatchObject({
      EventBusName: { Ref: bus },
      EventPattern: ours,
      State: 'ENABLED',
    });
    expect(onEvents?.Targets).toMatchObject([
      {
        Arn: arnOf(functionId(dispatchRule.function)),
        DeadLetterConfig: { Arn: arnOf(queueId('Undelivered')) },
        RetryPolicy: { MaximumEventAgeInSeconds: 3600 },
      },
    ]);
  });

  it('may put an event that it cannot deliver into a queue', () => {
    const policies = Object.values(resourcesOf(template, 'AWS::SQS::QueuePolicy')).flatMap(
      ({ Properties }) => Properties.PolicyDocument.Statement,
    );
    const allowed = policies.filter(({ Effect }) => Effect === 'Allow');
    const fromTheBus = { Principal: { Service: 'events.amazonaws.com' } };
    expect(allowed).toMatchObject([
      { ...fromTheBus, Action: 'sqs:SendMessage', Resource: arnOf(queueId('Undelivered')) },
    ]);
  });

  it('puts an event into a queue after the dispatcher’s third failure', () => {
    expect(asyncCallsOf(dispatchRule.function)).toMatchObject({
      MaximumRetryAttempts: 2,
      MaximumEventAgeInSeconds: 3600,
      DestinationConfig: { OnFailure: { Destination: arnOf(queueId('FailedDispatches')) } },
    });
  });
});

describe('the accounts that may put rules on the bus', () => {
  const type = 'AWS::Events::EventBusPolicy';
  const accounts = ['222222222222', '333333333333'];

  it('are none by default, and then the template has no policy for the bus', () => {
    expect(Object.values(template.toJSON().Resources).filter((one) => (one as Resource).Type === type)).toEqual([]);
  });

  it('may manage the rules that they created, and nothing else', () => {
    const sharing = templateOf('live', { eventRuleAccounts: accounts });
    const { EventBusName, Statement } = theOnly(sharing, type).Properties;
    expect(EventBusName).toEqual({ Ref: bus });
    expect(Statement.Effect).toBe('Allow');
    const principals = Statement.Principal.AWS.map((one: unknown) => JSON.stringify(one));
    for (const [index, account] of accounts.entries()) expect(principals[index]).toContain(`:iam::${account}:root`);
    expect(principals).toHaveLength(accounts.length);
    expect(Statement.Action).toHaveLength(11);
    expect(Statement.Action.filter((action: string) => !/^events:\w+(Rule|Targets|Resource)/.test(action))).toEqual([]);
    expect(JSON.stringify(Statement.Resource)).toContain(`:rule/",{"Ref":"${bus}"},"/*"`);
    expect(Statement.Condition).toEqual({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: IAM replaces it with the account that calls
      StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' },
    });
    const added = Object.keys(sharing.toJSON().Resources).filter((id) => !(id in template.toJSON().Resources));
    expect(added).toHaveLength(1);
  });
});

describe('the documents of events', () => {
  const queue = resourcesOf(template, 'AWS::SQS::Queue')[queueId('IssueDocumentsQueue')]!.Properties;
  const mapping = mappingOf(queueConsumer.function)!;

  it('are issued through a queue, in batches of three transactions and by ten functions at most', () => {
    expect(mapping).toMatchObject({
      EventSourceArn: arnOf(queueId('IssueDocumentsQueue')),
      BatchSize: 99,
      MaximumBatchingWindowInSeconds: 1,
      ScalingConfig: { MaximumConcurrency: 10 },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  it.each([
    { settings: { documentWorkers: 20 }, atOnce: 20 },
    { settings: { accountConcurrency: 10 }, atOnce: 2 },
    { settings: { accountConcurrency: 50 }, atOnce: 5 },
    { settings: { reservedConcurrency: { 'issue-documents': 3 } }, atOnce: 3 },
    { settings: { documentWorkers: 2, reservedConcurrency: { 'issue-documents': 3 } }, atOnce: 2 },
  ])('are issued by $atOnce functions at most with $settings', ({ settings, atOnce }) => {
    expect(documentWorkersOf(settings)).toBe(atOnce);
  });

  it('are sent to that queue by the relay and the sweep, and by no rule of the bus', () => {
    const address = { Ref: queueId('IssueDocumentsQueue') };
    for (const name of functionNames) {
      const variables = resourcesOf(template, 'AWS::Lambda::Function')[functionId(name)]?.Properties.Environment
        ?.Variables;
      const sends = statementsOf(template, name).some(
        ({ Action, Resource }) =>
          Action.includes('sqs:SendMessage') && JSON.stringify(Resource).includes(queueId('IssueDocumentsQueue')),
      );
      const isPublisher = [streamConsumer.function, 'events/sweep-due'].includes(name);
      expect([name, sends, variables?.DOCUMENT_QUEUE_URL]).toEqual([
        name,
        isPublisher,
        isPublisher ? address : undefined,
      ]);
    }
    expect(rules.filter(({ EventBusName }) => EventBusName)).toEqual([onEvents]);
  });

  it('are taken from that queue by one function, which has no other rights on the queue', () => {
    const rights = statementsOf(template, queueConsumer.function).filter(({ Action }) =>
      Action.join().includes('sqs:'),
    );
    expect(rights.map(({ Action, Resource }) => [Action, Resource])).toEqual([
      [['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [arnOf(queueId('IssueDocumentsQueue'))]],
    ]);
  });

  it('are tried three times, and then go to a queue that an alarm watches', () => {
    const { Timeout } = resourcesOf(template, 'AWS::Lambda::Function')[functionId(queueConsumer.function)]!.Properties;
    expect(queue.VisibilityTimeout).toBe(6 * Timeout);
    expect(queue.RedrivePolicy).toEqual({
      deadLetterTargetArn: arnOf(queueId('FailedDocuments')),
      maxReceiveCount: 3,
    });
  });

  it('are mailed only from the merchant’s own address, if it has one', () => {
    const mailing = templateOf(...selling);
    const [setId = ''] = Object.keys(resourcesOf(mailing, 'AWS::SES::ConfigurationSet'));
    const sends = (name: string, of = mailing) =>
      statementsOf(of, name).filter(({ Action }) => Action.join().includes('ses:') && !asksQuota(Action));
    const asksQuota = (actions: readonly string[]) => actions.join() === 'ses:GetAccount';
    for (const name of functionNames) expect(sends(name, template)).toEqual([]);
    const senders = functionNames.filter((name) => sends(name).length > 0);
    expect(senders).toEqual([
      'withdrawals/decide-withdrawal',
      'customers/create-portal-session',
      'license-keys/reissue-license-key',
      'invoices/mail-document-link',
      'withdrawals/declare-withdrawal',
      'portal/open-portal',
      'members/sign-in-by-link',
      'members/manage-members',
      'orders/manage-order',
      'grants/manage-grant',
      'withdrawals/manage-withdrawals',
      'dashboard/show-mails',
      queueConsumer.function,
      sweepSchedule.function,
    ]);
    expect(functionNames.filter((name) => statementsOf(mailing, name).some(({ Action }) => asksQuota(Action)))).toEqual(
      [sweepSchedule.function],
    );
    for (const name of senders) {
      const [statement, ...others] = sends(name);
      expect(others).toEqual([]);
      expect(statement?.Action).toEqual(['ses:SendEmail']);
      expect(statement?.Condition).toEqual({ StringEquals: { 'ses:FromAddress': 'receipts@example.com' } });
    }
    const [statement] = sends(queueConsumer.function);
    const known = statement?.Resource.map(
      (arn) => /:((?:identity|configuration-set)\/[^"]*)/.exec(JSON.stringify(arn))?.[1],
    );
    expect(known).toEqual(['identity/receipts@example.com', 'identity/example.com', 'configuration-set/']);
    expect(JSON.stringify(statement?.Resource[2])).toContain(`{"Ref":"${setId}"}`);
  });
});

describe('the sweep', () => {
  it('runs every minute, and does not repeat a missed minute', () => {
    expect(onSchedule).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
    expect(onSchedule?.Targets).toMatchObject([
      { Arn: arnOf(functionId('events/sweep-due')), RetryPolicy: { MaximumRetryAttempts: 0 } },
    ]);
    expect(asyncCallsOf('events/sweep-due')).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
  });
});

describe('the order of a deployment', () => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');

  it.each([streamConsumer.function, sweepSchedule.function])(
    'updates %s, which sends events, after the dispatcher, which reads them',
    (name) => {
      expect(functions[functionId(name)]?.DependsOn).toContain(functionId(dispatchRule.function));
    },
  );

  it('updates the worker that leaves mails to the sweep after the sweep, which finds them', () => {
    expect(functions[functionId(queueConsumer.function)]?.DependsOn).toContain(functionId(sweepSchedule.function));
  });

  it('lets the dispatcher’s claim on an event outlast its timeout, and end before the event is published again', () => {
    const { Timeout } = functions[functionId(dispatchRule.function)]!.Properties;
    expect(Timeout).toBeLessThan(dispatchClaimSeconds);
    expect(dispatchClaimSeconds).toBeLessThan(publishWithinSeconds);
  });
});

describe('all queues', () => {
  it('are four for failed messages and one for documents, and are encrypted and private', () => {
    const queues = Object.entries(resourcesOf(template, 'AWS::SQS::Queue'));
    expect(queues).toHaveLength(5);
    for (const [, { Properties }] of queues)
      expect(Properties).toMatchObject({ MessageRetentionPeriod: 14 * 86_400, SqsManagedSseEnabled: true });
    const denials = Object.values(resourcesOf(template, 'AWS::SQS::QueuePolicy')).flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Deny'),
    );
    const sorted = (list: unknown[]) => list.map((item) => JSON.stringify(item)).sort();
    expect(sorted(denials.map(({ Resource }) => Resource))).toEqual(sorted(queues.map(([id]) => arnOf(id))));
    for (const { Condition } of denials) expect(Condition).toEqual({ Bool: { 'aws:SecureTransport': 'false' } });
  });
});
