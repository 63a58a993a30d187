import { isOpenSession, type PortalSession, whyNotPortal } from '../../domain/portal/portal-access.ts';
import { portalSeconds } from '../../domain/portal/portal-times.ts';
import type { PortalStore } from '../../store/portal/portal-store.ts';
import { retryStale } from '../retry.ts';

export interface EnterPortalDeps {
  portals: Pick<PortalStore, 'findLink' | 'enter' | 'findSession' | 'saveSession'>;
  newToken: () => string;
  hashOf: (text: string) => string;
  now: () => Date;
}

/**
 * Opens a session by a link, only once. The same transaction uses up the link, so only one of two clicks opens a
 * session. A click in another browser does not use up the link.
 * @returns the token of the session and what it opens, or why there is none
 */
export const enterPortal = (
  deps: EnterPortalDeps,
  { token, browser }: { token: string; browser: string },
): Promise<
  | { session: string; opened: Pick<PortalSession, 'email' | 'customerId' | 'returnUrl'> }
  | { refused: 'over' | 'elsewhere' }
> =>
  retryStale(async () => {
    const at = deps.now();
    const now = at.toISOString();
    const link = await deps.portals.findLink(deps.hashOf(token));
    const refused = whyNotPortal(link, { browser: deps.hashOf(browser), now });
    if (refused || !link) return { refused: refused ?? 'over' };
    const session = deps.newToken();
    const { email, customerId, returnUrl } = link;
    const expiresAt = new Date(at.getTime() + portalSeconds.session * 1_000).toISOString();
    const opened = { email, customerId, returnUrl, expiresAt, hash: deps.hashOf(session), endedAt: null };
    await deps.portals.enter({ ...link, usedAt: now }, opened);
    return { session, opened };
  });

/** The open session of a browser; undefined if it has none. */
export async function findPortalSession(
  { portals, hashOf, now }: Pick<EnterPortalDeps, 'portals' | 'hashOf' | 'now'>,
  cookie: string | undefined,
): Promise<PortalSession | undefined> {
  if (cookie === undefined) return undefined;
  const session = await portals.findSession(hashOf(cookie));
  return session && isOpenSession(session, now().toISOString()) ? session : undefined;
}

export const endPortalSession = (
  { portals, now }: Pick<EnterPortalDeps, 'portals' | 'now'>,
  session: PortalSession,
): Promise<void> => portals.saveSession({ ...session, endedAt: now().toISOString() });
