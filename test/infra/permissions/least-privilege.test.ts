import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  dispatchRule,
  type Entity,
  endpoints,
  schedules,
  streamConsumer,
  type TableGrants,
} from '../../../infra/endpoints.ts';
import { functionNames } from '../../../infra/function-names.ts';
import { deliveriesDuePartition, duePartitions, keys } from '../../../shared/store/keys.ts';
import type { IndexName } from '../../../shared/store/table/table-schema.ts';
import {
  functionOf,
  logicalIdOf,
  optional,
  resourcesOf,
  type Statement,
  statementsOf,
  templateOf,
} from '../synthesized.ts';

const template = templateOf('live');
const tableId = Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table'))[0];
const functions: { function: string; table: TableGrants }[] = [
  ...endpoints,
  streamConsumer,
  dispatchRule,
  ...schedules,
];

/**
 * A partition key as the stores make it, and the entities whose rows it holds. A key that only begins alike belongs
 * to none.
 */
const rows: { pk: string; entities: Entity[] }[] = [
  { pk: keys.product('pdt_1').pk, entities: ['PRODUCT'] },
  { pk: keys.session('cks_1').pk, entities: ['SESSION'] },
  { pk: keys.payment('pay_1').pk, entities: ['PAYMENT'] },
  { pk: keys.refund('ref_1').pk, entities: ['REFUND'] },
  { pk: keys.customer('cus_1').pk, entities: ['CUSTOMER'] },
  { pk: keys.idempotency('POST /refunds#1').pk, entities: ['IDEM'] },
  { pk: keys.event('evt_1').pk, entities: ['EVENT', 'DELIVERY'] },
  { pk: keys.delivery('evt_1', 'whk_1').pk, entities: ['EVENT', 'DELIVERY'] },
  { pk: keys.webhook('whk_1').pk, entities: ['WEBHOOK'] },
  { pk: keys.apiKey('0a1b').pk, entities: ['KEY'] },
  { pk: keys.taxRules().pk, entities: ['TAX'] },
  { pk: keys.exchangeRates('2026-03-01').pk, entities: ['RATE'] },
  { pk: keys.exportJob('exp_1').pk, entities: ['EXPORT'] },
  { pk: keys.soldDay('2026-03-01').pk, entities: ['SALES'] },
  { pk: 'KEYRING#1', entities: [] },
];

/** The partitions of the indexes, and the entities that read them. */
const listed: { index: IndexName; pk: string; entity: Entity }[] = [
  { index: 'list', pk: 'PRODUCT', entity: 'PRODUCT' },
  { index: 'list', pk: 'PAYMENT', entity: 'PAYMENT' },
  { index: 'list', pk: 'REFUND', entity: 'REFUND' },
  { index: 'list', pk: 'CUSTOMER', entity: 'CUSTOMER' },
  { index: 'list', pk: 'EVENT', entity: 'EVENT' },
  { index: 'list', pk: 'DELIVERY#whk_1', entity: 'DELIVERY' },
  { index: 'customer', pk: 'CUSTOMER#cus_1', entity: 'CUSTOMER' },
  { index: 'customer', pk: 'CUSTOMER#cus_1#REFUND', entity: 'CUSTOMER' },
  ...[...duePartitions, deliveriesDuePartition('whk_1')].map((pk) => ({
    index: 'due' as const,
    pk,
    entity: 'DUE' as const,
  })),
];

const like = (pattern: string, value: string): boolean =>
  pattern.endsWith('*') ? value.startsWith(pattern.slice(0, -1)) : value === pattern;

/** Whether IAM lets the function do `action` on rows of the partition, in the table or in one of its indexes. */
function may(functionName: string, action: string, pk: string, index?: string): boolean {
  const table = { 'Fn::GetAtt': [tableId, 'Arn'] };
  const resource = JSON.stringify(index === undefined ? table : { 'Fn::Join': ['', [table, `/index/${index}`]] });
  return statementsOf(template, functionName).some(
    ({ Action, Resource, Condition }) =>
      Action.includes(`dynamodb:${action}`) &&
      Resource.some((allowed) => JSON.stringify(allowed) === resource) &&
      leadingKeys(Condition).some((pattern) => like(pattern, pk)),
  );
}

const leadingKeys = (condition: Statement['Condition']): string[] =>
  [condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? []].flat();

const intersects = (declared: readonly Entity[] = [], entities: readonly Entity[]): boolean =>
  entities.some((entity) => declared.includes(entity));

/** What the grants of the route table are to IAM. */
const rowActions = { get: 'BatchGetItem', query: 'Query', put: 'PutItem', update: 'UpdateItem' } as const;
const rowGrants = Object.keys(rowActions) as (keyof typeof rowActions)[];

describe('a role allows its function', () => {
  it.each(rowGrants)('to %s only the rows that the route table declares', (grant) => {
    const action = rowActions[grant];
    for (const { function: name, table } of functions)
      for (const { pk, entities } of rows)
        expect([name, pk, may(name, action, pk)]).toEqual([name, pk, intersects(table[grant], entities)]);
  });

  it('to list only the rows that the route table declares, from the index that it names', () => {
    for (const { function: name, table } of functions)
      for (const { index, pk, entity } of listed)
        expect([name, index, pk, may(name, 'Query', pk, index)]).toEqual([
          name,
          index,
          pk,
          intersects(table[index], [entity]),
        ]);
  });

  it('to query only a few partitions, so no function can list keys or sessions', () => {
    const queried = functions.flatMap(({ function: name }) =>
      rows.filter(({ pk }) => may(name, 'Query', pk)).map(({ pk }) => pk),
    );
    expect(new Set(queried)).toEqual(new Set(['WEBHOOK', 'EVENT#evt_1', 'RATE', 'EXPORT', 'SALES']));
  });

  it('to make only the kinds of calls that the stores use: no scan and no removal of rows', () => {
    const sources = globSync('shared/store/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const used = sources.flatMap((source) =>
      [...source.matchAll(calls)].map(([, command, item]) => actionOf(command ?? item ?? '')),
    );
    const granted = functionNames
      .flatMap((name) => statementsOf(template, name))
      .filter(({ Condition }) => Condition !== undefined)
      .flatMap(({ Action }) => Action);
    expect(new Set(granted)).toEqual(new Set(used));
    expect(JSON.stringify(template.toJSON())).not.toMatch(/DeleteItem|dynamodb:Scan|PartiQL/);
  });
});

/** A command of the SDK, or an item of a transaction. */
const calls = /new (?!Transact)(\w+)Command\(|\b(Put|Update|Delete|ConditionCheck): \{/g;
const actionOf = (call: string): string => `dynamodb:${call === 'Query' ? call : `${call}Item`}`;

describe('no role', () => {
  it('can be assumed by a service other than Lambda', () => {
    const taken = { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } };
    for (const { Properties } of Object.values(resourcesOf(template, 'AWS::IAM::Role')))
      expect(Properties.AssumeRolePolicyDocument.Statement).toEqual([taken]);
  });

  it('belongs to two functions', () => {
    const roles = functionNames.map((name) => functionOf(template, name).Properties.Role['Fn::GetAtt'][0]);
    expect(new Set(roles).size).toBe(functionNames.length);
  });

  it('can reach a row through a request without a key', () => {
    const rowActions = functionNames
      .flatMap((name) => statementsOf(template, name))
      .filter(({ Action }) => Action.some((action) => /^dynamodb:.*(?:Item|Query)$/.test(action)));
    expect(rowActions.length).toBeGreaterThan(functionNames.length);
    for (const { Condition } of rowActions) {
      expect(leadingKeys(Condition)).not.toEqual([]);
      expect(Condition?.Null).toEqual({ 'dynamodb:LeadingKeys': 'false' });
      expect(Object.keys(Condition ?? {}).sort()).toEqual(['ForAllValues:StringLike', 'Null']);
    }
  });

  it('has a wildcard in actions or resources, except for objects under one prefix of the bucket', () => {
    for (const { Action, Resource } of functionNames.flatMap((name) => statementsOf(template, name))) {
      expect(Action.join()).not.toContain('*');
      const resources = JSON.stringify(Resource);
      expect(
        Action.join().includes('s3:') ? resources.replace(/\/(uploads|images|exports|files)\/\*/g, '') : resources,
      ).not.toContain('*');
    }
  });

  it('has a second policy, or can write to another log group, except a worker’s to that of version 0.2.0', () => {
    expect(() => resourcesOf(template, 'AWS::IAM::Policy')).toThrow('no AWS::IAM::Policy');
    for (const { Properties } of Object.values(resourcesOf(template, 'AWS::IAM::Role')))
      expect(Object.keys(Properties).sort()).toEqual(['AssumeRolePolicyDocument', 'Policies', 'Tags']);
    for (const name of functionNames) {
      const logs = statementsOf(template, name).filter(({ Action }) =>
        Action.some((action) => action.startsWith('logs:')),
      );
      const own = functionOf(template, name).Properties.LoggingConfig.LogGroup.Ref;
      const released = logicalIdOf(template, 'AWS::Logs::LogGroup', 'FunctionLogs');
      expect(logs.map(({ Action, Resource }) => [Action, Resource])).toEqual(
        [...new Set([own, released])].map((log) => [
          ['logs:CreateLogStream', 'logs:PutLogEvents'],
          [{ 'Fn::GetAtt': [log, 'Arn'] }],
        ]),
      );
    }
  });

  it('can publish on the bus, except the relay’s and the sweep’s', () => {
    const publishers = functionNames.filter((name) =>
      statementsOf(template, name).some(({ Action }) => Action.includes('events:PutEvents')),
    );
    expect(publishers).toEqual(['events/relay-events', 'events/sweep-due']);
  });

  it('has a wildcard resource, except for tracing, where AWS supports no other', () => {
    const traced = templateOf('sandbox', optional);
    const wild = functionNames
      .flatMap((name) => statementsOf(traced, name))
      .filter(({ Resource }) => Resource.includes('*'));
    expect(wild).toHaveLength(functionNames.length);
    for (const { Action } of wild) expect(Action).toEqual(['xray:PutTraceSegments', 'xray:PutTelemetryRecords']);
  });
});
