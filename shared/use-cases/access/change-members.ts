import { revokedApiKey } from '../../domain/access/api-key.ts';
import { descendantsOf } from '../../domain/access/api-key-list.ts';
import type { Member, Role } from '../../domain/access/member.ts';
import {
  getMember,
  type MemberList,
  type MemberMaker,
  withInvitation,
  withOwner,
  withoutMember,
  withRenewedInvitation,
  withRole,
} from '../../domain/access/member-list.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ApiKeyStore } from '../../store/access/api-key-store.ts';
import type { MemberStore } from '../../store/access/member-store.ts';
import { retryStale } from '../retry.ts';

export interface ChangeMembersDeps {
  members: Pick<MemberStore, 'list' | 'save' | 'saveRemoval'>;
  apiKeys: Pick<ApiKeyStore, 'list'>;
  newMemberId: () => string;
  now: () => Date;
}

/** How long an invitation can be accepted. */
const invitationDays = 7;

const invitationEnd = (now: Date): string => new Date(now.getTime() + invitationDays * 86_400_000).toISOString();

type Change<Request> = (
  deps: ChangeMembersDeps,
  change: { request: Request; maker: MemberMaker },
  claim: Claim<Member>,
) => Promise<Member>;

/** Invites an address to be a member. */
export const inviteMember: Change<{ email: string; role: Role }> = (deps, { request, maker }, claim) => {
  const id = deps.newMemberId();
  const now = deps.now();
  const invitation = { ...request, id, now: now.toISOString(), endsAt: invitationEnd(now) };
  const details = { role: request.role };
  return change(deps, (list) => withInvitation(list, invitation, maker), {
    id,
    claim: (member) => claim(member, { command: 'member.invite', subject: id, details }),
  });
};

/** Gives an invitation seven more days. */
export const inviteMemberAgain: Change<{ id: string }> = (deps, { request: { id }, maker }, claim) =>
  change(deps, (list) => withRenewedInvitation(list, { id, endsAt: invitationEnd(deps.now()) }, maker), {
    id,
    claim: (member) => claim(member, { command: 'member.invite_again', subject: id, details: {} }),
  });

export const changeRole: Change<{ id: string; role: Role }> = (deps, { request, maker }, claim) =>
  change(deps, (list) => withRole(list, request, maker), {
    id: request.id,
    claim: (member) =>
      claim(member, { command: 'member.change_role', subject: request.id, details: { role: request.role } }),
  });

type MakeOwnerDeps = Pick<ChangeMembersDeps, 'newMemberId' | 'now'> & {
  members: Pick<MemberStore, 'list' | 'save'>;
};

/**
 * Makes an address an owner. Only an operator can run it. It is the only way back in if every owner has lost access to
 * their mailbox.
 */
export const makeOwner = (deps: MakeOwnerDeps, email: string, claim: Claim<Member>): Promise<Member> =>
  retryStale(async () => {
    const [now, list] = [deps.now(), await deps.members.list()];
    const invitation = { id: deps.newMemberId(), email, now: now.toISOString(), endsAt: invitationEnd(now) };
    const after = withOwner(list, invitation);
    const owner = after.members.find((member) => member.email === email && member.role === 'owner');
    if (!owner) throw new RangeError('An owner who is not in the list.');
    const isKnown = list.members.some(({ id }) => id === owner.id);
    const command = isKnown ? 'member.change_role' : 'member.invite';
    await deps.members.save(after, claim(owner, { command, subject: owner.id, details: { role: 'owner' } }));
    return owner;
  });

interface Written {
  id: string;
  claim: (member: Member) => ReturnType<Claim<Member>>;
}

/** Applies a decision to the current list, and writes the result. Starts again if another writer was faster. */
const change = (deps: ChangeMembersDeps, decide: (list: MemberList) => MemberList, { id, claim }: Written) =>
  retryStale(async () => {
    const after = decide(await deps.members.list());
    const member = getMember(after, id);
    await deps.members.save(after, claim(member));
    return member;
  });

/** How many keys fit into one transaction besides the lists and the claim. */
const mostKeys = 80;

/**
 * Removes a member and, on request, the keys that the member made. It always writes the list of keys. So a key that the
 * member creates at the same moment is either refused, or found here.
 */
export const removeMember: Change<{ id: string; withKeys: boolean }> = (deps, { request, maker }, claim) =>
  retryStale(async () => {
    const { id, withKeys } = request;
    const [list, before] = await Promise.all([deps.members.list(), deps.apiKeys.list()]);
    const member = getMember(list, id);
    const after = withoutMember(list, id, maker);
    const now = deps.now().toISOString();
    const made = withKeys ? descendantsOf(before, id, now).slice(0, mostKeys) : [];
    const command = { command: 'member.remove' as const, subject: id, details: { keys: made.length } };
    const revoked = made.map((key) => revokedApiKey(key, now));
    await deps.members.saveRemoval(after, { before, revoked }, claim(member, command));
    return member;
  });
