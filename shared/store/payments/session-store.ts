import { CheckoutSession, hasItsPayment, isBeingPaid } from '../../domain/checkout/checkout-session.ts';
import { awaitsExpiry } from '../../domain/checkout/expired-checkout.ts';
import { daySeconds } from '../../domain/duration.ts';
import { givesSomething } from '../../domain/entitlements/grant.ts';
import { notFound } from '../../domain/errors.ts';
import { AlreadyDone, type CommandRecord, type IdempotencyRecord, StaleVersion } from '../../domain/idempotency.ts';
import { StoredPayment } from '../../domain/orders/stored-payment.ts';
import { withItsCharge } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { recordWrite } from '../access/audit-store.ts';
import { isFree } from '../idempotency-store.ts';
import { keys, sessionsDuePartition, timeKey } from '../keys.ts';
import { dataIn } from '../table/packed.ts';
import { findData, findItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { closedToEarlier, commit, ifAbsent, versionedWrite } from '../table/transaction.ts';
import type { RowPut, Write } from '../table/write.ts';
import { placedWrite, recordIn } from './session-record.ts';

/** A session, and its payment if that was read too. */
interface ReadSession {
  session: CheckoutSession;
  payment: Payment | undefined;
}

export interface SessionStore {
  get(id: string): Promise<CheckoutSession>;
  find(id: string): Promise<CheckoutSession | undefined>;
  /** Reads a session like `get`. It also returns the payment, if it was read. */
  getWithPayment(id: string): Promise<ReadSession>;
  /** Writes a new session with the records. The session itself contains its own idempotency record. */
  create(session: CheckoutSession, records: readonly CommandRecord[]): Promise<void>;
  save(session: CheckoutSession): Promise<void>;
}

/**
 * How many days an expired, unpaid session is kept. Events and deliveries that can name its failed payment are kept as
 * long. It is longer than any stored response. The page of the session says that it has expired.
 */
const keptDays = 90;

/**
 * When a session is removed. A paid session is kept like its payment. A session that is being paid is kept until the
 * payment ends.
 */
const ttlOf = (session: CheckoutSession): { ttl?: number } =>
  hasItsPayment(session) ? {} : { ttl: Math.floor(Date.parse(session.expiresAt) / 1_000) + keptDays * daySeconds };

/**
 * When a session is due: at its expiry, if an event must announce that. Beginning a payment removes the due time. A
 * failed payment restores it.
 */
const dueOf = (session: CheckoutSession): { duePk?: string; dueSk?: string } =>
  awaitsExpiry(session) ? { duePk: sessionsDuePartition, dueSk: timeKey(session.expiresAt, session.id) } : {};

/**
 * Writes a session. Fails if it changed since it was read. When the session is paid, the write also removes its time to
 * live.
 */
export function sessionWrite(session: CheckoutSession): RowPut {
  const attributes = { ...keys.session(session.id), entity: 'SESSION', ...ttlOf(session), ...dueOf(session) };
  const write = versionedWrite(session, attributes, () => new StaleVersion());
  return givesSomething(session) ? closedToEarlier(write, session, true) : write;
}

/**
 * Writes a new session. A conflict of transactions is retried, because it does not mean that the row exists. Only an
 * existing row refuses the write.
 */
function newSessionWrite(session: CheckoutSession, own: IdempotencyRecord | undefined): Write {
  const { put, refusal } = sessionWrite(own?.within ? { ...session, requestMark: own.within.mark } : session);
  if (!own) return { put, condition: ifAbsent, refusal };
  return { put, condition: isFree(own), refusal: (existing) => new AlreadyDone(recordIn(existing, own)) };
}

const writeOf = (record: CommandRecord): Write => ('audit' in record ? recordWrite(record) : placedWrite(record));

/** Whether a session itself contains this record. */
const isWithin =
  ({ id }: CheckoutSession) =>
  (record: CommandRecord): record is IdempotencyRecord =>
    'within' in record && record.within?.sessionId === id;

export function sessionStore(table: Table): SessionStore {
  const getWithPayment = async (id: string) => {
    const found = await findWithPayment(table, id);
    if (!found) throw notFound('checkout session', id);
    return found;
  };
  return {
    find: async (id) => (await findWithPayment(table, id))?.session,
    get: async (id) => (await getWithPayment(id)).session,
    getWithPayment,
    create: async (session, records) => {
      const own = records.find(isWithin(session));
      const others = records.filter((record) => record !== own);
      await commit(table, [...others.map(writeOf), newSessionWrite(session, own)]);
    },
    save: (session) => commit(table, [sessionWrite(session)]),
  };
}

/**
 * Reads a session with the state of its payment. The end of a payment does not write the session's row, unless it
 * makes the session payable again.
 */
async function findWithPayment(table: Table, id: string): Promise<ReadSession | undefined> {
  const item = await findItem(table, keys.session(id));
  // The row is a stored refusal, and not a session.
  if (item?.['entity'] !== 'SESSION') return undefined;
  const session = CheckoutSession.parse(dataIn(item));
  if (!session.paymentId || !isBeingPaid(session)) return { session, payment: undefined };
  const payment = await findData(table, keys.payment(session.paymentId), StoredPayment);
  return { session: payment ? withItsCharge(session, payment) : session, payment };
}
