import * as z from 'zod';
import { asksNothing, newlyRefused } from '../unsupported.ts';

/** The API's payment methods that count as cards here. Processors use other names for other methods. */
const cardTypes: unknown[] = ['credit', 'debit'];

const leavesCards = (types: unknown): boolean =>
  asksNothing(types) || (Array.isArray(types) && types.some((type) => cardTypes.includes(type)));

/** The payment methods that the buyer may see. If a request has such a list, the buyer can pay only by card. */
export const PaymentMethodTypes = z
  .unknown()
  .refine(leavesCards, newlyRefused('leaves the buyer no way to pay; add credit and debit, or leave it out'))
  .meta({
    anyOf: [
      { type: 'null' },
      { type: 'array', maxItems: 0, items: {} },
      { type: 'array', maxItems: 1_000, items: { type: 'string', maxLength: 100 }, contains: { enum: cardTypes } },
    ],
  })
  .optional();

/** The look of the page. Colours and similar settings have no effect. */
export const Customization = z
  .unknown()
  .superRefine((value, context) => {
    const language = (value as { force_language?: unknown } | null | undefined)?.force_language;
    if (asksNothing(language)) return;
    const { error: message, params } = newlyRefused('is not supported; add ?lang= to checkout_url instead');
    context.addIssue({ code: 'custom', path: ['force_language'], message, params });
  })
  .meta({ type: ['object', 'null'], maxProperties: 50, properties: { force_language: { type: 'null' } } })
  .optional();

const isFlag = (value: unknown): boolean => value === undefined || value === null || typeof value === 'boolean';

/** The flags that can be true or false here. */
const supportedFlags: readonly string[] = ['allow_discount_code', 'allow_currency_selection'];

const takesTaxIds = 'is not supported; buyers can always enter a tax id, so leave it out';

/** The flags that are refused if they are true, each with advice on what to do instead. */
const refusedFlags: Readonly<Record<string, string>> = {
  allow_customer_editing_email: 'buyers can change every address but that of customer_id; leave it out',
  allow_editing_addons: 'there are no add-ons; leave it out',
  allow_phone_number_collection: 'ask on your own site, and send customer.phone_number',
  always_create_new_customer: 'one e-mail address is one customer; leave it out',
  redirect_immediately: 'the receipt links to return_url; leave it out',
  require_cardholder_name: 'leave it out',
  require_phone_number: 'ask on your own site, and send customer.phone_number',
  require_tax_id: 'ask on your own site, and send tax_id',
  single_page: 'leave it out',
};

/** The flags that the page always fulfils, because buyers can correct everything that the page asks for. */
const fulfilledFlags: readonly string[] = [
  'business_name',
  'city',
  'country',
  'name',
  'state',
  'street',
  'tax_id',
  'zipcode',
].map((field) => `allow_customer_editing_${field}`);

/** What is wrong with a flag; undefined if it is accepted. */
function flagFault(name: string, value: unknown): ReturnType<typeof newlyRefused> | undefined {
  if (name === 'allow_tax_id') return value === false ? newlyRefused(takesTaxIds) : undefined;
  if (supportedFlags.includes(name) || fulfilledFlags.includes(name) || asksNothing(value)) return undefined;
  return Object.hasOwn(refusedFlags, name)
    ? newlyRefused(`is not supported; ${refusedFlags[name]}`)
    : newlyRefused('is not a known flag; leave it out', 'feature_flags');
}

/** The feature flags. A flag that asks for something that the page cannot do is refused by name. */
export const FeatureFlags = z
  .record(z.string().max(100), z.unknown())
  .refine((flags) => Object.keys(flags).length <= 50, 'has more than 50 flags')
  .superRefine((flags, context) => {
    for (const [name, value] of Object.entries(flags)) {
      if (supportedFlags.includes(name) && !isFlag(value))
        context.addIssue({ code: 'custom', message: `${name} must be true or false` });
      const fault = flagFault(name, value);
      if (fault) context.addIssue({ code: 'custom', path: [name], message: fault.error, params: fault.params });
    }
  })
  .meta({ maxProperties: 50 });
