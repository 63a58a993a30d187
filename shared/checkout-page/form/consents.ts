import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { ConsentKind, GivenConsent } from '../../domain/checkout/consent.ts';
import type { TaxCategory } from '../../domain/checkout/tax.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { type Locale, translator } from '../../pages/locale.ts';
import type { PageSeller } from '../../pages/page-context.ts';
import { isObliging } from '../../tax/places/tax-areas.ts';
import type { BuyerFields } from './checkout-form.ts';

/** Content that is supplied at once. The other categories are services, for which another right holds. */
const suppliedAtOnce: ReadonlySet<TaxCategory> = new Set(['digital_products', 'e_book', 'edtech']);

/**
 * What a buyer has to agree to here. The right of withdrawal of the Consumer Rights Directive (2011/83/EU, art. 16(m)) and of the British
 * regulations of 2013 is a consumer's, and ends only with the consumer's express consent.
 */
export function neededConsents(
  { consents = [] }: Pick<Merchant, 'consents'>,
  { lines }: Pick<CheckoutSession, 'lines'>,
  { country, tax_id: taxId }: Pick<BuyerFields, 'country' | 'tax_id'>,
): ConsentKind[] {
  const hasRight = (isObliging(country) || country === 'GB') && taxId === '';
  const isDigital = lines.some(({ taxCategory }) => suppliedAtOnce.has(taxCategory));
  return consents.filter((kind) => kind === 'terms' || (hasRight && isDigital));
}

/** The words of a consent, which the payment keeps. They name the seller in law. */
export const consentText = (kind: ConsentKind, seller: PageSeller, locale: Locale): string =>
  translator(locale)(`consent.${kind}`, { seller: seller.name });

export const givenConsents = (kinds: readonly ConsentKind[], seller: PageSeller, language: Locale): GivenConsent[] =>
  kinds.map((kind) => ({ kind, language, text: consentText(kind, seller, language) }));
