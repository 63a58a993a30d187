import { type SignIn, sessionMs } from '../../domain/access/sign-in.ts';
import { DomainError } from '../../domain/errors.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { env } from '../../env.ts';
import { type SignInDeps, signingSecret } from '../../use-cases/access/sign-in.ts';
import { sealSession, sessionCookie } from './session-cookie.ts';

/** A new session of a key or a member. Its id is random, so nobody can guess it in advance. */
export function newSession(holder: string, { id, at }: { id: string; at: Date }): SignIn {
  const expiresAt = new Date(at.getTime() + sessionMs).toISOString();
  return { id, holder, startedAt: at.toISOString(), expiresAt, endedAt: null };
}

/** The cookie of a session. */
export async function cookieOf({ id, holder, expiresAt }: SignIn, deps: SignInDeps): Promise<string> {
  const place = { merchantId: env.merchant().id, stage: env.stage() };
  const value = sealSession({ id, holder, expiresAt, ...place }, await signingSecret(deps));
  return sessionCookie(value, env.publicUrl().startsWith('https:'));
}

/** Refuses to sign in if the merchant is not live yet. */
export function assertStageOpen(): void {
  if (env.stage() === 'live' && !env.merchant().live)
    throw new DomainError('MERCHANT_NOT_LIVE', brokenRule(sentences.not_live));
}

/** The page to open after the sign-in. An address outside the dashboard is replaced by the overview. */
export const nextOf = (path = ''): string => (/^\/dashboard(\/[\w/-]*)?$/.test(path) ? path : '/dashboard');
