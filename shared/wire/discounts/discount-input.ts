import * as z from 'zod';
import type { DiscountChange, DiscountFields } from '../../domain/discounts/discount.ts';
import { eligibilities } from '../../domain/discounts/discount.ts';
import { discountTypes } from '../../domain/discounts/discount-terms.ts';
import { maxAmount } from '../../domain/money/money.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { EmailAddress } from '../addresses.ts';
import { MetadataMap } from '../metadata.ts';
import { says, saysWith } from '../says.ts';
import { text } from '../text/texts.ts';
import { CurrencyCode, defined, idOf, MoneyAmount } from '../values.ts';
import { codeText } from './code-text.ts';

const countOf = z.int().min(1).max(maxAmount);

const DiscountTypeName = z
  .string()
  .refine(
    (type) => (discountTypes as readonly string[]).includes(type),
    saysWith('UNSUPPORTED_DISCOUNT_TYPE', sentences.one_of, { options: discountTypes.join(', ') }),
  )
  .meta({ enum: [...discountTypes] })
  .transform((type) => type as DiscountFields['type']);

const instant = z.iso
  .datetime({ offset: true, ...says(sentences.date_time) })
  .transform((value) => new Date(value).toISOString());

const CurrencyOptionInput = z.strictObject({
  currency: CurrencyCode,
  is_default: z.boolean().optional(),
  max_amount_possible: MoneyAmount.refine((amount) => amount > 0, says(sentences.at_least, { least: 1 })).nullish(),
  minimum_subtotal: MoneyAmount.optional(),
});

const amount = MoneyAmount.refine((value) => value > 0, says(sentences.at_least, { least: 1 }));
const code = z.union([z.literal('').transform(() => null), codeText]);
const currencyOptions = z.array(CurrencyOptionInput).max(200);
const products = z.array(idOf('pdt')).max(100, says(sentences.too_many, { most: 100, entries: 'products' }));

const name = text(1, 100);
const eligibility = z.enum(eligibilities);

const toCurrencies = (rows: z.output<typeof currencyOptions>) =>
  rows.map((row) => ({
    currency: row.currency,
    isDefault: row.is_default,
    maximum: row.max_amount_possible ?? null,
    minimumSubtotal: row.minimum_subtotal ?? 0,
  }));

type CreateFields = Omit<DiscountFields, 'code'> & { code: string | null };

/** A field that becomes null if the request does not have it. */
const orNull = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value): z.output<T> | null => value ?? null);

const created = {
  type: DiscountTypeName,
  amount,
  code: orNull(code),
  name: orNull(name),
  currency_options: currencyOptions.nullish().transform((rows) => toCurrencies(rows ?? [])),
  restricted_to: products.nullish().transform((ids) => ids ?? []),
  usage_limit: orNull(countOf),
  per_customer_usage_limit: orNull(countOf),
  starts_at: orNull(instant),
  expires_at: orNull(instant),
  customer_eligibility: eligibility.nullish().transform((who) => who ?? 'any'),
  metadata: MetadataMap.nullish().transform((map) => map ?? {}),
  preserve_on_plan_change: z.boolean().default(false),
  subscription_cycles: orNull(countOf),
  below_minimum: z.boolean().default(false),
  combinable: z.boolean().default(true),
};

/** The body of `POST /discounts`. If it names no code, a random one is made. */
export const DiscountInput = z.strictObject(created).transform(
  (input): CreateFields => ({
    type: input.type,
    amount: input.amount,
    code: input.code,
    name: input.name,
    currencies: input.currency_options,
    restrictedTo: input.restricted_to,
    usageLimit: input.usage_limit,
    perCustomerLimit: input.per_customer_usage_limit,
    startsAt: input.starts_at,
    expiresAt: input.expires_at,
    eligibility: input.customer_eligibility,
    metadata: input.metadata,
    keptOnPlanChange: input.preserve_on_plan_change,
    cycles: input.subscription_cycles,
    belowMinimum: input.below_minimum,
    ...(!input.combinable && { combinable: false }),
  }),
);

const changed = {
  type: DiscountTypeName.nullish().transform(orKept),
  amount: amount.nullish().transform(orKept),
  code: code.nullish().transform(orKept),
  name: name.nullish(),
  currency_options: currencyOptions.nullish().transform((rows) => rows && toCurrencies(rows)),
  restricted_to: products.nullish(),
  usage_limit: countOf.nullish(),
  per_customer_usage_limit: countOf.nullish(),
  starts_at: instant.nullish(),
  expires_at: instant.nullish(),
  customer_eligibility: eligibility.nullish().transform(orKept),
  metadata: MetadataMap.nullish(),
  preserve_on_plan_change: z.boolean().nullish().transform(orKept),
  subscription_cycles: countOf.nullish(),
  below_minimum: z.boolean().optional(),
  combinable: z.boolean().optional(),
};

/** Turns `null` into undefined, for a field that every code has. So `null` does not change the field. */
function orKept<T>(value: T | null | undefined): T | undefined {
  return value ?? undefined;
}

/** The body of `PATCH /discounts/{id}`. `null` clears optional fields, and does not change the others. */
export const DiscountChangeInput = z.strictObject(changed).transform(
  (input): DiscountChange => ({
    ...(input.combinable !== undefined && { combinable: input.combinable ? undefined : false }),
    ...(defined({
      type: input.type,
      amount: input.amount,
      code: input.code,
      name: input.name,
      currencies: input.currency_options === null ? [] : input.currency_options,
      restrictedTo: input.restricted_to === null ? [] : input.restricted_to,
      usageLimit: input.usage_limit,
      perCustomerLimit: input.per_customer_usage_limit,
      startsAt: input.starts_at,
      expiresAt: input.expires_at,
      eligibility: input.customer_eligibility,
      metadata: input.metadata === null ? {} : input.metadata,
      keptOnPlanChange: input.preserve_on_plan_change,
      cycles: input.subscription_cycles,
      belowMinimum: input.below_minimum,
    }) as DiscountChange),
  }),
);

const mostGuests = 1_000;

/**
 * The body of `POST /discounts/{id}/customers`. It has customer ids, or e-mail addresses, which are turned into ids.
 */
export const DiscountCustomersInput = z
  .strictObject({
    customer_ids: z.array(idOf('cus')).max(mostGuests).optional(),
    emails: z.array(EmailAddress).max(mostGuests).optional(),
  })
  .refine(({ customer_ids = [], emails = [] }) => customer_ids.length + emails.length > 0, {
    ...says(sentences.discount_guests),
    path: ['customer_ids'],
  })
  .transform(({ customer_ids = [], emails = [] }) => ({ customerIds: customer_ids, emails }));
