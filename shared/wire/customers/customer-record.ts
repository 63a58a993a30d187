import * as z from 'zod';
import type { CustomerChange, CustomerProfile } from '../../domain/customers/customer-record.ts';
import type { Site } from '../../domain/site.ts';
import { EmailAddress, PhoneNumber } from '../addresses.ts';
import { customerConstants } from '../constants.ts';
import { MetadataMap } from '../metadata.ts';
import { createdFields, type ListTerms, onePaging, pageFields } from '../page.ts';
import { text } from '../text/texts.ts';
import { noLongerIgnored } from '../unsupported.ts';
import type { CustomerAnswer } from './customer-answer.ts';

export const CustomerQuery = onePaging(
  z.strictObject({
    ...pageFields,
    ...createdFields,
    email: z.string().max(254).optional(),
    name: z.string().max(250).optional(),
  }),
);

/** The limits of a list of customers. The metadata of one customer may have 100 kB. */
export const customerTerms: ListTerms = {
  narrowedBy: ['created_at_gte', 'created_at_lte', 'email'],
  mostItemBytes: 112_500,
};

interface CustomerFields {
  email?: string | null | undefined;
  name?: string | null | undefined;
  phone_number?: string | null | undefined;
  metadata?: CustomerChange['metadata'] | null | undefined;
}

/** The change in a request. An e-mail address or a name cannot be removed, so null does not change it. */
const toChange = ({ email, name, phone_number: phone, metadata }: CustomerFields): CustomerChange => ({
  email: email ?? undefined,
  name: name ?? undefined,
  phone: phone === '' ? null : phone,
  metadata: metadata === null ? {} : metadata,
});

const optionalFields = {
  phone_number: PhoneNumber.nullish(),
  metadata: MetadataMap.nullish(),
  preferred_locale: noLongerIgnored(
    'mails are in the language in which the buyer paid, or which the buyer chose in the portal; leave it out',
  ),
};

/** The body of `POST /customers`. */
export const CustomerInput = z
  .strictObject({ email: EmailAddress, name: text(1, 250), ...optionalFields })
  .transform((input) => ({ ...toChange(input), email: input.email }));

/** The body of `PATCH /customers/{customer_id}`. */
export const CustomerChangeInput = z
  .strictObject({ email: EmailAddress.nullish(), name: text(1, 250).nullish(), ...optionalFields })
  .transform(toChange);

/** A customer, with the state of the erasure of their data. That state is null if no erasure was requested. */
export const presentCustomerRecord =
  (site: Site) =>
  (customer: CustomerProfile): CustomerAnswer<'CustomerProfile'> => ({
    customer_id: customer.id,
    business_id: site.businessId,
    created_at: customer.createdAt,
    email: customer.email,
    name: customer.name,
    phone_number: customer.phone,
    metadata: customer.metadata,
    ...customerConstants,
    erasure: customer.erasure && {
      status: customer.erasure.endedAt === null ? 'erasing' : 'erased',
      requested_at: customer.erasure.requestedAt,
      erased_at: customer.erasure.endedAt,
    },
  });
