import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkStage } from '../../infra/commands/ops/check.ts';
import type { OpsContext } from '../../infra/commands/ops/context.ts';
import { readStatus } from '../../infra/commands/ops/status.ts';
import { operatorContext } from './operator-context.ts';
import { playStack } from './played-stack.ts';
import { type FiledPolicy, type FiledStatement, listOf, roleOf, widthsOfPolicy, widthsOfTrust } from './role-widths.ts';

const read = (name: string): string => readFileSync(`docs/pipeline/${name}`, 'utf8');
const account = {
  GetCallerIdentity: () => ({ Account: '123456789012' }),
  GetAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: 1_000 } }),
  GetAccountSummary: () => ({ SummaryMap: { Roles: 1, RolesQuota: 1_000 } }),
  GetAccount: () => ({ ProductionAccessEnabled: true }),
  GetEmailIdentity: () => ({ VerifiedForSendingStatus: true }),
};

/** The actions of IAM that a command needs, where AWS has an answer to each. */
async function actionsOf(...commands: ((context: OpsContext) => Promise<unknown>)[]): Promise<Set<string>> {
  const merchant = { receipts: { from: 'shop@shop.example' } };
  const settings = { region: 'eu-central-1', protection: 'waf' };
  const { context, actions } = operatorContext({ ...playStack().answers, ...account }, { merchant, settings });
  for (const command of commands) await command(context);
  return actions;
}

const documentOf = (name: string): FiledPolicy => JSON.parse(read(name));

describe.each([
  { role: 'diff', subject: 'pull_request', roles: ['lookup'], commands: [checkStage] },
  {
    role: 'deploy',
    subject: 'environment:live',
    roles: ['deploy', 'file-publishing'],
    commands: [checkStage, readStatus],
  },
])('the role of a $role', ({ role, subject, roles, commands }) => {
  const trust = documentOf(`${role}-trust.json`);
  const policy = documentOf(`${role}-policy.json`);

  it(`can be assumed only by ${subject} of one repository`, () => {
    expect(trust.Statement).toHaveLength(1);
    expect(widthsOfTrust(trust, subject)).toEqual([]);
  });

  it(`may assume the CDK’s roles ${roles.join(' and ')}, and has only the rights that the commands need`, async () => {
    const reads = await actionsOf(...commands);
    expect(widthsOfPolicy(policy, { roles, reads })).toEqual([]);
    const [assuming, reading] = policy.Statement;
    expect(listOf(assuming?.Resource)).toEqual(roles.map(roleOf));
    expect(reading?.Action).toEqual([...reads].sort());
    expect([...reads].filter((action) => !/:(Describe|Get|List)/.test(action))).toEqual([]);
    expect([...reads].filter((action) => /GetItem|GetRecords|GetObject|GetParameter/.test(action))).toEqual([]);
  });
});

describe('the check of the trust policy', () => {
  const sub = 'token.actions.githubusercontent.com:sub';
  const aud = 'token.actions.githubusercontent.com:aud';
  const repository = 'repo:<organization>/<repository>';
  const conditionOf = (statement: FiledStatement) => statement.Condition?.['StringEquals'] ?? {};

  it.each<{ as: string; widen: (statement: FiledStatement) => unknown }>([
    ...[
      `${repository}:*`,
      `${repository}:environment:*`,
      'repo:<organization>/*:environment:live',
      '*',
      `${repository}:pull_request`,
      `${repository}:ref:refs/heads/main`,
      `${repository}:environment:sandbox`,
      'repo:<organization>/another:environment:live',
    ].map((subject) => ({
      as: `also ${subject}`,
      widen: (statement: FiledStatement) =>
        Object.assign(conditionOf(statement), { [sub]: [`${repository}:environment:live`, subject] }),
    })),
    { as: 'any subject', widen: (statement) => Reflect.deleteProperty(conditionOf(statement), sub) },
    { as: 'any audience', widen: (statement) => Reflect.deleteProperty(conditionOf(statement), aud) },
    { as: 'no condition', widen: (statement) => Reflect.deleteProperty(statement, 'Condition') },
    {
      as: 'a pattern',
      widen: (statement) => Object.assign(statement, { Condition: { StringLike: conditionOf(statement) } }),
    },
    {
      as: 'a condition that an absent subject fulfils',
      widen: (statement) =>
        Object.assign(statement, { Condition: { 'ForAllValues:StringEquals': conditionOf(statement) } }),
    },
    { as: 'everybody', widen: (statement) => Object.assign(statement, { Principal: '*' }) },
    {
      as: 'another account',
      widen: (statement) => Object.assign(statement, { Principal: { AWS: 'arn:aws:iam::222222222222:root' } }),
    },
    {
      as: 'the provider of another account',
      widen: (statement) =>
        Object.assign(statement, {
          Principal: JSON.parse(JSON.stringify(statement.Principal).replace('111111111111', '222222222222')),
        }),
    },
    { as: 'all but one', widen: (statement) => Object.assign(statement, { NotPrincipal: { AWS: '222222222222' } }) },
    {
      as: 'another way',
      widen: (statement) => Object.assign(statement, { Action: ['sts:AssumeRoleWithWebIdentity', 'sts:AssumeRole'] }),
    },
    { as: 'every way', widen: (statement) => Object.assign(statement, { Action: 'sts:*' }) },
  ])('refuses $as', ({ widen }) => {
    const trust = documentOf('deploy-trust.json');
    for (const statement of trust.Statement) widen(statement);
    expect(widthsOfTrust(trust, 'environment:live')).not.toEqual([]);
  });

  it('refuses a second statement', () => {
    const trust = documentOf('deploy-trust.json');
    trust.Statement.push(...documentOf('diff-trust.json').Statement);
    expect(widthsOfTrust(trust, 'environment:live')).not.toEqual([]);
  });

  it('refuses the subject of the other role', () => {
    expect(widthsOfTrust(documentOf('diff-trust.json'), 'environment:live')).not.toEqual([]);
    expect(widthsOfTrust(documentOf('deploy-trust.json'), 'pull_request')).not.toEqual([]);
  });
});

describe('the check of the role’s rights', () => {
  const roles = 'arn:aws:iam::111111111111:role/cdk-hnb659fds-';
  const assume = (Resource: string): FiledStatement => ({ Effect: 'Allow', Action: 'sts:AssumeRole', Resource });

  it.each<{ role: string; taken: readonly string[]; more: FiledStatement }>(
    [
      { role: 'diff', taken: ['lookup'], wider: ['deploy', 'file-publishing', 'cfn-exec', 'image-publishing'] },
      { role: 'deploy', taken: ['deploy', 'file-publishing'], wider: ['lookup', 'cfn-exec', 'image-publishing'] },
    ].flatMap(({ role, taken, wider }) =>
      [
        ...wider.map((name) => assume(roleOf(name))),
        assume(`${roles}*`),
        assume('arn:aws:iam::*:role/cdk-*'),
        assume('*'),
        assume(roleOf('lookup').replaceAll('111111111111', '222222222222')),
        assume(`${roles}${taken[0]}-role-111111111111-*`),
        ...['sts:*', '*', 'dynamodb:Scan', 'iam:PassRole', 'cloudformation:*', 'ssm:GetParameter'].map((Action) => ({
          Effect: 'Allow',
          Action,
          Resource: '*',
        })),
        { Effect: 'Allow', NotAction: 'iam:CreateUser', Resource: '*' },
        { Effect: 'Allow', Action: 'sts:AssumeRole', NotResource: 'arn:aws:s3:::none' },
      ].map((more) => ({ role, taken, more })),
    ),
  )('refuses the role $role with the additional right $more', async ({ role, taken, more }) => {
    const policy = documentOf(`${role}-policy.json`);
    const limits = { roles: taken, reads: await actionsOf(checkStage, readStatus) };
    expect(widthsOfPolicy(policy, limits)).toEqual([]);
    policy.Statement.push(more);
    expect(widthsOfPolicy(policy, limits)).not.toEqual([]);
  });
});

it('the CDK’s lookup role, which pull requests use, may not read data or secrets', () => {
  const { Statement: statements } = documentOf('lookup-policy.json');
  expect(new Set(statements.map(({ Effect }) => Effect))).toEqual(new Set(['Deny']));
  const denied = statements.flatMap(({ Action }) => listOf(Action));
  for (const action of ['dynamodb:Scan', 'dynamodb:Query', 'dynamodb:GetItem', 's3:GetObject*', 'kms:Decrypt'])
    expect(denied).toContain(action);
  for (const action of ['logs:StartQuery', 'sqs:ReceiveMessage', 'ssm:GetParameter', 'cloudfront:GetDistribution*'])
    expect(denied).toContain(action);
});
