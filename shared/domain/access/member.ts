import * as z from 'zod';
import { refuse } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import type { Rights } from './access.ts';

/** The roles of members. Each role includes the ones before it. */
export const roles = ['read', 'write', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** A person who signs in to the dashboard by a link in a mail. */
export const Member = z.object({
  id: z.string(),
  /** Normalized: lower case, its domain in ASCII. Mails go to this address and to no other. */
  email: z.string(),
  role: z.enum(roles),
  invitedAt: z.string(),
  /** Until when an invitation can be accepted. */
  inviteEndsAt: z.string(),
  /** When the member signed in for the first time; null while the invitation is open. */
  joinedAt: z.string().nullable(),
});
export type Member = z.infer<typeof Member>;

/**
 * The rights of a role. The route table knows three levels. An owner has the highest one, and also decides who is an
 * owner.
 */
export const rightsOfRole = (role: Role): Rights => ({
  access: role === 'owner' ? 'admin' : role,
  refunds: role === 'read' ? null : { perDay: null },
});

export const isMemberId = (id: string): boolean => id.startsWith('mbr_');

/** Whether a member, invited or joined, may sign in. */
export const maySignIn = ({ joinedAt, inviteEndsAt }: Member, now: string): boolean =>
  joinedAt !== null || now < inviteEndsAt;

const plainAddress = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9-]+\.)+[a-z0-9-]{2,}$/;

/** A domain in ASCII, as browsers write it; empty if it is not a domain. */
function asciiDomain(domain: string): string {
  const address = `http://${domain}/`;
  return /^[^\s/?#:@\\%[\]]+$/.test(domain) && URL.canParse(address) ? new URL(address).hostname : '';
}

/**
 * Normalizes an e-mail address: lower case, and an international domain in ASCII. Dots and plus signs before the @
 * stay. Undefined if the text is not one plain address.
 */
export function memberEmail(text: string): string | undefined {
  const [local = '', domain = '', excess] = text.trim().toLowerCase().split('@');
  const email = `${local}@${asciiDomain(domain)}`;
  return excess === undefined && local.length <= 64 && email.length <= 254 && plainAddress.test(email)
    ? email
    : undefined;
}

/** The normalized e-mail address from a form. Throws an error that says what is wrong. */
export function parseMemberEmail(text: string): string {
  const email = memberEmail(text);
  if (email) return email;
  throw refuse('INVALID_REQUEST_PARAMETERS', 'email', brokenRule(sentences.member_email));
}
