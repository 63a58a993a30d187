import * as z from 'zod';
import { type ApiKey, apiKeyIdOf } from './api-key.ts';

/** Every command on money, keys and settings. What a buyer does is no command, and a checkout session is its own record. */
const commandNames = [
  'api_key.create',
  'api_key.revoke',
  'brand.create',
  'brand.update',
  'product.archive',
  'product.create',
  'product.restore',
  'product.update',
  'refund.create',
  'session.end',
  'session.start',
  'tax_override.create',
  'tax_override.delete',
  'tax_registration.create',
  'tax_registration.delete',
  'tax_registration.update',
  'webhook.create',
  'webhook.delete',
  'webhook.rotate_secret',
  'webhook.update',
  'webhook.update_headers',
] as const;

/** What was done, and to what: ids, amounts and names of fields, but no secrets, no texts of others and nothing of buyers. */
const AuditedCommand = z.object({
  command: z.enum(commandNames),
  /** The id of what was made or changed. */
  subject: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type AuditedCommand = z.infer<typeof AuditedCommand>;

/** Who did it: a key, by the API or signed in to the dashboard, or an operator at the table itself. */
const Actor = z.object({
  keyId: z.string().nullable(),
  keyName: z.string(),
  via: z.enum(['api', 'dashboard', 'command_line']),
});
export type Actor = z.infer<typeof Actor>;

/** One line of the audit log; it is written with what it tells of, and never changed. */
export const AuditEntry = AuditedCommand.extend({ id: z.string(), at: z.string(), by: Actor });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const actorOf = (key: Pick<ApiKey, 'hash' | 'name'>, via: Actor['via']): Actor => ({
  keyId: apiKeyIdOf(key),
  keyName: key.name,
  via,
});

/** So that an entry is one write unit, with the longest name of a key as well. */
const mostLetters = 160;

/** The names of what a change mentions, as many as an entry holds. */
export const fieldsOf = (change: object): string =>
  Object.entries(change)
    .flatMap(([name, value]) => (value === undefined ? [] : [name]))
    .sort()
    .join(', ')
    .slice(0, mostLetters);
