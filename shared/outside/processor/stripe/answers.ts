import * as z from 'zod';

/**
 * The fields of Stripe's sessions that we read. A test compares each schema with the type in the `stripe` package. The
 * schema must accept every object of that type, so a renamed field in a new version does not compile. Enums are strings
 * here, because Stripe adds values, and each reader handles unknown values. A field that a sale does not need may be
 * null or absent, as the type says.
 */

export const StripeBalanceTransaction = z.object({ currency: z.string(), fee: z.int() });

/** The expanded object, or its id if it was not expanded. Null or absent if it does not exist yet. */
const orId = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.string()]).nullish();

/** The method of payment. Details of the account are under its name: `card`, `sepa_debit` … */
export const MethodDetails = z.looseObject({ type: z.string() });

const word = z.string().nullish();
const figure = z.int().nullish();

/** The details of the payment method that we read, if the method has them. */
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
  /**
   * The balance transaction is parsed separately, so that an unreadable fee does not make the whole payment unreadable.
   */
  balance_transaction: z.unknown(),
  created: figure,
  disputed: z.boolean().nullish(),
  payment_method_details: z.unknown(),
});

export const StripeIntent = z.object({
  id: z.string(),
  status: z.string(),
  amount_received: z.int(),
  currency: z.string(),
  last_payment_error: z.object({ code: word, decline_code: word, message: word }).nullish(),
  latest_charge: orId(StripeCharge),
});
export type StripeIntent = z.infer<typeof StripeIntent>;

export const StripeSession = z.object({
  id: z.string(),
  livemode: z.boolean(),
  status: word,
  amount_total: figure,
  currency: word,
  client_reference_id: word,
  expires_at: z.int(),
  url: word,
  payment_intent: orId(StripeIntent),
});
export type StripeSession = z.infer<typeof StripeSession>;
