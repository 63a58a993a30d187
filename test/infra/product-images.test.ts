import { Duration, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { expect, it } from 'vitest';
import { ProductImages } from '../../infra/constructs/product-images.ts';
import { ServiceFunction } from '../../infra/constructs/service-function.ts';
import { bucketOf, statementsOf, templateOf } from './synthesized.ts';

const bucketIn = (stage: 'sandbox' | 'live') => bucketOf(templateOf(stage), 'Images').Properties;

it('the bucket is private and encrypted, and refuses requests below TLS 1.2', () => {
  const everything = {
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  };
  expect(bucketIn('live').PublicAccessBlockConfiguration).toEqual(everything);
  expect(bucketIn('live').OwnershipControls.Rules).toEqual([{ ObjectOwnership: 'BucketOwnerEnforced' }]);
  expect(JSON.stringify(bucketIn('live').BucketEncryption)).toContain('"SSEAlgorithm":"AES256"');
  const denied = { Effect: 'Deny', Action: 's3:*', Principal: { AWS: '*' } };
  templateOf('live').hasResourceProperties('AWS::S3::BucketPolicy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({ ...denied, Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        Match.objectLike({ ...denied, Condition: { NumericLessThan: { 's3:TlsVersion': 1.2 } } }),
      ]),
    },
  });
});

it('uploads and exported files expire after a day, and old versions of images after 90 days', () => {
  for (const stage of ['sandbox', 'live'] as const)
    expect(bucketIn(stage).LifecycleConfiguration.Rules).toEqual([
      {
        Prefix: 'uploads/',
        Status: 'Enabled',
        ExpirationInDays: 1,
        NoncurrentVersionExpiration: { NoncurrentDays: 1 },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      },
      {
        Prefix: 'exports/',
        Status: 'Enabled',
        ExpirationInDays: 1,
        NoncurrentVersionExpiration: { NoncurrentDays: 1 },
      },
      { Prefix: 'images/', Status: 'Enabled', NoncurrentVersionExpiration: { NoncurrentDays: 90 } },
    ]);
});

it('images keep their versions in live', () => {
  expect([bucketIn('sandbox').VersioningConfiguration, bucketIn('live').VersioningConfiguration]).toEqual([
    undefined,
    { Status: 'Enabled' },
  ]);
});

it('each grant allows access to one prefix only, and gives the function the bucket’s name', () => {
  const stack = new Stack();
  const images = new ProductImages(stack, 'Images', { keepsData: true });
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
  images.grantAccess(create('Upload'), 'upload');
  images.grantAccess(create('Publish'), 'publish');
  images.grantAccess(create('Show'), 'show');
  images.grantAccess(create('Deliver'), 'deliver');
  const template = Template.fromStack(stack);
  const allowed = (name: string) =>
    statementsOf(template, `images/${name}`)
      .filter(({ Action }) => Action[0]?.startsWith('s3:'))
      .map(({ Action, Resource }) => [Action, /\/(\w+\/\*)/.exec(JSON.stringify(Resource))?.[1]]);
  expect(allowed('upload')).toEqual([[['s3:PutObject'], 'uploads/*']]);
  expect(allowed('publish')).toEqual([
    [['s3:GetObject', 's3:DeleteObject'], 'uploads/*'],
    [['s3:PutObject'], 'images/*'],
  ]);
  expect(allowed('show')).toEqual([[['s3:PutObject'], 'images/*']]);
  expect(allowed('deliver')).toEqual([[['s3:GetObject'], 'images/*']]);
  template.allResourcesProperties('AWS::Lambda::Function', {
    Environment: { Variables: { BUCKET_NAME: Match.anyValue() } },
  });
});
