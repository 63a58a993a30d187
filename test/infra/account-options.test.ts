import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../infra/endpoints.ts';
import { functionNamesOf } from '../../infra/function-names.ts';
import { loadMerchantConfig } from '../../infra/merchant-config.ts';
import {
  bucketOf,
  optional,
  resourcesOf,
  selling,
  statementsOf,
  synthesizeStack,
  templateOf,
  theOnly,
  walled,
} from './synthesized.ts';
import { assemble, resourcesIn } from './whole-stage/assembled.ts';

const encryptionKeyArn = 'arn:aws:kms:eu-central-1:123456789012:key/0a1b-2c3d';

const keyStatementsOf = (name: string, settings: object) =>
  statementsOf(templateOf('live', settings), name).filter(({ Action }) =>
    Action.some((action) => action.startsWith('kms:')),
  );

describe('the merchant’s KMS key', () => {
  const settings = { encryptionKeyArn, region: 'eu-central-1' };

  it('encrypts the table and the buckets', () => {
    const template = templateOf('live', settings);
    const table = theOnly(template, 'AWS::DynamoDB::Table').Properties['SSESpecification'];
    expect(table).toEqual({ SSEEnabled: true, KMSMasterKeyId: encryptionKeyArn, SSEType: 'KMS' });
    for (const construct of ['Images', 'Files'] as const) {
      const bucket = bucketOf(template, construct).Properties['BucketEncryption'];
      expect(bucket['ServerSideEncryptionConfiguration'][0]).toEqual({
        BucketKeyEnabled: true,
        ServerSideEncryptionByDefault: { KMSMasterKeyID: encryptionKeyArn, SSEAlgorithm: 'aws:kms' },
      });
    }
  });

  it('can be used only by functions with data, and only through the service that stores the data', () => {
    const services = (name: string) =>
      keyStatementsOf(name, settings).map(({ Condition, Resource }) => [
        Resource,
        JSON.stringify(Condition?.['StringEquals']?.['kms:ViaService']),
      ]);
    expect(services('refunds/create-refund')).toEqual([[[encryptionKeyArn], expect.stringContaining('dynamodb.')]]);
    expect(services('images/get-image')).toEqual([[[encryptionKeyArn], expect.stringContaining('s3.')]]);
    expect(services('events/relay-events')).toEqual([[[encryptionKeyArn], expect.stringContaining('dynamodb.')]]);
    expect(services('countries/list-supported-countries')).toHaveLength(1);
    expect(services('contract/get-contract')).toEqual([]);
    const withTable = endpoints.filter(({ table }) => Object.keys(table).length > 0);
    for (const { function: name } of withTable) expect(services(name).join()).toContain('dynamodb.');
  });

  it('appears in no function’s role if the merchant has none', () => {
    for (const name of ['refunds/create-refund', 'images/get-image', 'events/relay-events'])
      expect(keyStatementsOf(name, {})).toEqual([]);
    expect(theOnly(templateOf('live'), 'AWS::DynamoDB::Table').Properties['SSESpecification']).toEqual({
      SSEEnabled: true,
    });
  });
});

it('a permissions boundary limits every role, in nested stacks too; without the option no role has one', () => {
  const boundaries = (settings: object) =>
    new Set(
      Object.values(resourcesOf(templateOf('sandbox', settings), 'AWS::IAM::Role')).map(
        ({ Properties }) => Properties['PermissionsBoundary'],
      ),
    );
  expect([...boundaries(optional)]).toEqual([optional.permissionsBoundary]);
  expect([...boundaries({})]).toEqual([undefined]);
});

it('a permissions boundary also limits the roles that read the web ACL from us-east-1, in the same account, with the tags', () => {
  const place = { account: '123456789012', region: 'eu-central-1' };
  const { permissionsBoundary } = optional;
  const settings = { ...place, protection: 'waf', permissionsBoundary };
  const { stacks, templates } = assemble({ stage: 'live', settings });
  const account = stacks.map(({ environment }) => `${environment.account} ${environment.region}`).sort();
  expect(account).toEqual(['123456789012 eu-central-1', '123456789012 us-east-1']);
  const carriers = resourcesIn(templates).filter(
    ({ Type, path }) => Type === 'AWS::IAM::Role' && path.includes('CrossRegionExport'),
  );
  expect(carriers).toHaveLength(2);
  for (const { Properties, path } of carriers) {
    expect(Properties['PermissionsBoundary'], path).toBe(permissionsBoundary);
    expect(Properties['Tags'], path).toContainEqual({ Key: 'merchant', Value: 'demo' });
  }
});

it('a stage belongs to its account and region, so the CDK deploys it to no other', () => {
  const stack = synthesizeStack('sandbox', { account: '123456789012', region: 'eu-west-1' });
  expect(stack.environment).toBe('aws://123456789012/eu-west-1');
  expect(synthesizeStack('sandbox', { account: '123456789012' }).environment).toBe('aws://123456789012/unknown-region');
});

it('docs/releases.md says how many stacks fit into an account by its roles (UPDATE_DOCS=1 rewrites the table)', () => {
  const [, processor, mails] = selling;
  const { templates } = assemble({ stage: 'live', settings: { ...walled, ...processor }, merchant: mails });
  const roles = resourcesIn(templates).filter(({ Type }) => Type === 'AWS::IAM::Role').length;
  const { merchant, stages } = loadMerchantConfig('demo');
  const rows = [
    ['a sandbox with no options', functionNamesOf(stages.sandbox, merchant).length],
    ['a live stack with Stripe, mails and protection', roles],
  ] as const;
  const table = [
    '| stack | roles | stacks with 1,000 roles | with 5,000 |',
    '|---|---|---|---|',
    ...rows.map(
      ([name, count]) => `| ${[name, count, Math.floor(1_000 / count), Math.floor(5_000 / count)].join(' | ')} |`,
    ),
  ].join('\n');
  const page = 'docs/releases.md';
  const text = readFileSync(page, 'utf8');
  const section = /<!-- roles -->\n([\s\S]*?)<!-- \/roles -->/;
  if (process.env['UPDATE_DOCS'])
    writeFileSync(
      page,
      text.replace(section, () => `<!-- roles -->\n${table}\n<!-- /roles -->`),
    );
  else expect(section.exec(text)?.[1]).toBe(`${table}\n`);
});
