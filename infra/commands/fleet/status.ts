import type { Stack } from '@aws-sdk/client-cloudformation';
import { dayMs } from '../../../shared/domain/duration.ts';
import { metricNames, metricNamespace } from '../../metric-names.ts';
import { checkStage } from '../ops/check.ts';
import type { OpsContext } from '../ops/context.ts';
import { findStack } from '../ops/stack-parts.ts';
import { readStatus, ringingAlarms, versionOf } from '../ops/status.ts';
import { type StackAccess, takeRole } from './access.ts';
import { costsOfMonth } from './cost.ts';
import { findDrift } from './drift.ts';
import { type FleetContext, messageOf } from './fleet-context.ts';
import { readMetrics } from './metrics.ts';
import type { FleetStack } from './targets.ts';

/** The state of one stack, for a row of the table and for programs. */
export interface StackReport {
  stack: string;
  merchant: string;
  stage: string;
  ring: string;
  account: string | null;
  /** CloudFormation's state; null if the stack is not deployed or cannot be read. */
  state: string | null;
  /** The version, such as `0.2.0`, and the commit. */
  version: string | null;
  commit: string | null;
  drift: string | null;
  alarms: string[];
  /** When the last sale was, to five minutes; null if there was none for two weeks. */
  last_sale: string | null;
  /** What waits, and for how long. */
  due: string[];
  /** What a live stack lacks before it sells, of its file and its account. */
  go_live: string[];
  cost: string | null;
  /** What needs a person. Empty if all is well. */
  troubles: string[];
}

const reportOf = ({ name, config, stage, ring }: FleetStack): StackReport => ({
  ...{ stack: name, merchant: config.merchant.id, stage, ring, account: null, state: null, version: null },
  ...{ commit: null, drift: null, alarms: [], last_sale: null, due: [], go_live: [], cost: null, troubles: [] },
});

const metricSeconds = 300;
const saleDays = 14;
/** The sweep measures each minute what waits, and only while something does. */
const freshMs = 3 * metricSeconds * 1_000;

/** When the last sale was, and what waits. */
async function readWork({ clients }: StackAccess, { config, stage }: FleetStack, now: Date) {
  const of = (name: string, statistic: 'Sum' | 'Maximum') => {
    const dimensions = { merchant: config.merchant.id, stage };
    return { namespace: metricNamespace, name, dimensions, statistic };
  };
  const { paymentsSucceeded, oldestDueEvent, oldestUndoneDocument } = metricNames;
  const [sales = [], events = [], documents = []] = await readMetrics(
    clients,
    [of(paymentsSucceeded, 'Sum'), of(oldestDueEvent, 'Maximum'), of(oldestUndoneDocument, 'Maximum')],
    { from: new Date(now.getTime() - saleDays * dayMs), to: now, periodSeconds: metricSeconds },
  );
  const waits = (what: string, points: typeof events) =>
    points
      .filter(({ at, value }) => value > 0 && now.getTime() - at.getTime() <= freshMs)
      .slice(0, 1)
      .map(({ value }) => `${what} for ${Math.ceil(value / 60)} min`);
  return {
    last_sale: sales.find(({ value }) => value > 0)?.at.toISOString() ?? null,
    due: [...waits('an event', events), ...waits('a document', documents)],
  };
}

/** The drift that CloudFormation knows of, or that is looked for now. */
async function readDrift(context: FleetContext, stack: Stack, access: StackAccess) {
  const { StackDriftStatus = 'NOT_CHECKED', LastCheckTimestamp: at } = stack.DriftInformation ?? {};
  if (!context.findsDrift) {
    const drift = StackDriftStatus.toLowerCase().replace('_', ' ');
    const known = at ? `${drift} (${at.toISOString().slice(0, 10)})` : drift;
    return { drift: known, troubles: StackDriftStatus === 'DRIFTED' ? [`it had drifted: ${known}`] : [] };
  }
  const found = await findDrift(access.clients, stack.StackName ?? '', context.pause);
  return { drift: found.length === 0 ? 'in sync' : 'drifted', troubles: found.map((text) => `drift: ${text}`) };
}

async function readReport(context: FleetContext, target: FleetStack, access: StackAccess): Promise<StackReport> {
  const { clients, account } = access;
  const { config, stage, settings, name: stackName } = target;
  const options = { yes: false, everything: false, errors: false };
  const ops: OpsContext = { config, stage, settings, stackName, clients, options };
  const lines = stage === 'live' ? (await checkStage(ops)).findings : [];
  const go_live = lines.flatMap(({ is, text }) => (is === 'missing' || is === 'warning' ? [text] : []));
  const report = { ...reportOf(target), account, go_live };
  const stack = await findStack(clients.cloudFormation, stackName);
  if (!stack) return report;
  const [version = null, commit = null] = versionOf(stack)?.split('+') ?? [];
  const { findings } = await readStatus(ops);
  const { drift, troubles } = await readDrift(context, stack, access);
  const alarms = (await ringingAlarms(clients, stackName)).map(({ AlarmName = '' }) => AlarmName);
  const work = await readWork(access, target, context.now());
  const wrong = findings.flatMap(({ is, text }) => (is === 'missing' ? [text] : []));
  const state = stack.StackStatus ?? null;
  return { ...report, state, version, commit, drift, alarms, ...work, troubles: [...wrong, ...troubles] };
}

/** Reads the state of one stack. What cannot be read is its trouble, and hides no other stack. */
export async function reportOn(context: FleetContext, target: FleetStack): Promise<StackReport> {
  try {
    const access = await takeRole(target, context.openClients);
    const report = await readReport(context, target, access);
    return context.asksCost ? await withCost(context, report, access) : report;
  } catch (error) {
    return { ...reportOf(target), troubles: [messageOf(error)] };
  }
}

/** Adds the cost of a stack. Each account is asked once, because each question costs money. */
async function withCost({ costs, now }: FleetContext, report: StackReport, { account, clients }: StackAccess) {
  const asked = costs.get(account) ?? costsOfMonth(clients, now());
  costs.set(account, asked);
  try {
    return { ...report, cost: (await asked).get(`${report.merchant}/${report.stage}`) ?? null };
  } catch (error) {
    return { ...report, troubles: [...report.troubles, messageOf(error)] };
  }
}
