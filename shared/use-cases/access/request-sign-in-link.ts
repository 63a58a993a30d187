import { type Member, memberEmail } from '../../domain/access/member.ts';
import { memberWithEmail } from '../../domain/access/member-list.ts';
import { linkSeconds } from '../../domain/access/sign-in-link.ts';
import { DomainError } from '../../domain/errors.ts';
import type { MemberStore } from '../../store/access/member-store.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';

export interface LinkRequest {
  /** The address as the visitor typed it. */
  email: string;
  /** The cookie of the browser that requests a link. */
  browser: string;
  /** The id of a browser in which this member has signed in before; undefined for any other browser. */
  known: string | undefined;
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

/**
 * How many links are mailed in an hour: to an address for unknown browsers, and for each known browser. `source` is how
 * often one network may request a link.
 */
export const hourlyLinks = { address: 5, browser: 5, source: 30 } as const;

/**
 * Refuses a network that requests links too often. Known and unknown addresses count in the same way. A known browser
 * skips this check.
 */
export async function assertSourceMayAsk(
  { throttles, hashOf, now }: Pick<RequestSignInLinkDeps, 'throttles' | 'hashOf' | 'now'>,
  source: string,
): Promise<void> {
  const asked = await throttles.count(hashOf(`source ${source}`), now());
  if (asked > hourlyLinks.source)
    throw new DomainError('TOO_MANY_REQUESTS', 'Too many links were asked for from here. Try again in an hour.');
}

/**
 * Whether one more link is allowed in this hour. A known browser has its own limit, so a stranger who enters the
 * address cannot use it up.
 */
async function isWithinHour(
  { throttles, hashOf, now }: Pick<RequestSignInLinkDeps, 'throttles' | 'hashOf' | 'now'>,
  { email, known }: { email: string; known: string | undefined },
): Promise<boolean> {
  const counted = known === undefined ? `address ${email}` : `browser ${known}`;
  const most = known === undefined ? hourlyLinks.address : hourlyLinks.browser;
  return (await throttles.count(hashOf(counted), now())) <= most;
}

/** Mails a sign-in link to the member with an address. Does nothing for any other address, or after too many links. */
export async function requestSignInLink(deps: RequestSignInLinkDeps, request: LinkRequest): Promise<void> {
  const email = memberEmail(request.email);
  const at = deps.now();
  if (email === undefined) return;
  const isWithin = await isWithinHour(deps, { email, known: request.known });
  const member = memberWithEmail(await deps.members.list(), email, at.toISOString());
  if (!member || !isWithin) return;
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
