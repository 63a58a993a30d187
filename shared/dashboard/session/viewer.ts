import { actorOf, memberActor } from '../../domain/access/audit.ts';
import { sessionsSince, takesFormer } from '../../domain/access/dashboard-secret.ts';
import { isMemberId, maySignIn, rightsOfRole } from '../../domain/access/member.ts';
import { findMember } from '../../domain/access/member-list.ts';
import { isOpen } from '../../domain/access/sign-in.ts';
import { DomainError } from '../../domain/errors.ts';
import { env } from '../../env.ts';
import { assertAllowed } from '../../http/authentication.ts';
import type { PageRequest } from '../../http/page.ts';
import type { ApiKeyStore } from '../../store/access/api-key-store.ts';
import type { DashboardSecretStore } from '../../store/access/dashboard-secret-store.ts';
import type { MemberStore } from '../../store/access/member-store.ts';
import type { SignInStore } from '../../store/access/sign-in-store.ts';
import { keys, type RowKey } from '../../store/keys.ts';
import type { Viewer } from '../visit.ts';
import { claimedSession, cookieName, type DashboardSession, formTokenOf, unsealSession } from './session-cookie.ts';

export interface ViewerDeps {
  apiKeys: Pick<ApiKeyStore, 'find' | 'findSessionSecret'>;
  dashboardSecrets: Pick<DashboardSecretStore, 'find'>;
  members: Pick<MemberStore, 'list'>;
  signIns: Pick<SignInStore, 'find'>;
  now: () => Date;
}

const isSecure = (): boolean => env.publicUrl().startsWith('https:');

/** The rows that `viewerOf` will read, from the cookie that is not checked yet. */
export function viewerRows(request: PageRequest): RowKey[] {
  const claimed = claimedSession(request.cookie(cookieName(isSecure())) ?? '');
  if (!claimed) return [];
  const { holder, id } = claimed;
  return [keys.dashboardSecret(), isMemberId(holder) ? keys.members() : keys.apiKey(holder), keys.signIn(holder, id)];
}

/**
 * Checks the cookie, the secret, the session, and its key or member on every request. So an ended session stops working
 * at once, and a changed role is used at once.
 */
export async function viewerOf(deps: ViewerDeps, request: PageRequest): Promise<Viewer> {
  const cookie = request.cookie(cookieName(isSecure()));
  const at = deps.now();
  const { session, secret, since } = (cookie && (await unsealed(deps, cookie, at))) || nobody();
  const { holder, id: sessionId } = session;
  const find = isMemberId(holder) ? memberViewer : keyViewer;
  const [viewer, signIn] = await Promise.all([
    find(deps, holder, { now: at, secret }),
    deps.signIns.find(holder, sessionId),
  ]);
  if (!signIn || !isOpen(signIn, at.toISOString())) throw new DomainError('UNAUTHORIZED', 'This session has ended.');
  return { ...viewer, holder, sessionId, sessionsSince: since, formToken: formTokenOf(session, secret) };
}

function nobody(): never {
  throw new DomainError('UNAUTHORIZED', 'Nobody is signed in.');
}

interface Unsealed {
  session: DashboardSession;
  /** The secret that signed the cookie. */
  secret: string;
  /** Sessions that began before this time are closed. */
  since: string;
}

/** The session of a cookie with this stack's signature. A session of version 0.2.0 keeps its original duration. */
async function unsealed(deps: ViewerDeps, cookie: string, at: Date): Promise<Unsealed | undefined> {
  const here = { merchantId: env.merchant().id, stage: env.stage(), now: at };
  const known = await deps.dashboardSecrets.find();
  const openedBy = (secret: string | undefined): Unsealed | undefined => {
    const session = secret && unsealSession(cookie, secret, here);
    return session ? { session, secret, since: sessionsSince(known) } : undefined;
  };
  const opened = openedBy(known?.secret);
  return opened || !takesFormer(known, at) ? opened : openedBy(await deps.apiKeys.findSessionSecret());
}

type Identity = Omit<Viewer, 'holder' | 'sessionId' | 'sessionsSince' | 'formToken'>;

async function keyViewer({ apiKeys }: ViewerDeps, hash: string, { now }: { now: Date }): Promise<Identity> {
  const { name, access, refunds, expiresAt } = assertAllowed(await apiKeys.find(hash), 'read', now);
  return { hash, member: null, keyName: name, access, refunds, expiresAt, actor: actorOf({ hash, name }, 'dashboard') };
}

async function memberViewer(
  { members }: ViewerDeps,
  id: string,
  { now, secret }: { now: Date; secret: string },
): Promise<Identity> {
  const member = findMember(await members.list(), id);
  if (!member || !maySignIn(member, now.toISOString()))
    throw new DomainError('UNAUTHORIZED', 'This member was removed.');
  const { email, role } = member;
  const hash = formTokenOf({ id }, secret);
  const rights = { ...rightsOfRole(role), expiresAt: null };
  return { hash, member: { id, role }, keyName: email, ...rights, actor: memberActor(member) };
}
