import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FleetWorld } from '../../../infra/commands/fleet/fleet-context.ts';
import type { OperatorClients } from '../../../infra/commands/ops/context.ts';
import { type Answers, playedClients } from '../operator-context.ts';
import { playStack, resource } from '../played-stack.ts';

export const playedVersion = '0.2.0+0a1b2c3d';
const earlierVersion = '0.2.0+97cf8f7a';
const accounts = ['111111111111', '222222222222', '333333333333'];
const roleIn = (account: string) => `arn:aws:iam::${account}:role/tillstack-deploy`;

/** The ring of each of thirty merchants: two canaries, five that follow, and the others. */
export const ringOf = (number: number): string => (number < 2 ? 'canary' : number < 7 ? 'first' : 'rest');
export const stackOf = (number: number): string => `tillstack-shop-${number}-sandbox`;

/** Writes the files of thirty merchants in three accounts, and returns their folder and one for the state. */
export function writeFleet(): { merchants: string; state: string; versions: Map<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
  const merchants = join(folder, 'merchants');
  mkdirSync(merchants);
  for (let number = 0; number < 30; number += 1) {
    const account = accounts[number % 3] ?? '';
    const ring = ringOf(number);
    const stage = { account, role: roleIn(account), region: 'eu-central-1', ...(ring !== 'rest' && { ring }) };
    const merchant = { id: `shop-${number}`, name: `Shop ${number}`, country: 'DE', live: true };
    const file = { merchant, stages: { sandbox: stage, live: stage } };
    writeFileSync(join(merchants, `shop-${number}.json`), JSON.stringify(file));
  }
  return { merchants, state: join(folder, 'state'), versions: new Map() };
}

interface Metric {
  Id: string;
  MetricStat: { Metric: { MetricName: string; Dimensions: { Name: string; Value: string }[] } };
}

export interface Play {
  /** The version of each stack where it is another than the earlier one. A deployment changes it. */
  versions?: Map<string, string>;
  /** The version of the sources. */
  version?: string;
  /** The answers of AWS that differ. */
  faults?: Answers;
  /** The values of a metric, by its name and the value of its first dimension. */
  metric?: (name: string, of: string) => number[];
  deploy?: (stack: string) => Promise<void>;
  checkSales?: (stack: string) => Promise<string>;
  /** Writes templates to the folder of an assembly. */
  synth?: (stack: string, assembly: string) => void;
}

const stackName = ({ StackName = '' }: { StackName?: string }) => StackName;

/** What AWS answers about any stack of the fleet, where everything is well. */
const answersOf = ({ faults, metric = () => [], versions }: Play, account: string): Answers => {
  const { answers } = playStack();
  const listed = answers['ListStackResources'] as (input: object) => { StackResourceSummaries: object[] };
  return {
    ...answers,
    AssumeRole: ({ RoleArn }: { RoleArn: string }) => ({
      Credentials: { AccessKeyId: RoleArn.split(':')[4], SecretAccessKey: 'secret', SessionToken: 'token' },
    }),
    GetCallerIdentity: () => ({ Account: account }),
    GetAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 900 } }),
    GetAccountSummary: () => ({ SummaryMap: { Roles: 1, RolesQuota: 1_000 } }),
    DescribeStacks: (input: { StackName: string }) => ({
      Stacks: [
        {
          StackName: input.StackName,
          StackStatus: 'UPDATE_COMPLETE',
          Outputs: [{ OutputKey: 'Version', OutputValue: versions?.get(input.StackName) ?? earlierVersion }],
          DriftInformation: { StackDriftStatus: 'IN_SYNC', LastCheckTimestamp: new Date('2026-11-01') },
        },
      ],
    }),
    ListStackResources: (input: { StackName: string }) => {
      const { StackResourceSummaries } = listed(input);
      const api = { ...resource('HttpApi', 'ApiGatewayV2::Api', stackName(input)) };
      return { StackResourceSummaries: [...StackResourceSummaries, api] };
    },
    GetMetricData: ({ MetricDataQueries, EndTime }: { MetricDataQueries: Metric[]; EndTime: Date }) => ({
      MetricDataResults: MetricDataQueries.map(({ Id, MetricStat: { Metric: one } }) => {
        const Values = metric(one.MetricName, one.Dimensions[0]?.Value ?? '');
        return {
          Id,
          StatusCode: 'Complete',
          Values,
          Timestamps: Values.map((_, at) => new Date(EndTime.getTime() - at * 60_000)),
        };
      }),
    }),
    ...faults,
  };
};

/** A world in which the CDK and AWS are played, with what was done in it. */
export function playFleet(play: Play = {}) {
  const done: string[] = [];
  const counts = { running: 0, most: 0 };
  const opened = new Map<string, { clients: OperatorClients; actions: Set<string> }>();
  const clientsIn = (account: string) => {
    const played = opened.get(account) ?? playedClients(answersOf(play, account));
    opened.set(account, played);
    return played.clients;
  };
  const counted = async (work: () => Promise<void>) => {
    counts.running += 1;
    counts.most = Math.max(counts.most, counts.running);
    await new Promise((resolve) => setImmediate(resolve));
    await work().finally(() => {
      counts.running -= 1;
    });
  };
  const world: FleetWorld = {
    openClients: (_, credentials) => clientsIn(credentials?.accessKeyId ?? 'own'),
    cdk: {
      synth: async ({ name }, { assembly }) => play.synth?.(name, assembly),
      deploy: (stack, _, credentials) =>
        counted(async () => {
          done.push(`deploy ${stack.name} in ${credentials?.accessKeyId}`);
          await play.deploy?.(stack.name);
          play.versions?.set(stack.name, world.version);
        }),
    },
    checkSales: async ({ name }) => {
      done.push(`check ${name}`);
      return (await play.checkSales?.(name)) ?? 'a purchase succeeded';
    },
    pause: async () => {},
    now: () => new Date('2026-11-27T08:00:00Z'),
    version: play.version ?? playedVersion,
  };
  const deployed = () => done.flatMap((line) => /^deploy (\S+)/.exec(line)?.[1] ?? []);
  return {
    world,
    done,
    deployed,
    counts,
    actionsOf: () => new Set([...opened.values()].flatMap(({ actions }) => [...actions])),
  };
}
