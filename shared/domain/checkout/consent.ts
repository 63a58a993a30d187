import * as z from 'zod';

/** What a merchant can ask a buyer to agree to: its terms, and that a digital good comes at once and cannot be returned. */
export const consentKinds = ['terms', 'withdrawal'] as const;
export type ConsentKind = (typeof consentKinds)[number];

/** What a buyer agreed to on the page: the words as they were shown. */
export const GivenConsent = z.object({ kind: z.enum(consentKinds), language: z.string(), text: z.string() });
export type GivenConsent = z.infer<typeof GivenConsent>;

/** The same with its time, as the payment keeps it. */
export const Consent = GivenConsent.extend({ at: z.string() });
export type Consent = z.infer<typeof Consent>;
