import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe('the workflow of a merchant’s own repository', () => {
  const workflow = readFileSync('docs/pipeline/deploy.yml', 'utf8');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  it('runs only commands that exist', () => {
    const named = [...workflow.matchAll(/npm run (?:--silent )?([\w:]+) -- (\w+)/g)].map(([, script, command]) => ({
      script: script ?? '',
      command: command ?? '',
    }));
    expect(named.length).toBeGreaterThan(7);
    const helpOf = (script: string) =>
      execFileSync(process.execPath, [scripts[script]?.replace('node ', '') ?? '', '--help'], { encoding: 'utf8' });
    const helps = new Map([...new Set(named.map(({ script }) => script))].map((script) => [script, helpOf(script)]));
    for (const { script, command } of named)
      expect(helps.get(script), `${script} ${command}`).toMatch(new RegExp(`\\b${command}\\b`));
  });

  it('gives a pull request the read-only roles, and a deployment its stage’s role inside a protected environment', () => {
    const [, diff = '', sandbox = '', live = ''] = workflow.split(/^ {2}(?:diff|sandbox|live):$/m);
    const rolesIn = (job: string) => [...job.matchAll(/\b(\w+_ROLE)\b/g)].map(([, name]) => name);
    const environmentsOf = (job: string) => [...job.matchAll(/^ {4}environment: (\S+)$/gm)].map(([, name]) => name);
    expect([rolesIn(diff), environmentsOf(diff)]).toEqual([['SANDBOX_DIFF_ROLE', 'LIVE_DIFF_ROLE'], []]);
    expect([rolesIn(sandbox), environmentsOf(sandbox)]).toEqual([['SANDBOX_DEPLOY_ROLE'], ['sandbox']]);
    expect([rolesIn(live), environmentsOf(live)]).toEqual([['LIVE_DEPLOY_ROLE'], ['live']]);
    expect(diff).toContain("if: github.event_name == 'pull_request'");
    for (const job of [sandbox, live]) expect(job).not.toContain('pull_request');
    expect(workflow).toMatch(/^on:\n {2}pull_request:\n {2}push:\n {4}branches: \[main\]\n\n/m);
  });

  it('compares templates with the read-only role, because a change set needs the deployment role', () => {
    expect(workflow.match(/cdk diff/g)).toHaveLength(1);
    expect(workflow).toContain('cdk diff --all --method template ');
  });

  it('deploys live only after a test sale in the sandbox, in an environment that asks for approval, without a stored AWS key', () => {
    const [, live = ''] = workflow.split(/^ {2}live:$/m);
    expect(live).toMatch(/needs: sandbox\n[\s\S]*environment: live\n/);
    const [, sandbox = ''] = workflow.split(/^ {2}sandbox:$/m);
    expect(sandbox.indexOf('cdk deploy')).toBeLessThan(sandbox.indexOf('trigger payment.succeeded'));
    expect(workflow).toContain('id-token: write');
    expect(workflow).not.toMatch(/aws-access-key-id|AWS_SECRET/i);
  });
});
