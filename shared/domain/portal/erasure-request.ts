import * as z from 'zod';
import { dayMs } from '../duration.ts';

/** A buyer's request that the merchant erases their data. Its only data about a person is the customer's id. */
export const ErasureRequest = z.object({
  customerId: z.string(),
  requestedAt: z.string(),
});
export type ErasureRequest = z.infer<typeof ErasureRequest>;

/**
 * The days for an answer. The shortest month has 28 days, so the answer is always in time (art. 12(3) GDPR: one month).
 */
const answerDays = 28;

/** The day by which the merchant must have answered. */
export const answerBy = ({ requestedAt }: Pick<ErasureRequest, 'requestedAt'>): string =>
  new Date(Date.parse(requestedAt) + answerDays * dayMs).toISOString();
