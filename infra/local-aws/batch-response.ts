import * as z from 'zod';

const BatchResponse = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() })
  .nullish();

/**
 * The ids of the items in a batch that a function reports as failed. Empty if there is no response; undefined if the
 * response is invalid.
 */
export function failedItems(response: unknown): string[] | undefined {
  const parsed = BatchResponse.safeParse(response);
  return parsed.success
    ? (parsed.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier)
    : undefined;
}
