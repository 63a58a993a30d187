import * as z from 'zod';
import { pricingModes } from '../../domain/catalogue/localized-price.ts';
import type { Price } from '../../domain/catalogue/price.ts';
import type { NewProduct, PriceTerms, ProductChange } from '../../domain/catalogue/product.ts';
import type { PriceTax } from '../../domain/catalogue/tax-mode.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { supplyKinds } from '../../domain/withdrawal/supply.ts';
import { MetadataMap } from '../metadata.ts';
import { says, saysWith } from '../says.ts';
import { prose, text } from '../text/texts.ts';
import { noLongerIgnored } from '../unsupported.ts';
import { CountryCode, CurrencyCode, defined, idOf, MoneyAmount, TaxCategoryName } from '../values.ts';
import { type Given, givenFields, givenOf } from './given-fields.ts';
import { offerOf, QuantityLimits } from './offer-fields.ts';
import { readOwnTerms, refusedIfFixed, termInputs } from './price-terms.ts';
import { ImageId } from './upload.ts';

const noDiscount = z.union([z.literal(0), z.null()], says(sentences.price_discount)).optional();

const priceFields = z.strictObject({
  type: z
    .string()
    .refine((value) => value === 'one_time_price', saysWith('INVALID_REQUEST_PARAMETERS', sentences.price_type))
    .meta({ const: 'one_time_price' }),
  currency: CurrencyCode,
  price: MoneyAmount,
  pay_what_you_want: z.boolean().default(false),
  ...termInputs(),
  tax_inclusive: z.boolean().nullish(),
  tax_mode: z.enum(['inclusive', 'exclusive', 'location']).nullish(),
  tax_anchor: CountryCode.nullish(),
  discount: noDiscount,
  discount_bps: noDiscount,
  purchasing_power_parity: z.unknown().optional(),
});

/**
 * The price of a product in a request. A fixed price refuses terms such as a minimum, because they would promise
 * something wrong.
 */
const PriceInput = refusedIfFixed().reduce(
  (schema, field) =>
    schema.refine((input) => input.pay_what_you_want || !input[field], {
      ...saysWith('INVALID_REQUEST_PARAMETERS', sentences.not_chosen),
      path: [field],
    }),
  priceFields,
);
type PriceInput = z.infer<typeof PriceInput>;

function toTerms(input: PriceInput): PriceTerms {
  const { currency, price } = input;
  if (!input.pay_what_you_want) return { kind: 'fixed', currency, unitAmount: price };
  return { kind: 'pay_what_you_want', currency, minimum: price, ...readOwnTerms(input) };
}

const fields = {
  name: text(1, 100),
  description: prose(1, 1000),
  price: PriceInput,
  tax_category: TaxCategoryName,
  supply: z.enum(supplyKinds).nullish(),
  tax_inclusive: z.boolean().optional(),
  brand_id: idOf('brnd').nullish(),
  metadata: MetadataMap.nullish(),
  pricing_mode: z.enum(pricingModes).nullish(),
  adjustable_quantity: QuantityLimits.nullish(),
  ...givenFields,
  addons: noLongerIgnored('sell it as a product of its own, and leave it out'),
  credit_entitlements: noLongerIgnored('there are no credits; leave it out'),
};

interface Flags {
  tax_inclusive?: boolean | undefined;
  price?: Partial<Pick<PriceInput, 'tax_inclusive' | 'tax_mode' | 'tax_anchor'>> | null | undefined;
}

/**
 * The statements of all fields about tax in the price. In the mode `location`, they are ignored, because a client may
 * send back the flags of an answer.
 */
function statedFlags({ tax_inclusive: top, price }: Flags): boolean[] {
  const { tax_inclusive: flag, tax_mode: mode } = price ?? {};
  if (mode === 'location') return [];
  const byMode = mode ? mode === 'inclusive' : undefined;
  return [top, flag ?? undefined, byMode].filter((stated) => stated !== undefined);
}

const hasOneFlag = (input: Flags): boolean => new Set(statedFlags(input)).size <= 1;

const oneFlag = {
  ...saysWith('INVALID_REQUEST_PARAMETERS', sentences.tax_flags),
  path: ['tax_inclusive'],
};

const hasAnchorByLocation = ({ price }: Flags): boolean => !price?.tax_anchor || price.tax_mode === 'location';

const anchorByLocation = {
  ...saysWith('INVALID_REQUEST_PARAMETERS', sentences.tax_anchor),
  path: ['price', 'tax_anchor'],
};

const flagOf = (input: Flags): boolean | undefined => statedFlags(input)[0];

const taxOf = (input: Flags): PriceTax | undefined => {
  const taxInclusive = flagOf(input);
  return taxInclusive === undefined ? undefined : { taxInclusive };
};

/** The anchor country of a price with tax by location; null for the merchant's country. Undefined in other modes. */
const anchorOf = ({ price }: Flags): string | null | undefined =>
  price?.tax_mode === 'location' ? (price.tax_anchor ?? null) : undefined;

/** The body of `POST /products`. If it names no brand, the primary one is used. */
export const ProductInput = z
  .strictObject(fields)
  .refine(hasOneFlag, oneFlag)
  .refine(hasAnchorByLocation, anchorByLocation)
  .transform((input): Omit<NewProduct, 'brandId'> & Given & { brandId: string | null; taxAnchor?: string | null } => ({
    name: input.name,
    description: input.description,
    price: { ...toTerms(input.price), taxInclusive: flagOf(input) ?? false } as Price,
    taxCategory: input.tax_category,
    brandId: input.brand_id ?? null,
    metadata: input.metadata ?? {},
    ...defined({
      taxAnchor: anchorOf(input),
      pricingMode: input.pricing_mode ?? undefined,
      supply: input.supply ?? undefined,
    }),
    ...offerOf(input),
    ...givenOf(input),
  }));

const changeFields = {
  ...fields,
  name: fields.name.nullable(),
  description: fields.description.nullable(),
  price: PriceInput.nullable(),
  tax_category: TaxCategoryName.nullable(),
  metadata: MetadataMap.nullable(),
  image_id: ImageId,
};

/**
 * The body of `PATCH /products/{id}`. Only named fields change. `null` clears the metadata and removes the image. For
 * other fields, `null` changes nothing.
 */
export const ProductChangeInput = z
  .strictObject(changeFields)
  .partial()
  .refine(hasOneFlag, oneFlag)
  .refine(hasAnchorByLocation, anchorByLocation)
  .transform(
    (input): ProductChange & Given & { imageId?: string | null; taxAnchor?: string | null } =>
      defined({
        name: input.name ?? undefined,
        description: input.description ?? undefined,
        price: input.price ? toTerms(input.price) : undefined,
        tax: taxOf(input),
        taxAnchor: anchorOf(input),
        pricingMode: input.pricing_mode,
        adjustable: input.adjustable_quantity,
        taxCategory: input.tax_category ?? undefined,
        supply: input.supply,
        brandId: input.brand_id ?? undefined,
        metadata: input.metadata === null ? {} : input.metadata,
        imageId: input.image_id,
        ...givenOf(input),
      }) as ProductChange & Given & { imageId?: string | null; taxAnchor?: string | null },
  );
