import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { afterAll, describe, expect, it } from 'vitest';
import { loadMerchantConfig, merchantsDirectory, schemaFile } from '../../infra/merchant-config.ts';
import { retentionDays } from '../../infra/stage-settings.ts';

const directory = mkdtempSync(join(tmpdir(), 'merchants-'));
afterAll(() => rmSync(directory, { recursive: true }));

const merchant = { id: 'shop', name: 'Shop', country: 'DE' };
const load = (content: unknown) => {
  writeFileSync(join(directory, 'shop.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return loadMerchantConfig('shop', directory);
};
const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/1-2';
const sandbox = (settings: object) => ({ merchant, stages: { sandbox: settings } });

describe('a merchant’s file', () => {
  it('needs no settings but the merchant’s own data', () => {
    const stage = {
      throttle: { ratePerSecond: 1_000, burst: 500 },
      logRetentionDays: 30,
      tracing: false,
      exchangeRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref',
    };
    expect(load({ merchant }).stages).toEqual({ sandbox: stage, live: stage });
  });

  it('cannot make buyers waive their right of withdrawal, and the error says why', () => {
    expect(load({ merchant: { ...merchant, consents: ['terms'] } }).merchant.consents).toEqual(['terms']);
    const waiving = { merchant: { ...merchant, consents: ['terms', 'withdrawal'] } };
    expect(() => load(waiving)).toThrow(/merchant\.consents\.1: must not be "withdrawal"/);
  });

  it('may contain different settings for each stage', () => {
    const customDomain = { domainName: 'pay.shop.example', certificateArn };
    const live = {
      throttle: { ratePerSecond: 5, burst: 9 },
      logRetentionDays: 365,
      alarmEmail: 'ops@shop.example',
      customDomain,
      tracing: true,
      processor: { name: 'stripe' },
      exchangeRatesUrl: 'https://rates.shop.example/ecb',
    };
    expect(load({ merchant, stages: { live } }).stages.live).toEqual(live);
  });

  it.each([
    {
      fault: 'a country that is no code',
      content: { merchant: { ...merchant, country: 'Germany' } },
      field: 'merchant.country',
    },
    {
      fault: 'a mistyped tax id',
      content: { merchant: { ...merchant, taxId: 'DE123456789' } },
      field: 'merchant.taxId',
    },
    { fault: 'no merchant', content: {}, field: 'merchant' },
    { fault: 'no name', content: { merchant: { id: 'shop', country: 'DE' } }, field: 'merchant.name' },
    ...['javascript', 'data', 'file', 'blob', 'intent', 'http', 'https', 'Shop', 'shop:', 'shop app', ''].map(
      (scheme) => ({
        fault: `the scheme ${JSON.stringify(scheme)} for returns`,
        content: { merchant: { ...merchant, returnSchemes: ['com.example.shop', scheme] } },
        field: 'merchant.returnSchemes.1',
      }),
    ),
    { fault: 'an unknown field', content: { merchant: { ...merchant, vatId: 'DE1' } }, field: 'merchant.vatId' },
    { fault: 'an unknown stage', content: { merchant, stages: { production: {} } }, field: 'stages.production' },
    {
      fault: 'a rate of 0',
      content: sandbox({ throttle: { ratePerSecond: 0, burst: 1 } }),
      field: 'stages.sandbox.throttle.ratePerSecond',
    },
    {
      fault: 'half a throttle',
      content: sandbox({ throttle: { ratePerSecond: 1 } }),
      field: 'stages.sandbox.throttle.burst',
    },
    {
      fault: 'a retention that CloudWatch lacks',
      content: sandbox({ logRetentionDays: 31 }),
      field: 'stages.sandbox.logRetentionDays',
    },
    {
      fault: 'rates without TLS',
      content: sandbox({ exchangeRatesUrl: 'http://rates.shop.example' }),
      field: 'stages.sandbox.exchangeRatesUrl',
    },
    { fault: 'an address that is none', content: sandbox({ alarmEmail: 'ops' }), field: 'stages.sandbox.alarmEmail' },
    {
      fault: 'a domain without a certificate',
      content: sandbox({ customDomain: { domainName: 'pay.shop.example' } }),
      field: 'stages.sandbox.customDomain.certificateArn',
    },
    {
      fault: 'a certificate that is no ARN',
      content: sandbox({ customDomain: { domainName: 'pay.shop.example', certificateArn: 'x' } }),
      field: 'stages.sandbox.customDomain.certificateArn',
    },
    { fault: 'an account that is none', content: sandbox({ account: '1234' }), field: 'stages.sandbox.account' },
    { fault: 'a role that is no ARN', content: sandbox({ role: 'deploy' }), field: 'stages.sandbox.role' },
    {
      fault: 'a role of another account',
      content: sandbox({ account: '111111111111', role: 'arn:aws:iam::222222222222:role/deploy' }),
      field: 'stages.sandbox.role',
    },
    { fault: 'a ring that is none', content: sandbox({ ring: 'last' }), field: 'stages.sandbox.ring' },
    {
      fault: 'an account for rules that is none',
      content: sandbox({ eventRuleAccounts: ['*'] }),
      field: 'stages.sandbox.eventRuleAccounts.0',
    },
    {
      fault: 'an alias for a key',
      content: sandbox({ encryptionKeyArn: 'arn:aws:kms:eu-central-1:123456789012:alias/shop' }),
      field: 'stages.sandbox.encryptionKeyArn',
    },
    {
      fault: 'a boundary that is no policy',
      content: sandbox({ permissionsBoundary: 'arn:aws:iam::123456789012:role/x' }),
      field: 'stages.sandbox.permissionsBoundary',
    },
    {
      fault: 'another protection',
      content: sandbox({ protection: 'wall', region: 'eu-central-1' }),
      field: 'stages.sandbox.protection',
    },
    {
      fault: 'a processor that is not known',
      content: sandbox({ processor: { name: 'paypal' } }),
      field: 'stages.sandbox.processor.name: must be "stripe"',
    },
    {
      fault: 'a key, which belongs in no file',
      content: sandbox({ processor: { name: 'stripe', key: 'sk_test_1' } }),
      field: 'stages.sandbox.processor.key',
    },
    { fault: 'protection in no region', content: sandbox({ protection: 'waf' }), field: 'stages.sandbox.region' },
    {
      fault: 'protection with a certificate that CloudFront does not take',
      content: sandbox({
        protection: 'waf',
        region: 'eu-central-1',
        customDomain: { domainName: 'pay.shop.example', certificateArn },
      }),
      field: 'stages.sandbox.customDomain.certificateArn',
    },
    {
      fault: 'more workers of documents than an account can use',
      content: sandbox({ documentWorkers: 21 }),
      field: 'stages.sandbox.documentWorkers',
    },
    {
      fault: 'more workers of documents than are reserved',
      content: sandbox({ documentWorkers: 6, reservedConcurrency: { 'issue-documents': 5 } }),
      field:
        'stages.sandbox.documentWorkers: is more than the 5 that reservedConcurrency allows issue-documents: raise that, or leave this out',
    },
    {
      fault: 'a worker that there is not',
      content: sandbox({ reservedConcurrency: { 'create-refund': 5 } }),
      field: 'stages.sandbox.reservedConcurrency',
    },
    {
      fault: 'fewer of a worker than its queue starts',
      content: sandbox({ reservedConcurrency: { 'sweep-due': 1 } }),
      field: 'stages.sandbox.reservedConcurrency.sweep-due',
    },
    {
      fault: 'more reserved than Lambda lets go of',
      content: sandbox({ reservedConcurrency: { 'dispatch-webhook': 890, 'sweep-due': 11 } }),
      field:
        'stages.sandbox.reservedConcurrency: adds up to 901, but can be at most 900, because the account has 1000 and Lambda keeps 100 unreserved',
    },
    {
      fault: 'anything reserved in an account with little',
      content: sandbox({ reservedConcurrency: { 'sweep-due': 2 }, accountConcurrency: 50 }),
      field:
        'stages.sandbox.reservedConcurrency: adds up to 2, but can be at most 0, because the account has 50 and Lambda keeps 100 unreserved',
    },
    ...['Pay.shop.example', 'localhost'].map((domainName) => ({
      fault: `the domain ${domainName}`,
      content: sandbox({ customDomain: { domainName, certificateArn } }),
      field: 'stages.sandbox.customDomain.domainName',
    })),
    {
      fault: 'one domain for both stages',
      content: {
        merchant,
        stages: Object.fromEntries(
          ['sandbox', 'live'].map((stage) => [
            stage,
            { customDomain: { domainName: 'pay.shop.example', certificateArn } },
          ]),
        ),
      },
      field: 'stages.live.customDomain.domainName',
    },
    {
      fault: 'more than an environment carries',
      content: {
        merchant: {
          ...merchant,
          returnOrigins: Array.from({ length: 99 }, (_, i) => `https://shop-number-${i}.example`),
        },
      },
      field: 'merchant',
    },
  ])('with $fault is refused with an error that names the file and $field', ({ content, field }) => {
    expect(() => load(content)).toThrow(`${join(directory, 'shop.json')} is not valid:\n  ${field}`);
  });

  it('with several faults is refused with an error that lists them all', () => {
    expect(() => load({ merchant: { id: 'shop' } })).toThrow(/merchant\.name: .*\n {2}merchant\.country: /);
  });

  it('that is not JSON is refused with an error that names the file', () => {
    expect(() => load('{ merchant: }')).toThrow(`${join(directory, 'shop.json')} is not JSON`);
  });

  it('has the name of its merchant', () => {
    expect(() => load({ merchant: { ...merchant, id: 'another' } })).toThrow(
      `${join(directory, 'shop.json')}: merchant.id is "another", but the file is named "shop".`,
    );
  });

  it.each(['nobody', '../../package', ''])(
    'that does not exist, "%s", is refused with a list of the existing ones',
    (name) => {
      expect(() => loadMerchantConfig(name)).toThrow(`There is no infra/merchants/${name}.json. Merchants: `);
    },
  );
});

it('a missing directory of merchants is refused with an error that names it', () => {
  expect(() => loadMerchantConfig('shop', '/nowhere/merchants')).toThrow('There is no directory /nowhere/merchants.');
});

it('every merchant of this repository is valid', () => {
  const names = readdirSync(merchantsDirectory)
    .filter((file) => file !== schemaFile)
    .map((file) => file.replace(/\.json$/, ''));
  expect(names).toContain('demo');
  for (const name of names) expect(loadMerchantConfig(name).merchant.id).toBe(name);
});

it('the allowed periods of log retention are those of CloudWatch', () => {
  const known = Object.values(RetentionDays).filter(
    (days) => typeof days === 'number' && days !== RetentionDays.INFINITE,
  );
  expect([...retentionDays]).toEqual(known.sort((a, b) => Number(a) - Number(b)));
});
