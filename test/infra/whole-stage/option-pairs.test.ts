import { describe, expect, it } from 'vitest';
import { StageSettings } from '../../../infra/stage-settings.ts';
import { Merchant, type Stage } from '../../../shared/domain/merchant.ts';
import { campaign } from '../../support/seeded.ts';
import { assemble, type Placed, resourcesIn } from './assembled.ts';
import { type Choices, coverPairs, hasPair, type OptionRow, pairsOf } from './pairs.ts';

const account = '123456789012';
const absent = undefined;

/** Each option of a stage, absent and set. */
const ofStage = {
  throttle: [absent, { ratePerSecond: 7, burst: 9 }],
  logRetentionDays: [absent, 7],
  alarmEmail: [absent, 'ops@example.com'],
  alarmTopicArn: [absent, `arn:aws:sns:eu-central-1:${account}:pager`],
  customDomain: [absent, 'pay.example.com'],
  tracing: [absent, true],
  region: [absent, 'eu-central-1', 'us-east-1'],
  account: [absent, account],
  role: [absent, `arn:aws:iam::${account}:role/deploy`],
  ring: [absent, 'canary'],
  permissionsBoundary: [absent, `arn:aws:iam::${account}:policy/boundary`],
  eventRuleAccounts: [absent, ['222222222222']],
  encryptionKeyArn: [absent, `arn:aws:kms:eu-central-1:${account}:key/0a1b`],
  protection: [absent, 'waf'],
  originSecretVersion: [absent, 2],
  reservedConcurrency: [absent, { 'sweep-due': 2 }],
  documentWorkers: [absent, 12],
  processor: [absent, { name: 'stripe' }],
  exchangeRatesUrl: [absent, 'https://rates.example.com/ecb'],
  registers: [absent, ['hmrc', 'abn']],
  accountConcurrency: [absent, 500],
} satisfies Record<keyof StageSettings, readonly unknown[]>;

/** Each option of the merchant beside its id, name and country. */
const ofMerchant = {
  region: [absent, 'BE'],
  address: [absent, ['1 Street']],
  city: [absent, 'Berlin'],
  postalCode: [absent, '10115'],
  supportEmail: [absent, 'help@example.com'],
  supportPhone: [absent, '+49 30 1234567'],
  taxId: [absent, 'DE136695976'],
  live: [absent, true],
  collectPolicy: [absent, 'everywhere'],
  onUnsupported: [absent, 'zero'],
  onUnverifiedTaxId: [absent, 'accept'],
  taxIdCorrections: [absent, 'automatic'],
  exclusiveCountries: [absent, ['US']],
  refundWindowDays: [absent, 30],
  receipts: [absent, { from: 'receipts@example.com' }],
  returnOrigins: [absent, ['https://shop.example.com']],
  returnSchemes: [absent, ['com.example.shop']],
  consents: [absent, ['terms']],
  expiredCheckoutEvents: [absent, true],
  strictFields: [absent, true],
  timeZone: [absent, 'Europe/Berlin'],
  viewerCountryHeader: [absent, 'x-country'],
} satisfies Record<Exclude<keyof Merchant, 'id' | 'name' | 'country'>, readonly unknown[]>;

const named = (prefix: string, choices: Choices): Choices =>
  Object.fromEntries(Object.entries(choices).map(([name, values]) => [`${prefix}.${name}`, values]));
const choices: Choices = { stage: ['sandbox', 'live'], ...named('stages', ofStage), ...named('merchant', ofMerchant) };

/** A live stage and a protected one name their region, or the file is refused. */
const fits = (row: OptionRow): boolean =>
  row['stages.region'] !== 0 || !(row['stage'] === 1 || row['stages.protection'] === 1);

const rows = coverPairs(choices, fits);

/** The first rows that together have each option in each of its forms; `npm run guards` synthesizes all rows. */
const synthesized = campaign(rows, rows, coveringRows(rows));

function coveringRows(all: readonly OptionRow[]): OptionRow[] {
  const seen = new Set<string>();
  return all.filter((row) => {
    const values = Object.entries(row).map(([option, value]) => `${option} ${value}`);
    const isNew = values.some((value) => !seen.has(value));
    for (const value of values) seen.add(value);
    return isNew;
  });
}

const valuesOf = (row: OptionRow, prefix: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name.startsWith(`${prefix}.`))
      .map(([name, at]) => [name.replace(`${prefix}.`, ''), choices[name]?.[at]])
      .filter(([, value]) => value !== undefined),
  );

function settingsOf(row: OptionRow): Record<string, unknown> {
  const settings = valuesOf(row, 'stages');
  const region = settings['region'] ?? 'eu-central-1';
  if (settings['customDomain']) {
    const certificateRegion = settings['protection'] ? 'us-east-1' : region;
    const certificateArn = `arn:aws:acm:${certificateRegion}:${account}:certificate/0-1`;
    settings['customDomain'] = { domainName: settings['customDomain'], certificateArn };
  }
  return settings;
}

function synthesize(row: OptionRow) {
  const stage = choices['stage']?.[row['stage'] ?? 0] as Stage;
  const assembled = assemble({ stage, settings: settingsOf(row), merchant: valuesOf(row, 'merchant') });
  return { ...assembled, stage, resources: resourcesIn(assembled.templates) };
}

/** What the CDK writes where it does not know a place. */
const unresolved = /unknown-(account|region)/;

/** Properties that name a resource physically, beside those that end with the name of its type. */
const nameOf = (type: string): RegExp => new RegExp(`^(${type.replace(/.*::/, '')}Name|Name|GroupName)$`);

/** What cannot be there without a name, or whose name is a label that two may share. */
const mustBeNamed: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::RestApi': 'a label in the console',
  'AWS::ApiGateway::Stage': 'a part of the address, inside its API',
  'AWS::ApiGatewayV2::Api': 'a label in the console',
  'AWS::ApiGatewayV2::DomainName': 'the merchant’s own domain',
  'AWS::ApiGatewayV2::Stage': 'a part of the address, inside its API',
  'AWS::CloudFront::Function': 'required by CloudFormation, and made from the region and the stack',
  'AWS::Events::EventBus': 'required by CloudFormation',
  'AWS::IAM::Policy': 'required by CloudFormation, and inside its role',
  'AWS::Logs::QueryDefinition': 'required by CloudFormation',
};

/** API Gateway writes only to a log group that is named after it. */
const isAccessLog = ({ path }: Placed): boolean => / HttpAccessLog[0-9A-F]{8}$/.test(path);

describe('each pair of options in the merchant’s file', () => {
  it('comes from a list that contains all options of the schema', () => {
    expect(Object.keys(ofStage).sort()).toEqual(Object.keys(StageSettings.shape).sort());
    const identity = ['id', 'name', 'country'];
    expect([...Object.keys(ofMerchant), ...identity].sort()).toEqual(Object.keys(Merchant.shape).sort());
  });

  it('occurs together in one row of the test table', () => {
    const pairs = pairsOf(choices, fits);
    expect(pairs.length).toBeGreaterThan(2_000);
    expect(pairs.filter((pair) => !rows.some((row) => hasPair(row, pair)))).toEqual([]);
    expect(rows.length).toBeLessThan(16);
  });

  const describeRow = (row: OptionRow) => JSON.stringify({ stage: row['stage'], ...settingsOf(row) });
  describe.each(synthesized.map((row) => ({ options: describeRow(row), row })))(
    'a stage with the options $options',
    ({ row }) => {
      const { settings, stage, stacks, templates, resources } = synthesize(row);
      const ofType = (type: string) => resources.filter(({ Type }) => Type === type);

      it('is deployed only in the account and the region that the file names', () => {
        const { account: owner = 'unknown-account', region = 'unknown-region' } = settings;
        const places = stacks.map(({ environment }) => `${environment.account}/${environment.region}`);
        const expected = [`${owner}/${region}`, ...(settings.protection ? [`${owner}/us-east-1`] : [])];
        expect(places.sort()).toEqual(expected.sort());
        expect(Object.keys(templates).filter((file) => unresolved.test(JSON.stringify(templates[file])))).toEqual([]);
      });

      it('gives every role the permissions boundary and the tags', () => {
        const roles = ofType('AWS::IAM::Role');
        expect(roles.length).toBeGreaterThan(100);
        const tags = Object.entries({ merchant: 'demo', service: 'tillstack', stage }).map(([Key, Value]) => ({
          Key,
          Value,
        }));
        for (const { path, Properties } of [...roles, ...ofType('AWS::Lambda::Function')])
          expect(Properties['Tags'], path).toEqual(tags);
        for (const { path, Properties } of roles)
          expect(Properties['PermissionsBoundary'], path).toBe(settings.permissionsBoundary);
        for (const type of ['AWS::IAM::User', 'AWS::IAM::Group', 'AWS::IAM::ManagedPolicy'])
          expect(ofType(type)).toEqual([]);
      });

      it('sets a physical name only if a resource needs one', () => {
        const withName = resources.filter(
          ({ Type, Properties = {} }) =>
            !(Type in mustBeNamed) && Object.keys(Properties).some((property) => nameOf(Type).test(property)),
        );
        const avoidable = withName.filter((resource) => !isAccessLog(resource));
        expect(avoidable.map(({ path }) => path)).toEqual([]);
      });
    },
  );
});
