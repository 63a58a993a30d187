import * as z from 'zod';
import { common } from './fields.ts';
import { upTo } from './values.ts';

/** The buyer within payments, refunds and disputes. */
export const Payer = z.strictObject({
  customer_id: common.customer_id,
  email: common.email,
  name: upTo(250).describe('The name.'),
  metadata: z.strictObject({}).describe('Always empty.'),
  phone_number: common.phone_number,
});

export type PayerAnswer = z.input<typeof Payer>;

/** The buyer's address. */
export const PostalAddress = z.strictObject({
  country: common.country,
  state: upTo(100).nullable().describe('The state or province.'),
  city: upTo(100).nullable().describe('The city.'),
  street: upTo(200).nullable().describe('The street and the number.'),
  zipcode: upTo(20).nullable().describe('The postal code.'),
});
