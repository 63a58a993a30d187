import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkStage } from '../../infra/commands/ops/check.ts';
import { readStatus } from '../../infra/commands/ops/status.ts';
import { deskOf } from './operator-desk.ts';
import { playStack } from './played-stack.ts';

const read = (name: string): string => readFileSync(`docs/pipeline/${name}`, 'utf8');
const account = {
  GetCallerIdentity: () => ({ Account: '123456789012' }),
  GetAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: 1_000 } }),
  GetAccountSummary: () => ({ SummaryMap: { Roles: 1, RolesQuota: 1_000 } }),
  GetAccount: () => ({ ProductionAccessEnabled: true }),
  GetEmailIdentity: () => ({ VerifiedForSendingStatus: true }),
};

interface Policy {
  Statement: { Sid?: string; Action: string | string[]; Resource?: string; Condition?: object }[];
}

describe('the policy of the deploying role', () => {
  const { Statement: statements } = JSON.parse(read('policy.json')) as Policy;

  it('allows what "check" and "status" ask of AWS, and nothing else', async () => {
    const merchant = { receipts: { from: 'shop@shop.example' } };
    const { desk, actions } = deskOf({ ...playStack().answers, ...account }, { merchant });
    await checkStage(desk);
    await readStatus(desk);
    const allowed = statements.find(({ Sid }) => Sid === 'CheckAndStatus')?.Action;
    expect(allowed).toEqual([...actions].sort());
    expect(allowed).not.toContainEqual(
      expect.stringMatching(/Put|Update|Delete|Create|Scan|Query|GetItem|GetObject|\*/),
    );
  });

  it('deploys by the roles of the bootstrap alone', () => {
    const others = statements.filter(({ Sid }) => Sid !== 'CheckAndStatus');
    expect(others.map(({ Action, Resource }) => [Action, Resource])).toEqual([
      ['sts:AssumeRole', 'arn:aws:iam::111111111111:role/cdk-hnb659fds-*'],
      ['ssm:GetParameter', 'arn:aws:ssm:*:111111111111:parameter/cdk-bootstrap/hnb659fds/version'],
    ]);
  });

  it('is of a role that only one repository takes', () => {
    const [trust] = (JSON.parse(read('trust.json')) as Policy).Statement;
    expect(JSON.stringify(trust?.Condition)).not.toContain('*');
    expect(JSON.stringify(trust?.Condition)).toContain('repo:<organization>/<repository>:environment:live');
  });
});

describe('the workflow of a merchant’s own repository', () => {
  const workflow = read('deploy.yml');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  it('runs only commands that there are', () => {
    const named = [...workflow.matchAll(/npm run (?:--silent )?([\w:]+) -- (\w+)/g)].map(([, script, command]) => ({
      script: script ?? '',
      command: command ?? '',
    }));
    expect(named.length).toBeGreaterThan(7);
    for (const { script, command } of named) {
      const file = scripts[script]?.replace('node ', '') ?? '';
      expect(readFileSync(file, 'utf8'), `${script} ${command}`).toMatch(
        new RegExp(`npm run ${script} -- ${command}|trigger`),
      );
    }
  });

  it('deploys live only after the sandbox has sold, in an environment that asks for approval, without a stored key of AWS', () => {
    const [, live = ''] = workflow.split(/^ {2}live:$/m);
    expect(live).toMatch(/needs: sandbox\n[\s\S]*environment: live\n/);
    const [, sandbox = ''] = workflow.split(/^ {2}sandbox:$/m);
    expect(sandbox.indexOf('cdk deploy')).toBeLessThan(sandbox.indexOf('trigger payment.succeeded'));
    expect(workflow).toContain('id-token: write');
    expect(workflow).not.toMatch(/aws-access-key-id|AWS_SECRET/i);
  });
});
