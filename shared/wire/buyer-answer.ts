import * as z from 'zod';
import { answeredId, countryText, upTo } from './answer-values.ts';

/** The buyer within payments, refunds and disputes. */
export const Payer = z.strictObject({
  customer_id: answeredId('cus'),
  email: upTo(254),
  name: upTo(250),
  metadata: z.strictObject({}),
  phone_number: upTo(40).nullable(),
});

/** Where the buyer is. */
export const PostalAddress = z.strictObject({
  country: countryText,
  state: upTo(100).nullable(),
  city: upTo(100).nullable(),
  street: upTo(200).nullable(),
  zipcode: upTo(20).nullable(),
});
