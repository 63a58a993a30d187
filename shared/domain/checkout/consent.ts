import * as z from 'zod';

/** The things that a merchant can ask a buyer to agree to on the page. */
export const consentKinds = ['terms'] as const;
export type ConsentKind = (typeof consentKinds)[number];

/**
 * The kinds of consent in stored payments. Version 0.2.0 also asked consumers to give up their right of withdrawal.
 * That needs a confirmation by mail, which 0.2.0 did not send, so no page asks for it now.
 */
export const keptConsentKinds = [...consentKinds, 'withdrawal'] as const;

/** A consent of the buyer, with the words that the page showed. */
export interface GivenConsent {
  kind: ConsentKind;
  language: string;
  text: string;
}

/** A consent with its time, as the payment stores it. */
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

/** A buyer's request to begin the supply early, with the words of the request and the positions of the lines. */
export const GivenSupplyConsent = z.object({
  kind: z.enum(supplyConsentKinds),
  language: z.string(),
  text: z.string(),
  lines: z.array(z.int()),
  /** Who showed the words. `api`: an integrator sent them. If absent, the checkout page showed them. */
  source: z.literal('api').optional(),
});
export type GivenSupplyConsent = z.infer<typeof GivenSupplyConsent>;

/** The request with its time, as the payment stores it. */
export const SupplyConsent = GivenSupplyConsent.extend({ at: z.string() });
export type SupplyConsent = z.infer<typeof SupplyConsent>;
