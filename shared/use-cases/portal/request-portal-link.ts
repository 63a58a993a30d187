import { DomainError } from '../../domain/errors.ts';
import { portalSeconds } from '../../domain/portal/portal-times.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import type { PortalStore } from '../../store/portal/portal-store.ts';
import { findKnownAddress, type PortalCustomersDeps } from './portal-customers.ts';

export interface RequestPortalLinkDeps extends PortalCustomersDeps {
  portals: Pick<PortalStore, 'saveLink'>;
  throttles: Pick<ThrottleStore, 'count'>;
  newToken: () => string;
  hashOf: (text: string) => string;
  now: () => Date;
}

/** The limits for an hour: links to one address, requests from one network, and links that the whole stack mails. */
export const hourlyPortalLinks = { address: 5, source: 30, stack: 300 } as const;

const isWithin = async (
  { throttles, hashOf, now }: Pick<RequestPortalLinkDeps, 'throttles' | 'hashOf' | 'now'>,
  counted: string,
  most: number,
): Promise<boolean> => (await throttles.count(hashOf(`portal ${counted}`), now())) <= most;

/** Refuses a network that requests links too often. Known and unknown addresses count in the same way. */
export async function assertNetworkMayAsk(
  deps: Pick<RequestPortalLinkDeps, 'throttles' | 'hashOf' | 'now'>,
  source: string,
): Promise<void> {
  if (await isWithin(deps, `source ${source}`, hourlyPortalLinks.source)) return;
  throw new DomainError('TOO_MANY_REQUESTS', 'Too many links were asked for from here. Try again in an hour.');
}

/**
 * Mails a link to an address that the shop knows. Does nothing for any other address, or after too many links.
 * @param email the normalized address
 */
export async function requestPortalLink(
  deps: RequestPortalLinkDeps,
  { email, browser }: { email: string; browser: string },
  mailLink: (token: string, chosen: string | undefined) => Promise<unknown>,
): Promise<void> {
  const [isWithinHour, known] = await Promise.all([
    isWithin(deps, `address ${email}`, hourlyPortalLinks.address),
    findKnownAddress(deps, { email, customerId: null }),
  ]);
  if (!known || !isWithinHour || !(await isWithin(deps, 'links', hourlyPortalLinks.stack))) return;
  const token = deps.newToken();
  const at = deps.now().getTime();
  await deps.portals.saveLink({
    hash: deps.hashOf(token),
    email,
    customerId: null,
    returnUrl: null,
    browser: deps.hashOf(browser),
    expiresAt: new Date(at + portalSeconds.link * 1_000).toISOString(),
    usedAt: null,
    version: 0,
  });
  await mailLink(token, known.language);
}
