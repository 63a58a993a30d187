import * as z from 'zod';

/**
 * How a declaration came. `order_link` and `portal` prove that it comes from the buyer, `form` proves nothing.
 * `merchant`: a member entered what came by post, mail or telephone.
 */
export const declarationSources = ['order_link', 'portal', 'form', 'merchant'] as const;
export type DeclarationSource = (typeof declarationSources)[number];

/** The longest texts that a declaration keeps. */
export const declarationLimits = { name: 250, reference: 1_000, email: 254 } as const;

/** What a buyer declared. It never changes: everything that follows from it is in its case. */
export const Declaration = z.object({
  id: z.string(),
  receivedAt: z.string(),
  source: z.enum(declarationSources),
  name: z.string(),
  /** The address for the acknowledgement, as it was typed or as the order has it. */
  email: z.string(),
  /** What identifies the contract, in the buyer's words. For a known order, its payment id. */
  reference: z.string(),
  /** The language of the page. */
  language: z.string(),
  /** The order whose link or session was used; null if it was typed. */
  paymentId: z.string().nullable(),
  /** The positions of the lines that are withdrawn from; null means all. */
  lines: z.array(z.int()).nullable(),
});
export type Declaration = z.infer<typeof Declaration>;
