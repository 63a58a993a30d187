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

/**
 * What a consumer can ask for in the withdrawal period (Directive 2011/83/EU). `immediate_supply`: digital content at
 * once, knowing that the right of withdrawal is lost then (art. 16(m)). `early_start`: a service at once, knowing that
 * its used part is paid for, and that the right is lost when it is fully performed (art. 7(3), 8(8), 16(a)).
 */
export const supplyConsentKinds = ['immediate_supply', 'early_start'] as const;
export type SupplyConsentKind = (typeof supplyConsentKinds)[number];

/** Such a request of the buyer, with its words and the positions of the lines that it is about. */
export const GivenSupplyConsent = z.object({
  kind: z.enum(supplyConsentKinds),
  language: z.string(),
  text: z.string(),
  lines: z.array(z.int()),
  /** `api`: an integrator sent the words. Absent: the checkout page showed them. */
  source: z.literal('api').optional(),
});
export type GivenSupplyConsent = z.infer<typeof GivenSupplyConsent>;

/** The same with its time, as the payment keeps it. */
export const SupplyConsent = GivenSupplyConsent.extend({ at: z.string() });
export type SupplyConsent = z.infer<typeof SupplyConsent>;
