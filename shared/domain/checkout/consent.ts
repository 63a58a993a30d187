import * as z from 'zod';

/** What a merchant can ask a buyer to agree to on the page. */
export const consentKinds = ['terms'] as const;
export type ConsentKind = (typeof consentKinds)[number];

/**
 * What payments keep: 0.2.0 also asked consumers to lose their right of withdrawal. The law wants that confirmed on a durable
 * medium, and nothing confirmed it, so it is asked no more.
 */
export const keptConsentKinds = [...consentKinds, 'withdrawal'] as const;

/** What a buyer agreed to on the page: the words as they were shown. */
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
