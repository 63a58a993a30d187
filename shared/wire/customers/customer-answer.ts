import * as z from 'zod';
import { answeredId, instantText, metadataMap, pageOf, upTo } from '../answer-values.ts';

/** A customer of the merchant, with what has become of the erasure of their data. */
const Customer = z.strictObject({
  customer_id: answeredId('cus'),
  business_id: upTo(31),
  created_at: instantText,
  email: upTo(254),
  name: upTo(250),
  phone_number: upTo(40).nullable(),
  metadata: metadataMap,
  blocked_at: z.null(),
  blocklist_entry_id: z.null(),
  erasure: z
    .strictObject({
      status: z.enum(['erasing', 'erased']),
      requested_at: instantText,
      erased_at: instantText.nullable(),
    })
    .nullable(),
});

export const customerAnswers = { CustomerProfile: Customer, CustomerPage: pageOf(Customer) } as const;
