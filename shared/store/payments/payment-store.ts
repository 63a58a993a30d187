import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { CustomerRecord } from '../../domain/customers/customer-record.ts';
import { givesSomething } from '../../domain/entitlements/grant.ts';
import { notFound } from '../../domain/errors.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { StoredPayment, storedPayment } from '../../domain/orders/stored-payment.ts';
import { isStarting, lagsBehindCount, nextAskAbout } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { PaymentBrief, paymentRow } from '../../domain/payments/payment-row.ts';
import { isRefundStarting, Refund, RefundBrief, RefundRow } from '../../domain/payments/refund.ts';
import type { RefundAllowance } from '../../domain/payments/refund-allowance.ts';
import type { DomainEvent } from '../../events/catalogue.ts';
import { recordWrite } from '../access/audit-store.ts';
import { byEmail, CustomerRow, customerWrite } from '../customers/customer-store.ts';
import { type UseChanges, useWrites } from '../discounts/use-rows.ts';
import { grantDutyWrites } from '../entitlements/grant-duty.ts';
import { eventWrite } from '../events/event-store.ts';
import { duePartition, keys, ownOrders, timeKey } from '../keys.ts';
import { fitted } from '../table/list-row.ts';
import { pack, packBoth } from '../table/packed.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { closedToEarlier, commit, ifAbsent, versionedWrite } from '../table/transaction.ts';
import type { Item, RowPut, Write } from '../table/write.ts';
import { type HomeSaleStep, homeSaleWrite } from '../tax-rules-store.ts';
import { type CaseCommit, caseWrites } from '../withdrawal/withdrawal-store.ts';
import { allowanceWrite } from './refund-allowance-store.ts';
import { sessionWrite } from './session-store.ts';

/** The beginning of a charge or its next state, and everything that is written in the same transaction. */
interface ChargeCommit {
  /** The session. Absent if it already names the payment, and only the state of the payment changes. */
  session?: CheckoutSession;
  payment: Payment;
  /** The event about the change; absent before the processor is asked. */
  event?: DomainEvent;
  /** The changes of the counts of its codes; absent if there are none. */
  uses?: UseChanges | undefined;
  /** The change of a small seller's yearly count; absent for other sales. */
  homeSale?: HomeSaleStep | undefined;
  /** The records of the Idempotency-Key of the request that begins the charge; absent without a key. */
  kept?: readonly CommandRecord[];
}

/** A new refund, or its next state. */
interface RefundCommit {
  /** The payment; absent if it does not change. */
  payment?: Payment;
  refund: Refund;
  isNew: boolean;
  /** The status of the stored refund before this change; absent means pending. */
  from?: Refund['status'];
  /** What a waiting refund waited for when it was read. The row must still say so; absent when the refund ends. */
  waited?: Refund['waitsFor'] | null;
  events: readonly DomainEvent[];
  records: readonly CommandRecord[];
  /**
   * How much of the key's daily limit is used, including this refund. Undefined if there is no limit, or if the refund
   * was counted when it began.
   */
  allowance?: RefundAllowance | null | undefined;
  /** The withdrawal for which the refund is made. Both are written, or none. */
  withdrawal?: CaseCommit | undefined;
}

/** The customer to whom an order belongs after its address was corrected. A new customer gets a row. */
interface OrderOwner {
  id: string;
  record: CustomerRecord | undefined;
}

export interface PaymentStore {
  find(id: string): Promise<Payment | undefined>;
  get(id: string): Promise<Payment>;
  getRefund(id: string): Promise<Refund>;
  /** Saves notes on a payment, together with the records of the command. It moves no money. */
  save(payment: Payment, records?: readonly CommandRecord[]): Promise<void>;
  /** Saves a payment whose address was corrected. After this, the customer of that address finds it. */
  saveAddress(payment: Payment, owner: OrderOwner, records: readonly CommandRecord[]): Promise<void>;
  saveCharge(change: ChargeCommit): Promise<void>;
  saveRefund(change: RefundCommit): Promise<void>;
  /**
   * Saves a payment whose contract has ended without a refund, together with the withdrawal and the duty to end its
   * grants.
   */
  saveEnded(payment: Payment, withdrawal: CaseCommit): Promise<void>;
}

/** After how many seconds the processor is asked again about an unfinished payment or refund. */
const askAfterSeconds = 5;
/**
 * After how many seconds a request is sent again that may not have reached the processor. By then, the function that
 * sent it first has ended.
 */
const startAgainSeconds = 30;

export const dueKeys = (id: string, changedAt: string, isOpen: boolean, afterSeconds = askAfterSeconds) =>
  isOpen
    ? {
        duePk: duePartition(id),
        dueSk: timeKey(new Date(Date.parse(changedAt) + afterSeconds * 1_000).toISOString(), id),
      }
    : {};

/**
 * When the processor is asked about a payment next. It is some time after the last change. For an open payment, it is
 * at the set times. A notification makes it earlier.
 */
function dueOf(payment: Payment) {
  const { id, updatedAt, status, payAt, reviewAt } = payment;
  if (lagsBehindCount(payment)) return dueKeys(id, updatedAt, true, 0);
  if (reviewAt) return dueKeys(id, reviewAt, true);
  if (payAt) return dueKeys(id, nextAskAbout(payment, updatedAt) ?? updatedAt, true, 0);
  if (payment.recheckAt && status !== 'processing') return dueKeys(id, payment.recheckAt, true, 0);
  return dueKeys(id, updatedAt, status === 'processing', isStarting(payment) ? startAgainSeconds : askAfterSeconds);
}

/**
 * Puts a payment into the lists when the processor has answered. After two writes within a second, the list is written
 * once, which saves two write units.
 */
const listing = (payment: Payment) =>
  isStarting(payment)
    ? {}
    : {
        row: fitted(paymentRow(payment), (row) => PaymentBrief.parse(row)),
        listPk: 'PAYMENT',
        listSk: timeKey(payment.createdAt, payment.id),
        customerPk: `CUSTOMER#${payment.customer.id}`,
        customerSk: timeKey(payment.createdAt, payment.id),
      };

/** Writes the payment's row, if it still has the version that was read. */
export function paymentWrite(payment: Payment): RowPut {
  const attributes = {
    ...keys.payment(payment.id),
    entity: 'PAYMENT',
    ...listing(payment),
    ...dueOf(payment),
  };
  const write = versionedWrite(storedPayment(payment), attributes, () => new StaleVersion());
  const packed = { ...write, put: { ...write.put, ...packedIn(write.put) } };
  return givesSomething(payment) ? closedToEarlier(packed, payment, payment.status === 'processing') : packed;
}

/** Packs a payment, together with its list view if it has one. So its row costs one write unit. */
const packedIn = ({ data, row }: Item): Item => (row === undefined ? { data: pack(data) } : packBoth({ data, row }));

const refundPut = (refund: Refund): RowPut['put'] => ({
  ...keys.refund(refund.id),
  entity: 'REFUND',
  data: refund,
  row: fitted(RefundRow.parse(refund), (row) => RefundBrief.parse(row)),
  listPk: 'REFUND',
  listSk: timeKey(refund.createdAt, refund.id),
  customerPk: `CUSTOMER#${refund.customer.id}#REFUND`,
  customerSk: timeKey(refund.createdAt, refund.id),
  ...dueOfRefund(refund),
});

/**
 * When the processor is asked about a refund next. A new key is used at its set time, because by then the request with
 * the previous key has ended.
 */
function dueOfRefund({ id, updatedAt, status, ask, ...refund }: Refund) {
  const isStarting = isRefundStarting({ status, ...refund });
  if (ask && isStarting) return dueKeys(id, ask.at, true, 0);
  return dueKeys(id, updatedAt, status === 'pending', isStarting ? startAgainSeconds : askAfterSeconds);
}

type RefundRowCommit = Pick<RefundCommit, 'refund' | 'isNew'> & {
  from: RefundCommit['from'] | undefined;
  waited: RefundCommit['waited'] | undefined;
};

const stillWaits = (waited: string | null): string =>
  waited === null ? 'attribute_not_exists(#data.#waits)' : '#data.#waits = :waited';

/** Writes the refund's row. The stored refund must be absent or pending, unless an ended refund is reverted. */
const refundWrite = ({ refund, isNew, from = 'pending', waited }: RefundRowCommit): Write => ({
  put: refundPut(refund),
  condition: isNew
    ? ifAbsent
    : {
        ConditionExpression: ['#data.#status = :from', ...(waited === undefined ? [] : [stillWaits(waited)])].join(
          ' AND ',
        ),
        ExpressionAttributeNames: {
          '#data': 'data',
          '#status': 'status',
          ...(waited === undefined ? {} : { '#waits': 'waitsFor' }),
        },
        ExpressionAttributeValues: { ':from': from, ...(waited ? { ':waited': waited } : {}) },
      },
  refusal: () => new StaleVersion(),
});

/** Writes an ended refund after details were erased. Fails if the row changed since it was read. */
export const endedRefundWrite = (refund: Refund): Write => ({
  put: refundPut(refund),
  condition: {
    ConditionExpression: '#data.#status = :status AND #data.#changed = :changed',
    ExpressionAttributeNames: { '#data': 'data', '#status': 'status', '#changed': 'updatedAt' },
    ExpressionAttributeValues: { ':status': refund.status, ':changed': refund.updatedAt },
  },
  refusal: () => new StaleVersion(),
});

/**
 * The row by which the corrected address of an order finds it. The portal searches by the address, and an erasure by
 * the customer of the address.
 */
const addressWrite = ({ id, customer, createdAt }: Payment, ownerId: string): Write => ({
  put: {
    ...keys.orderAddress(id),
    entity: 'PAYMENT',
    row: CustomerRow.parse({ id: customer.id, email: null, name: null, createdAt }),
    customerPk: byEmail(normalizeEmail(customer.email)),
    customerSk: timeKey(createdAt, id),
    listPk: ownOrders(ownerId),
    listSk: timeKey(createdAt, id),
  },
  refusal: () => new StaleVersion(),
});

/** The writes for a contract that has ended without a refund. */
const endedWrites = (
  payment: Payment,
  { records = [], events = [], ...withdrawal }: CaseCommit,
  outbox: (event: DomainEvent) => Write,
): Write[] => [
  ...records.map(recordWrite),
  paymentWrite(payment),
  ...grantDutyWrites(payment),
  ...caseWrites(withdrawal),
  ...events.map(outbox),
];

/**
 * The store of payments.
 * @param freeze makes the bytes of an event's payload, only once, when the change is committed
 */
export function paymentStore(table: Table, freeze: (event: DomainEvent) => string): PaymentStore {
  const find = (id: string) => findData(table, keys.payment(id), StoredPayment);
  const outbox = (event: DomainEvent) => eventWrite(event, freeze(event));
  return {
    find,
    get: async (id) => {
      const payment = await find(id);
      if (!payment) throw notFound('payment', id);
      return payment;
    },
    getRefund: async (id) => {
      const refund = await findData(table, keys.refund(id), Refund);
      if (!refund) throw notFound('refund', id);
      return refund;
    },
    save: (payment, records = []) => commit(table, [...records.map(recordWrite), paymentWrite(payment)]),
    saveAddress: (payment, { id, record }, records) =>
      commit(table, [
        ...records.map(recordWrite),
        paymentWrite(payment),
        addressWrite(payment, id),
        ...(record ? [customerWrite(record)] : []),
      ]),
    saveCharge: ({ session, payment, event, uses, homeSale, kept = [] }) =>
      commit(table, [
        ...kept.map(recordWrite),
        ...(session ? [sessionWrite(session)] : []),
        paymentWrite(payment),
        ...(uses ? useWrites(uses) : []),
        ...(homeSale ? [homeSaleWrite(homeSale)] : []),
        ...(event ? [outbox(event), ...grantDutyWrites(payment)] : []),
      ]),
    saveEnded: (payment, withdrawal) => commit(table, endedWrites(payment, withdrawal, outbox)),
    saveRefund: ({ payment, refund, isNew, from, waited, events, records, allowance, withdrawal }) =>
      commit(table, [
        ...records.map(recordWrite),
        ...(allowance ? [allowanceWrite(allowance)] : []),
        ...(payment ? [paymentWrite(payment)] : []),
        refundWrite({ refund, isNew, from, waited }),
        ...(withdrawal ? caseWrites(withdrawal) : []),
        ...[...events, ...(withdrawal?.events ?? [])].map(outbox),
        ...(payment && events.length > 0 ? grantDutyWrites(payment) : []),
      ]),
  };
}
