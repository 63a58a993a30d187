import type { Endpoint } from '../../../infra/endpoints.ts';
import { type Grantor, isPermitted } from '../../../shared/domain/access/access.ts';
import type { ApiKey } from '../../../shared/domain/access/api-key.ts';
import { type Role, rightsOfRole } from '../../../shared/domain/access/member.ts';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { apiKeys } from '../../../shared/wiring/runtime.ts';
import type { Api } from './api.ts';
import { type Browsing, browse } from './dashboard.ts';
import { addMember, browseAs, rewriteMembers } from './members.ts';

/** A caller with a key or without one, who signed in to the dashboard while the key was still valid. */
export interface Caller {
  name: string;
  key: string | null;
  browsing: Browsing;
  /** The owner of the dashboard sessions: the hash of a key or the id of a member. */
  holder: string;
  /**
   * Returns the refusal if a command, such as `POST /webhooks` or `webhooks create`, needs this right. Undefined means
   * that the caller is allowed.
   */
  refusal: (needed: Exclude<Endpoint['access'], 'public'>, command?: string) => 401 | 403 | undefined;
}

const good: Readonly<Record<string, Omit<Grantor, 'expiresAt'> & Partial<Grantor>>> = {
  'a read key': { access: 'read', refunds: null },
  'a read key that may refund': { access: 'read', refunds: { perDay: null } },
  'a write key': { access: 'write', refunds: { perDay: null } },
  'a write key that may refund a little': { access: 'write', refunds: { perDay: { amount: 5_000, currency: 'EUR' } } },
  'a write key that may not refund': { access: 'write', refunds: null },
  'an admin key': { access: 'admin', refunds: { perDay: null } },
  'an admin key that may not refund': { access: 'admin', refunds: null },
  'an admin key that expires': { access: 'admin', refunds: { perDay: null }, expiresAt: '2099-01-01T00:00:00.000Z' },
};

/**
 * The commands that would keep access or send data after a key has expired. A key with an expiry date may not use them.
 */
export const lasting: readonly string[] = [
  'POST /webhooks',
  'GET /webhooks/{id}/secret',
  'POST /webhooks/{id}/rotate',
  'PATCH /webhooks/{id}/headers',
  'webhooks create',
  'webhooks rotate',
  'members invite',
  'members invite_again',
];

const closed: Readonly<Record<string, Partial<ApiKey>>> = {
  'a revoked key': { revokedAt: '2026-01-02T00:00:00.000Z' },
  'an expired key': { expiresAt: '2026-01-02T00:00:00.000Z' },
};

const memberRoles = {
  'a member who reads': 'read',
  'a member who writes': 'write',
  'a member who administers': 'admin',
  'an owner': 'owner',
} as const;

const removed = 'a member who was removed';

export const callerNames: readonly string[] = [
  'nobody',
  ...Object.keys(good),
  ...Object.keys(closed),
  ...Object.keys(memberRoles),
  removed,
];

/** One caller of each kind. */
export async function openCallers(api: Api): Promise<Map<string, Caller>> {
  const nobody: Caller = {
    name: 'nobody',
    key: null,
    browsing: { cookies: [], token: '' },
    holder: 'nobody',
    refusal: () => 401,
  };
  const callers = [nobody];
  for (const [name, held] of Object.entries(good)) {
    const refusal: Caller['refusal'] = (needed, command = '') =>
      isPermitted(held, needed) && !(held.expiresAt && lasting.includes(command)) ? undefined : 403;
    callers.push({ name, refusal, ...(await signedIn(api, held)) });
  }
  for (const [name, change] of Object.entries(closed))
    callers.push({ name, refusal: () => 401, ...(await closedLater(api, change)) });
  for (const [name, role] of Object.entries(memberRoles)) {
    const refusal: Caller['refusal'] = (needed) => (isPermitted(rightsOfRole(role), needed) ? undefined : 403);
    callers.push({ name, key: null, refusal, ...(await signedInMember(api, role)) });
  }
  const former = await signedInMember(api, 'admin');
  await rewriteMembers((all) => all.filter(({ id }) => id !== former.holder));
  callers.push({ name: removed, key: null, refusal: () => 401, ...former });
  return new Map(callers.map((caller) => [caller.name, caller]));
}

async function signedInMember(api: Api, role: Role): Promise<Pick<Caller, 'holder' | 'browsing'>> {
  const member = await addMember(role);
  return { holder: member.id, browsing: await browseAs(api, member) };
}

async function signedIn(api: Api, fields: Partial<ApiKey>): Promise<Pick<Caller, 'key' | 'holder' | 'browsing'>> {
  const key = await api.addKey(fields);
  return { key, holder: hashApiKey(key), browsing: await browse(api, key) };
}

async function closedLater(api: Api, change: Partial<ApiKey>): Promise<Pick<Caller, 'key' | 'holder' | 'browsing'>> {
  const caller = await signedIn(api, { access: 'admin' });
  const stored = await apiKeys().find(hashApiKey(caller.key ?? ''));
  if (stored) await apiKeys().save({ ...stored, ...change });
  return caller;
}
