import { spawnSync } from 'node:child_process';
import { afterEach, expect, it, vi } from 'vitest';

interface AppContext {
  merchant?: string;
  stage?: string;
}

/** Runs the app as the CDK's command line does. */
function runApp(context: AppContext) {
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context) };
  return spawnSync('node_modules/.bin/node', ['infra/app.ts'], { encoding: 'utf8', env });
}

let runs = 0;

/** Runs the app's file in this process, which loads the CDK only once. Each run evaluates the file again. */
async function runAppHere(context: AppContext) {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify(context));
  const { exitCode } = process;
  process.exitCode = undefined;
  runs += 1;
  try {
    await import(new URL(`../../infra/app.ts?run=${runs}`, import.meta.url).href);
    return { status: process.exitCode, stderr: said.join('') };
  } finally {
    process.exitCode = exitCode;
  }
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it.each([
  {
    given: 'no merchant',
    context: {},
    says: 'The merchant is required. Add -c merchant=<name>, as in infra/merchants/<name>.json.',
  },
  {
    given: 'no stage',
    context: { merchant: 'demo' },
    says: 'The stage is required. Add -c stage=sandbox or -c stage=live.',
  },
  {
    given: 'another stage',
    context: { merchant: 'demo', stage: 'prod' },
    says: 'The stage is required. Add -c stage=sandbox or -c stage=live, not prod.',
  },
  {
    given: 'an unknown merchant',
    context: { merchant: 'nobody', stage: 'live' },
    says: /^There is no infra\/merchants\/nobody\.json\. Merchants: .*demo/,
  },
])('the CDK app reports an error in one line, with $given', async ({ context, says }) => {
  const { status, stderr } = await runAppHere(context);
  expect(status).toBe(1);
  expect(stderr.trim()).toMatch(says);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

it('the CDK app refuses a live stage that lacks a required setting, and warns of missing features', () => {
  const { status, stderr } = runApp({ merchant: 'demo', stage: 'live' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^\[ \] no region: add "region"/m);
  expect(stderr).toMatch(/^\[!\] no processor/m);
  expect(stderr.trim().split('\n').at(-1)).toBe('The live stack is not synthesized.');
});
