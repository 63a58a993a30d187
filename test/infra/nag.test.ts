import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it, vi } from 'vitest';
import { loadMerchantConfig } from '../../infra/merchant-config.ts';
import { MerchantStack } from '../../infra/merchant-stack.ts';
import type { Stage } from '../../shared/domain/merchant.ts';

interface Report {
  pluginReports: { violations: { ruleName: string; violatingConstructs: { constructPath: string }[] }[] }[];
}

/** Every rule of cdk-nag's pack that an app breaks, with the place; the app leaves a report of it. */
function violationsOf(build: (app: App) => void): string[] {
  const app = new App();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  build(app);
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    app.synth();
  } catch (error) {
    if (!String(error).startsWith('ValidationFailed')) throw error;
  } finally {
    said.mockRestore();
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
const everything = {
  tracing: true,
  alarmEmail: 'ops@example.com',
  customDomain: {
    domainName: 'pay.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0-1',
  },
};

it.each<{ stage: Stage; settings: object; what: string }>([
  { stage: 'sandbox', settings: {}, what: 'as it is' },
  { stage: 'live', settings: {}, what: 'as it is' },
  { stage: 'live', settings: everything, what: 'with everything that a merchant may ask for' },
])(
  'a $stage stack $what breaks no rule of AWS Solutions that is not acknowledged with a reason',
  ({ stage, settings }) => {
    const stages = { ...demo.stages, [stage]: { ...demo.stages[stage], ...settings } };
    expect(violationsOf((app) => void new MerchantStack(app, { config: { ...demo, stages }, stage, code }))).toEqual(
      [],
    );
  },
);

it('what is acknowledged, and nothing else, would be broken without', () => {
  const acknowledge = vi.spyOn(Validations.prototype, 'acknowledge').mockImplementation(() => {});
  const found = violationsOf((app) => void new MerchantStack(app, { config: demo, stage: 'live', code }));
  const reasons = acknowledge.mock.calls.flat().map(({ id, reason }) => ({ id, reason }));
  acknowledge.mockRestore();
  const broken = found.map((violation) => violation.split(' ')[0]);
  expect(new Set(reasons.map(({ id }) => id))).toEqual(new Set(broken));
  for (const { reason } of reasons) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
});

it('a bucket that forgets everything breaks several', () => {
  const found = violationsOf((app) => void new Bucket(new Stack(app, 'Test'), 'Bucket'));
  expect(found).toEqual(['AwsSolutions-S1 Test/Bucket/Resource', 'AwsSolutions-S10 Test/Bucket/Resource']);
});
