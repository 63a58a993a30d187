import { describe, expect, it } from 'vitest';
import { type AccountFacts, checkFacts, checkStage } from '../../infra/commands/ops/check.ts';
import { MerchantConfig } from '../../infra/merchant-config.ts';
import { checkSettings } from '../../infra/preflight.ts';
import type { Stage } from '../../shared/domain/merchant.ts';
import { merchantOfTest, operatorContext } from './operator-context.ts';

const ready = { region: 'eu-central-1', alarmEmail: 'ops@shop.example', processor: { name: 'stripe' } };
const certificate = (region: string) => ({
  customDomain: {
    domainName: 'pay.shop.example',
    certificateArn: `arn:aws:acm:${region}:123456789012:certificate/1-2`,
  },
});

const found = (merchant: object, settings: object, stage: Stage = 'live') =>
  checkSettings(
    MerchantConfig.parse({ merchant: { ...merchantOfTest, ...merchant }, stages: { [stage]: settings } }),
    stage,
  );
const faults = (merchant: object, settings: object, stage: Stage = 'live') =>
  found(merchant, settings, stage).filter(({ is }) => is === 'missing' || is === 'warning');

/** How CloudFormation says that there is no such stack. */
const absentStack = (name: string): Error =>
  Object.assign(new Error(`Stack with id ${name} does not exist`), { name: 'ValidationError' });

describe('the preflight of a merchant’s file', () => {
  it('reports no problem for a live stage with complete settings', () => {
    expect(faults({}, ready)).toEqual([]);
    expect(found({}, ready).filter(({ is }) => is === 'good')).toHaveLength(7);
  });

  it.each([
    {
      lack: 'no region',
      settings: { ...ready, region: undefined },
      is: 'missing',
      says: 'add "region": "eu-central-1"',
    },
    { lack: 'no country', merchant: { country: 'XX' }, is: 'missing', says: 'XX is no country: set merchant.country' },
    {
      lack: 'a certificate in another region',
      settings: { ...ready, ...certificate('us-east-1') },
      is: 'missing',
      says: 'is in us-east-1, but must be in eu-central-1: request one there in ACM',
    },
    { lack: 'no call answered', merchant: { live: false }, is: 'warning', says: 'set merchant.live in' },
    { lack: 'no address', merchant: { address: [] }, is: 'warning', says: 'set merchant.address in' },
    {
      lack: 'a city of which the address has only a street',
      merchant: { address: ['Berliner Straße 5', '10115'], city: 'Berlin', postalCode: '10115' },
      is: 'warning',
      says: 'no line of merchant.address has Berlin,',
    },
    { lack: 'no support', merchant: { supportEmail: undefined }, is: 'warning', says: 'set merchant.supportEmail in' },
    {
      lack: 'no processor',
      settings: { ...ready, processor: undefined },
      is: 'warning',
      says: 'add "processor": {"name": "stripe"}',
    },
    { lack: 'no alarms', settings: { ...ready, alarmEmail: undefined }, is: 'warning', says: 'add "alarmEmail"' },
  ])('reports $lack in live, and how to fix it', ({ merchant = {}, settings = ready, is, says }) => {
    expect(faults(merchant, settings)).toEqual([{ is, text: expect.stringContaining(says) }]);
  });

  it('accepts a sandbox with missing settings, except those without which the sandbox fails', () => {
    expect(faults({ live: false, address: [] }, {}, 'sandbox')).toEqual([]);
    const settings = { region: 'eu-west-1', ...certificate('eu-central-1') };
    expect(faults({}, settings, 'sandbox')).toEqual([{ is: 'missing', text: expect.stringContaining('eu-west-1') }]);
  });

  it('requires the certificate of a distribution in us-east-1', () => {
    expect(faults({}, { ...ready, ...certificate('us-east-1'), protection: 'waf' })).toEqual([]);
  });
});

const account: AccountFacts = {
  account: '123456789012',
  region: 'eu-central-1',
  isBootstrapped: true,
  isUsEast1Bootstrapped: undefined,
  concurrency: 1_000,
  unreserved: 1_000,
  roles: 20,
  rolesQuota: 1_000,
  deployed: { roles: 0 },
  mail: { isInSandbox: false, isSenderVerified: true },
};

describe('the preflight of an account', () => {
  const receipts = { receipts: { from: 'shop@shop.example' } };
  const lacking = (facts: Partial<AccountFacts>, settings: object = ready) =>
    checkFacts({ ...account, ...facts }, operatorContext({}, { merchant: receipts, settings }).context).filter(
      ({ is }) => is === 'missing' || is === 'warning',
    );

  it('reports no problem for an account with enough quota', () => {
    expect(lacking({})).toEqual([]);
  });

  it.each([
    {
      lack: 'no bootstrap',
      facts: { isBootstrapped: false },
      says: 'npx cdk bootstrap aws://123456789012/eu-central-1',
    },
    {
      lack: 'no bootstrap for the web ACL',
      facts: { isUsEast1Bootstrapped: false },
      says: 'npx cdk bootstrap aws://123456789012/us-east-1 -c merchant=shop -c stage=live',
    },
    {
      lack: 'the few starts of a new account',
      facts: { concurrency: 10, unreserved: 10 },
      says: /10 functions at once.*a live stack needs 100.*L-B99A9384/,
    },
    { lack: 'no more roles', facts: { roles: 990 }, says: /too many: ask for more: aws service-quotas .*L-FE177D64/ },
    {
      lack: 'the sandbox of SES',
      facts: { mail: { isInSandbox: true, isSenderVerified: true } },
      says: 'in its sandbox',
    },
    {
      lack: 'an unverified sender',
      facts: { mail: { isInSandbox: false, isSenderVerified: false } },
      says: 'aws sesv2 create-email-identity --email-identity shop.example',
    },
  ])('reports $lack, and how to fix it', ({ facts, says }) => {
    expect(lacking(facts)).toEqual([{ is: 'missing', text: expect.stringMatching(says) }]);
  });

  it('refuses credentials of another account', () => {
    expect(lacking({}, { ...ready, account: '999999999999' })).toEqual([
      {
        is: 'missing',
        text: expect.stringContaining('of account 123456789012, but the stage belongs to 999999999999'),
      },
    ]);
  });

  it.each([
    { stage: 'live', concurrency: 100 },
    { stage: 'live', concurrency: 499 },
    { stage: 'sandbox', concurrency: 10 },
  ] as const)('warns that $concurrency functions at once are too few for a $stage stage', ({ stage, concurrency }) => {
    const { context } = operatorContext({}, { merchant: receipts, settings: ready, stage });
    const found = checkFacts({ ...account, concurrency }, context);
    expect(found.filter(({ is }) => is === 'missing')).toEqual([]);
    const warning = { is: 'warning', text: expect.stringMatching(/functions at once.*L-B99A9384/) };
    expect(found.filter(({ is }) => is === 'warning')).toEqual([warning]);
  });

  it.each([
    { stage: 'behind a distribution', settings: { ...ready, protection: 'waf' }, asks: true },
    { stage: 'behind a distribution in us-east-1', settings: { region: 'us-east-1', protection: 'waf' }, asks: false },
    { stage: 'without a distribution', settings: ready, asks: false },
  ])(
    'checks the bootstrap of us-east-1 only behind a distribution outside it: a stage $stage, $asks',
    async ({ settings, asks }) => {
      const answers = {
        GetCallerIdentity: () => ({ Account: '123456789012' }),
        DescribeStacks: () => ({ Stacks: [{ StackName: 'CDKToolkit' }] }),
        ListStackResources: () => ({ StackResourceSummaries: [] }),
        GetAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: 1_000 } }),
        GetAccountSummary: () => ({ SummaryMap: { Roles: 1, RolesQuota: 1_000 } }),
      };
      const { context } = operatorContext(answers, { settings });
      const asked: string[] = [];
      context.clients.lambda.config.region = async () => settings.region;
      context.clients.cloudFormationOfUsEast1.send = async () => {
        asked.push(await context.clients.cloudFormationOfUsEast1.config.region());
        throw absentStack('CDKToolkit');
      };
      const { isFine, lines } = await checkStage(context);
      const lack = /^\[ \] us-east-1, where the web ACL lies, is not bootstrapped/m;
      expect([isFine, asked, lack.test(lines.join('\n'))]).toEqual([!asks, asks ? ['us-east-1'] : [], asks]);
    },
  );

  it('refuses a concurrency reservation that the account’s quota cannot hold', () => {
    const settings = { ...ready, reservedConcurrency: { 'sweep-due': 200 } };
    expect(lacking({ concurrency: 200 }, settings).map(({ is }) => is)).toEqual(['missing', 'warning']);
  });

  it('counts the roles of an existing stack only once', () => {
    expect(lacking({ roles: 990, deployed: { roles: 170 } })).toEqual([]);
  });

  it('reads the facts about the account from AWS', async () => {
    const { context } = operatorContext(
      {
        GetCallerIdentity: () => ({ Account: '123456789012' }),
        DescribeStacks: ({ StackName }: { StackName: string }) => {
          if (StackName === 'CDKToolkit') return { Stacks: [{ StackName }] };
          throw absentStack('tillstack-shop-live');
        },
        GetAccountSettings: () => ({
          AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 990 },
        }),
        GetAccountSummary: () => ({ SummaryMap: { Roles: 999, RolesQuota: 1_000 } }),
        GetAccount: () => ({ ProductionAccessEnabled: false }),
        GetEmailIdentity: () => ({ VerifiedForSendingStatus: true }),
      },
      { merchant: receipts, settings: ready },
    );
    const { isFine, lines } = await checkStage(context);
    const missing = lines.filter((line) => line.startsWith('[ ]')).join('\n');
    expect([isFine, missing]).toEqual([false, expect.stringMatching(/999 of 1000 roles[\s\S]*in its sandbox/)]);
    expect(lines.at(-1)).toBe('Missing: 2.');
  });
});
