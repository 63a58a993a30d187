import * as z from 'zod';

/**
 * A link that was mailed to a member. The table stores only hashes of its token and of the browser that requested it.
 */
export const SignInLink = z.object({
  hash: z.string(),
  memberId: z.string(),
  /** The hash of the cookie that the browser got when it requested the link. */
  browser: z.string(),
  /** The page of the dashboard to open after the sign-in. */
  next: z.string(),
  expiresAt: z.string(),
  usedAt: z.string().nullable(),
  version: z.int(),
});
export type SignInLink = z.infer<typeof SignInLink>;

/** How long a link can be used. */
export const linkSeconds = 15 * 60;

/** Why a link does not sign in: it is over, or another browser requested it. Undefined if it signs in. */
export function whyNotLink(
  link: SignInLink | undefined,
  { browser, now }: { browser: string; now: string },
): 'over' | 'elsewhere' | undefined {
  if (!link || link.usedAt !== null || now >= link.expiresAt) return 'over';
  return link.browser === browser ? undefined : 'elsewhere';
}
