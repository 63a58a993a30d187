import * as z from 'zod';
import { chargeStatuses } from '../../domain/checkout/checkout-session.ts';
import { taxCategories, zeroReasons } from '../../domain/checkout/tax.ts';
import { taxabilities } from '../../tax/rates/rate-sheet.ts';
import {
  answeredId,
  countryText,
  decimalText,
  instantText,
  metadataMap,
  paidAmount,
  paidCurrency,
  percentage,
  upTo,
} from './values.ts';

/** Fields that many answers have, each with its description. */
export const common = {
  amount: paidAmount.describe('An amount in minor units, tax included.'),
  base_fraction: decimalText.describe('The taxed part of the net, a decimal string: `1` nearly everywhere.'),
  brand_id: answeredId('brnd').describe('The id of the brand that buyers see.'),
  business_id: upTo(31).describe('The id of the merchant.'),
  checkout_session_id: answeredId('cks').describe('The id of the checkout session.'),
  country: countryText.describe('The country, ISO 3166-1 alpha-2.'),
  created_at: instantText.describe('When it was created, in UTC.'),
  currency: paidCurrency.describe('The currency, ISO 4217.'),
  customer_id: answeredId('cus').describe('The id of the customer. One normalized e-mail address is one customer.'),
  description: upTo(1_000).describe('A text for people.'),
  discount_amount: paidAmount
    .optional()
    .describe('What codes take off, in minor units of the displayed or chosen amount. Absent without a code.'),
  discount_codes: z
    .array(upTo(16))
    .max(20)
    .describe('Codes in the order in which they are taken off, at most 20, each once.'),
  email: upTo(254).describe('The e-mail address.'),
  error_code: upTo(100).nullable().describe('Why the payment failed; null unless it failed.'),
  error_message: upTo(1_000).nullable().describe('Why the payment failed, in words; null unless it failed.'),
  event_id: answeredId('evt').describe('The id of the event, sent as `webhook-id`.'),
  exemptions: z
    .array(upTo(1_000))
    .max(100)
    .describe('Why the merchant’s own rules exempt the sale, as documents print it.'),
  expires_at: instantText.nullable().describe('When it expires; null where it never does.'),
  item_id: answeredId('pdt').describe('The line: the id of its product, `items_id` of the line items.'),
  jurisdiction: upTo(20).describe('Who levies the tax, such as `DE`, `US-TX` or `CA-QC`.'),
  metadata: metadataMap.describe(
    'Your own data: at most 50 keys with strings, numbers or booleans. It is returned as it was sent, and cannot be searched.',
  ),
  name: upTo(100).describe('The name.'),
  net_amount: paidAmount.describe('The amount without tax, in minor units.'),
  payment_id: answeredId('pay').describe('The id of the payment.'),
  payment_status: z.enum(chargeStatuses).nullable().describe('The status of that payment; null while there is none.'),
  phone_number: upTo(40).nullable().describe('The phone number; null where it is unknown.'),
  product_id: answeredId('pdt').describe('The id of the product.'),
  quantity: z.int().min(1).max(1_000_000).describe('How many units.'),
  rate: percentage.nullable().describe('The rate as a percentage, such as 19; null where no tax is charged.'),
  reason: z.enum(zeroReasons).nullable().describe('Why no tax is charged; null where it is.'),
  region: upTo(60).nullable().describe('The state or province, where tax is regional.'),
  tax: paidAmount.describe('The tax in minor units.'),
  tax_category: z.enum(taxCategories).describe('What kind of product it is, as tax law sees it.'),
  tax_inclusive: z.boolean().describe('Whether the price contains the tax.'),
  tax_rate: percentage.describe('The rates of the line together, as a percentage.'),
  taxability: z.enum(taxabilities).describe('How the place treats the sale.'),
  timestamp: instantText.describe('When it happened.'),
  total_amount: paidAmount.describe('The total in minor units, tax included.'),
  unit_amount: paidAmount.describe(
    'The displayed price of one unit, or the amount that the buyer chose, in minor units.',
  ),
  updated_at: instantText.describe('When it last changed, in UTC.'),
  webhook_id: answeredId('whk').describe('The id of the endpoint.'),
};
