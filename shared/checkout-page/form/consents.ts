import type { Brands } from '../../domain/catalogue/brand.ts';
import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import {
  type ConsentKind,
  consentKinds,
  type GivenConsent,
  type SupplyConsentKind,
} from '../../domain/checkout/consent.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { offersWithdrawal } from '../../domain/withdrawal/withdrawal-settings.ts';
import type { Locale } from '../../pages/locale.ts';
import type { PageContext, PageSeller } from '../../pages/page-context.ts';
import { checkoutTranslator } from '../../texts/texts.ts';

/** The consents that a buyer must give in this shop. */
export const neededConsents = ({ consents = [] }: Pick<Merchant, 'consents'>): ConsentKind[] =>
  consentKinds.filter((kind) => consents.includes(kind));

/** The words of a consent, which are stored with the payment. They name the legal seller. */
export const consentText = (kind: ConsentKind | SupplyConsentKind, seller: PageSeller, locale: Locale): string =>
  checkoutTranslator(locale)(`consent.${kind}`, { seller: seller.name });

/** Consents with the words that the page shows. The words never come from the browser. */
export const inWords = <Kind extends ConsentKind | SupplyConsentKind>(
  kinds: readonly Kind[],
  seller: PageSeller,
  language: Locale,
): (Omit<GivenConsent, 'kind'> & { kind: Kind })[] =>
  kinds.map((kind) => ({ kind, language, text: consentText(kind, seller, language) }));

/**
 * Whether the page asks consumers for consents about an early supply. It needs mails, because the consents must be
 * confirmed on a durable medium.
 */
export const asksForSupply = (
  brands: Pick<Brands, 'withdrawal'>,
  { mailsReceipts }: Pick<PageContext, 'mailsReceipts'>,
  { consentsBy }: Pick<CheckoutSession, 'consentsBy'>,
): boolean => offersWithdrawal(brands) && mailsReceipts === true && consentsBy === undefined;
