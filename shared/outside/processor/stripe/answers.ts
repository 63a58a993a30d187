import * as z from 'zod';

/**
 * What we read of Stripe's sessions, and nothing more. A test compares each schema with the type of the `stripe` package: every
 * object of that type is accepted here, so that a version of the API that renames something does not compile.
 * Enumerations are strings: Stripe adds values, and each place that reads one says what an unknown one means.
 */

export const StripeBalanceTransaction = z.object({ currency: z.string(), fee: z.int() });

/** Expanded, or only its id where it was not asked for or is not there yet. */
const orId = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.string()]).nullable();

/** The way that was paid; under its name stands what is known of the account: `card`, `sepa_debit` … */
export const MethodDetails = z.looseObject({ type: z.string() });

const word = z.string().nullish();
const figure = z.int().nullish();

/** What we read of that, as far as the method has it. */
export const MethodFacts = z.object({
  brand: word,
  network: word,
  last4: word,
  country: word,
  exp_month: figure,
  exp_year: figure,
  funding: word,
  three_d_secure: z.object({ authentication_flow: word, result: word, version: word }).nullish(),
});
export type MethodFacts = z.infer<typeof MethodFacts>;

export const StripeCharge = z.object({
  balance_transaction: orId(StripeBalanceTransaction),
  disputed: z.boolean(),
  payment_method_details: z.unknown(),
});

export const StripeIntent = z.object({
  id: z.string(),
  status: z.string(),
  amount_received: z.int(),
  currency: z.string(),
  last_payment_error: z
    .object({ code: z.string().optional(), decline_code: z.string().optional(), message: z.string().optional() })
    .nullable(),
  latest_charge: orId(StripeCharge),
});
export type StripeIntent = z.infer<typeof StripeIntent>;

export const StripeSession = z.object({
  id: z.string(),
  livemode: z.boolean(),
  status: z.string().nullable(),
  amount_total: z.int().nullable(),
  currency: z.string().nullable(),
  client_reference_id: z.string().nullable(),
  expires_at: z.int(),
  url: z.string().nullable(),
  payment_intent: orId(StripeIntent),
});
export type StripeSession = z.infer<typeof StripeSession>;
