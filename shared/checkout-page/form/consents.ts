import { type ConsentKind, consentKinds, type GivenConsent } from '../../domain/checkout/consent.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Locale } from '../../pages/locale.ts';
import type { PageSeller } from '../../pages/page-context.ts';
import { translator } from '../../texts/texts.ts';

/** What a buyer must agree to in this shop. */
export const neededConsents = ({ consents = [] }: Pick<Merchant, 'consents'>): ConsentKind[] =>
  consentKinds.filter((kind) => consents.includes(kind));

/** The wording of a consent, which is stored with the payment. It names the legal seller. */
export const consentText = (kind: ConsentKind, seller: PageSeller, locale: Locale): string =>
  translator(locale)(`consent.${kind}`, { seller: seller.name });

export const givenConsents = (kinds: readonly ConsentKind[], seller: PageSeller, language: Locale): GivenConsent[] =>
  kinds.map((kind) => ({ kind, language, text: consentText(kind, seller, language) }));
