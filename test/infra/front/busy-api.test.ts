import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { locales } from '../../../shared/pages/locale.ts';
import { busyHeaders } from '../../../shared/pages/notices/busy-page.ts';
import { textFiles } from '../../texts/text-files.ts';
import { type Resource, resourcesOf, templateOf, theOnly, walled } from '../synthesized.ts';

const template = templateOf('live', walled);
const { DistributionConfig: distribution } = theOnly(template, 'AWS::CloudFront::Distribution').Properties;
const edge = theOnly(template, 'AWS::CloudFront::Function').Properties;

/** Runs the function of the template as CloudFront does, and returns the origin groups that it makes. */
function groupsFor(method: string, headers: Record<string, string>): object[] {
  const groups: object[] = [];
  const request = {
    method,
    uri: '/checkout/cks_1',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
  };
  const cf = { createRequestOriginGroup: (group: object) => groups.push(group) };
  const code = edge.FunctionCode.replace("import cf from 'cloudfront';", '');
  expect(runInNewContext(`${code};handler(event)`, { cf, event: { request } })).toBe(request);
  return JSON.parse(JSON.stringify(groups));
}

const navigation = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the function at the edge', () => {
  it.each(['GET', 'HEAD'])('lets the page for a rush answer if the API refuses %s of a page', (method) => {
    const statusCodes = [429, 502, 503, 504];
    const originIds = [{ originId: 'api' }, { originId: 'busy' }];
    expect(groupsFor(method, { accept: navigation })).toEqual([{ originIds, failoverCriteria: { statusCodes } }]);
    expect(distribution.Origins.map(({ Id }: { Id: string }) => Id)).toEqual(['api', 'busy']);
  });

  it.each([
    { of: 'a posted form', method: 'POST', headers: { accept: navigation } },
    { of: 'a program', method: 'GET', headers: { accept: 'application/json' } },
    { of: 'a program that accepts everything', method: 'GET', headers: { accept: '*/*' } },
    { of: 'a program that says nothing', method: 'GET', headers: {} },
    { of: 'an image', method: 'GET', headers: { accept: 'image/avif,image/webp,*/*;q=0.8' } },
    { of: 'a part of an open page', method: 'GET', headers: { accept: 'text/html', 'hx-request': 'true' } },
  ])('lets the API itself answer $of', ({ method, headers }) => {
    expect(groupsFor(method, headers as Record<string, string>)).toEqual([]);
  });

  it('uses no syntax that CloudFront does not know', () => {
    const known = { 'const-and-let': true, arrow: true, 'template-literal': true };
    const lowered = transformSync(edge.FunctionCode, { target: 'es5', supported: known }).code;
    expect(lowered).toBe(transformSync(edge.FunctionCode).code);
    expect(transformSync('a?.b;', { target: 'es5', supported: known }).code).not.toContain('?.');
    expect(edge.FunctionConfig.Runtime).toBe('cloudfront-js-2.0');
  });

  it('sees every request except those for the page itself, styles, scripts and images', () => {
    type Behaviour = { PathPattern?: string; FunctionAssociations?: { EventType: string }[] };
    const behaviours: Behaviour[] = [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors];
    const events = behaviours.map(({ PathPattern: path, FunctionAssociations: of }) => [path, of?.[0]?.EventType]);
    expect(Object.fromEntries(events)).toEqual({
      undefined: 'viewer-request',
      '/checkout/*': 'viewer-request',
      '/busy': undefined,
      '/assets/*': undefined,
      '/images/*': undefined,
    });
  });
});

/** The page as API Gateway answers it for every path: the answer of a mock integration, which must be the only one. */
const methods = Object.values(resourcesOf(template, 'AWS::ApiGateway::Method'));
const answerOf = ({ Properties }: Resource) => Properties.Integration.IntegrationResponses[0];
const onlyIdOf = (type: string) => Object.keys(resourcesOf(template, type)).join();
const page: string = answerOf(methods[0]!).ResponseTemplates['text/html'];

describe('the API with the page for a rush', () => {
  it('answers every method of every path with 503 and the page, and calls no function', () => {
    const paths = Object.values(resourcesOf(template, 'AWS::ApiGateway::Resource')).map(
      ({ Properties }) => Properties.PathPart,
    );
    expect(paths).toEqual(['{proxy+}']);
    expect(methods).toHaveLength(2);
    for (const method of methods) {
      const { HttpMethod, Integration, MethodResponses } = method.Properties;
      expect([HttpMethod, Integration.Type]).toEqual(['ANY', 'MOCK']);
      expect(JSON.parse(Integration.RequestTemplates['application/json'])).toEqual({ statusCode: 503 });
      const sent = Object.entries(busyHeaders).map(([name, value]) => [`method.response.header.${name}`, `'${value}'`]);
      expect(answerOf(method)).toMatchObject({ StatusCode: '503', ResponseParameters: Object.fromEntries(sent) });
      expect(Object.keys(MethodResponses[0].ResponseParameters)).toEqual(sent.map(([name]) => name));
      expect(answerOf(method).ResponseTemplates['text/html'] === page).toBe(true);
    }
  });

  it('shows the page as well if API Gateway refuses even this request', () => {
    const { ResponseType, ResponseTemplates, ResponseParameters } = theOnly(
      template,
      'AWS::ApiGateway::GatewayResponse',
    ).Properties;
    expect([ResponseType, ResponseTemplates['text/html'] === page]).toEqual(['THROTTLED', true]);
    expect(ResponseParameters['gatewayresponse.header.retry-after']).toBe("'15'");
  });

  it('is the second origin of the distribution, which does not get the secret', () => {
    const [, { DomainName, OriginPath, OriginCustomHeaders, CustomOriginConfig }] = distribution.Origins;
    expect(JSON.stringify(DomainName)).toContain(onlyIdOf('AWS::ApiGateway::RestApi'));
    expect(JSON.stringify(OriginPath)).toContain(onlyIdOf('AWS::ApiGateway::Stage'));
    expect(OriginCustomHeaders).toBeUndefined();
    expect(CustomOriginConfig.OriginProtocolPolicy).toBe('https-only');
  });

  it('has headers that API Gateway can send: no value contains a quotation mark', () => {
    expect(Object.values(busyHeaders).filter((value) => /['"]/.test(value))).toEqual([]);
    expect(busyHeaders).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '15', 'x-frame-options': 'DENY' });
  });

  it('is not there without protection', () => {
    for (const type of ['AWS::ApiGateway::RestApi', 'AWS::CloudFront::Function'])
      expect(() => resourcesOf(templateOf('live'), type)).toThrow('The template has no');
  });
});

describe('the page for a rush', () => {
  it('is no program for the template engine of API Gateway', () => {
    expect(page).not.toMatch(/[$#]/);
    expect(Buffer.byteLength(page)).toBeLessThan(20_000);
  });

  it('loads no other file, which could fail as well', () => {
    expect(page).not.toMatch(/\s(src|srcset|action)=|<link|url\(|@import/);
    expect([...page.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual(locales.map(() => ''));
  });

  it.each(locales)('has all its texts in %s', (locale) => {
    const { unanswered: _, ...texts } = textFiles[`buyers/${locale}.json`]!['busy']!;
    for (const text of Object.values(texts)) expect(page).toContain(text);
  });
});

it('CloudFront keeps no refusal for the next request', () => {
  const kept = distribution.CustomErrorResponses.map(({ ErrorCode, ...rest }: { ErrorCode: number }) => [
    ErrorCode,
    rest,
  ]);
  const seconds = { ErrorCachingMinTTL: 0 };
  expect(Object.fromEntries(kept)).toEqual(
    Object.fromEntries([400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((status) => [status, seconds])),
  );
});

it('the code of the function stays below the limit of CloudFront', () => {
  expect(edge.FunctionCode).toBe(readFileSync('infra/constructs/busy/choose-origin.js', 'utf8'));
  expect(Buffer.byteLength(edge.FunctionCode)).toBeLessThan(10_000);
});
