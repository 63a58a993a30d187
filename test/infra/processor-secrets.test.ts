import { describe, expect, it } from 'vitest';
import { endpoints, reconcileSchedule, sweepSchedule } from '../../infra/endpoints.ts';
import { functionNames } from '../../infra/function-names.ts';
import { functionOf, selling, statementsOf, templateOf } from './synthesized.ts';

const withStripe = templateOf(...selling);
const without = templateOf('live');
const folder = '/tillstack/demo/live/stripe';

/** The parameters that a function's role may read, by their names. */
const readable = (name: string, template = withStripe): string[] =>
  statementsOf(template, name)
    .filter(({ Action }) => Action.some((action) => action.startsWith('ssm:')))
    .flatMap(({ Action, Resource }) => {
      expect(Action).toEqual(['ssm:GetParameter']);
      return Resource.map((arn) => arnText(arn).replace(/^.*:parameter/, ''));
    });

/** An ARN with its references left out. */
const arnText = (arn: unknown): string =>
  (arn as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1].filter((part) => typeof part === 'string').join('');

const readersOf = (parameter: string): string[] =>
  functionNames.filter((name) => readable(name).includes(`${folder}/${parameter}`));

describe('the processor’s secrets', () => {
  it('can be read only by the functions that charge, refund, sweep and receive notifications', () => {
    const asking = [...endpoints, sweepSchedule, reconcileSchedule].filter(
      (line) => 'processor' in line && line.processor !== undefined,
    );
    expect(readersOf('key')).toEqual(functionNames.filter((name) => asking.some((line) => line.function === name)));
    for (const name of ['checkout/pay-checkout', 'refunds/create-refund', 'events/sweep-due'])
      expect(readersOf('key')).toContain(name);
    for (const name of [
      'checkout/show-checkout',
      'payments/get-payment',
      'webhooks/dispatch-webhook',
      'dashboard/show-overview',
    ])
      expect(readable(name)).toEqual([]);
  });

  it('are the only parameters that a role can read: each statement names complete parameters', () => {
    for (const name of functionNames)
      for (const parameter of readable(name))
        expect([`${folder}/key`, `${folder}/signing-secrets`]).toContain(parameter);
  });

  it('can be read by no role in a stage without a processor', () => {
    for (const name of functionNames) expect(readable(name, without)).toEqual([]);
    expect(JSON.stringify(without.toJSON())).not.toMatch(/ssm:Get|"PROCESSOR(_SECRETS)?":/);
  });

  it('are not in the template, which gives their folder only to functions that may read them', () => {
    const text = JSON.stringify(withStripe.toJSON());
    expect(text.match(/[sr]k_(test|live)_|whsec_|resolve:ssm/)).toBeNull();
    for (const name of functionNames) {
      const { PROCESSOR, PROCESSOR_SECRETS } = functionOf(withStripe, name).Properties.Environment.Variables;
      expect(PROCESSOR).toBe('stripe');
      expect(PROCESSOR_SECRETS).toBe(readable(name).length > 0 ? folder : undefined);
    }
  });
});

describe('the credentials for registers of tax ids', () => {
  const template = templateOf('live', { registers: ['hmrc', 'abn'] });
  const own = '/tillstack/demo/live/registers';

  it('can be read only by the functions that send requests to registers', () => {
    const asking = [...endpoints, sweepSchedule].filter((line) => 'registers' in line && line.registers);
    expect(asking.length).toBeGreaterThan(4);
    for (const name of functionNames) {
      const asks = asking.some((line) => line.function === name);
      expect([name, readable(name, template)]).toEqual([name, asks ? [`${own}/hmrc`, `${own}/abn`] : []]);
      const { REGISTERS } = functionOf(template, name).Properties.Environment.Variables;
      expect([name, REGISTERS]).toEqual([name, asks ? 'hmrc,abn' : undefined]);
    }
  });
});

describe('a deployment’s output names the processor', () => {
  it.each([
    {
      stage: 'live',
      settings: {},
      fields: {},
      says: /^none: this stack sells nothing yet\. Add "processor": \{"name": "stripe"\} to stages\.live in infra\/merchants\/demo\.json/,
    },
    { stage: 'sandbox', settings: {}, fields: {}, says: /^by test cards$/ },
    {
      stage: selling[0],
      settings: selling[1],
      fields: selling[2],
      says: /^by stripe\. Set its key with "npm run processor -- set --merchant demo --stage live" once/,
    },
  ] as const)('is right for $stage with $settings', ({ stage, settings, fields, says }) => {
    expect(templateOf(stage, settings, fields).toJSON().Outputs.Payments.Value).toMatch(says);
  });
});
