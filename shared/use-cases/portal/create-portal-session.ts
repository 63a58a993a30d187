import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { assertNotErasing } from '../../domain/customers/customer-record.ts';
import { DomainError, notFound, refuse } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import { type PortalLink, portalToken, portalUrl, whyNotPortal } from '../../domain/portal/portal-access.ts';
import { portalSeconds } from '../../domain/portal/portal-times.ts';
import { assertAddress, type ReturnRules } from '../../domain/return-address.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { PortalStore } from '../../store/portal/portal-store.ts';
import { getCustomer, type LoadCustomerDeps } from '../customers/load-customer.ts';

export interface CreatePortalSessionDeps extends LoadCustomerDeps {
  payments: LoadCustomerDeps['payments'] & Pick<PaymentStore, 'find'>;
  portals: Pick<PortalStore, 'findLink' | 'saveLink'>;
  throttles: Pick<ThrottleStore, 'count'>;
  /** The mailer; undefined if the stack sends no mail. */
  mailer: Mailer | undefined;
  /** Composes the mail with the link. `language` is the buyer's; null if it is not known. */
  compose: (link: { to: string; url: string; language: string | null }) => Mail;
  returnRules: ReturnRules;
  newId: (prefix: 'cps') => string;
  stackSecret: () => Promise<string>;
  hashOf: (text: string) => string;
  publicUrl: string;
  now: () => Date;
}

export interface PortalSessionRequest {
  customerId: string;
  /** The address of the portal's link back to the merchant. */
  returnUrl: string | null;
  /** Whether the customer also gets the link by mail. */
  isMailed: boolean;
}

/** A link to the portal that the merchant requested. Its address is derived from the id, so it is not stored. */
export interface CreatedPortalSession {
  id: string;
  url: string;
}

/** How many portal links that merchants request are mailed to a customer in an hour. */
const hourlyMails = 5;

/** Makes a link to all orders of a customer's address. It works for 24 hours, in the first browser that uses it. */
export async function createPortalSession(
  deps: CreatePortalSessionDeps,
  request: PortalSessionRequest,
  claim: Claim<CreatedPortalSession>,
): Promise<CreatedPortalSession> {
  const { customerId, returnUrl, isMailed } = request;
  if (returnUrl !== null) assertAddress('return_url', returnUrl, deps.returnRules);
  if (isMailed && !deps.mailer)
    throw refuse('INVALID_QUERY_PARAMS', 'send_email', 'This merchant has no sender for mails, so none can be sent.');
  const { profile, record } = await getCustomer(deps, customerId);
  if (record) assertNotErasing(record);
  if (profile.email === '') throw notFound('e-mail address of the customer', customerId);
  if (isMailed) await assertMayMail(deps, customerId);
  const id = deps.newId('cps');
  const { created, hash } = await madeFrom(deps, id);
  const link: PortalLink = {
    hash,
    email: normalizeEmail(profile.email),
    customerId,
    returnUrl,
    browser: null,
    expiresAt: new Date(deps.now().getTime() + portalSeconds.merchantLink * 1_000).toISOString(),
    usedAt: null,
    ...(isMailed ? { mailedAt: null } : {}),
    version: 0,
  };
  await deps.portals.saveLink(link, claim(created, null));
  await mailOnce(deps, { ...link, version: 1 }, created);
  return created;
}

/** Returns the same link for a repeated request. If the first request crashed before the mail, the mail is sent now. */
export async function portalSessionAgain(deps: CreatePortalSessionDeps, id: string): Promise<CreatedPortalSession> {
  const { created, hash } = await madeFrom(deps, id);
  const link = await deps.portals.findLink(hash);
  if (!link || whyNotPortal(link, { browser: link.browser ?? '', now: deps.now().toISOString() }))
    throw new DomainError('CONFLICT', 'The link of this Idempotency-Key was used, or its time is over. Use a new key.');
  await mailOnce(deps, link, created);
  return created;
}

async function madeFrom(
  { stackSecret, hashOf, publicUrl }: CreatePortalSessionDeps,
  id: string,
): Promise<{ created: CreatedPortalSession; hash: string }> {
  const token = portalToken(id, await stackSecret());
  return { created: { id, url: portalUrl(publicUrl, token) }, hash: hashOf(token) };
}

async function assertMayMail({ throttles, hashOf, now }: CreatePortalSessionDeps, customerId: string): Promise<void> {
  if ((await throttles.count(hashOf(`portal session ${customerId}`), now())) <= hourlyMails) return;
  throw new DomainError('TOO_MANY_REQUESTS', 'This customer was mailed too many links. Try again in an hour.');
}

/** Mails a link if that was not done yet, and stores that it was mailed. */
async function mailOnce(deps: CreatePortalSessionDeps, link: PortalLink, { url }: CreatedPortalSession): Promise<void> {
  if (link.mailedAt !== null || !deps.mailer) return;
  await deps.mailer.send(deps.compose({ to: link.email, url, language: await languageOf(deps, link) }));
  await deps.portals.saveLink({ ...link, mailedAt: deps.now().toISOString() });
}

/** The language that the customer has chosen, or otherwise the language of their latest purchase. */
async function languageOf(
  { customers, payments }: CreatePortalSessionDeps,
  { customerId }: PortalLink,
): Promise<string | null> {
  if (customerId === null) return null;
  const { language } = (await customers.find(customerId)) ?? {};
  if (language !== undefined) return language;
  const { items } = await payments.list({ customerId }, { size: 1, skip: 0, after: undefined });
  const [latest] = items;
  return (latest && (await payments.find(latest.id))?.language) ?? null;
}
