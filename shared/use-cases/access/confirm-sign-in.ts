import type { AuditedCommand } from '../../domain/access/audit.ts';
import { type Member, maySignIn } from '../../domain/access/member.ts';
import { findMember, withJoined } from '../../domain/access/member-list.ts';
import type { SignIn } from '../../domain/access/sign-in.ts';
import { whyNotLink } from '../../domain/access/sign-in-link.ts';
import type { CommandRecord } from '../../domain/idempotency.ts';
import type { MemberStore } from '../../store/access/member-store.ts';
import { retryStale } from '../retry.ts';

export interface ConfirmSignInDeps {
  members: Pick<MemberStore, 'list' | 'findLink' | 'beginSession'>;
  hashOf: (text: string) => string;
  newSession: (holder: string) => SignIn;
  /** Makes the audit entry of the sign-in. */
  recordsOf: (member: Member, command: AuditedCommand) => CommandRecord[];
  now: () => Date;
}

/** The new session, or the reason why there is none. */
type Confirmation = { signIn: SignIn; next: string; email: string } | { refused: 'over' | 'elsewhere' };

/**
 * Signs in by a link, only in the browser that requested the link. The same transaction uses up the link, so only one
 * of two clicks signs in. A click in another browser does not use up the link.
 */
export function confirmSignIn(
  deps: ConfirmSignInDeps,
  { token, browser }: { token: string; browser: string },
): Promise<Confirmation> {
  return retryStale(async () => {
    const now = deps.now().toISOString();
    const [link, list] = await Promise.all([deps.members.findLink(deps.hashOf(token)), deps.members.list()]);
    const refused = whyNotLink(link, { browser: deps.hashOf(browser), now });
    const member = link && findMember(list, link.memberId);
    if (refused) return { refused };
    if (!link || !member || !maySignIn(member, now)) return { refused: 'over' };
    const signIn = deps.newSession(member.id);
    const isFirst = member.joinedAt === null;
    const records = [
      ...deps.recordsOf(member, { command: 'session.start', subject: signIn.id, details: {} }),
      ...(isFirst ? deps.recordsOf(member, { command: 'member.join', subject: member.id, details: {} }) : []),
    ];
    const joined = isFirst ? withJoined(list, member.id, now) : undefined;
    await deps.members.beginSession({ link: { ...link, usedAt: now }, signIn, list: joined }, records);
    return { signIn, next: link.next, email: member.email };
  });
}
