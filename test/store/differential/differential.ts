import { randomUUID } from 'node:crypto';
import { createLocalTable, startLocalTable } from '../../../infra/local/local-table.ts';
import { callAt, type TableCall } from '../../../infra/local-aws/stream/dynamo-wire.ts';
import { seeded, times } from '../../support/seeded.ts';
import { startDynoxide } from '../../support/table/dynoxide.ts';
import { knownDifferences, unchangedRecords } from './known-differences.ts';
import { type Difference, isSameOutcome, type Outcome, outcomeOf, sortedNames, withoutOrder } from './outcome.ts';
import { type RandomCommand, randomCommands } from './random-commands.ts';

const tableName = 'differential';

interface Server {
  call: TableCall;
  ask(command: RandomCommand): Promise<Outcome>;
}

interface StreamRecord {
  eventName: string;
  dynamodb: { Keys: object; NewImage?: object; StreamViewType: string };
}

/** Asks a server, and reads what the command left in its stream. */
async function serverAt(call: TableCall): Promise<Server> {
  await createLocalTable(call, tableName);
  const { Streams } = await call<{ Streams: { StreamArn: string }[] }>('ListStreams', { TableName: tableName });
  const StreamArn = Streams[0]?.StreamArn;
  const { StreamDescription } = await call<{ StreamDescription: { Shards: { ShardId: string }[] } }>('DescribeStream', {
    StreamArn,
  });
  const start = { StreamArn, ShardId: StreamDescription.Shards[0]?.ShardId, ShardIteratorType: 'TRIM_HORIZON' };
  let { ShardIterator } = await call<{ ShardIterator: string }>('GetShardIterator', start);
  const images = new Map<string, unknown>();
  /** Whether a record of the stream is a change. The emulator also writes records for writes that change nothing. */
  const isChange = ({ Keys, NewImage }: { Keys: unknown; NewImage?: unknown }): boolean => {
    const [key, image] = [JSON.stringify(sortedNames(Keys)), JSON.stringify(sortedNames(NewImage))];
    const isNew = !images.has(key) || images.get(key) !== image;
    images.set(key, image);
    return isNew;
  };
  const readStream = async () => {
    const page = await call<{ Records: StreamRecord[]; NextShardIterator: string }>('GetRecords', { ShardIterator });
    ShardIterator = page.NextShardIterator;
    const all = page.Records.map(
      ({ eventName, dynamodb: { Keys, NewImage, StreamViewType } }) =>
        withoutOrder({ eventName, Keys, NewImage, StreamViewType }) as { Keys: unknown; NewImage?: unknown },
    );
    const records = all.filter(isChange);
    return { records, unchanged: all.length - records.length };
  };
  const reads = /^(Get|BatchGet|TransactGet|Query|Scan)/;
  return {
    call,
    ask: async ({ operation, input }) => {
      const outcome = await outcomeOf(call(operation, input));
      const written = reads.test(operation) ? { records: [], unchanged: 0 } : await readStream();
      return { ...outcome, ...written };
    },
  };
}

/** Gives the first server the rows of the second one, after the two went apart; the stream's records of it are read away. */
async function realign(theirs: Server, ours: Server): Promise<void> {
  const rowsOf = async (server: Server) =>
    (await server.call<{ Items: Record<string, unknown>[] }>('Scan', { TableName: tableName })).Items;
  for (const { pk, sk } of await rowsOf(theirs))
    await theirs.call('DeleteItem', { TableName: tableName, Key: { pk, sk } });
  for (const Item of await rowsOf(ours)) await theirs.call('PutItem', { TableName: tableName, Item });
  await theirs.ask({
    operation: 'DeleteItem',
    input: { TableName: tableName, Key: { pk: { S: 'none' }, sk: { S: 'none' } } },
  });
}

interface DifferentialReport {
  commands: number;
  /** How often each operation was answered, or refused by which name. */
  kinds: Record<string, number>;
  /** How often each known difference showed. */
  known: Record<string, number>;
  unlisted: Difference[];
}

const count = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** Where one server carried out under a token what the other one refused, the token means two things: another one replaces it. */
const retokened = (command: RandomCommand, token: string | undefined): RandomCommand =>
  token === undefined ? command : { ...command, input: { ...command.input, ClientRequestToken: token } };

/** A new pair of tables, and a number of commands to both. */
async function compareRun(seed: number, commands: number, report: DifferentialReport): Promise<void> {
  const dynoxide = await startDynoxide();
  const engine = await startLocalTable({ tableName: 'other' });
  try {
    const [theirs, ours] = [await serverAt(callAt(dynoxide.endpoint)), await serverAt(engine.call)];
    const nextCommand = randomCommands(seeded(seed), tableName);
    const parted = new Map<unknown, string>();
    for (const step of times(commands)) {
      const drawn = nextCommand();
      const token = drawn.input['ClientRequestToken'];
      const command = retokened(drawn, parted.get(token));
      const difference = { step, command, theirs: await theirs.ask(command), ours: await ours.ask(command) };
      report.commands += 1;
      count(report.kinds, `${command.operation} ${difference.ours.refusal ?? ''}`.trim());
      if (difference.theirs.unchanged > 0) count(report.known, unchangedRecords.name);
      if (isSameOutcome(difference.theirs, difference.ours)) continue;
      const known = knownDifferences.find(({ explains }) => explains(difference));
      if (known) count(report.known, known.name);
      else report.unlisted.push(difference);
      await realign(theirs, ours);
      if (token !== undefined) parted.set(token, randomUUID());
    }
  } finally {
    await Promise.all([dynoxide.stop(), engine.stop()]);
  }
}

const perRun = 2_500;

/** Puts the same random commands to the emulator and to the engine; the emulator gets slow with its stream, so it is new now and then. */
export async function compareWithEmulator(options: { seed: number; commands: number }): Promise<DifferentialReport> {
  const report: DifferentialReport = { commands: 0, kinds: {}, known: {}, unlisted: [] };
  for (let run = 0; report.commands < options.commands; run += 1)
    await compareRun(options.seed + run, Math.min(perRun, options.commands - report.commands), report);
  return report;
}

/** The report as lines to print; unlisted differences come with all that is needed to see them again. */
export function describeComparison({ commands, kinds, known, unlisted }: DifferentialReport, seed: number): string[] {
  return [
    `${commands} random commands from seed ${seed}, to the engine and to the emulator: ${unlisted.length} unlisted differences`,
    `answers of the engine: ${JSON.stringify(kinds)}`,
    `known differences: ${JSON.stringify(known)}`,
    ...unlisted.slice(0, 5).map((difference) => `UNLISTED ${JSON.stringify(difference)}`),
  ];
}
