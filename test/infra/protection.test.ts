import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { endpoints, originSecretProvider } from '../../infra/endpoints.ts';
import { functionNames, functionNamesOf } from '../../infra/function-names.ts';
import { loadMerchantConfig, MerchantConfig } from '../../infra/merchant-config.ts';
import { mostPerAddress, mostPublicPerAddress, publicPrefixes } from '../../infra/protection-stack.ts';
import { addStacks } from '../../infra/stacks.ts';
import type { StageSettings } from '../../infra/stage-settings.ts';
import {
  fakeCode,
  functionOf,
  quickApp,
  resourcesOf,
  statementsOf,
  templateOf,
  testVersion,
  theOnly,
  walled,
} from './synthesized.ts';

const template = templateOf('live', walled);
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0-1';
/** The same with an own domain, and with a secret that was rotated once. */
const own = templateOf('live', {
  ...walled,
  customDomain: { domainName: 'pay.example.com', certificateArn },
  originSecretVersion: 2,
});
const { DistributionConfig: distribution } = theOnly(template, 'AWS::CloudFront::Distribution').Properties;
const environmentOf = (name: string, of = template) => functionOf(of, name).Properties.Environment.Variables;

/** The stacks of an app, by name. */
function stacksWith(settings: Partial<StageSettings>): Map<string, Stack> {
  const { merchant } = loadMerchantConfig('demo');
  const app = quickApp();
  addStacks(app, {
    config: MerchantConfig.parse({ merchant, stages: { live: settings } }),
    stage: 'live',
    code: fakeCode,
    version: testVersion,
  });
  const stacks = app.node.children.filter((child) => child instanceof Stack);
  return new Map(stacks.map((stack) => [stack.stackName, stack]));
}

describe('a stage without protection', () => {
  const plain = templateOf('live');

  it('has one stack, no distribution, and functions that check no secret', () => {
    expect([...stacksWith({}).keys()]).toEqual(['tillstack-demo-live']);
    expect(() => resourcesOf(plain, 'AWS::CloudFront::Distribution')).toThrow('The template has no');
    for (const name of functionNames) expect(environmentOf(name, plain)).not.toHaveProperty('ORIGIN_SECRET_HASHES');
    expect(functionNamesOf({}, {})).toEqual(functionNames);
  });
});

describe('the web ACL', () => {
  const stack = stacksWith(walled).get('tillstack-demo-live-protection')!;
  const acl = theOnly(Template.fromStack(stack), 'AWS::WAFv2::WebACL').Properties;

  it('is in us-east-1, as CloudFront requires, in a stack that is protected in live', () => {
    expect([stack.region, acl.Scope, stack.terminationProtection]).toEqual(['us-east-1', 'CLOUDFRONT', true]);
  });

  it('allows every address, up to its limit of requests in five minutes', () => {
    expect(acl.DefaultAction).toEqual({ Allow: {} });
    const [ofPublic, ofAll] = acl.Rules.map(({ Statement }: { Statement: object }) => Statement);
    expect(ofAll).toEqual({
      RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: mostPerAddress },
    });
    expect(ofPublic.RateBasedStatement).toMatchObject({
      AggregateKeyType: 'IP',
      EvaluationWindowSec: 300,
      Limit: mostPublicPerAddress,
    });
    expect(mostPublicPerAddress).toBeLessThan(mostPerAddress);
  });

  it('counts requests to every path without a key, also when encoded, and none that needs a key', () => {
    const { Statements: statements } = acl.Rules[0].Statement.RateBasedStatement.ScopeDownStatement.OrStatement;
    const begins = statements.map(({ ByteMatchStatement: match }: { ByteMatchStatement: Record<string, unknown> }) => {
      expect(match).toMatchObject({
        FieldToMatch: { UriPath: {} },
        PositionalConstraint: 'STARTS_WITH',
        TextTransformations: [{ Priority: 0, Type: 'URL_DECODE' }],
      });
      return match['SearchString'];
    });
    expect(begins).toEqual([...publicPrefixes]);
    const counts = (path: string) => begins.some((prefix: string) => path.startsWith(prefix));
    const paths = (isPublic: boolean) =>
      endpoints
        .filter(({ access, method }) => (access === 'public') === isPublic && (isPublic || method !== 'GET'))
        .flatMap((endpoint) => endpoint.paths);
    const uncounted = paths(true).filter((path) => !counts(path));
    expect(uncounted, 'notifications come from few addresses, for all buyers').toEqual([
      '/processor/stripe',
      '$default',
    ]);
    // the decision about a withdrawal begins like the buyers' form; being counted too does it no harm
    expect(paths(false).filter(counts)).toEqual(['/withdrawals/{withdrawal_id}/decide']);
    expect(paths(false).length).toBeGreaterThan(10);
  });

  it('answers 429 with a problem document and the time to wait', () => {
    for (const { Action } of acl.Rules) {
      const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } = Action.Block.CustomResponse;
      expect([ResponseCode, ResponseHeaders]).toEqual([429, [{ Name: 'retry-after', Value: '300' }]]);
      const body = acl.CustomResponseBodies[CustomResponseBodyKey];
      expect(body.ContentType).toBe('APPLICATION_JSON');
      expect(JSON.parse(body.Content)).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' });
    }
  });
});

describe('the distribution', () => {
  it('uses the web ACL of the other stack', () => {
    const [reader = '', path] = distribution.WebACLId['Fn::GetAtt'];
    expect(template.toJSON().Resources[reader].Type).toBe('Custom::CrossRegionExportReader');
    expect(path).toMatch(/WebAclArn/);
  });

  it('forwards every method, header, cookie and parameter except the host, and caches no answer', () => {
    // The policies of AWS called CachingDisabled and AllViewerExceptHostHeader.
    expect(distribution.DefaultCacheBehavior).toMatchObject({
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'redirect-to-https',
    });
  });

  it('sends a checkout’s country in a header, and the functions read that header', () => {
    const checkout = distribution.CacheBehaviors.find(
      ({ PathPattern }: { PathPattern: string }) => PathPattern === '/checkout/*',
    );
    expect(checkout).toMatchObject({
      AllowedMethods: distribution.DefaultCacheBehavior.AllowedMethods,
      OriginRequestPolicyId: distribution.DefaultCacheBehavior.OriginRequestPolicyId,
    });
    const policy = template.toJSON().Resources[checkout.CachePolicyId.Ref].Properties.CachePolicyConfig;
    expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 1 });
    expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['CloudFront-Viewer-Country', 'Authorization'] },
      CookiesConfig: { CookieBehavior: 'all' },
      QueryStringsConfig: { QueryStringBehavior: 'all' },
    });
    expect(JSON.parse(environmentOf('checkout/pay-checkout').MERCHANT).viewerCountryHeader).toBe(
      'cloudfront-viewer-country',
    );
  });

  it('caches files that never change: styles, scripts and images', () => {
    const uncached = distribution.DefaultCacheBehavior.CachePolicyId;
    const kept = distribution.CacheBehaviors.filter(
      ({ CachePolicyId: policy }: { CachePolicyId: unknown }) => typeof policy === 'string' && policy !== uncached,
    );
    expect(kept.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual(['/assets/*', '/images/*']);
    for (const { CachePolicyId, AllowedMethods } of kept)
      expect([CachePolicyId, AllowedMethods]).toEqual(['658327ea-f89d-4fab-a63d-7e88639e58f6', undefined]);
  });

  it('calls the API over TLS 1.2, and every function gets the distribution’s address', () => {
    const [{ CustomOriginConfig: connection, DomainName: name }] = distribution.Origins;
    expect(connection).toMatchObject({ OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] });
    expect(name['Fn::Join'][1].slice(0, 2)).toEqual([
      { Ref: expect.stringMatching(/^HttpApi/) },
      '.execute-api.eu-central-1.',
    ]);
    const url = {
      'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [expect.stringMatching(/^FrontDistribution/), 'DomainName'] }]],
    };
    for (const fn of functionNames) expect(environmentOf(fn).PUBLIC_URL).toEqual(url);
    expect(template.toJSON().Outputs.PublicUrl.Value).toEqual(url);
  });

  it('has the custom domain, with a certificate of us-east-1, instead of the API', () => {
    const { Aliases, ViewerCertificate } = theOnly(own, 'AWS::CloudFront::Distribution').Properties.DistributionConfig;
    expect(Aliases).toEqual(['pay.example.com']);
    expect(ViewerCertificate).toMatchObject({
      AcmCertificateArn: certificateArn,
      MinimumProtocolVersion: 'TLSv1.2_2021',
    });
    expect(() => resourcesOf(own, 'AWS::ApiGatewayV2::DomainName')).toThrow('The template has no');
    expect(theOnly(own, 'AWS::ApiGatewayV2::Api').Properties.DisableExecuteApiEndpoint).toBe(false);
    expect(environmentOf('payments/get-payment', own).PUBLIC_URL).toBe('https://pay.example.com');
    expect(own.toJSON().Outputs.CnameTarget.Value['Fn::GetAtt'][1]).toBe('DomainName');
  });
});

describe('the secret between the distribution and the API', () => {
  const [header] = distribution.Origins[0].OriginCustomHeaders;

  it('is created during the deployment and is in no template: only the distribution gets it', () => {
    const { 'Fn::GetAtt': value } = header.HeaderValue;
    expect([header.HeaderName, value]).toEqual([
      'x-origin-secret',
      [expect.stringMatching(/^FrontOriginSecret/), 'Value'],
    ]);
    const text = JSON.stringify(template.toJSON());
    expect(text.split(JSON.stringify({ 'Fn::GetAtt': value }))).toHaveLength(2);
  });

  it('reaches the functions only as hashes, except for the function that creates it', () => {
    const hashes = { 'Fn::GetAtt': [header.HeaderValue['Fn::GetAtt'][0], 'Hashes'] };
    for (const name of functionNames) expect(environmentOf(name).ORIGIN_SECRET_HASHES).toEqual(hashes);
    expect(environmentOf(originSecretProvider.function)).not.toHaveProperty('ORIGIN_SECRET_HASHES');
  });

  it('is derived from a row that only its own function reads', () => {
    const reaches = (name: string) => JSON.stringify(statementsOf(template, name)).includes('"ORIGIN"');
    expect(functionNamesOf({ protection: 'waf' }, {}).filter(reaches)).toEqual([originSecretProvider.function]);
  });

  it('changes with its version number', () => {
    const versionOf = (of: Template) => theOnly(of, 'Custom::OriginSecret').Properties.Version;
    expect([versionOf(template), versionOf(own)]).toEqual([1, 2]);
  });
});

describe('reserved concurrency', () => {
  it('is off by default, because a new account has no spare concurrency', () => {
    for (const name of functionNames)
      expect(functionOf(templateOf('live'), name).Properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  it('is set for the workers that the merchant names', () => {
    const reserving = templateOf('live', { reservedConcurrency: { 'dispatch-webhook': 50, 'sweep-due': 2 } });
    const reserved = functionNames.flatMap((name) => {
      const { ReservedConcurrentExecutions: count } = functionOf(reserving, name).Properties;
      return count === undefined ? [] : [[name, count]];
    });
    expect(reserved).toEqual([
      ['webhooks/dispatch-webhook', 50],
      ['events/sweep-due', 2],
    ]);
  });
});
