import * as z from 'zod';
import { type ApiKey, apiKeyIdOf } from './api-key.ts';
import type { Member } from './member.ts';

/**
 * Every audited command on money, keys and settings. Actions of buyers are not audited, and a checkout session needs
 * no entry, because it is itself a record.
 */
const commandNames = [
  'api_key.create',
  'api_key.revoke',
  'brand.create',
  'brand.update',
  'customer.create',
  'customer.erase',
  'customer.update',
  'discount.allow',
  'discount.create',
  'discount.delete',
  'discount.disallow',
  'discount.update',
  'dispute.choose_ground',
  'entitlement.create',
  'entitlement.delete',
  'entitlement.import_codes',
  'entitlement.update',
  'export.create',
  'grant.deliver',
  'grant.restore',
  'grant.revoke',
  'invoice.correct',
  'invoice.leave',
  'license_key.end_instance',
  'license_key.import',
  'license_key.reissue',
  'license_key.rename_instance',
  'license_key.update',
  'mail_words.update',
  'member.change_role',
  'member.invite',
  'member.invite_again',
  'member.join',
  'member.remove',
  'order.correct_address',
  'order.replace_link',
  'order.send_mail',
  'policies.update',
  'product.archive',
  'product.create',
  'product.restore',
  'product.update',
  'refund.create',
  'return.file',
  'session.end',
  'session.start',
  'tax_override.create',
  'tax_override.delete',
  'tax_registration.create',
  'tax_registration.delete',
  'tax_registration.update',
  'tax_small_seller.leave',
  'tax_small_seller.state',
  'webhook.create',
  'webhook.delete',
  'webhook.rotate_secret',
  'webhook.update',
  'webhook.update_headers',
  'withdrawal.decide',
  'withdrawal.enter',
  'withdrawal.match',
  'withdrawal_settings.update',
] as const;

/**
 * The command and the object that it changed. It contains ids, amounts and field names, but no secrets, free texts or
 * data of buyers.
 */
const AuditedCommand = z.object({
  command: z.enum(commandNames),
  /** The id of the created or changed object. */
  subject: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type AuditedCommand = z.infer<typeof AuditedCommand>;

/**
 * The author of a command: a key (over the API or the dashboard), a member (over the dashboard), an operator (at the
 * table), or the stack itself, as the merchant has set it.
 */
const Actor = z.object({
  keyId: z.string().nullable(),
  /** The id of the member; null if it was no member. */
  memberId: z.string().nullable(),
  /** The name of the key, or the address of the member. */
  keyName: z.string(),
  via: z.enum(['api', 'dashboard', 'command_line', 'automatic']),
});
export type Actor = z.infer<typeof Actor>;

/** One line of the audit log. It is written together with its change, and never changes. */
export const AuditEntry = AuditedCommand.extend({ id: z.string(), at: z.string(), by: Actor });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const actorOf = (key: Pick<ApiKey, 'hash' | 'name'>, via: Actor['via']): Actor => ({
  keyId: apiKeyIdOf(key),
  memberId: null,
  keyName: key.name,
  via,
});

/** The stack itself as the author. It acts without a person where the merchant has allowed that. */
export const stackActor: Actor = { keyId: null, memberId: null, keyName: 'automatic', via: 'automatic' };

/**
 * The most characters of a member's address in an entry. The name of a key has the same limit, so an entry stays within
 * one write unit.
 */
const mostOfAddress = 100;

export const memberActor = ({ id, email }: Pick<Member, 'id' | 'email'>): Actor => ({
  keyId: null,
  memberId: id,
  keyName: email.slice(0, mostOfAddress),
  via: 'dashboard',
});

/** The most characters of field names in an entry, so it stays within one write unit even with the longest key name. */
const mostLetters = 160;

/** The names of the fields in a change, as many as fit into an entry. */
export const fieldsOf = (change: object): string =>
  Object.entries(change)
    .flatMap(([name, value]) => (value === undefined ? [] : [name]))
    .sort()
    .join(', ')
    .slice(0, mostLetters);
