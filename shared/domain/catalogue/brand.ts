import * as z from 'zod';
import { DomainError, notFound } from '../errors.ts';
import { primaryBrandIdOf } from '../ids.ts';
import type { Merchant } from '../merchant.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { WithdrawalSettings } from '../withdrawal/withdrawal-settings.ts';
import { earlierKinds, PolicyHashes } from './policies.ts';

/** The name, look and support address that buyers see on checkouts and documents. */
export const Brand = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** The colour as `#rrggbb`; null means the default colour. */
  color: z.string().nullable(),
  /** The public address of an image. */
  logo: z.string().nullable(),
  supportEmail: z.string().nullable(),
  /** The brand's own website. */
  url: z.string().nullable(),
  /**
   * The text that card statements show after the name of the merchant's account at the processor. Absent if there is
   * none, and after a write of 0.2.0.
   */
  statementSuffix: z.string().nullable().optional(),
  /** Whether search engines may list the product pages. Absent means yes, as in 0.2.0, which lists them all. */
  searchListing: z.boolean().optional(),
});
export type Brand = z.infer<typeof Brand>;

/** All of a merchant's brands, the primary one first. */
export const Brands = z.object({
  brands: z.array(Brand),
  /** The policies with a text, of the kinds that 0.2.0 knows. It reads no other kind. Absent until one is saved. */
  policies: z.array(z.enum(earlierKinds)).optional(),
  /**
   * The current version of each policy. A page can show links, and a payment can keep the versions, without reading a
   * text. Absent until one is saved, and after a write of 0.2.0.
   */
  texts: PolicyHashes.optional(),
  /** The settings about the right of withdrawal. Absent means the usual ones, as after a write of 0.2.0. */
  withdrawal: WithdrawalSettings.optional(),
  /**
   * How many discount codes exist. A page can decide without another read whether to ask for one. Absent means none
   * yet.
   */
  codes: z.int().optional(),
  /**
   * The languages in which the merchant has own words for mails. Only for these, a mail reads another row. Absent means
   * none, as after a write of an earlier version.
   */
  wordedIn: z.array(z.string()).optional(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type Brands = z.infer<typeof Brands>;

export type NewBrand = Omit<Brand, 'id' | 'logo'>;

/** What an update may change. Missing fields keep their values. */
export type BrandChange = Partial<Omit<Brand, 'id'>>;

/** The most characters of a text that card statements can print. */
export const maxStatementText = 22;

/** The characters that card statements can print: ASCII without < > \ ' " and *, with at least one letter. */
export const statementText = /^[ !#-&()+-;=?-[\]-~]*[A-Za-z][ !#-&()+-;=?-[\]-~]*$/;

const maxBrands = 50;

/** The brand that every stack has, with its name from the merchant's configuration. */
export const primaryBrand = ({ id, name, supportEmail }: Merchant): Brand => ({
  id: primaryBrandIdOf(id),
  name,
  description: null,
  color: null,
  logo: null,
  supportEmail: supportEmail ?? null,
  url: null,
});

export function findBrand({ brands }: Brands, id: string, path?: string): Brand {
  const brand = brands.find((candidate) => candidate.id === id);
  if (brand) return brand;
  throw notFound('brand', id, path);
}

/** Adds a brand, or replaces the brand with its id. */
export function withBrand(all: Brands, brand: Brand): Brands {
  const isKnown = all.brands.some(({ id }) => id === brand.id);
  if (!isKnown && all.brands.length >= maxBrands)
    throw new DomainError('INVALID_REQUEST_PARAMETERS', brokenRule(sentences.brands_full, { most: maxBrands }));
  const replaced = all.brands.map((known) => (known.id === brand.id ? brand : known));
  return { ...all, brands: isKnown ? replaced : [...replaced, brand] };
}

/** The brand that buyers see: the one with this id, or the primary one. */
export const shownBrand = ({ brands }: Brands, id: string): Brand =>
  brands.find((brand) => brand.id === id) ?? (brands[0] as Brand);
