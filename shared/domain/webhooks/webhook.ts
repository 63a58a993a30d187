import * as z from 'zod';
import { hourMs } from '../duration.ts';
import { DomainError } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { earlyOwnTypes, isNamed, isOfDialect } from './event-types.ts';

const maxEndpoints = 20;
export const maxHeaders = 20;

/** The length of a signing secret. */
export const secretBytes = 32;

/**
 * For how many hours a replaced secret still signs. The next constant is how many replaced secrets may sign at once.
 */
const overlapHours = 24;
const maxEarlierSecrets = 3;

/** A key that both sides know: `whsec_` and base64. The current one never expires. */
const SigningSecret = z.object({ value: z.string(), expiresAt: z.string().nullable() });

/** Why an endpoint receives nothing: the merchant disabled it, it answered 410, or it failed for days. */
const disabledReasons = ['merchant', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Where a merchant receives events, and which ones. */
export const WebhookEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  /** Why and since when the endpoint is disabled; null if it is enabled. */
  disabled: z.object({ reason: z.enum(disabledReasons), at: z.string() }).nullable(),
  /** Event types, or families such as `payment.*`; null means all types that need not be named. */
  filterTypes: z.array(z.string()).nullable(),
  /**
   * Whether the filter must name the types that only this service has. Version 0.2.0 does not write this field: its
   * endpoints without a filter keep the types that it sent them.
   */
  namesOwnTypes: z.literal(true).optional(),
  /** Headers that every delivery carries. */
  headers: z.record(z.string(), z.string()),
  metadata: z.record(z.string(), z.string()),
  rateLimit: z.int().nullable(),
  /** The current secret, and the one before it. */
  secrets: z.array(SigningSecret).min(1).max(2),
  /** Older secrets that still sign. Version 0.2.0 does not know this field and does not sign with them. */
  earlierSecrets: z.array(SigningSecret).optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int(),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export type NewWebhookEndpoint = Pick<
  WebhookEndpoint,
  'url' | 'description' | 'filterTypes' | 'headers' | 'metadata' | 'rateLimit'
> & { isDisabled: boolean };

export function createEndpoint(
  { isDisabled, ...fields }: NewWebhookEndpoint,
  { id, now, secret }: { id: string; now: string; secret: string },
): WebhookEndpoint {
  const disabled = isDisabled ? { reason: 'merchant' as const, at: now } : null;
  const secrets = [{ value: secret, expiresAt: null }];
  return { id, ...fields, namesOwnTypes: true, disabled, secrets, createdAt: now, updatedAt: now, version: 0 };
}

/** What an update may change. Missing fields keep their values. */
export type WebhookChange = Partial<NewWebhookEndpoint>;

/**
 * Applies a change. Enabling removes the reason why the endpoint was disabled. An endpoint of version 0.2.0 that loses
 * its filter is like a new one.
 */
export function changeEndpoint(endpoint: WebhookEndpoint, change: WebhookChange, now: string): WebhookEndpoint {
  const { isDisabled = endpoint.disabled !== null, ...fields } = change;
  const disabled = isDisabled ? (endpoint.disabled ?? { reason: 'merchant' as const, at: now }) : null;
  const isOpened = fields.filterTypes === null && endpoint.filterTypes !== null;
  return { ...endpoint, ...fields, ...(isOpened && { namesOwnTypes: true as const }), disabled, updatedAt: now };
}

/** Whether a change gives the endpoint another address. */
export const isMoved = ({ url }: WebhookEndpoint, change: WebhookChange): boolean =>
  change.url !== undefined && change.url !== url;

/**
 * Whether a changed endpoint gets events that it did not get before: its address has changed, it was enabled, or it
 * accepts more types.
 */
export const sendsMore = (endpoint: WebhookEndpoint, change: WebhookChange): boolean =>
  isMoved(endpoint, change) ||
  (endpoint.disabled !== null && change.isDisabled === false) ||
  (change.filterTypes !== undefined && isWider(endpoint, change.filterTypes));

/** Whether a filter accepts more types than the endpoint receives, now or with types that are added later. */
const isWider = (before: WebhookEndpoint, after: WebhookEndpoint['filterTypes']): boolean =>
  after === null ? before.filterTypes !== null : after.some((filter) => !accepts(before, filter));

/** Disables an endpoint because of its failures or answers; undefined if it is already disabled. */
export function disableEndpoint(
  endpoint: WebhookEndpoint,
  reason: DisabledReason,
  now: string,
): WebhookEndpoint | undefined {
  if (endpoint.disabled) return undefined;
  return { ...endpoint, disabled: { reason, at: now }, updatedAt: now };
}

/** An endpoint that the merchant removes, in its last state. */
export const removeEndpoint = (endpoint: WebhookEndpoint, now: string): WebhookEndpoint => ({
  ...endpoint,
  updatedAt: now,
});

/** Adds a new secret. The previous one still signs for 24 hours, and each older one until its own end. */
export function rotateSecret(endpoint: WebhookEndpoint, secret: string, now: Date): WebhookEndpoint {
  const { earlierSecrets: _, ...others } = endpoint;
  const earlier = goodSecrets(endpoint, now).slice(1);
  const last = earlier.at(-1)?.expiresAt;
  if (earlier.length >= maxEarlierSecrets && last)
    throw new DomainError('CONFLICT', brokenRule(sentences.secret_rotations, { most: maxEarlierSecrets, time: last }));
  const expiresAt = new Date(now.getTime() + overlapHours * hourMs).toISOString();
  const secrets = [
    { value: secret, expiresAt: null },
    { value: currentSecret(endpoint), expiresAt },
  ];
  const kept = earlier.length === 0 ? {} : { earlierSecrets: earlier };
  return { ...others, secrets, ...kept, updatedAt: now.toISOString() };
}

/** Writes a secret as `whsec_` and base64, according to Standard Webhooks. */
export const toSecret = (bytes: Buffer): string => `whsec_${bytes.toString('base64')}`;

export const currentSecret = (endpoint: WebhookEndpoint): string => (endpoint.secrets[0] as { value: string }).value;

/** The secrets that sign at an instant: first the current one, then the others from new to old. */
const goodSecrets = ({ secrets, earlierSecrets = [] }: WebhookEndpoint, now: Date) =>
  [...secrets, ...earlierSecrets].filter(({ expiresAt }) => expiresAt === null || now.toISOString() < expiresAt);

export const signingSecrets = (endpoint: WebhookEndpoint, now: Date): string[] =>
  goodSecrets(endpoint, now).map(({ value }) => value);

/** Adds or replaces headers; null removes one. Names are compared without upper and lower case. */
export function mergeHeaders(
  headers: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !changed.has(name.toLowerCase()));
  const added = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null);
  if (kept.length + added.length > maxHeaders)
    throw new DomainError('INVALID_REQUEST_PARAMETERS', `An endpoint can have at most ${maxHeaders} headers.`);
  return Object.fromEntries([...kept, ...added]);
}

/** Whether an endpoint receives events of a type. */
export const wantsEvent = (endpoint: WebhookEndpoint, type: string): boolean =>
  endpoint.disabled === null && accepts(endpoint, type);

/** Whether an endpoint accepts a type, or all types of a family such as `payment.*`. */
const accepts = (endpoint: WebhookEndpoint, type: string): boolean =>
  endpoint.filterTypes === null
    ? isOfDialect(type) || keptTypes(endpoint).includes(type)
    : isNamed(endpoint.filterTypes, type);

/** The own types that an endpoint receives without naming them. Only an endpoint of version 0.2.0 has some. */
export const keptTypes = ({ filterTypes, namesOwnTypes }: WebhookEndpoint): readonly string[] =>
  filterTypes === null && !namesOwnTypes ? earlyOwnTypes : [];

/** Refuses to create another endpoint when the limit is reached. */
export function assertRoom(count: number): void {
  if (count < maxEndpoints) return;
  throw new DomainError('INVALID_REQUEST_PARAMETERS', brokenRule(sentences.endpoints_full, { most: maxEndpoints }));
}
