import { createHmac } from 'node:crypto';
import { daySeconds } from '../../domain/duration.ts';
import { isSame } from '../../pages/form-guard.ts';

/** How long a browser stays known after a member has signed in with it. */
export const knownSeconds = 180 * daySeconds;

/**
 * A browser in which a member has signed in. It has no access by that. It only has a separate limit of sign-in links.
 */
interface KnownBrowser {
  /** The member's address. The cookie is only valid for it, but does not contain it. */
  email: string;
  /** A random id, so that each browser has its own limit. */
  id: string;
  /** When the member signed in, in seconds. */
  since: number;
}

const sign = ({ since, id, email }: KnownBrowser, secret: string): string =>
  createHmac('sha256', secret).update(`known browser ${since} ${id} ${email}`).digest('base64url');

/** The value of the cookie. */
export const sealBrowser = (browser: KnownBrowser, secret: string): string =>
  `${browser.since}.${browser.id}.${sign(browser, secret)}`;

/**
 * The id of a browser in which the member with this e-mail address has signed in before. Undefined if the cookie is for
 * another e-mail address, was altered or is too old.
 */
export function knownBrowserId(
  cookie: string,
  { email, secret, now }: { email: string; secret: string; now: Date },
): string | undefined {
  const [, since = '', id = '', signature = ''] = /^(\d{1,12})\.([A-Za-z0-9]{22})\.([\w-]{43})$/.exec(cookie) ?? [];
  if (!isSame(signature, sign({ since: Number(since), id, email }, secret))) return undefined;
  return now.getTime() < (Number(since) + knownSeconds) * 1_000 ? id : undefined;
}
