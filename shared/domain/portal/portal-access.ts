import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { normalizeEmail } from '../checkout/buyer.ts';
import { portalLinkPath } from './portal-path.ts';

/** What a link and a session of the portal open. */
const Opened = z.object({
  /** The normalized e-mail address. */
  email: z.string(),
  /** The customer for whom the merchant asked; null if a buyer asked. */
  customerId: z.string().nullable(),
  /** Where the portal leads back to the merchant; null: nowhere. */
  returnUrl: z.string().nullable(),
  expiresAt: z.string(),
});

/** A link to the portal. Only hashes are stored of its token and of the browser that asked for it. */
export const PortalLink = Opened.extend({
  hash: z.string(),
  /** The hash of the cookie of the browser that asked; null if the merchant asked, so that any one browser may use it. */
  browser: z.string().nullable(),
  usedAt: z.string().nullable(),
  /** When the link was mailed; null while its mail is still to be sent, and absent if none was asked for. */
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

/** Why a link opens no portal; undefined if it does. */
export function whyNotPortal(
  link: PortalLink | undefined,
  { browser, now }: { browser: string; now: string },
): 'over' | 'elsewhere' | undefined {
  if (!link || link.usedAt !== null || now >= link.expiresAt) return 'over';
  return link.browser === null || link.browser === browser ? undefined : 'elsewhere';
}

export const isOpenSession = ({ endedAt, expiresAt }: PortalSession, now: string): boolean =>
  endedAt === null && now < expiresAt;

/** The token of a link that the merchant asked for. Only this stack can make it, and always makes the same one. */
export const portalToken = (id: string, stackSecret: string): string =>
  createHmac('sha256', stackSecret).update(`portal ${id}`).digest('base64url');

export const portalUrl = (publicUrl: string, token: string): string => `${publicUrl}${portalLinkPath}?token=${token}`;

/** A typed address, as it is stored; undefined if no mail could reach it. */
export function portalEmail(typed: string): string | undefined {
  const isAddress = typed.length <= 254 && z.email().safeParse(typed).success;
  return isAddress ? normalizeEmail(typed) : undefined;
}
