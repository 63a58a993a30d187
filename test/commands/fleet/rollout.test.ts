import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { risenErrors } from '../../../infra/commands/fleet/errors.ts';
import { readMetrics } from '../../../infra/commands/fleet/metrics.ts';
import { runFleet } from '../../../infra/commands/fleet.ts';
import { typed } from '../../support/wire/command.ts';
import { playedClients } from '../operator-context.ts';
import { type Play, playedVersion, playFleet, ringOf, stackOf, writeFleet } from './played-fleet.ts';

const numbers = Array.from({ length: 30 }, (_, number) => number);
const stacksOf = (ring: string) => numbers.filter((number) => ringOf(number) === ring).map(stackOf);

type Folders = ReturnType<typeof writeFleet>;

/** Runs a deployment of the sandboxes against recorded answers. */
async function deploy(folders: Folders, play: Play = {}, words: string[] = [], version = playedVersion) {
  const { merchants, state, versions } = folders;
  const fleet = playFleet({ versions, version, ...play });
  const args = ['deploy', '--merchants', merchants, '--state', state, '--stage', 'sandbox', ...words];
  const said = await typed((typedArgs, to) => runFleet(typedArgs, to, fleet.world), args);
  return { ...fleet, ...said };
}

describe('a deployment of thirty stacks', () => {
  it('goes up by rings, several stacks at once, each by the role of its account and with a check', async () => {
    const { code, error, out, done, deployed, counts } = await deploy(writeFleet(), {}, ['--at-once', '3']);
    expect([code, error]).toEqual([0, '']);
    expect([...deployed()].sort()).toEqual(numbers.map(stackOf).sort());
    expect(new Set(deployed().slice(0, 2))).toEqual(new Set(stacksOf('canary')));
    expect(new Set(deployed().slice(2, 7))).toEqual(new Set(stacksOf('first')));
    const lastOfFirst = Math.max(...stacksOf('first').map((stack) => done.indexOf(`check ${stack}`)));
    expect(lastOfFirst).toBeLessThan(done.findIndex((line) => line.startsWith(`deploy ${stackOf(7)} `)));
    expect(counts.most).toBe(3);
    for (const number of numbers) {
      expect(done).toContain(`check ${stackOf(number)}`);
      expect(done).toContain(`deploy ${stackOf(number)} in ${String((number % 3) + 1).repeat(12)}`);
    }
    expect(out).toMatch(/30 stacks have 0\.2\.0\+0a1b2c3d: 30 now, 0 before\.\n$/);
  });

  it('leaves out what has the version and the file, and deploys again what has another, also where that was done by hand', async () => {
    const folders = writeFleet();
    await deploy(folders);
    expect((await deploy(folders)).deployed()).toEqual([]);
    const file = join(folders.merchants, 'shop-9.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Shop 9', 'Shop Nine'));
    expect((await deploy(folders)).deployed()).toEqual([stackOf(9)]);
    folders.versions.set(stackOf(8), '0.2.0+97cf8f7a'); // deployed by hand
    expect((await deploy(folders)).deployed()).toEqual([stackOf(8)]);
    expect((await deploy(folders, {}, [], '0.2.0+ffffffff')).deployed()).toHaveLength(30);
  });

  it('prints JSON for programs, and its progress beside it', async () => {
    const { out, error } = await deploy(writeFleet(), {}, ['--json', '--ring', 'canary']);
    const { stacks } = JSON.parse(out);
    expect(stacks).toHaveLength(2);
    expect(stacks[0]).toMatchObject({
      ...{ stack: stackOf(0), ring: 'canary', result: 'checked', earlier_version: '0.2.0+97cf8f7a' },
      errors_before: { answers: 0, workers: 0, dead_letters: 0 },
    });
    expect(error).toContain(`${stackOf(0)}: done\n`);
  });
});

describe('a bad release', () => {
  const isCanary = (stack: string) => stacksOf('canary').includes(stack);
  const fails = async (stack: string): Promise<never> => {
    throw new Error(`${stack} is broken`);
  };
  /** Answers with 5xx, from the first deployment on. */
  const rising = (): Play => {
    const state = { isDeployed: false };
    return {
      deploy: async () => {
        state.isDeployed = true;
      },
      metric: (name) => (name === '5xx' && state.isDeployed ? [3] : []),
    };
  };

  it.each<{ fault: string; play: () => Play; says: string }>([
    { fault: 'cannot be deployed', play: () => ({ deploy: fails }), says: 'is broken' },
    { fault: 'does not sell', play: () => ({ checkSales: fails }), says: 'is broken' },
    { fault: 'answers with errors', play: rising, says: 'answers with 5xx rose from 0 to 3' },
  ])('stops at the canary where it $fault, and says how to go back', async ({ play, says }) => {
    const folders = writeFleet();
    const first = await deploy(folders, play(), ['--at-once', '1']);
    expect([first.code, first.deployed()]).toEqual([1, [stackOf(0)]]);
    expect(first.out).toContain(says);
    expect(first.out).toContain('Stopped. Failed: 1. Not begun: 29.');
    expect(first.out).not.toContain('Ring first');
    expect(first.out).toContain(
      'git checkout 97cf8f7a && npm ci && npx cdk deploy --all -c merchant=shop-0 -c stage=sandbox',
    );
    const second = await deploy(folders, {}, ['--ring', 'first']);
    expect([second.code, second.deployed()]).toEqual([1, []]);
    expect(second.error).toContain(`not deployed and checked with ${playedVersion}: ${stacksOf('canary').join(', ')}.`);
  });

  it('lets the stacks finish that were begun, and begins no other', async () => {
    const play = { deploy: (stack: string) => (stack === stackOf(0) ? fails(stack) : Promise.resolve()) };
    const { code, done, deployed } = await deploy(writeFleet(), play, ['--at-once', '30']);
    expect([code, deployed().every(isCanary)]).toEqual([1, true]);
    expect(done).toContain(`check ${stackOf(1)}`);
  });

  it('still compares with the errors before it when the same command goes on', async () => {
    const folders = writeFleet();
    const bad = { ...rising(), checkSales: fails };
    await deploy(folders, bad, ['--at-once', '1']);
    const again = await deploy(folders, { metric: (name) => (name === '5xx' ? [3] : []) }, ['--at-once', '1']);
    expect([again.code, again.deployed()]).toEqual([1, [stackOf(0)]]);
    expect(again.out).toContain('answers with 5xx rose from 0 to 3');
  });
});

describe('a run that was killed', () => {
  it('holds the state as long as it lives, and is continued where it was', async () => {
    const folders = writeFleet();
    const script = join(import.meta.dirname, 'hanging-run.ts');
    const child = spawn(process.execPath, [script, folders.merchants, folders.state], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit');
    try {
      for await (const chunk of child.stdout) if (String(chunk).includes(`${stackOf(3)}: deploying`)) break;
      const beside = await deploy(folders);
      expect([beside.code, beside.deployed()]).toEqual([1, []]);
      expect(beside.error).toContain('Another run of the fleet uses');
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
    for (const number of [0, 1, 2]) folders.versions.set(stackOf(number), playedVersion);
    const { code, deployed, out } = await deploy(folders);
    expect([code, [...deployed()].sort()]).toEqual([
      0,
      numbers
        .filter((number) => number > 2)
        .map(stackOf)
        .sort(),
    ]);
    expect(out).toContain('30 stacks have 0.2.0+0a1b2c3d: 27 now, 3 before.');
  });
});

describe('what is refused before anything is deployed', () => {
  it('a role that cannot be assumed, by the names of its stacks', async () => {
    const AssumeRole = ({ RoleArn }: { RoleArn: string }) => {
      if (RoleArn.includes('222222222222')) throw Object.assign(new Error('not allowed'), { name: 'AccessDenied' });
      return { Credentials: { AccessKeyId: RoleArn.split(':')[4] } };
    };
    const { code, error, deployed } = await deploy(writeFleet(), { faults: { AssumeRole } });
    expect([code, deployed()]).toEqual([1, []]);
    expect(error).toContain(
      `${stackOf(1)}: The role arn:aws:iam::222222222222:role/tillstack-deploy cannot be assumed: AccessDenied: not allowed`,
    );
    expect(error.match(/cannot be assumed/g)).toHaveLength(10);
  });

  it('credentials of another account', async () => {
    const { error, deployed } = await deploy(writeFleet(), { faults: { GetCallerIdentity: () => ({ Account: '9' }) } });
    expect(deployed()).toEqual([]);
    expect(error).toContain(`${stackOf(0)}: The credentials are of account 9, but the stage belongs to 111111111111.`);
  });

  it('an invalid file, with its faults', async () => {
    const folders = writeFleet();
    writeFileSync(join(folders.merchants, 'shop-4.json'), '{"merchant":{"id":"shop-4","name":"","country":"DE"}}');
    const { error, deployed } = await deploy(folders);
    expect(deployed()).toEqual([]);
    expect(error).toContain('shop-4.json is not valid:\n  merchant.name: ');
  });

  it.each([
    { words: ['--at-once', '0'], code: 2, says: '--at-once must be a whole number from 1 to 50.' },
    { words: ['--watch', '3.5'], code: 2, says: '--watch must be a whole number from 3 to 60.' },
    { words: ['--watch', '2'], code: 2, says: '--watch must be a whole number from 3 to 60.' },
    { words: ['--ring', 'last'], code: 2, says: '--ring must be one of canary, first, rest' },
  ])('$words', async ({ words, code, says }) => {
    const refused = await deploy(writeFleet(), {}, words);
    expect([refused.code, refused.deployed()]).toEqual([code, []]);
    expect(refused.error).toContain(says);
  });

  it.each([`${playedVersion}.dirty`, '0.2.0'])('sources that no commit names: %s', async (version) => {
    const refused = await deploy(writeFleet(), {}, [], version);
    expect([refused.code, refused.deployed()]).toEqual([2, []]);
  });
});

describe('errors after a deployment', () => {
  it.each(['InternalError', 'Forbidden', 'PartialData', undefined])(
    'are not taken for none if CloudWatch answers a metric with %s',
    async (StatusCode) => {
      const { clients } = playedClients({ GetMetricData: () => ({ MetricDataResults: [{ Id: 'm0', StatusCode }] }) });
      const metric = { namespace: 'AWS/Lambda', name: 'Errors', dimensions: {}, statistic: 'Sum' } as const;
      const span = { from: new Date(0), to: new Date(60_000), periodSeconds: 60 };
      await expect(readMetrics(clients, [metric], span)).rejects.toThrow(`Errors: ${StatusCode ?? 'no answer'}`);
    },
  );

  const before = { answers: 4, workers: 0, dead_letters: 0 };

  it.each([
    { after: { ...before, answers: 8 }, risen: [] }, // not more than twice 4
    { after: { ...before, answers: 9 }, risen: ['answers with 5xx rose from 4 to 9'] },
    { after: { ...before, workers: 2 }, risen: [] },
    { after: { ...before, workers: 3 }, risen: ['errors of workers rose from 0 to 3'] },
    { after: { ...before, dead_letters: 1 }, risen: ['dead letters rose from 0 to 1'] },
  ])('have risen, or not: $after', ({ after, risen }) => {
    expect(risenErrors(before, after)).toEqual(risen);
  });
});
