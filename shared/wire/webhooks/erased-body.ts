import * as z from 'zod';

const Named = z.looseObject({});

/** The parts of an event's body that can contain personal data. */
const Body = z.looseObject({
  data: z.looseObject({
    customer: Named.optional(),
    billing: Named.optional(),
    metadata: Named.optional(),
    reason: z.string().nullish(),
    public_reason: z.string().nullish(),
    refunds: z.array(Named).optional(),
    card_exp_month: z.string().nullish(),
    payload_type: z.string().optional(),
    license_key: Named.nullish(),
    decisions: z.array(Named).optional(),
  }),
});

const nobody = { email: '', name: '', metadata: {}, phone_number: null };
const nowhere = { city: null, state: null, street: null, zipcode: null };

/** Replaces the values of these members, if they exist. */
const replaced = (object: object | undefined, values: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(object ?? {}).map(([name, value]) => [name, name in values ? values[name] : value]),
  );

/** The body of an event without the buyer's data and free texts. Members and their order stay the same. */
export function erasedBody(body: string): string {
  const { data, ...event } = Body.parse(JSON.parse(body));
  // The reason of a dispute stays, because it is one of the bank's fixed words.
  const texts = 'dispute_id' in data ? {} : { reason: null, public_reason: null };
  const erased = replaced(data, {
    customer: replaced(data.customer, nobody),
    billing: replaced(data.billing, nowhere),
    metadata: {},
    refunds: data.refunds?.map((refund) => replaced(refund, { reason: null })),
    card_exp_month: null,
    card_exp_year: null,
    license_key: data.license_key && replaced(data.license_key, { key: '' }),
    revocation_reason: null,
    ...(data.payload_type === 'LicenseKey' && { key: '' }),
    ...(data.payload_type === 'Withdrawal' && {
      ...{ name: '', email: '', reference: '' },
      decisions: data.decisions?.map((decision) => replaced(decision, { note: null })),
    }),
    ...texts,
  });
  return JSON.stringify(replaced({ ...event, data }, { data: erased }));
}
