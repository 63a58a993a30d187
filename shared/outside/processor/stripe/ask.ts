import * as z from 'zod';
import { ProcessorError } from '../../../domain/processor.ts';
import { type StripeClient, StripeRefusal } from './client.ts';

/** One page of a list, newest first. */
export const listedPageOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ data: z.array(schema), has_more: z.boolean() });

interface Search<Item> {
  schema: z.ZodType<Item>;
  parameters: {
    created?: { gte: number; lte: number };
    payment_intent?: string;
    type?: string;
    limit: number;
    expand?: string[];
  };
  isSought: (item: Item) => boolean;
}

/** The first matching item of a list, read page by page. */
export async function findListed<Item extends { id: string }>(
  client: StripeClient,
  path: string,
  { schema, parameters, isSought }: Search<Item>,
): Promise<Item | undefined> {
  const Page = listedPageOf(schema);
  for (let after: string | undefined; ; ) {
    const { data, has_more } = parse(Page, await client.get(path, { ...parameters, starting_after: after }));
    const sought = data.find(isSought);
    if (sought || !has_more || data.length === 0) return sought;
    after = data.at(-1)?.id;
  }
}

/** All items of a list, read page by page. */
export async function listAll<Item extends { id: string }>(
  client: StripeClient,
  path: string,
  { schema, parameters }: Omit<Search<Item>, 'isSought'>,
): Promise<Item[]> {
  const found: Item[] = [];
  const isSought = (item: Item) => found.push(item) === 0;
  await findListed(client, path, { schema, parameters, isSought });
  return found;
}

/** Parses an answer. Throws `unavailable` if that fails, so the caller asks again. */
export function parse<Output>(schema: z.ZodType<Output>, answer: unknown): Output {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  const paths = read.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new ProcessorError('unavailable', `Stripe answered unreadably: ${paths}.`);
}

/**
 * Returns the refusal of a request, which had no effect. It throws all other errors, and also a conflict about the
 * idempotency key.
 */
export function refusalIn(error: unknown): StripeRefusal {
  if (error instanceof StripeRefusal && error.kind === 'refused' && error.type !== 'idempotency_error') return error;
  throw error;
}
