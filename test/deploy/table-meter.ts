import { setImmediate as turn } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** How often a step waits for the table: calls that are made at once wait once, for the slowest kind among them. */
export type Waits = Record<'read' | 'write' | 'transaction', number>;

interface Used {
  writeUnits: number;
  readUnits: number;
  table: Waits;
}

interface Consumed {
  CapacityUnits?: number;
}

const slowestFirst = ['transaction', 'write', 'read'] as const;
type Kind = (typeof slowestFirst)[number];

const kindOf = (name: string): Kind => {
  if (!/Write|Put|Update/.test(name)) return 'read';
  return name.startsWith('Transact') ? 'transaction' : 'write';
};

/** After this number of turns of the event loop without another call, the step waits for its calls. */
const quietTurns = 3;

/** Lets calls begin in rounds: one begins when those before it have ended and the step makes no more without an answer. */
function inRounds(count: (slowest: Kind) => void): (kind: Kind) => Promise<() => void> {
  let asked: { kind: Kind; begin: () => void }[] = [];
  let underWay = 0;
  async function nextRound(): Promise<void> {
    for (let [quiet, seen] = [0, 0]; quiet < quietTurns; ) {
      await turn();
      quiet = underWay === 0 && asked.length === seen ? quiet + 1 : 0;
      seen = asked.length;
    }
    const round = asked;
    asked = [];
    underWay = round.length;
    count(slowestFirst.find((kind) => round.some((one) => one.kind === kind)) ?? 'read');
    for (const { begin } of round) begin();
  }
  return (kind) =>
    new Promise((resolve) => {
      asked.push({
        kind,
        begin: () =>
          resolve(() => {
            underWay -= 1;
          }),
      });
      if (asked.length === 1) void nextRound();
    });
}

export const unused = (): Used => ({ writeUnits: 0, readUnits: 0, table: { read: 0, write: 0, transaction: 0 } });

/** Counts the rounds of calls since the last reset, and the capacity as the table reports it. */
export function tableMeter() {
  let used = unused();
  const inRound = inRounds((kind) => {
    used.table[kind] += 1;
  });
  return {
    reset: () => {
      used = unused();
    },
    used: (): Used => ({ ...used, table: { ...used.table } }),
    read: (client: DynamoDBDocumentClient) =>
      client.middlewareStack.add(
        (next, context) => async (args) => {
          const kind = kindOf(String(context['commandName']));
          const end = await inRound(kind);
          const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } }).finally(
            end,
          );
          const consumed = (answer.output as { ConsumedCapacity?: Consumed | Consumed[] }).ConsumedCapacity ?? [];
          for (const { CapacityUnits = 0 } of [consumed].flat())
            used[kind === 'read' ? 'readUnits' : 'writeUnits'] += CapacityUnits;
          return answer;
        },
        { step: 'initialize', name: 'meter', priority: 'low' },
      ),
  };
}
