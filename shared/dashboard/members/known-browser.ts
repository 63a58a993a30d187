import { createHmac } from 'node:crypto';
import { daySeconds } from '../../domain/duration.ts';
import { isSame } from '../../pages/form-guard.ts';

/** How long a browser is known after a member has signed in with it. */
export const knownSeconds = 180 * daySeconds;

/** A browser in which a member has signed in. It opens nothing: it only has links of its own to ask for. */
interface KnownBrowser {
  /** The member's address, which the cookie is bound to and does not name. */
  email: string;
  /** Random, so that each browser is counted for itself. */
  id: string;
  /** When the member signed in, in seconds. */
  since: number;
}

const sign = ({ since, id, email }: KnownBrowser, secret: string): string =>
  createHmac('sha256', secret).update(`known browser ${since} ${id} ${email}`).digest('base64url');

/** The value of the cookie. */
export const sealBrowser = (browser: KnownBrowser, secret: string): string =>
  `${browser.since}.${browser.id}.${sign(browser, secret)}`;

/** The id of a browser that is known for an address; undefined for another address, and if the cookie is altered or too old. */
export function knownBrowserId(
  cookie: string,
  { email, secret, now }: { email: string; secret: string; now: Date },
): string | undefined {
  const [, since = '', id = '', signature = ''] = /^(\d{1,12})\.([A-Za-z0-9]{22})\.([\w-]{43})$/.exec(cookie) ?? [];
  if (!isSame(signature, sign({ since: Number(since), id, email }, secret))) return undefined;
  return now.getTime() < (Number(since) + knownSeconds) * 1_000 ? id : undefined;
}
