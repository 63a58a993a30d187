import { Duration, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { expect, it } from 'vitest';
import { BuyerFiles } from '../../infra/constructs/buyer-files.ts';
import { ServiceFunction } from '../../infra/constructs/service-function.ts';
import { constructIdOf } from '../../infra/function-names.ts';
import { bucketOf, statementsOf, templateOf } from './synthesized.ts';

const bucketIn = (stage: 'sandbox' | 'live') => bucketOf(templateOf(stage), 'Files').Properties;

it('the bucket of files is private and encrypted, and refuses requests below TLS 1.2', () => {
  expect(bucketIn('live').PublicAccessBlockConfiguration).toEqual({
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  });
  expect(bucketIn('live').OwnershipControls.Rules).toEqual([{ ObjectOwnership: 'BucketOwnerEnforced' }]);
  expect(JSON.stringify(bucketIn('live').BucketEncryption)).toContain('"SSEAlgorithm":"AES256"');
  const denied = { Effect: 'Deny', Action: 's3:*', Principal: { AWS: '*' } };
  templateOf('live').hasResourceProperties('AWS::S3::BucketPolicy', {
    Bucket: { Ref: Match.stringLikeRegexp('^FilesBucket') },
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({ ...denied, Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        Match.objectLike({ ...denied, Condition: { NumericLessThan: { 's3:TlsVersion': 1.2 } } }),
      ]),
    },
  });
});

it('removed files can be restored for 30 days, and incomplete uploads are removed after a day', () => {
  for (const stage of ['sandbox', 'live'] as const) {
    expect(bucketIn(stage).VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(bucketIn(stage).LifecycleConfiguration.Rules).toEqual([
      {
        Status: 'Enabled',
        NoncurrentVersionExpiration: { NoncurrentDays: 30 },
        ExpiredObjectDeleteMarker: true,
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      },
    ]);
  }
});

it('only pages at the stack’s own address may upload with a script', () => {
  const [rule, ...others] = bucketIn('live').CorsConfiguration.CorsRules;
  expect(others).toEqual([]);
  expect(rule.AllowedMethods).toEqual(['PUT']);
  expect(rule.AllowedOrigins).toHaveLength(1);
  expect(JSON.stringify(rule.AllowedOrigins)).toContain('.execute-api.');
});

it('each grant gives a function only the named actions on files, and the bucket’s name', () => {
  const stack = new Stack();
  const files = new BuyerFiles(stack, 'Files', { keepsData: true, publicUrl: 'https://pay.example.com' });
  const logGroup = new LogGroup(stack, 'Logs');
  const create = (id: string) =>
    new ServiceFunction(stack, id, {
      description: id,
      code: Code.fromInline('exports.handler = () => undefined;'),
      timeout: Duration.seconds(1),
      memoryMegabytes: 512,
      environment: {},
      logGroup,
      tracing: false,
    });
  const grants = ['receive', 'check', 'remove', 'deliver'] as const;
  for (const grant of grants) files.grantAccess(create(constructIdOf(`files/${grant}`)), grant);
  const template = Template.fromStack(stack);
  const allowed = (name: string) =>
    statementsOf(template, `files/${name}`)
      .filter(({ Action }) => Action[0]?.startsWith('s3:'))
      .map(({ Action, Resource }) => [Action, /\/(\w+\/\*)/.exec(JSON.stringify(Resource))?.[1]]);
  expect(grants.map(allowed)).toEqual([
    [[['s3:PutObject', 's3:GetObject', 's3:DeleteObject'], 'files/*']],
    [[['s3:GetObject', 's3:DeleteObject'], 'files/*']],
    [[['s3:DeleteObject'], 'files/*']],
    [[['s3:GetObject'], 'files/*']],
  ]);
  template.allResourcesProperties('AWS::Lambda::Function', {
    Environment: { Variables: { FILES_BUCKET: Match.anyValue() } },
  });
});
