import * as z from 'zod';
import { keptConsentKinds } from './checkout/consent.ts';
import { isTimeZone } from './places/zone-date.ts';
import { isAppScheme } from './return-address.ts';

/** The merchant: everything that differs between stacks and is not secret. */
export const Merchant = z.strictObject({
  /** A stable, short id, which is part of the stack's name: `demo`. */
  id: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/, 'must be 2 to 31 lower-case letters, digits and hyphens'),
  name: z.string().min(1).max(100),
  /** The country where the merchant is established, ISO 3166-1 alpha-2. */
  country: z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code, such as DE'),
  region: z.string().optional(),
  address: z.array(z.string().max(100)).max(6).default([]),
  /** The city and the postal code, which are also in a line of the address. XML invoices name them separately. */
  city: z.string().min(1).max(100).optional(),
  postalCode: z.string().min(1).max(20).optional(),
  supportEmail: z.email().optional(),
  /** The telephone number for buyers. The law of the EU requires one in addition to the e-mail address. */
  supportPhone: z
    .string()
    .regex(/^\+[1-9][\d ()/.-]{5,30}$/, 'must be a telephone number with its country, such as +49 30 1234567')
    .optional(),
  /** The merchant's own tax id, printed on documents. */
  taxId: z.string().optional(),
  /** Whether the live stack accepts calls. */
  live: z.boolean().default(false),
  /** `registered_only` collects tax where the merchant is registered, `everywhere` in every place that has a rate. */
  collectPolicy: z.enum(['registered_only', 'everywhere']).optional(),
  /** What happens in a place without a known rate: the sale is refused, or made without tax. */
  onUnsupported: z.enum(['reject', 'zero']).default('reject'),
  /** What happens if no register can confirm a tax id: the id is accepted, or the tax is charged. */
  onUnverifiedTaxId: z.enum(['charge', 'accept']).default('charge'),
  /**
   * Whether a correction waits for the merchant if a tax id is confirmed after the sale. `automatic` corrects only if
   * the register's name matches the buyer's, or the register gives no name. Absent means `proposed`.
   */
  taxIdCorrections: z.enum(['proposed', 'automatic']).optional(),
  /**
   * The countries where tax is added to a price with the tax mode `location`, ISO 3166-1 alpha-2; absent means US and
   * CA.
   */
  exclusiveCountries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code, such as US'))
    .max(50)
    .optional(),
  /**
   * The IANA time zone in which the dashboard and its files of payments show times, such as `Europe/Berlin`. Absent
   * means UTC. Documents and returns keep the calendar of the place of taxation.
   */
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin').optional(),
  /** The number of days after a payment in which refunds are possible; absent means no limit. */
  refundWindowDays: z.int().min(1).max(3650).optional(),
  /** The sender of invoice mails. If absent, no mail is sent. */
  receipts: z.strictObject({ from: z.email() }).optional(),
  /** The allowed origins of return and cancel addresses; absent means all. */
  returnOrigins: z.array(z.url()).optional(),
  /** The URL schemes of the merchant's apps, to which a checkout may return: `com.example.shop`. Absent means none. */
  returnSchemes: z
    .array(z.string().refine(isAppScheme, 'must be the scheme of an app in lower case, such as com.example.shop'))
    .max(10)
    .optional(),
  /**
   * What buyers must agree to on the page; absent means nothing. The page only asks for `terms`. Programs that pay a
   * session do not need these consents.
   */
  consents: z.array(z.enum(keptConsentKinds)).optional(),
  /** Whether an event announces that a checkout with an e-mail address expired unpaid; absent means no. */
  expiredCheckoutEvents: z.boolean().optional(),
  /**
   * Whether the API refuses unsupported fields that version 0.2.0 ignored. If absent, they are ignored and noted for
   * the merchant.
   */
  strictFields: z.boolean().optional(),
  /**
   * The header with the country of the buyer's IP address. A proxy in front of the API sets it, such as
   * `cloudfront-viewer-country`. Absent if no proxy sets one, because then the buyer could forge it.
   */
  viewerCountryHeader: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be a header name in lower case')
    .optional(),
});
export type Merchant = z.infer<typeof Merchant>;

/** Test money or real money. A stack has exactly one stage. */
export type Stage = 'sandbox' | 'live';
