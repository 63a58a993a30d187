import { DomainError } from '../errors.ts';
import type { Grantor } from './access.ts';

/**
 * What each kind of object does once the key that made it has ended.
 * - `stays`: it is the merchant's, and gives the holder of the key neither access nor data.
 * - `ends`: it ends with the key, or before.
 * - `refused`: it would keep access or go on sending data, so a key with an end cannot make it.
 */
export const leftBehind = {
  product: 'stays',
  brand: 'stays',
  discount: 'stays',
  customer: 'stays',
  /** It ends by itself, and shows buyers what is theirs. */
  checkout_session: 'stays',
  refund: 'stays',
  invoice: 'stays',
  tax_rule: 'stays',
  /** A file that waits in the dashboard for who may sign in. */
  export: 'stays',
  /** An event that is sent once more, to an address that somebody else has set. */
  delivery: 'stays',
  /** A description, a rate, fewer events or none. What makes an endpoint send more is a `webhook_endpoint`. */
  webhook_settings: 'stays',
  /** A lower role, or the same: a higher one is a `member`. */
  role: 'stays',
  /** Something that was ended, disabled or removed. */
  removal: 'stays',
  nothing: 'stays',
  api_key: 'ends',
  session: 'ends',
  upload_address: 'ends',
  file_address: 'ends',
  webhook_endpoint: 'refused',
  webhook_secret: 'refused',
  webhook_headers: 'refused',
  member: 'refused',
  /** What a new call leaves behind is unknown until its table names it. */
  unknown: 'refused',
} as const satisfies Record<string, 'stays' | 'ends' | 'refused'>;

export type LeftBehind = keyof typeof leftBehind;

/** How long a signed address works. */
export const signedAddressSeconds = 60;

/** Why an expiring key cannot leave it behind. */
const reasons: Readonly<Partial<Record<LeftBehind, string>>> = {
  upload_address: 'an address for uploads would work',
  file_address: 'the address of a file would work',
  webhook_endpoint: 'a webhook endpoint would go on receiving events',
  webhook_secret: 'the signing secret of a webhook endpoint would stay valid',
  webhook_headers: 'the headers of a webhook endpoint would go on being sent',
  member: 'a member would keep access',
};

/** Who acts, and until when they may; null: without an end, as members and most keys. */
type Acting = Pick<Grantor, 'expiresAt'>;

/** Whether somebody may leave a kind of object behind. */
export const mayLeave = ({ expiresAt }: Acting, kind: LeftBehind): boolean =>
  expiresAt === null || leftBehind[kind] !== 'refused';

/** Whether an address that is signed now would work longer than the key. */
const outlasts = (kind: LeftBehind, { expiresAt }: Acting, now: Date): boolean =>
  (kind === 'upload_address' || kind === 'file_address') &&
  expiresAt !== null &&
  new Date(now.getTime() + signedAddressSeconds * 1_000).toISOString() > expiresAt;

/** Refuses, by its name, what would keep access or send data after the key has ended. */
export function assertMayLeave(acting: Acting, kind: LeftBehind, now: Date): void {
  if (mayLeave(acting, kind) && !outlasts(kind, acting, now)) return;
  const reason = reasons[kind] ?? 'what this call makes could stay';
  const message = `This API key expires at ${acting.expiresAt}, and ${reason} after that. Use a key that does not expire.`;
  throw new DomainError('FORBIDDEN', message);
}
