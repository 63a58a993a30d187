import * as z from 'zod';

/** The policies that a seller can publish. */
export const policyKinds = ['terms', 'privacy', 'refunds'] as const;
export type PolicyKind = (typeof policyKinds)[number];

/** The published texts, in the seller's own language. */
export const PolicyTexts = z.partialRecord(z.enum(policyKinds), z.string());
export type PolicyTexts = z.infer<typeof PolicyTexts>;

export const Policies = z.object({
  texts: PolicyTexts,
  /** Counts the writes; 0 before the first one. */
  version: z.int(),
});
export type Policies = z.infer<typeof Policies>;

/** The kinds that have a text. */
export const publishedKinds = (texts: PolicyTexts): PolicyKind[] => policyKinds.filter((kind) => texts[kind]);
