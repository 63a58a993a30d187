import { type Member, memberEmail } from '../../domain/access/member.ts';
import { memberWithEmail } from '../../domain/access/member-list.ts';
import { linkSeconds } from '../../domain/access/sign-in-link.ts';
import { DomainError } from '../../domain/errors.ts';
import type { MemberStore } from '../../store/access/member-store.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';

export interface LinkRequest {
  /** As it was typed. */
  email: string;
  /** The cookie of the browser that asks. */
  browser: string;
  next: string;
}

export interface RequestSignInLinkDeps {
  members: Pick<MemberStore, 'list' | 'saveLink'>;
  throttles: ThrottleStore;
  newToken: () => string;
  hashOf: (text: string) => string;
  /** Mails a token to a member's address. */
  mailLink: (member: Member, token: string) => Promise<void>;
  now: () => Date;
}

/** How many links are mailed to an address, and asked for by a source, in an hour. */
export const hourlyLinks = { address: 5, source: 30 } as const;

/** Refuses a source that asks too often, for known and unknown addresses alike. */
export async function assertSourceMayAsk(
  { throttles, hashOf, now }: Pick<RequestSignInLinkDeps, 'throttles' | 'hashOf' | 'now'>,
  source: string,
): Promise<void> {
  const asked = await throttles.count(hashOf(`source ${source}`), now());
  if (asked > hourlyLinks.source)
    throw new DomainError('TOO_MANY_REQUESTS', 'Too many links were asked for from here. Try again in an hour.');
}

/** Mails a link to the member with an address. Does nothing for any other address, or after too many links. */
export async function requestSignInLink(deps: RequestSignInLinkDeps, request: LinkRequest): Promise<void> {
  const email = memberEmail(request.email);
  const at = deps.now();
  if (email === undefined) return;
  const asked = await deps.throttles.count(deps.hashOf(`address ${email}`), at);
  const member = memberWithEmail(await deps.members.list(), email, at.toISOString());
  if (!member || asked > hourlyLinks.address) return;
  const token = deps.newToken();
  await deps.members.saveLink({
    hash: deps.hashOf(token),
    memberId: member.id,
    browser: deps.hashOf(request.browser),
    next: request.next,
    expiresAt: new Date(at.getTime() + linkSeconds * 1_000).toISOString(),
    usedAt: null,
    version: 0,
  });
  await deps.mailLink(member, token);
}
