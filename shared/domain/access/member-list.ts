import * as z from 'zod';
import { DomainError, notFound, refuse } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import type { Grantor } from './access.ts';
import { Member, maySignIn, type Role, rightsOfRole, roles } from './member.ts';

/** All members of a merchant in one row, so a decision about one member sees all the others. */
export const MemberList = z.object({
  members: z.array(Member),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type MemberList = z.infer<typeof MemberList>;

/** A member who decides about members, or a key with admin access. `memberId` is null for a key. */
export interface MemberMaker extends Grantor {
  memberId: string | null;
}

const most = 50;

export const findMember = ({ members }: MemberList, id: string): Member | undefined =>
  members.find((member) => member.id === id);

export function getMember(list: MemberList, id: string): Member {
  const member = findMember(list, id);
  if (member) return member;
  throw notFound('member', id);
}

/** The member with an address who may sign in now. */
export const memberWithEmail = ({ members }: MemberList, email: string, now: string): Member | undefined =>
  members.find((member) => member.email === email && maySignIn(member, now));

export const ownersOf = ({ members }: MemberList): Member[] =>
  members.filter(({ role, joinedAt }) => role === 'owner' && joinedAt !== null);

/**
 * The current role of the deciding member or key. A key with admin access acts as an owner until the first owner has
 * joined, and as an admin afterwards.
 */
export function makerRole(list: MemberList, { memberId, access }: MemberMaker): Role | undefined {
  if (memberId !== null) return findMember(list, memberId)?.role;
  return access === 'admin' && ownersOf(list).length === 0 ? 'owner' : access;
}

/**
 * Refuses a decision that the member or key has no right to make: only owners decide about owners, and admins decide
 * about all others.
 */
function assertMayDecide(list: MemberList, maker: MemberMaker, concerned: readonly Role[]): void {
  const role = makerRole(list, maker);
  const needed = concerned.includes('owner') ? ['owner'] : ['admin', 'owner'];
  if (role !== undefined && needed.includes(role)) return;
  throw new DomainError('FORBIDDEN', 'Only an owner can decide about owners, and an admin about other members.');
}

/**
 * Why a member or key may not give a role; undefined if it may. A key with a refund limit cannot allow another member
 * to refund. A key that expires cannot raise the rights of a member, because members stay.
 */
function whyNotGive({ refunds, expiresAt }: MemberMaker, role: Role, before?: Role): string | undefined {
  if (expiresAt !== null && (before === undefined || roles.indexOf(role) > roles.indexOf(before)))
    return 'Only a key that does not expire can invite members or give them a higher role.';
  const refundsAlready = before !== undefined && rightsOfRole(before).refunds !== null;
  if (refunds?.perDay === null || rightsOfRole(role).refunds === null || refundsAlready) return undefined;
  return 'Only a key that refunds without a daily limit can let members refund.';
}

/** Whether a member or key may give a role to a new member, or to a member who has another role. */
export const mayGive = (maker: MemberMaker, role: Role, before?: Role): boolean =>
  whyNotGive(maker, role, before) === undefined;

function assertMayGive(maker: MemberMaker, role: Role, before?: Role): void {
  const reason = whyNotGive(maker, role, before);
  if (reason !== undefined) throw new DomainError('FORBIDDEN', reason);
}

/**
 * Refuses a change that removes the last owner. A key can make an owner only while there is none, so an owner must
 * always remain.
 */
function assertOwned(list: MemberList): void {
  if (ownersOf(list).length > 0) return;
  throw new DomainError('CONFLICT', brokenRule(sentences.member_last_owner));
}

interface Invitation {
  id: string;
  email: string;
  role: Role;
  now: string;
  endsAt: string;
}

const newInvitation = ({ id, email, role, now, endsAt }: Invitation): Member => ({
  ...{ id, email, role },
  ...{ invitedAt: now, inviteEndsAt: endsAt, joinedAt: null },
});

/** Invites an address. If an invitation to it has expired, the new one replaces it. */
export function withInvitation(list: MemberList, invitation: Invitation, maker: MemberMaker): MemberList {
  const { email, role, now } = invitation;
  assertMayDecide(list, maker, [role]);
  assertMayGive(maker, role);
  if (role !== 'owner' && ownersOf(list).length === 0)
    throw refuse('INVALID_REQUEST_PARAMETERS', 'role', brokenRule(sentences.member_owner_first));
  if (memberWithEmail(list, email, now))
    throw refuse('INVALID_REQUEST_PARAMETERS', 'email', brokenRule(sentences.member_exists));
  const others = list.members.filter((member) => maySignIn(member, now));
  if (others.length >= most)
    throw refuse('INVALID_REQUEST_PARAMETERS', 'email', brokenRule(sentences.members_full, { most }));
  return { ...list, members: [...others, newInvitation(invitation)] };
}

/** Extends an invitation, which is then mailed again. */
export function withRenewedInvitation(
  list: MemberList,
  { id, endsAt }: { id: string; endsAt: string },
  maker: MemberMaker,
): MemberList {
  const member = getMember(list, id);
  assertMayDecide(list, maker, [member.role]);
  assertMayGive(maker, member.role);
  if (member.joinedAt !== null) throw new DomainError('CONFLICT', brokenRule(sentences.member_joined));
  return replaced(list, { ...member, inviteEndsAt: endsAt });
}

/** Gives a member another role. Open sessions use it from their next request on. */
export function withRole(list: MemberList, { id, role }: { id: string; role: Role }, maker: MemberMaker): MemberList {
  const member = getMember(list, id);
  assertMayDecide(list, maker, [member.role, role]);
  assertMayGive(maker, role, member.role);
  const after = replaced(list, { ...member, role });
  if (member.role === 'owner' && member.joinedAt !== null) assertOwned(after);
  return after;
}

/** Removes a member, and thereby the member's sessions and links. All members can leave, except the last owner. */
export function withoutMember(list: MemberList, id: string, maker: MemberMaker): MemberList {
  const member = getMember(list, id);
  if (maker.memberId !== id) assertMayDecide(list, maker, [member.role]);
  const after = { ...list, members: list.members.filter((other) => other.id !== id) };
  if (member.role === 'owner' && member.joinedAt !== null) assertOwned(after);
  return after;
}

/**
 * Refuses to end sessions of other members without the right. Members end their own sessions; only an owner ends
 * those of an owner.
 */
export function assertMayEndSessions(list: MemberList, id: string, maker: MemberMaker): void {
  if (maker.memberId !== id) assertMayDecide(list, maker, [getMember(list, id).role]);
}

/**
 * Makes an address an owner, when an operator asks for it by command. A member gets the role; another address gets an
 * invitation. Other owners stay.
 */
export function withOwner(list: MemberList, { id, email, now, endsAt }: Omit<Invitation, 'role'>): MemberList {
  const known = memberWithEmail(list, email, now);
  if (known) return replaced(list, { ...known, role: 'owner', inviteEndsAt: endsAt });
  const members = list.members.filter((member) => maySignIn(member, now));
  return { ...list, members: [...members, newInvitation({ id, email, role: 'owner', now, endsAt })] };
}

/** Notes that an invited member has signed in for the first time. */
export const withJoined = (list: MemberList, id: string, now: string): MemberList =>
  replaced(list, { ...getMember(list, id), joinedAt: now });

const replaced = (list: MemberList, member: Member): MemberList => ({
  ...list,
  members: list.members.map((other) => (other.id === member.id ? member : other)),
});
