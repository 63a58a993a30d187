import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { sessionMs } from '../../domain/access/sign-in.ts';
import { isSame } from '../../pages/form-guard.ts';

/** The content of a session's cookie. It is valid for one stage of one merchant. */
const DashboardSession = z.strictObject({
  merchantId: z.string(),
  stage: z.enum(['sandbox', 'live']),
  /** The hash of the API key, or the id of the member. The row of that key or member is read for every page. */
  holder: z.string(),
  /** The id of the session's row. This row is also read for every page. */
  id: z.string(),
  expiresAt: z.string(),
});
export type DashboardSession = z.infer<typeof DashboardSession>;

/** The value of the cookie: data that can be read, and a signature that only this stack can make. */
export function sealSession(session: DashboardSession, secret: string): string {
  const text = Buffer.from(JSON.stringify(session)).toString('base64url');
  return `${text}.${sign(`session ${text}`, secret)}`;
}

/** Reads a cookie. Undefined if it is forged, altered, expired or from another stack. */
export function unsealSession(
  cookie: string,
  secret: string,
  here: Pick<DashboardSession, 'merchantId' | 'stage'> & { now: Date },
): DashboardSession | undefined {
  const [text = '', signature = '', excess] = cookie.split('.');
  if (excess !== undefined || !isSame(signature, sign(`session ${text}`, secret))) return undefined;
  const { data: session } = DashboardSession.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  const isHere = session?.merchantId === here.merchantId && session.stage === here.stage;
  return isHere && here.now.toISOString() < session.expiresAt ? session : undefined;
}

/**
 * The session in a cookie, without checking the signature. Undefined if there is none. It must only be used before
 * `unsealSession` checks the cookie.
 */
export function claimedSession(cookie: string): Pick<DashboardSession, 'holder' | 'id'> | undefined {
  try {
    return Claimed.parse(JSON.parse(Buffer.from(cookie.split('.')[0] ?? '', 'base64url').toString()));
  } catch {
    return undefined;
  }
}

const Claimed = z.object({ holder: z.string().max(100), id: z.string().max(100) });

/** The secret token in every form of a session. */
export const formTokenOf = ({ id }: Pick<DashboardSession, 'id'>, secret: string): string => sign(`form ${id}`, secret);

const sign = (text: string, secret: string): string => createHmac('sha256', secret).update(text).digest('base64url');

/**
 * The name of the cookie. With TLS, it has a name that only this host can set. Without TLS, it is used only on this
 * machine.
 */
export const cookieName = (isSecure: boolean): string => (isSecure ? '__Host-tillstack' : 'tillstack');

/** The cookie header. Scripts and other sites cannot read the cookie. An empty value deletes it. */
export function sessionCookie(value: string, isSecure: boolean): string {
  const lasts = value === '' ? 0 : sessionMs / 1_000;
  const secure = isSecure ? '; Secure' : '';
  return `${cookieName(isSecure)}=${value}; Path=/; Max-Age=${lasts}; HttpOnly; SameSite=Strict${secure}`;
}
