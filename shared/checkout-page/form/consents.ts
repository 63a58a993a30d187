import { type ConsentKind, consentKinds, type GivenConsent } from '../../domain/checkout/consent.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Locale } from '../../pages/locale.ts';
import type { PageSeller } from '../../pages/page-context.ts';
import { translator } from '../../texts/texts.ts';

/** What a buyer has to agree to here. */
export const neededConsents = ({ consents = [] }: Pick<Merchant, 'consents'>): ConsentKind[] =>
  consentKinds.filter((kind) => consents.includes(kind));

/** The words of a consent, which the payment keeps. They name the seller in law. */
export const consentText = (kind: ConsentKind, seller: PageSeller, locale: Locale): string =>
  translator(locale)(`consent.${kind}`, { seller: seller.name });

export const givenConsents = (kinds: readonly ConsentKind[], seller: PageSeller, language: Locale): GivenConsent[] =>
  kinds.map((kind) => ({ kind, language, text: consentText(kind, seller, language) }));
