import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runFleet } from '../../../infra/commands/fleet.ts';
import { typed } from '../../support/wire/command.ts';
import { type Play, playFleet, stackOf, writeFleet } from './played-fleet.ts';

/** Runs a command on the thirty sandboxes against recorded answers. */
async function run(words: string[], play: Play = {}, merchants = writeFleet().merchants) {
  const fleet = playFleet(play);
  const args = [...words, '--merchants', merchants, '--stage', 'sandbox'];
  const said = await typed((typedArgs, to) => runFleet(typedArgs, to, fleet.world), args);
  return { ...fleet, ...said, rows: said.out.split('\n').filter((line) => line.startsWith('tillstack-')) };
}

describe('the status of thirty stacks', () => {
  it('is a row for each, with version, state, drift, last sale and what is due', async () => {
    const metric: Play['metric'] = (name) =>
      name === 'PaymentsSucceeded' ? [0, 2] : name === 'OldestDueEventAgeSeconds' ? [61] : [];
    const { code, error, rows } = await run(['status'], { metric });
    expect([code, error, rows.length]).toEqual([0, '', 30]);
    // the second point is a minute before the first, which is at 08:00
    expect(rows[0]).toMatch(
      /^tillstack-shop-0-sandbox +canary +0\.2\.0\+97cf8f7a +UPDATE_COMPLETE +in sync \(2026-11-01\) +- +2026-11-27 07:59Z +an event for 2 min +-$/,
    );
  });

  it('shows the others where one cannot be read, one rings, one has drifted and one file is invalid, and ends with 1', async () => {
    const { merchants } = writeFleet();
    writeFileSync(join(merchants, 'shop-9.json'), '{}');
    const faults = {
      DescribeStacks: ({ StackName }: { StackName: string }) => {
        if (StackName === stackOf(3)) throw Object.assign(new Error('no right to look'), { name: 'AccessDenied' });
        const StackDriftStatus = StackName === stackOf(4) ? 'DRIFTED' : 'NOT_CHECKED';
        return { Stacks: [{ StackName, StackStatus: 'UPDATE_COMPLETE', DriftInformation: { StackDriftStatus } }] };
      },
      DescribeAlarms: ({ AlarmNamePrefix }: { AlarmNamePrefix: string }) => ({
        MetricAlarms:
          AlarmNamePrefix === `${stackOf(2)}-`
            ? [{ AlarmName: `${AlarmNamePrefix}Heartbeat`, AlarmDescription: 'Silence.' }]
            : [],
      }),
    };
    const { code, out, rows } = await run(['status'], { faults }, merchants);
    expect([code, rows.length]).toEqual([1, 29]);
    expect(rows.find((row) => row.startsWith(`${stackOf(2)} `))).toContain('tillstack-shop-2-sandbox-Heartbeat');
    expect(rows.find((row) => row.startsWith(`${stackOf(3)} `))).toContain('unreadable');
    const troubles = out.split('In trouble:\n')[1];
    expect(troubles).toContain(`  ${stackOf(2)}: ${stackOf(2)}-Heartbeat rings: Silence.`);
    expect(troubles).toContain(`  ${stackOf(3)}: no right to look`);
    expect(troubles).toContain(`  ${stackOf(4)}: it had drifted: drifted`);
    expect(troubles).toContain('shop-9.json is not valid');
  });

  it('lists what a live stack lacks before it sells', async () => {
    const { merchants } = writeFleet();
    const { world } = playFleet({ faults: { DescribeStacks: () => ({ Stacks: [] }) } });
    const { code, out } = await typed(
      (args, to) => runFleet(args, to, world),
      ['status', '--merchants', merchants, '--stage', 'live'],
    );
    expect(code).toBe(0);
    expect(out).toMatch(/tillstack-shop-0-live +canary +- +not deployed +- +- +- +- +5 missing/);
    expect(out).toContain('  tillstack-shop-0-live: no processor, so the live stack sells nothing');
  });

  it('looks for drift in a stack and its nested stacks when that is wanted', async () => {
    const faults = {
      DetectStackDrift: ({ StackName }: { StackName: string }) => ({ StackDriftDetectionId: StackName }),
      DescribeStackDriftDetectionStatus: () => ({ DetectionStatus: 'DETECTION_COMPLETE' }),
      DescribeStackResourceDrifts: ({ StackName }: { StackName: string }) => ({
        StackResourceDrifts:
          StackName === 'nested' ? [{ LogicalResourceId: 'Sign', StackResourceDriftStatus: 'MODIFIED' }] : [],
      }),
    };
    const { code, out } = await run(['status', '--drift'], { faults });
    expect(code).toBe(1);
    expect(out).toContain(`  ${stackOf(0)}: drift: Sign is modified`);
  });
});

describe('the cost of the month', () => {
  afterEach(() => void vi.unstubAllGlobals());
  const group = (number: number, Amount: string) => ({
    Keys: [`merchant$shop-${number}`, 'stage$sandbox'],
    Metrics: { UnblendedCost: { Amount, Unit: 'USD' } },
  });

  it('is asked for once in each account, and only with --cost', async () => {
    const asked = vi.fn(async (_url: URL, _init: { body: string; headers: Record<string, string> }) =>
      Response.json({ ResultsByTime: [{ Groups: [group(0, '4.0449'), group(1, '0.436')] }] }),
    );
    vi.stubGlobal('fetch', asked);
    await run(['status']);
    expect(asked).not.toHaveBeenCalled();
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test').stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    const { code, rows } = await run(['status', '--cost']);
    vi.unstubAllEnvs();
    expect([code, asked.mock.calls.length]).toEqual([0, 3]); // three accounts
    expect(rows.map((row) => row.split(/ {2,}/).at(-1)).slice(0, 3)).toEqual(['4.04 USD', '0.44 USD', 'unknown']);
    const [, { body = '', headers = {} } = {}] = asked.mock.calls[0] ?? [];
    expect(JSON.parse(body).TimePeriod).toEqual({ Start: '2026-11-01', End: '2026-11-28' });
    expect(headers['x-amz-target']).toBe('AWSInsightsIndexService.GetCostAndUsage');
  });

  it('does not hide the stacks where it is refused', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ __type: 'AccessDeniedException' }, { status: 400 }));
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test').stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    const { code, out, rows } = await run(['status', '--cost']);
    vi.unstubAllEnvs();
    expect([code, rows.length]).toEqual([1, 30]);
    expect(rows[0]).toContain('UPDATE_COMPLETE');
    expect(out).toContain('Cost Explorer answered 400: {"__type":"AccessDeniedException"}');
  });
});

describe('the difference of a fleet', () => {
  const table = (KeySchema: number) => ({ Table: { Type: 'AWS::DynamoDB::Table', Properties: { KeySchema } } });
  const nestedFile = 'tillstackshop0sandboxDashboard1A2B3C4D.nested.template.json';
  const nestedPart = { Type: 'AWS::CloudFormation::Stack', Metadata: { 'aws:asset:path': nestedFile } };
  const route = { Route: { Type: 'AWS::ApiGatewayV2::Route', Properties: { RouteKey: 'GET /' } } };
  const bodyOf = (resources: object) => JSON.stringify({ Resources: resources });
  const Dashboard0A1B2C3D = nestedPart;

  /** Each stack has a table and a dashboard; that of shop 1 gets another key. */
  function playDiff(): Play {
    return {
      faults: {
        GetTemplate: ({ StackName }: { StackName: string }) => ({
          TemplateBody: bodyOf(StackName === 'nested' ? route : { ...table(1), Dashboard0A1B2C3D }),
        }),
      },
      synth: (stack, assembly) => {
        mkdirSync(assembly, { recursive: true });
        const resources = { ...table(stack === stackOf(1) ? 2 : 1), Dashboard0A1B2C3D };
        writeFileSync(join(assembly, `${stack}.template.json`), bodyOf(resources));
        writeFileSync(join(assembly, nestedFile), bodyOf(route));
      },
    };
  }

  it('names what holds data and would be replaced, and ends with 1', async () => {
    const folders = writeFleet();
    const { code, out } = await run(
      ['diff', '--ring', 'canary', '--state', folders.state],
      playDiff(),
      folders.merchants,
    );
    expect(code).toBe(1);
    const [, first = '', second = ''] = out.split(/^## /m);
    expect(first).toContain('Nothing that holds data or has an address is removed or replaced.');
    expect(second).toContain('`Table` (`AWS::DynamoDB::Table`) is replaced, because KeySchema changes');
  });
});

describe('the workflow of a fleet', () => {
  const read = (name: string) => readFileSync(`docs/pipeline/${name}`, 'utf8');

  it('runs a command that exists, begins a ring only after the one before, and stores no key', async () => {
    const [rings, ring] = [read('fleet.yml'), read('fleet-ring.yml')];
    expect(rings).toMatch(/ first:\n {4}needs: canary\n[\s\S]* rest:\n {4}needs: first\n/);
    const [, words = ''] = /npm run fleet -- (.*)$/m.exec(ring) ?? [];
    const { merchants, state } = writeFleet();
    const values = { $FILES: merchants, $STAGE: 'sandbox', $RING: 'canary', $STATE: state };
    const args = words.split(' ').map((word) => values[word as keyof typeof values] ?? word);
    const { world, deployed } = playFleet();
    expect(await typed((typedArgs, to) => runFleet(typedArgs, to, world), args)).toMatchObject({ code: 0 });
    expect([...deployed()].sort()).toEqual([stackOf(0), stackOf(1)]);
    expect(ring).toMatch(/environment: \$\{\{ inputs\.stage \}\}\n/);
    expect(ring).toContain('fail-fast: false');
    expect(rings + ring).not.toMatch(/secrets\.|aws-access-key-id|AWS_SECRET/);
  });

  it('has a role with the rights that the commands need, and no others', async () => {
    const { merchants, state } = writeFleet();
    const { world, actionsOf } = playFleet();
    await typed(
      (args, to) => runFleet(args, to, world),
      ['deploy', '--merchants', merchants, '--state', state, '--stage', 'sandbox', '--ring', 'canary'],
    );
    await typed((args, to) => runFleet(args, to, world), ['status', '--merchants', merchants]);
    const policies = ['deploy-policy.json', 'fleet-policy.json'].map((name) => JSON.parse(read(name)));
    const allowed = policies
      .flatMap(({ Statement }) => Statement)
      .flatMap(({ Action }: { Action: string | string[] }) => Action);
    expect([...actionsOf()].filter((action) => !allowed.includes(action))).toEqual([]);
    const [, watching, keys] = [null, ...policies[1].Statement];
    expect(watching.Action).toEqual(['cloudformation:GetTemplate', 'cloudwatch:GetMetricData']);
    expect(keys.Action).toEqual(['dynamodb:BatchGetItem', 'dynamodb:PutItem']);
    expect(keys.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY', 'KEY#*', 'AUDIT#*'] },
    });
  });
});
