import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { normalizeEmail } from '../checkout/buyer.ts';
import { portalLinkPath } from './portal-path.ts';

/** The purchases that a link and a session of the portal open. */
const Opened = z.object({
  /** The normalized e-mail address. */
  email: z.string(),
  /** The customer for whom the merchant requested the link; null if a buyer requested it. */
  customerId: z.string().nullable(),
  /** The address of the portal's link back to the merchant; null if there is no such link. */
  returnUrl: z.string().nullable(),
  expiresAt: z.string(),
});

/** A link to the portal. The table stores only hashes of its token and of the browser that requested it. */
export const PortalLink = Opened.extend({
  hash: z.string(),
  /**
   * The hash of the cookie of the browser that requested the link. Null if the merchant requested it; then the first
   * browser that opens it may use it.
   */
  browser: z.string().nullable(),
  usedAt: z.string().nullable(),
  /** When the link was mailed; null while the mail must still be sent. Absent if the link is not mailed. */
  mailedAt: z.string().nullable().optional(),
  version: z.int(),
});
export type PortalLink = z.infer<typeof PortalLink>;

/** A session of the portal, stored under the hash of its cookie. */
export const PortalSession = Opened.extend({
  hash: z.string(),
  endedAt: z.string().nullable(),
});
export type PortalSession = z.infer<typeof PortalSession>;

/** Why a link does not open the portal; undefined if it does. */
export function whyNotPortal(
  link: PortalLink | undefined,
  { browser, now }: { browser: string; now: string },
): 'over' | 'elsewhere' | undefined {
  if (!link || link.usedAt !== null || now >= link.expiresAt) return 'over';
  return link.browser === null || link.browser === browser ? undefined : 'elsewhere';
}

export const isOpenSession = ({ endedAt, expiresAt }: PortalSession, now: string): boolean =>
  endedAt === null && now < expiresAt;

/**
 * The token of a link that the merchant requested. Only this stack can make it. The same id always gives the same
 * token.
 */
export const portalToken = (id: string, stackSecret: string): string =>
  createHmac('sha256', stackSecret).update(`portal ${id}`).digest('base64url');

export const portalUrl = (publicUrl: string, token: string): string => `${publicUrl}${portalLinkPath}?token=${token}`;

/** The address that the buyer typed, in its stored form; undefined if it is not a valid address. */
export function portalEmail(typed: string): string | undefined {
  const isAddress = typed.length <= 254 && z.email().safeParse(typed).success;
  return isAddress ? normalizeEmail(typed) : undefined;
}
