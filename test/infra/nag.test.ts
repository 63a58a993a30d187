import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Stack, Validations } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { expect, it, vi } from 'vitest';
import { loadMerchantConfig, MerchantConfig } from '../../infra/merchant-config.ts';
import { addStacks } from '../../infra/stacks.ts';
import type { Stage } from '../../shared/domain/merchant.ts';
import { campaign } from '../support/seeded.ts';
import { quickApp } from './synthesized.ts';
import { keptStacks } from './whole-stage/kept-stacks.ts';

interface Report {
  pluginReports: { violations: { ruleName: string; violatingConstructs: { constructPath: string }[] }[] }[];
}

/** Every rule of cdk-nag's pack and of CloudFormation that an app breaks, with the place; the app leaves a report of it. */
function violationsOf(build: (app: App) => void): string[] {
  const app = quickApp();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  build(app);
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubEnv('CDK_VALIDATION', 'true');
  try {
    app.synth();
  } catch (error) {
    if (!String(error).startsWith('ValidationFailed')) throw error;
  } finally {
    said.mockRestore();
    vi.unstubAllEnvs();
  }
  const { pluginReports: reports } = JSON.parse(
    readFileSync(join(app.outdir, 'validation-report.json'), 'utf8'),
  ) as Report;
  return reports.flatMap(({ violations }) =>
    violations.flatMap(({ ruleName, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    ),
  );
}

const demo = loadMerchantConfig('demo');
const code = () => Code.fromInline('exports.handler = () => undefined;');

/** Everything that a merchant may ask for in a stage. */
const everything = {
  tracing: true,
  alarmEmail: 'ops@example.com',
  eventRuleAccounts: ['222222222222'],
  customDomain: {
    domainName: 'pay.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0-1',
  },
};

const demanding = MerchantConfig.parse({
  merchant: { ...demo.merchant, id: 'demanding', receipts: { from: 'receipts@example.com' } },
  stages: {
    sandbox: everything,
    live: { ...everything, customDomain: { ...everything.customDomain, domainName: 'live.example.com' } },
  },
});

/** Behind a distribution, once with a domain and once without. */
const walled = MerchantConfig.parse({
  merchant: { ...demo.merchant, id: 'walled' },
  stages: {
    sandbox: { protection: 'waf', region: 'eu-central-1' },
    live: {
      protection: 'waf',
      region: 'eu-central-1',
      customDomain: {
        domainName: 'pay.example.com',
        certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0-1',
      },
    },
  },
});

const stackOf = (config: MerchantConfig, stage: Stage) => ({ merchant: config.merchant.id, stage, config });

/** Stacks that break the same rules in the same places as those of `stacks`, so `npm run guards` alone synthesizes them. */
const alike = [stackOf(demo, 'live'), stackOf(demanding, 'sandbox')];

/** A stack as the example is, one with everything, and two behind a distribution, without a domain and with one. */
const stacks = [
  stackOf(demo, 'sandbox'),
  stackOf(demanding, 'live'),
  stackOf(walled, 'sandbox'),
  stackOf(walled, 'live'),
  ...campaign(alike, alike, []),
];

type One = (typeof stacks)[number];

/** What a stack breaks while its acknowledgements are not heard, and what it would acknowledge, with the reasons. */
function look({ config, stage }: One) {
  const acknowledge = vi.spyOn(Validations.prototype, 'acknowledge').mockImplementation(() => {});
  const broken = violationsOf((app) => void addStacks(app, { config, stage, code, version: '0.2.0' }));
  const places = acknowledge.mock.contexts.map((validations) => scopeOf(validations).node.path);
  const reasons = acknowledge.mock.calls.flatMap((rules, call) =>
    rules.map(({ id, reason }): [string, string] => [`${id} ${places[call]}/Resource`, reason]),
  );
  acknowledge.mockRestore();
  return { broken, reasons };
}

const ownFiles = ['test/infra/nag.test.ts', 'test/infra/synthesized.ts'];
const keptLook = keptStacks<ReturnType<typeof look>>('nag', ...ownFiles);
const keptReport = keptStacks<string[]>('nag-reports', ...ownFiles);

/** Each stack is synthesized once for both of its tests. */
function lookAt(one: One) {
  const { broken, reasons } = keptLook(one, () => look(one));
  return { broken: new Set(broken), reasons: new Map(reasons) };
}

it.each(stacks)(
  'the $stage stack of $merchant breaks only those AWS Solutions rules that it acknowledges with a reason',
  (stack) => {
    const { broken, reasons } = lookAt(stack);
    expect([...broken].filter((one) => !reasons.has(one))).toEqual([]);
    for (const reason of reasons.values()) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  },
);

it.each(stacks)('every rule that the $stage stack of $merchant acknowledges is really broken by it', (stack) => {
  const { broken, reasons } = lookAt(stack);
  expect(broken.size).toBeGreaterThan(0);
  expect([...reasons.keys()].filter((one) => !broken.has(one))).toEqual([]);
});

it('acknowledged rules are not reported in the stack with the most acknowledgements', () => {
  const build = (app: App) => void addStacks(app, { config: demanding, stage: 'live', code, version: '0.2.0' });
  expect(keptReport(demanding, () => violationsOf(build))).toEqual([]);
});

/** The construct whose rules are acknowledged. */
const scopeOf = (validations: unknown): IConstruct => Reflect.get(validations as Validations, 'scope');

it('a bucket without any protection breaks several rules', () => {
  const found = violationsOf((app) => void new Bucket(new Stack(app, 'Test'), 'Bucket'));
  expect(found).toEqual(['AwsSolutions-S1 Test/Bucket/Resource', 'AwsSolutions-S10 Test/Bucket/Resource']);
});
