import { portalPath } from '../domain/portal/portal-path.ts';
import { portalSeconds } from '../domain/portal/portal-times.ts';
import type { PageRequest } from '../http/page.ts';

const sessionName = 'portal';
const browserName = 'portal_browser';

const cookieOf = (name: string, value: string, { seconds, publicUrl }: { seconds: number; publicUrl: string }) =>
  `${name}=${value}; Path=${portalPath}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`;

/** Stores the secret of a session in the browser. */
export const portalSessionCookie = (secret: string, publicUrl: string): string =>
  cookieOf(sessionName, secret, { seconds: portalSeconds.session, publicUrl });

/** Removes the secret of a session from the browser. */
export const noPortalSession = (publicUrl: string): string => cookieOf(sessionName, '', { seconds: 0, publicUrl });

/** Marks the browser that requests a link, so that no other browser can use the link. */
export const portalBrowserCookie = (secret: string, publicUrl: string): string =>
  cookieOf(browserName, secret, { seconds: portalSeconds.link, publicUrl });

const tokenIn = ({ cookie }: PageRequest, name: string): string | undefined => {
  const value = cookie(name);
  return value && /^[A-Za-z0-9]{43}$/.test(value) ? value : undefined;
};

export const portalSessionOf = (request: PageRequest): string | undefined => tokenIn(request, sessionName);

/** The mark of this browser. It is the same for several links. */
export const portalBrowserOf = (request: PageRequest): string | undefined => tokenIn(request, browserName);
