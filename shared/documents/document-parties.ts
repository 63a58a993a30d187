import type { Buyer, Document, Seller, SellerTaxId } from '../domain/documents/document.ts';
import { printedOnce } from '../domain/places/legal-name.ts';
import { countryName } from '../pages/format.ts';
import type { Locale } from '../pages/locale.ts';
import type { TranslateDocument } from '../texts/texts.ts';

/** The printed lines of the seller or the buyer. */
export interface Party {
  /** The party's role: `Seller`. */
  role: string;
  name: string;
  lines: readonly string[];
}

/** The seller's name, and the lines of its address or its country. */
export function printedSeller(seller: Seller, locale: Locale): { name: string; lines: readonly string[] } {
  const { name, address } = printedOnce(seller.name, seller.address);
  return { name, lines: address.length > 0 ? address : [countryName(seller.country, locale)] };
}

export function sellerParty({ seller }: Document, locale: Locale, t: TranslateDocument): Party {
  const taxIds = seller.taxIds.map((taxId) => `${sellerIdLabel(taxId, t)}: ${taxId.id}`);
  const { name, lines } = printedSeller(seller, locale);
  return { role: t('seller'), name, lines: [...lines, ...(seller.email ? [seller.email] : []), ...taxIds] };
}

/** The lines about the buyer. They name the business, or otherwise the person, or otherwise the e-mail address. */
export function buyerParty({ buyer }: Document, locale: Locale, t: TranslateDocument): Party {
  const taxId = buyer.taxId && `${buyerIdLabel(buyer.taxId.formatName, t)}: ${buyer.taxId.id}`;
  const lines = [...addressLines(buyer.address), countryName(buyer.address.country, locale), taxId];
  return {
    role: t('buyer'),
    name: buyer.businessName || buyer.name || buyer.email,
    lines: lines.flatMap((line) => (line ? [line] : [])),
  };
}

/** Countries in which the city is written before the state and the postal code. */
const cityFirst = new Set(['AU', 'CA', 'GB', 'IN', 'NZ', 'US']);

function addressLines({ country, street, city, state, zipcode }: Buyer['address']): string[] {
  const parts = cityFirst.has(country)
    ? [[city, state].filter(Boolean).join(', '), zipcode]
    : [[zipcode, city].filter(Boolean).join(' '), state];
  return cityFirst.has(country)
    ? [street ?? '', parts.filter(Boolean).join(' ')]
    : [street ?? '', ...parts.map((part) => part ?? '')];
}

const vatCountries = new Set(
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IM IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK'.split(' '),
);

/** The name of a seller's tax number in its country. */
const localNames: Readonly<Record<string, string>> = {
  AU: 'ABN',
  CA: 'GST/HST',
  'CA-QC': 'QST (TVQ)',
  'CA-BC': 'PST',
  'CA-MB': 'RST',
  'CA-SK': 'PST',
  IN: 'GSTIN',
  SG: 'GST',
};

function sellerIdLabel({ country, region, scheme }: SellerTaxId, t: TranslateDocument): string {
  const regional = region === null ? undefined : localNames[`${country}-${region}`];
  const local = regional ?? localNames[country];
  if (local) return local;
  if (country === 'JP') return t('registration');
  if (vatCountries.has(country)) return scheme === 'oss' ? `${t('vat_id')} (OSS)` : t('vat_id');
  return `${t('tax_id')} (${[country, region].filter(Boolean).join('-')})`;
}

const buyerIdLabel = (formatName: string, t: TranslateDocument): string =>
  formatName.endsWith(' VAT') ? t('vat_id') : formatName === 'Tax ID' ? t('tax_id') : formatName;
