import * as z from 'zod';
import { payerConstants } from '../constants.ts';
import { always } from './always.ts';
import { common } from './fields.ts';
import { upTo } from './values.ts';

/** The buyer in the answers about payments, refunds and disputes. */
export const Payer = z.strictObject({
  customer_id: common.customer_id,
  email: common.email,
  name: upTo(250).describe('The name.'),
  ...always(payerConstants),
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
