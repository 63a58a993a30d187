import { DomainError } from '../errors.ts';
import { portalSeconds } from '../portal/portal-times.ts';
import type { Grantor } from './access.ts';

/**
 * What happens to each kind of object when the key that made it has ended.
 * - `stays`: it belongs to the merchant, and gives the holder of the key neither access nor data.
 * - `ends`: it ends with the key, or before.
 * - `refused`: it would keep access or go on sending data, so a key that expires cannot make it.
 */
export const leftBehind = {
  product: 'stays',
  brand: 'stays',
  discount: 'stays',
  entitlement: 'stays',
  grant: 'stays',
  customer: 'stays',
  /** A session ends by itself, and shows buyers only their own data. */
  checkout_session: 'stays',
  license_key: 'stays',
  refund: 'stays',
  invoice: 'stays',
  tax_rule: 'stays',
  /** A file that waits in the dashboard, where only people who may sign in get it. */
  export: 'stays',
  /** An event that is sent again, to an address that another key or member has set. */
  delivery: 'stays',
  /**
   * A change of an endpoint after which it sends no more than before: its description, its rate, or fewer events. All
   * other changes count as `webhook_endpoint`.
   */
  webhook_settings: 'stays',
  /** A member gets the same or a lower role. A higher role counts as `member`. */
  role: 'stays',
  /** The end, disabling or removal of something. */
  removal: 'stays',
  nothing: 'stays',
  api_key: 'ends',
  session: 'ends',
  upload_address: 'ends',
  file_address: 'ends',
  /** The address for one upload of a file that buyers download. The uploaded file itself stays. */
  file_upload: 'ends',
  /** A link to the purchases of a customer. */
  portal_link: 'ends',
  webhook_endpoint: 'refused',
  webhook_secret: 'refused',
  webhook_headers: 'refused',
  member: 'refused',
  /** A new command, whose effect is unknown until this table names it. */
  unknown: 'refused',
} as const satisfies Record<string, 'stays' | 'ends' | 'refused'>;

export type LeftBehind = keyof typeof leftBehind;

/** How long a signed address works. */
export const signedAddressSeconds = 60;
/** How long an upload of a file for buyers may take to begin. */
export const fileUploadSeconds = 3_600;

/** How long the addresses in a call's answer work. */
const addressSeconds: Readonly<Partial<Record<LeftBehind, number>>> = {
  upload_address: signedAddressSeconds,
  file_address: signedAddressSeconds,
  file_upload: fileUploadSeconds,
  portal_link: portalSeconds.merchantLink,
};

/** Why a key that expires cannot create or change an object of this kind. */
const reasons: Readonly<Partial<Record<LeftBehind, string>>> = {
  upload_address: 'an address for uploads would work',
  file_address: 'the address of a file would work',
  file_upload: 'an address for an upload would work',
  portal_link: 'a link to the purchases of a customer would work',
  webhook_endpoint: 'a webhook endpoint would go on receiving events',
  webhook_secret: 'the signing secret of a webhook endpoint would stay valid',
  webhook_headers: 'the headers of a webhook endpoint would go on being sent',
  member: 'a member would keep access',
};

/** The key or member that acts. `expiresAt` is null for members and for keys that do not expire. */
type Acting = Pick<Grantor, 'expiresAt'>;

/** Whether a key or a member may create or change an object of this kind, which can exist longer than the key. */
export const mayLeave = ({ expiresAt }: Acting, kind: LeftBehind): boolean =>
  expiresAt === null || leftBehind[kind] !== 'refused';

/** Whether an address that is signed now would work for longer than the key. */
function outlasts(kind: LeftBehind, { expiresAt }: Acting, now: Date): boolean {
  const seconds = addressSeconds[kind];
  if (seconds === undefined || expiresAt === null) return false;
  return new Date(now.getTime() + seconds * 1_000).toISOString() > expiresAt;
}

/** Refuses an object that would keep access or send data after the key has ended. The error names it. */
export function assertMayLeave(acting: Acting, kind: LeftBehind, now: Date): void {
  if (mayLeave(acting, kind) && !outlasts(kind, acting, now)) return;
  const reason = reasons[kind] ?? 'what this call makes could stay';
  const message = `This API key expires at ${acting.expiresAt}, and ${reason} after that. Use a key that does not expire.`;
  throw new DomainError('FORBIDDEN', message);
}
