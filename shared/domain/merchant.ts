import * as z from 'zod';

/** Who sells: what differs from stack to stack and is not a secret. */
export const Merchant = z.strictObject({
  /** Stable, short, part of the stack's name: `demo`. */
  id: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/, 'must be 2 to 31 lower-case letters, digits and hyphens'),
  name: z.string().min(1).max(100),
  /** Where the merchant is established, ISO 3166-1 alpha-2. */
  country: z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code, such as DE'),
  region: z.string().optional(),
  address: z.array(z.string().max(100)).max(6).default([]),
  supportEmail: z.email().optional(),
  /** The merchant's own tax id, printed on documents. */
  taxId: z.string().optional(),
  /** Whether a live stack may be called at all. */
  live: z.boolean().default(false),
  /** `registered_only` taxes where the merchant is registered, `everywhere` wherever the table has a rate. */
  collectPolicy: z.enum(['registered_only', 'everywhere']).optional(),
  /** What becomes of a sale to a place that the table does not know. */
  onUnsupported: z.enum(['reject', 'zero']).default('reject'),
  /** What a tax id is worth that no register could confirm. */
  onUnverifiedTaxId: z.enum(['charge', 'accept']).default('charge'),
  /** Days after the payment in which a refund is possible; absent: for ever. */
  refundWindowDays: z.int().min(1).max(3650).optional(),
  /** Mails each buyer the invoice, from this address; absent: no mail is sent. */
  receipts: z.strictObject({ from: z.email() }).optional(),
  /** Origins that a return or cancel address may have; absent: any. */
  returnOrigins: z.array(z.url()).optional(),
  /**
   * The header in which a proxy in front of the API says which country a buyer's address belongs to, such as
   * `cloudfront-viewer-country`. Absent: nobody says so, and a header of that name would be the buyer's own.
   */
  viewerCountryHeader: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be a header name in lower case')
    .optional(),
});
export type Merchant = z.infer<typeof Merchant>;

/** Test money or real money; one stack is one of them. */
export type Stage = 'sandbox' | 'live';
