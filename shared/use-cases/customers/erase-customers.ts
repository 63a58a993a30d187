import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import { type CustomerRecord, endErasure, erasedUpTo, typistsOf } from '../../domain/customers/customer-record.ts';
import {
  erasedCase,
  erasedDeclaration,
  erasedDispute,
  erasedPayment,
  erasedSession,
  whyNeeded,
} from '../../domain/customers/erasure.ts';
import { daySeconds } from '../../domain/duration.ts';
import type { LicenseKey } from '../../domain/entitlements/license-key.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import type { PaymentRow } from '../../domain/payments/payment-row.ts';
import { erasedRefund, hasPaidOut, type Refund } from '../../domain/payments/refund.ts';
import { isUndecided, type WithdrawalCase } from '../../domain/withdrawal/withdrawal-case.ts';
import type { EventRow } from '../../events/recorded-event.ts';
import type { CustomerStore } from '../../store/customers/customer-store.ts';
import type { ErasureStore } from '../../store/customers/erasure-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';
import type { EventStore } from '../../store/events/event-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import type { DeliveryStore } from '../../store/webhooks/delivery-store.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import type { Subject } from '../documents/draft-documents.ts';
import { type IssueDocumentsDeps, issueDocuments } from '../documents/issue-documents.ts';
import { retryStale } from '../retry.ts';
import type { Report } from '../webhooks/disable-webhook.ts';
import { findSession, type LoadSaleDeps, loadSale } from './load-sale.ts';

export interface EraseCustomersDeps extends Omit<IssueDocumentsDeps, 'disputes'>, LoadSaleDeps {
  customers: Pick<CustomerStore, 'find' | 'save' | 'listErasing'>;
  payments: IssueDocumentsDeps['payments'] & LoadSaleDeps['payments'] & Pick<PaymentLists, 'list' | 'listOwn'>;
  sessions: Pick<SessionStore, 'get'>;
  events: Pick<EventStore, 'find' | 'list'>;
  deliveries: Pick<DeliveryStore, 'ofEvent'>;
  withdrawals: LoadSaleDeps['withdrawals'] & Pick<WithdrawalStore, 'declarations' | 'typedBy'>;
  licenseKeys: Pick<LicenseKeyStore, 'list' | 'listActivations' | 'renameActivation'>;
  erasures: ErasureStore;
  /** Removes personal data from the body of an event. */
  erasedBody: (body: string) => string;
  report: Report;
}

const mostAtOnce = 100;
const portionSize = 25;
const eventPortionSize = 100;
/** How many days an event may exist. It is removed after 90 days, or up to two days later. */
const eventsKeptDays = 92;

/** Continues every requested erasure. If one fails, it is reported, and the next call tries it again. */
export async function eraseCustomers(deps: EraseCustomersDeps, hasTime: () => boolean): Promise<void> {
  for (const id of await deps.customers.listErasing(mostAtOnce)) {
    if (!hasTime()) return;
    await eraseCustomer(deps, id, hasTime).catch((error: unknown) =>
      deps.report('The erasure of a customer’s data is left to a later call.', { customer_id: id }, error),
    );
  }
}

/**
 * Erases a customer's sales, then the events about them. Each step looks for what is left, so a call may stop between
 * any two steps.
 */
async function eraseCustomer(deps: EraseCustomersDeps, id: string, hasTime: () => boolean): Promise<void> {
  const record = await deps.customers.find(id);
  if (record?.erasure?.endedAt !== null) return;
  const sales = await eraseSales(deps, record, hasTime);
  if (!sales || !(await eraseDevices(deps, id, sales, hasTime))) return;
  const ended = await eraseEvents(deps, { ...sales, record }, hasTime);
  if (!ended || !(await eraseTyped(deps, typistsOf(record)))) return;
  await deps.customers.save(endErasure(ended, deps.now().toISOString()), []);
}

/**
 * Erases the names of the devices on which the customer's keys are active, and returns whether none is left. The keys
 * and devices stay, so the buyer can still use them.
 */
async function eraseDevices(
  { licenseKeys }: EraseCustomersDeps,
  id: string,
  sales: ErasedSales,
  hasTime: () => boolean,
): Promise<boolean> {
  for await (const key of keysOf(licenseKeys, id, sales))
    for await (const device of everyItem((page) => licenseKeys.listActivations(key.id, page))) {
      if (!hasTime()) return false;
      if (device.name !== '') await licenseKeys.renameActivation({ ...device, name: '' }, []).catch(unlessEnded);
    }
  return true;
}

/** The licence keys of the erased sales, and those without a sale. Keys are listed by the customer who bought them. */
async function* keysOf(
  licenseKeys: Pick<LicenseKeyStore, 'list'>,
  id: string,
  { paymentIds, strangers, left }: ErasedSales,
): AsyncGenerator<LicenseKey> {
  const ofOthers = ({ paymentId }: LicenseKey) => paymentId !== null && paymentIds.has(paymentId);
  const own = ({ paymentId }: LicenseKey) => paymentId === null || !left.has(paymentId);
  for (const customerId of new Set([id, ...strangers])) {
    const matches = customerId === id ? own : ofOthers;
    yield* everyItem((page) => licenseKeys.list({ customerId, matches }, page));
  }
}

/** Ignores the error about a device that was deactivated at the same time. Its name is already erased. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof StaleVersion)) throw error;
}

/** Walks through all pages of a list. */
async function* everyItem<Item>(list: (page: ItemPageRequest) => Promise<ItemPage<Item>>): AsyncGenerator<Item> {
  let after: string | undefined;
  do {
    const page = await list({ size: portionSize, skip: 0, after });
    yield* page.items;
    after = page.hasMore ? page.last : undefined;
  } while (after !== undefined);
}

/** The erased sales, whose events must be searched. */
interface ErasedSales {
  paymentIds: ReadonlySet<string>;
  firstAt: string;
  /** The customer's orders whose own address was corrected to that of another buyer. They are not erased. */
  left: ReadonlySet<string>;
  /** The ids of other customers, under which orders were bought whose address was then corrected to this customer's. */
  strangers: ReadonlySet<string>;
}

/**
 * Erases the sales; undefined if one could not be erased yet. Orders whose address was corrected to another buyer's
 * stay. Orders whose address was corrected to this customer's are erased too.
 */
async function eraseSales(
  deps: EraseCustomersDeps,
  { id: customerId, erasure }: CustomerRecord,
  hasTime: () => boolean,
): Promise<ErasedSales | undefined> {
  const [paymentIds, left, strangers] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let firstAt = deps.now().toISOString();
  const createdTo = erasure?.requestedAt;
  const erase = async (sale: Sale): Promise<boolean> => {
    if (!hasTime() || !(await isErasedNow(deps, sale, hasTime))) return false;
    paymentIds.add(sale.id);
    if (sale.createdAt < firstAt) firstAt = sale.createdAt;
    return true;
  };
  for await (const row of everyItem((page) => deps.payments.list({ customerId, createdTo }, page)))
    if (row.hasOwnAddress) left.add(row.id);
    else if (!(await erase(row))) return undefined;
  for await (const id of everyItem((page) => deps.payments.listOwn(customerId, page))) {
    const sale = await deps.payments.get(id);
    strangers.add(sale.customer.id);
    left.delete(id);
    if (!(await erase(sale))) return undefined;
  }
  return { paymentIds, firstAt, left, strangers };
}

type Sale = Pick<PaymentRow, 'id' | 'customer' | 'createdAt'>;

/** Erases one sale, and returns whether it has no personal data left. A sale that is still needed is not erased yet. */
async function isErasedNow(deps: EraseCustomersDeps, row: Sale, hasTime: () => boolean): Promise<boolean> {
  if (row.customer.email === '') return retryStale(() => eraseCorrections(deps, row.id));
  await issueDocuments({ ...deps, disputes: undefined }, await subjectsOf(deps, row.id), hasTime);
  return retryStale(async () => {
    const { payment, refunds, disputes, withdrawals } = await loadSale(deps, row.id);
    if (whyNeeded({ payment, refunds, disputes, withdrawals })) return false;
    await eraseWithdrawals(deps, withdrawals);
    const session = await findSession(deps.sessions, payment.sessionId);
    await eraseRecovered(deps, session);
    await deps.erasures.saveRefunds(refunds.filter(({ customer }) => customer.email !== '').map(erasedRefund));
    await deps.erasures.saveSale({
      payment: erasedPayment(payment, deps.now().toISOString()),
      session: session && erasedSession(session),
      disputes: disputes.map(erasedDispute),
    });
    return true;
  });
}

/** Erases the contact data in declarations of withdrawal. Each is written together with its case as it was read. */
async function eraseWithdrawals(deps: EraseCustomersDeps, cases: readonly WithdrawalCase[]): Promise<void> {
  const declared = await deps.withdrawals.declarations(cases.map(({ id }) => id));
  for (const current of cases) {
    const declaration = declared.get(current.id);
    if (declaration && declaration.email + declaration.name !== '')
      await deps.erasures.saveWithdrawal(erasedDeclaration(declaration), erasedCase(current));
  }
}

/**
 * Erases the declarations that were typed with one of the customer's addresses, and returns whether there was none.
 * One that is not decided waits for its decision.
 */
const eraseTyped = (deps: EraseCustomersDeps, typists: readonly string[]): Promise<boolean> =>
  retryStale(async () => {
    const typed = typists.map((id) => deps.withdrawals.typedBy(id));
    const cases = (await Promise.all(typed)).flat();
    await eraseWithdrawals(
      deps,
      cases.filter((current) => !isUndecided(current)),
    );
    return cases.length === 0;
  });

/**
 * Erases the business name in refunds that book a corrected invoice. Version 0.2.0 left it there, so a second erasure
 * of the customer removes it.
 */
async function eraseCorrections(deps: EraseCustomersDeps, paymentId: string): Promise<true> {
  const { refunds, withdrawals } = await loadSale(deps, paymentId);
  await eraseWithdrawals(deps, withdrawals);
  const isNamed = ({ correction }: Refund) =>
    correction &&
    (correction.businessName !== null ||
      correction.taxId.checks?.some(({ name, address }) => name !== undefined || address !== undefined));
  await deps.erasures.saveRefunds(refunds.filter(isNamed).map(erasedRefund));
  return true;
}

/**
 * Erases a session that a recovery link opened, before the sale that refers to it. If that session has a payment, it is
 * erased with its own sale.
 */
async function eraseRecovered(deps: EraseCustomersDeps, from: CheckoutSession | undefined): Promise<void> {
  const recovered = from?.recoveredBy === undefined ? undefined : await findSession(deps.sessions, from.recoveredBy);
  if (recovered?.paymentId === null) await deps.erasures.saveSession(erasedSession(recovered));
}

/**
 * The payments and refunds of a sale that must have a document before the buyer is erased. The law requires these
 * documents, and they name the buyer.
 */
async function subjectsOf(deps: EraseCustomersDeps, paymentId: string): Promise<Subject[]> {
  const { payment, refunds } = await loadSale(deps, paymentId);
  if (payment.status !== 'succeeded') return [];
  const paidOut = refunds.filter(hasPaidOut).map(({ id: refundId }) => ({ refundId }));
  const reverted = refunds
    .filter((refund) => refund.reverted)
    .map(({ id: refundId }) => ({ refundId, isCancelled: true }));
  return [{ paymentId }, ...paidOut, ...reverted];
}

/** Erases the events of sales, newest first, and stores its progress. Undefined if the time ran out. */
async function eraseEvents(
  deps: EraseCustomersDeps,
  { paymentIds, firstAt, record }: ErasedSales & { record: CustomerRecord },
  hasTime: () => boolean,
): Promise<CustomerRecord | undefined> {
  const kept = new Date(deps.now().getTime() - eventsKeptDays * daySeconds * 1_000).toISOString();
  const createdFrom = firstAt > kept ? firstAt : kept;
  const matches = ({ paymentId }: EventRow) => paymentId !== null && paymentIds.has(paymentId);
  let current = record;
  for (;;) {
    const after = current.erasure?.eventsAfter;
    const page = await deps.events.list({ createdFrom, matches }, { size: eventPortionSize, skip: 0, after });
    for (const { id } of page.items) await eraseEvent(deps, id);
    if (!page.hasMore || page.last === undefined) return current;
    await deps.customers.save(erasedUpTo(current, page.last), []);
    current = { ...erasedUpTo(current, page.last), version: current.version + 1 };
    if (!hasTime()) return undefined;
  }
}

/** Removes the buyer from the body of an event, and deletes what endpoints answered to the earlier body. */
async function eraseEvent(deps: EraseCustomersDeps, id: string): Promise<void> {
  const event = await deps.events.find(id);
  if (!event) return;
  const body = deps.erasedBody(event.payload);
  if (body !== event.payload) await deps.erasures.savePayload(id, body);
  await retryStale(async () => {
    const answered = (await deps.deliveries.ofEvent(id)).filter(({ attempts }) =>
      attempts.some(({ answer }) => answer),
    );
    for (const delivery of answered) await deps.erasures.forgetAnswers(delivery);
  });
}
