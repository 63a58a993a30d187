import * as z from 'zod';
import {
  type Brand,
  type BrandChange,
  type Brands,
  maxStatementText,
  type NewBrand,
  statementText,
} from '../../domain/catalogue/brand.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import type { Site } from '../../domain/site.ts';
import { browserUrl, EmailAddress } from '../addresses.ts';
import { brandConstants } from '../constants.ts';
import { says } from '../says.ts';
import { prose, text } from '../text/texts.ts';
import { newlyRefused } from '../unsupported.ts';
import { defined } from '../values.ts';
import type { CatalogueAnswer } from './product-answer.ts';
import { ImageId } from './upload.ts';

const isPrinted = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.length <= maxStatementText && statementText.test(value));

/**
 * The brand's text for card statements. Version 0.2.0 ignored this field. So a stack without `strictFields` ignores a
 * text that statements cannot print.
 */
const StatementDescriptor = z
  .custom<string | null>(
    isPrinted,
    newlyRefused(
      'must be 1 to 22 Latin letters, digits and signs, with a letter and without < > \\ \' " *; else leave it out',
    ),
  )
  .meta({ type: ['string', 'null'], maxLength: maxStatementText, pattern: statementText.source })
  .optional();

const fields = {
  name: text(1, 100),
  description: prose(0, 1000).nullish(),
  support_email: EmailAddress.nullish(),
  url: browserUrl.nullish(),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, says(sentences.colour))
    .transform((value) => value.toLowerCase())
    .nullish(),
  statement_descriptor: StatementDescriptor,
  search_listing: z.boolean().optional(),
};

/** The body of `POST /brands`. */
export const BrandInput = z.strictObject(fields).transform(
  (input): NewBrand => ({
    name: input.name,
    description: input.description ?? null,
    supportEmail: input.support_email ?? null,
    url: input.url ?? null,
    color: input.color ?? null,
    statementSuffix: input.statement_descriptor ?? null,
    searchListing: input.search_listing ?? true,
  }),
);

/** The body of `PATCH /brands/{id}`. Only named fields change; null clears a field. */
export const BrandChangeInput = z
  .strictObject({ ...fields, name: fields.name.nullish(), image_id: ImageId })
  .transform((input): BrandChange & { imageId?: string | null } =>
    defined({
      name: input.name ?? undefined,
      description: input.description,
      supportEmail: input.support_email,
      url: input.url,
      color: input.color,
      statementSuffix: input.statement_descriptor,
      searchListing: input.search_listing,
      imageId: input.image_id,
    }),
  );

/**
 * The query for brands. The API's clients can ask for archived brands, but brands are never archived here, so the
 * parameter changes nothing.
 */
export const BrandQuery = z.strictObject({ include_archived: z.enum(['true', 'false']).optional() });

export const presentBrand =
  (site: Site) =>
  (brand: Brand): CatalogueAnswer<'Brand'> => ({
    brand_id: brand.id,
    business_id: site.businessId,
    name: brand.name,
    description: brand.description,
    image: brand.logo,
    color: brand.color,
    support_email: brand.supportEmail,
    url: brand.url,
    statement_descriptor: brand.statementSuffix ?? brand.name.slice(0, 22),
    search_listing: brand.searchListing ?? true,
    ...brandConstants,
  });

export const presentBrands =
  (site: Site) =>
  ({ brands }: Brands): CatalogueAnswer<'BrandList'> => ({ items: brands.map(presentBrand(site)) });
