import * as z from 'zod';
import { dayMs } from '../duration.ts';

/** A buyer's request that the merchant erases their data. It holds nothing about a person but the customer's id. */
export const ErasureRequest = z.object({
  customerId: z.string(),
  requestedAt: z.string(),
});
export type ErasureRequest = z.infer<typeof ErasureRequest>;

/** The shortest month has 28 days, so an answer by then is in time (art. 12(3) GDPR: one month). */
const answerDays = 28;

/** By when the merchant must have answered. */
export const answerBy = ({ requestedAt }: Pick<ErasureRequest, 'requestedAt'>): string =>
  new Date(Date.parse(requestedAt) + answerDays * dayMs).toISOString();
