import { isDeepStrictEqual } from 'node:util';
import { DynamoError } from '../../../infra/local-aws/table/dynamo-error.ts';
import type { RandomCommand } from './random-commands.ts';

/** The answer of a server to one command, and the records that the command left in its stream. */
export interface Outcome {
  answer: Record<string, unknown>;
  refusal: string | undefined;
  message: string | undefined;
  /** The changes of rows in its stream. */
  records: unknown[];
  /** How many other records of the stream changed nothing. */
  unchanged: number;
}

/** One command to which the two servers gave different answers. */
export interface Difference {
  step: number;
  command: RandomCommand;
  theirs: Outcome;
  ours: Outcome;
}

/** The elements of a set, and the rows of a batch, have no order. */
export function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (/^(SS|NS|BS)$/.test(name) && Array.isArray(member)) return [name, member.toSorted()];
      if (name === 'Responses' && !Array.isArray(member)) return [name, batchOf(member)];
      return [name, withoutOrder(member)];
    }),
  );
}

const batchOf = (responses: Record<string, unknown[]>): object =>
  Object.fromEntries(
    Object.entries(responses).map(([name, rows]) => [
      name,
      rows.map((row) => JSON.stringify(sortedNames(withoutOrder(row)))).sort(),
    ]),
  );

/** The same with the members of objects in one order. */
export function sortedNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedNames);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sortedNames(member)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The outcome of a call. */
export async function outcomeOf(
  asking: Promise<Record<string, unknown>>,
): Promise<Pick<Outcome, 'answer' | 'refusal' | 'message'>> {
  try {
    const answer = (await asking) as { Items?: unknown[] };
    return { answer: withoutOrder(answer) as Outcome['answer'], refusal: undefined, message: undefined };
  } catch (error) {
    if (!(error instanceof DynamoError)) throw error;
    const { CancellationReasons, Item } = error.details as {
      CancellationReasons?: { Code: string; Item?: object }[];
      Item?: object;
    };
    const reasons = CancellationReasons?.map((reason) => ({ Code: reason.Code, Item: reason.Item }));
    return {
      answer: withoutOrder({ reasons, Item }) as Outcome['answer'],
      refusal: error.name,
      message: error.message,
    };
  }
}

/** Whether two servers said the same; messages are each server's own words. */
export const isSameOutcome = (theirs: Outcome, ours: Outcome): boolean =>
  theirs.refusal === ours.refusal &&
  ours.unchanged === 0 &&
  isDeepStrictEqual(sortedNames(theirs.answer), sortedNames(ours.answer)) &&
  isDeepStrictEqual(sortedNames(theirs.records), sortedNames(ours.records));
