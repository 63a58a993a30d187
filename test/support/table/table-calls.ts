import { table } from '../../../shared/wiring/runtime.ts';
import { sendThrough } from './send-through.ts';

const words: Record<string, string> = {
  BatchGetCommand: 'read',
  QueryCommand: 'query',
  TransactWriteCommand: 'write',
  PutCommand: 'write',
  UpdateCommand: 'update',
};

export interface Rounds<Result> {
  result: Result;
  /** The calls in order: `read, write` means one after the other, `read, query+query` means the last two at once. */
  rounds: string;
}

interface ReadInput {
  RequestItems?: Record<string, { Keys: { pk: string }[] }>;
}

const partitionsOf = ({ RequestItems = {} }: ReadInput): string[] =>
  Object.values(RequestItems).flatMap(({ Keys }) => Keys.map(({ pk }) => pk));

interface WriteInput {
  Item?: { pk: string };
  TransactItems?: { Put?: { Item: { pk: string } }; Update?: { Key: { pk: string } } }[];
}

const writtenBy = ({ Item, TransactItems = [] }: WriteInput): string[] => [
  ...(Item ? [Item.pk] : []),
  ...TransactItems.map(({ Put, Update }) => Put?.Item.pk ?? Update?.Key.pk ?? ''),
];

/**
 * Records the table calls for which some work waits, and adds the partition keys of the rows that it reads to `read`,
 * and of those that it puts or changes in a transaction to `written`. Two calls count as simultaneous if one begins before the other is answered, so they must run through the SDK.
 */
export async function roundsOf<Result>(
  act: () => Promise<Result>,
  read: string[] = [],
  written: string[] = [],
): Promise<Rounds<Result>> {
  const rounds: string[][] = [];
  let inFlight = 0;
  const restore = sendThrough(table().client, (send) => (command) => {
    const name = words[command.constructor.name] ?? command.constructor.name;
    if (inFlight === 0) rounds.push([name]);
    else rounds.at(-1)?.push(name);
    read.push(...partitionsOf(command.input));
    written.push(...writtenBy(command.input));
    inFlight += 1;
    return send(command).finally(() => {
      inFlight -= 1;
    });
  });
  const result = await act().finally(restore);
  return { result, rounds: rounds.map((calls) => calls.join('+')).join(', ') };
}
