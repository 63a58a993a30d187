import * as z from 'zod';

/**
 * How a declaration of withdrawal arrived. `order_link` and `portal` prove that it comes from the buyer. `form` proves
 * nothing. `merchant`: a member entered what came by post, mail or telephone.
 */
export const declarationSources = ['order_link', 'portal', 'form', 'merchant'] as const;

/** The maximum lengths of the texts in a declaration. */
export const declarationLimits = { name: 250, reference: 1_000, email: 254 } as const;

/** What a buyer declared. It never changes. Everything that happens later is in its case. */
export const Declaration = z.object({
  id: z.string(),
  receivedAt: z.string(),
  source: z.enum(declarationSources),
  name: z.string(),
  /** The e-mail address for the acknowledgement: the typed one, or the one of the order. */
  email: z.string(),
  /** What identifies the contract, in the buyer's words. For a known order, its payment id. */
  reference: z.string(),
  /** The language of the page on which the buyer declared. */
  language: z.string(),
  /** The order whose link or session was used; null if the buyer typed the reference. */
  paymentId: z.string().nullable(),
  /** The positions of the lines from which the buyer withdraws; null means all lines. */
  lines: z.array(z.int()).nullable(),
});
export type Declaration = z.infer<typeof Declaration>;
