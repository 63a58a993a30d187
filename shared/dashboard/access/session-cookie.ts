import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

/** For how long somebody is signed in, whatever they do. */
export const sessionSeconds = 8 * 60 * 60;

/** Who is signed in to the dashboard of one stage of one merchant, and with which key. */
const DashboardSession = z.strictObject({
  merchantId: z.string(),
  stage: z.enum(['sandbox', 'live']),
  /** Of the API key, whose row is read again for every page. */
  keyHash: z.string(),
  /** Of its row, which is read again for every page as well. A cookie of version 0.1 has none, and opens nothing. */
  id: z.string(),
  expiresAt: z.string(),
});
export type DashboardSession = z.infer<typeof DashboardSession>;

/** The value of the cookie: what it says, readable, and a signature that only this stack can make. */
export function sealSession(session: DashboardSession, secret: string): string {
  const text = Buffer.from(JSON.stringify(session)).toString('base64url');
  return `${text}.${sign(`session ${text}`, secret)}`;
}

/** What a cookie says; undefined for one that was forged, altered, made elsewhere, or is over. */
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

/** Which session a cookie claims to be, whoever made it; undefined for one that names none. Only `openSession` knows whether it is. */
export function claimedSession(cookie: string): Pick<DashboardSession, 'keyHash' | 'id'> | undefined {
  try {
    return Claimed.parse(JSON.parse(Buffer.from(cookie.split('.')[0] ?? '', 'base64url').toString()));
  } catch {
    return undefined;
  }
}

const Claimed = z.object({ keyHash: z.string().max(100), id: z.string().max(100) });

/** What every form of a session carries, and nobody else can know. */
export const formTokenOf = ({ id }: Pick<DashboardSession, 'id'>, secret: string): string => sign(`form ${id}`, secret);

/** Whether two texts are the same, in a time that tells nothing about them. */
export const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const sign = (text: string, secret: string): string => createHmac('sha256', secret).update(text).digest('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A name that only this host, over TLS, can set; without TLS there is only the machine that it runs on. */
export const cookieName = (isSecure: boolean): string => (isSecure ? '__Host-tillstack' : 'tillstack');

/** The cookie as it is set: out of reach of scripts and of other sites. Without a value it goes. */
export function sessionCookie(value: string, isSecure: boolean): string {
  const lasts = value === '' ? 0 : sessionSeconds;
  const secure = isSecure ? '; Secure' : '';
  return `${cookieName(isSecure)}=${value}; Path=/; Max-Age=${lasts}; HttpOnly; SameSite=Strict${secure}`;
}
