import * as z from 'zod';
import { always } from '../answers/always.ts';
import { common } from '../answers/fields.ts';
import { instantText, link, pageOf, upTo } from '../answers/values.ts';
import { customerConstants } from '../constants.ts';

const noBlockLists = 'there are no block lists';

/** A customer of the merchant, with the state of the erasure of their data. */
const Customer = z.strictObject({
  customer_id: common.customer_id,
  business_id: common.business_id,
  created_at: common.created_at,
  email: common.email,
  name: upTo(250).describe('The name.'),
  phone_number: common.phone_number,
  metadata: common.metadata,
  ...always(customerConstants, { blocked_at: noBlockLists, blocklist_entry_id: noBlockLists }),
  erasure: z
    .strictObject({
      status: z.enum(['erasing', 'erased']).describe('The status.'),
      requested_at: instantText.describe('When the erasure was requested.'),
      erased_at: instantText.nullable().describe('When the erasure ended; null while it goes on.'),
    })
    .nullable()
    .describe('What has become of the erasure of the customer’s personal data; null where it was not requested.'),
});

/** A link to the purchases of a customer. */
const CustomerPortalSession = z.strictObject({
  link: link.describe(
    'Leads the customer to all their purchases. It works for 24 hours, once, in the browser in which its button is pressed.',
  ),
});

export const customerAnswers = {
  CustomerProfile: Customer,
  CustomerPage: pageOf(Customer),
  CustomerPortalSession,
} as const;
export type CustomerAnswer<Name extends keyof typeof customerAnswers> = z.input<(typeof customerAnswers)[Name]>;
