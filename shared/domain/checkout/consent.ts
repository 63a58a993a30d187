import * as z from 'zod';

/** The things that a merchant can ask a buyer to agree to on the page. */
export const consentKinds = ['terms'] as const;
export type ConsentKind = (typeof consentKinds)[number];

/**
 * The kinds of consent in stored payments. 0.2.0 also asked consumers to give up their right of withdrawal. The law
 * requires a confirmation of that on a durable medium, which did not exist, so it is no longer asked.
 */
export const keptConsentKinds = [...consentKinds, 'withdrawal'] as const;

/** A consent of the buyer, with the words that the page showed. */
export interface GivenConsent {
  kind: ConsentKind;
  language: string;
  text: string;
}

/** The same with its time, as the payment keeps it. */
export const Consent = z.object({
  kind: z.enum(keptConsentKinds),
  language: z.string(),
  text: z.string(),
  at: z.string(),
});
export type Consent = z.infer<typeof Consent>;
