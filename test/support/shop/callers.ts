import type { Endpoint } from '../../../infra/endpoints.ts';
import { isPermitted, type Rights } from '../../../shared/domain/access/access.ts';
import type { ApiKey } from '../../../shared/domain/access/api-key.ts';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { apiKeys } from '../../../shared/runtime.ts';
import type { Api } from './api.ts';
import { type Browsing, browse } from './dashboard.ts';

/** Somebody with a key, or with none; signed in to the dashboard while the key was still good. */
export interface Caller {
  name: string;
  key: string | null;
  browsing: Browsing;
  /** What they are refused with where this is needed; undefined: they are let in. */
  refusal: (needed: Exclude<Endpoint['access'], 'public'>) => 401 | 403 | undefined;
}

const good: Readonly<Record<string, Rights>> = {
  'a read key': { access: 'read', refunds: null },
  'a read key that may refund': { access: 'read', refunds: { perDay: null } },
  'a write key': { access: 'write', refunds: { perDay: null } },
  'a write key that may refund a little': { access: 'write', refunds: { perDay: { amount: 5_000, currency: 'EUR' } } },
  'a write key that may not refund': { access: 'write', refunds: null },
  'an admin key': { access: 'admin', refunds: { perDay: null } },
  'an admin key that may not refund': { access: 'admin', refunds: null },
};

const closed: Readonly<Record<string, Partial<ApiKey>>> = {
  'a revoked key': { revokedAt: '2026-01-02T00:00:00.000Z' },
  'an expired key': { expiresAt: '2026-01-02T00:00:00.000Z' },
};

export const callerNames: readonly string[] = ['nobody', ...Object.keys(good), ...Object.keys(closed)];

/** One caller of each kind. */
export async function openCallers(api: Api): Promise<Map<string, Caller>> {
  const nobody: Caller = { name: 'nobody', key: null, browsing: { cookies: [], token: '' }, refusal: () => 401 };
  const callers = [nobody];
  for (const [name, held] of Object.entries(good)) {
    const refusal: Caller['refusal'] = (needed) => (isPermitted(held, needed) ? undefined : 403);
    callers.push({ name, refusal, ...(await signedIn(api, held)) });
  }
  for (const [name, change] of Object.entries(closed))
    callers.push({ name, refusal: () => 401, ...(await closedLater(api, change)) });
  return new Map(callers.map((caller) => [caller.name, caller]));
}

async function signedIn(api: Api, fields: Partial<ApiKey>): Promise<Pick<Caller, 'key' | 'browsing'>> {
  const key = await api.addKey(fields);
  return { key, browsing: await browse(api, key) };
}

async function closedLater(api: Api, change: Partial<ApiKey>): Promise<Pick<Caller, 'key' | 'browsing'>> {
  const caller = await signedIn(api, { access: 'admin' });
  const stored = await apiKeys().find(hashApiKey(caller.key ?? ''));
  if (stored) await apiKeys().save({ ...stored, ...change });
  return caller;
}
