import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttributeValue,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { table } from '../../../shared/wiring/runtime.ts';
import { pickOne } from '../seeded.ts';

/**
 * The faults of a network and a table. `ack_lost`: the call succeeds, but its answer is lost. `unprocessed`: a read
 * of several rows skips some of them.
 */
const faultNames = ['never_sent', 'throttle', 'conflict', 'in_progress', 'ack_lost', 'slow', 'unprocessed'] as const;
type FaultName = (typeof faultNames)[number];

interface PlannedCall {
  /** `TransactWriteItems`, `BatchGetItem`, … */
  operation: string;
  /** The kinds of the rows that the call puts, in order: `IDEM`, `PAYMENT`, … */
  entities: string[];
  token: string | undefined;
}

/**
 * `{conflictOn}` names the row that another process is writing. `{reasons}` lists for each row why a transaction is
 * cancelled. `{leaves}` selects the keys that a read skips.
 */
export type PlannedFault =
  | Exclude<FaultName, 'unprocessed'>
  | { conflictOn: string }
  | { reasons: string[] }
  | { leaves: () => boolean };
export type FaultPlan = (call: PlannedCall) => PlannedFault | undefined;

export interface Faults {
  /** The number of injected faults so far, by kind of fault. */
  counts: Record<FaultName, number>;
  /** Every call that was sent, including retries. */
  calls: PlannedCall[];
  heal(): void;
}

let serial = 0;

/** Injects planned faults between the SDK's retries and the network, so the SDK's own retries can meet faults too. */
export function injectFaults(plan: FaultPlan, client: DynamoDBDocumentClient = table().client): Faults {
  serial += 1;
  const name = `faults-by-plan-${serial}`;
  const counts = Object.fromEntries(faultNames.map((fault) => [fault, 0])) as Record<FaultName, number>;
  const calls: PlannedCall[] = [];
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const call = describeCall(String(context['commandName']), (args.request as { body: Uint8Array }).body);
      calls.push(call);
      const fault = plan(call);
      if (fault === undefined) return next(args);
      counts[kindOf(fault)] += 1;
      return commitFault(fault, call, () => next(args));
    },
    { step: 'deserialize', priority: 'high', name },
  );
  return { counts, calls, heal: () => void client.middlewareStack.remove(name) };
}

function kindOf(fault: PlannedFault): FaultName {
  if (typeof fault === 'string') return fault;
  return 'leaves' in fault ? 'unprocessed' : 'conflict';
}

interface Row {
  Put?: { Item: { entity?: { S?: string } } };
}

function describeCall(command: string, body: Uint8Array): PlannedCall {
  const operation = command.replace(/Command$/, '');
  if (operation !== 'TransactWriteItems' && operation !== 'PutItem')
    return { operation, entities: [], token: undefined };
  const { TransactItems = [], ClientRequestToken: token, ...put } = JSON.parse(new TextDecoder().decode(body));
  const rows: Row[] = operation === 'PutItem' ? [{ Put: put }] : TransactItems;
  return { operation, entities: rows.map((row) => row.Put?.Item.entity?.S ?? ''), token };
}

async function commitFault<Answer>(
  fault: PlannedFault,
  call: PlannedCall,
  send: () => Promise<Answer>,
): Promise<Answer> {
  if (fault === 'slow') {
    await pause(20);
    return send();
  }
  if (typeof fault === 'object' && 'leaves' in fault) return leaveAside(await send(), fault.leaves);
  if (fault === 'ack_lost') await send();
  throw errorOf(fault, call);
}

interface Read {
  output: {
    Responses: Record<string, Record<string, AttributeValue>[]>;
    UnprocessedKeys?: Record<string, { Keys: Record<string, AttributeValue | undefined>[]; ConsistentRead: boolean }>;
  };
}

/** Removes rows from an answer and lists them as unprocessed, as DynamoDB does under load. */
function leaveAside<Answer>(answer: Answer, leaves: () => boolean): Answer {
  const { output } = answer as Read;
  for (const [name, rows] of Object.entries(output.Responses)) {
    const left = rows.filter(leaves);
    if (left.length === 0) continue;
    output.Responses[name] = rows.filter((row) => !left.includes(row));
    const Keys = left.map(({ pk, sk }) => ({ pk, sk }));
    output.UnprocessedKeys = { ...output.UnprocessedKeys, [name]: { Keys, ConsistentRead: true } };
  }
  return answer;
}

const described = (message: string) => ({ message: `${message} on purpose`, $metadata: { httpStatusCode: 400 } });

function errorOf(fault: Exclude<PlannedFault, 'slow' | { leaves: () => boolean }>, call: PlannedCall): Error {
  if (fault === 'never_sent') return Object.assign(new Error('refused on purpose'), { code: 'ECONNREFUSED' });
  if (fault === 'ack_lost') return Object.assign(new Error('socket hang up on purpose'), { code: 'ECONNRESET' });
  if (fault === 'in_progress') return new TransactionInProgressException(described('in progress'));
  if (fault === 'throttle') return new ThrottlingException(described('throttled'));
  if (call.operation !== 'TransactWriteItems') return new TransactionConflictException(described('conflict'));
  return new TransactionCanceledException({
    ...described('cancelled'),
    CancellationReasons: reasonsOf(fault, call).map((Code) => ({ Code })),
  });
}

function reasonsOf(
  fault: { conflictOn: string } | { reasons: string[] } | 'conflict',
  { entities }: PlannedCall,
): string[] {
  if (typeof fault === 'object' && 'reasons' in fault) return fault.reasons;
  const at = fault === 'conflict' ? 0 : entities.indexOf(fault.conflictOn);
  return entities.map((_, index) => (index === at ? 'TransactionConflict' : 'None'));
}

/**
 * Each call gets a fault with this probability, and all faults are equally likely. A fault that does not fit the call
 * becomes a throttle.
 */
export const faultsAtRandom =
  (random: () => number, probability: number, among: readonly FaultName[] = faultNames): FaultPlan =>
  ({ operation }) => {
    if (random() >= probability) return undefined;
    const fault = pickOne(random, among);
    const isImpossible =
      (fault === 'in_progress' && operation !== 'TransactWriteItems') ||
      (fault === 'conflict' && (operation === 'BatchGetItem' || operation === 'Query')) ||
      (fault === 'unprocessed' && operation !== 'BatchGetItem');
    if (isImpossible) return 'throttle';
    return fault === 'unprocessed' ? { leaves: () => random() < 0.5 } : fault;
  };

/** Injects these faults in this order, one for each call that `wanted` selects. */
export function faultsInOrder(
  faults: readonly PlannedFault[],
  wanted: (call: PlannedCall) => boolean = isTransaction,
): FaultPlan {
  const waiting = [...faults];
  return (call) => (wanted(call) ? waiting.shift() : undefined);
}

export const isTransaction = ({ operation }: PlannedCall): boolean => operation === 'TransactWriteItems';
