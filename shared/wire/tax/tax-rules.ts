import * as z from 'zod';
import { taxCategories } from '../../domain/checkout/tax.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import type { RateOverride } from '../../tax/rules/override.ts';
import type { TaxRegistration } from '../../tax/rules/registration.ts';
import type { SettingAnswer } from '../access/access-answer.ts';
import { says } from '../says.ts';
import { taxIdText, text } from '../text/texts.ts';
import { CountryCode, defined, idOf, MoneyAmount, TaxCategoryName } from '../values.ts';

const localDay = z.iso.date(says(sentences.day));
const decimal = z.string(says(sentences.decimal)).regex(/^\d{1,3}(\.\d{1,6})?$/, says(sentences.decimal_places));

const registrationFields = {
  country: CountryCode,
  region: text(1, 60).nullish(),
  scheme: z.enum(['standard', 'simplified', 'oss']),
  tax_id: taxIdText(1, 50).nullish(),
  active_from: localDay,
  expires_at: localDay.nullish(),
  business_buyers: z.enum(['relieved', 'charged']).nullish(),
};

const toRegistration = (input: Partial<z.output<z.ZodObject<typeof registrationFields>>>) =>
  defined({
    country: input.country,
    region: input.region ?? undefined,
    scheme: input.scheme,
    taxId: input.tax_id ?? undefined,
    activeFrom: input.active_from,
    expiresAt: input.expires_at ?? undefined,
    businessBuyers: input.business_buyers ?? undefined,
  });

export const RegistrationInput = z
  .strictObject({ ...registrationFields, scheme: registrationFields.scheme.default('standard') })
  .transform((input) => toRegistration(input) as Omit<TaxRegistration, 'id'>);

/** The fields of a registration that may change. Its place may not, because it identifies the registration. */
export const RegistrationChange = z
  .strictObject({
    scheme: registrationFields.scheme,
    tax_id: registrationFields.tax_id,
    active_from: localDay,
    expires_at: localDay.nullish(),
    business_buyers: registrationFields.business_buyers,
  })
  .partial()
  .transform((input) => ({
    ...toRegistration(input),
    ...(input.expires_at === null ? { expiresAt: undefined } : {}),
    ...(input.tax_id === null ? { taxId: undefined } : {}),
    ...(input.business_buyers === null ? { businessBuyers: undefined } : {}),
  }));

const overrideFields = {
  country: CountryCode,
  region: text(1, 60).nullish(),
  postal_code_prefix: text(1, 12).nullish(),
  category: TaxCategoryName.nullish(),
  mode: z.enum(['replace', 'add']),
  taxability: z.enum(['taxable', 'zero_rated', 'exempt', 'not_taxable', 'no_tax', 'outside_scope']).default('taxable'),
  components: z
    .array(z.strictObject({ name: text(1, 60), rate: decimal, base_fraction: decimal.optional() }))
    .max(6)
    .default([]),
  effective_from: localDay,
  effective_to: localDay.nullish(),
  reason: text(1, 500),
  customer_id: idOf('cus').nullish(),
  certificate: text(1, 100).nullish(),
};

export const OverrideInput = z.strictObject(overrideFields).transform(
  (input) =>
    defined({
      country: input.country,
      region: input.region ?? undefined,
      postalCodePrefix: input.postal_code_prefix ?? undefined,
      category: input.category ?? undefined,
      mode: input.mode,
      taxability: input.taxability,
      components: input.components.map(({ name, rate, base_fraction }) =>
        defined({ name, rate, baseFraction: base_fraction }),
      ),
      effectiveFrom: input.effective_from,
      effectiveTo: input.effective_to ?? undefined,
      reason: input.reason,
      customerId: input.customer_id ?? undefined,
      certificate: input.certificate ?? undefined,
    }) as Omit<RateOverride, 'id'>,
);

export const presentRegistration = (registration: TaxRegistration): SettingAnswer<'TaxRegistration'> => ({
  id: registration.id,
  country: registration.country,
  region: registration.region ?? null,
  scheme: registration.scheme,
  tax_id: registration.taxId ?? null,
  active_from: registration.activeFrom,
  expires_at: registration.expiresAt ?? null,
  business_buyers: registration.businessBuyers ?? null,
});

export const presentOverride = (override: RateOverride): SettingAnswer<'TaxOverride'> => ({
  id: override.id,
  country: override.country,
  region: override.region ?? null,
  postal_code_prefix: override.postalCodePrefix ?? null,
  category: override.category ?? null,
  mode: override.mode,
  taxability: override.taxability,
  components: override.components.map(({ name, rate, baseFraction }) => ({
    name,
    rate,
    base_fraction: baseFraction ?? null,
  })),
  effective_from: override.effectiveFrom,
  effective_to: override.effectiveTo ?? null,
  reason: override.reason,
  customer_id: override.customerId ?? null,
  certificate: override.certificate ?? null,
});

/**
 * The declaration of a small seller: it is established in only one member state, and has these sales to others outside
 * Tillstack.
 */
export const SmallSellerInput = z
  .strictObject({
    currency: z.literal('EUR'),
    is_one_state: z.literal(true, says(sentences.small_seller_one_state)),
    last_year: MoneyAmount,
    this_year: MoneyAmount,
  })
  .transform(({ last_year: lastYear, this_year: thisYear }) => ({ lastYear, thisYear }));

/** A short list that fits on one page. */
export const presentAll =
  <Item>(present: (item: Item) => unknown) =>
  (items: readonly Item[]) => ({ items: items.map(present), has_more: false, next_cursor: null });

/** The query of `GET /checkout/supported_countries`: one category, or all of them. */
export const CountriesQuery = z
  .strictObject({ tax_category: TaxCategoryName.optional() })
  .transform(({ tax_category: category }) => ({ categories: category ? [category] : taxCategories }));
