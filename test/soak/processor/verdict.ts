import type { LedgerLine } from '../../../infra/local/stripe/balance/ledger.ts';
import { Dispute } from '../../../shared/domain/payments/dispute.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { deliveries, table } from '../../../shared/wiring/runtime.ts';
import { type Books, booksOf, contradictions, scanRows } from '../../support/shop/books.ts';
import type { AskedRefund } from './merchant.ts';
import type { ProcessorWorld } from './processor-world.ts';

const nothing = { charges: 0, paid: 0, refunded: 0, disputed: 0 };

/** The processor's ledger and our books, payment by payment, to the cent. */
export function unequal(ledger: readonly LedgerLine[], books: readonly Payment[]): string[] {
  const faults: string[] = [];
  const lines = new Map(ledger.map((line) => [line.paymentId, line]));
  for (const { id, status, gross, refunded, pending, disputed } of books) {
    const found = lines.get(id) ?? nothing;
    // A chargeback can demand what was refunded before. The excess stays on the dispute, which `wrongDisputes` compares.
    const there = { ...found, disputed: Math.min(found.disputed, Math.max(0, found.paid - found.refunded)) };
    lines.delete(id);
    const paid = status === 'succeeded' ? gross : 0;
    const here = status === 'succeeded' ? { paid, refunded, disputed } : nothing;
    if (there.charges > 1) faults.push(`${id}: charged ${there.charges} times`);
    if (status === 'processing' || pending > 0) faults.push(`${id}: still ${status}, ${pending} pending`);
    for (const name of ['paid', 'refunded', 'disputed'] as const)
      if (there[name] !== here[name]) faults.push(`${id}: ${name} ${there[name]} there, ${here[name]} here`);
  }
  for (const { paymentId, paid } of lines.values()) faults.push(`${paymentId}: paid ${paid} there, and unknown here`);
  return faults;
}

/** No session keeps the money of two payments. */
function doubleCharges(books: Books, ledger: readonly LedgerLine[]): string[] {
  const kept = new Map(ledger.map(({ paymentId, paid, refunded }) => [paymentId, paid > 0 && refunded < paid]));
  const bySession = Map.groupBy(books.payments, ({ sessionId }) => sessionId);
  return [...bySession].flatMap(([id, payments]) => {
    const unreturned = payments.filter((payment) => kept.get(payment.id) && !payment.late?.isReturned);
    return unreturned.length > 1 ? [`${id}: charged for ${unreturned.map((one) => one.id).join(' and ')}`] : [];
  });
}

/** Checks that the processor made each requested refund once, and that our books have it as the client was answered. */
function wrongRefunds({ fake }: ProcessorWorld, { refunds }: Books, asked: readonly AskedRefund[]): string[] {
  const faults: string[] = [];
  const there = Map.groupBy(fake.account.refunds.values(), ({ metadata }) => metadata?.['refund_id'] ?? '');
  for (const { id, amount, status } of refunds) {
    const made = there.get(id) ?? [];
    there.delete(id);
    if (made.length > 1) faults.push(`${id}: refunded ${made.length} times`);
    const isDone = made[0]?.status === 'succeeded' && made[0].amount === amount;
    if ((status === 'succeeded') !== isDone) faults.push(`${id}: ${status} here, ${made[0]?.status} there`);
  }
  for (const id of there.keys()) faults.push(`a refund there is unknown here: ${id}`);
  const byReason = Map.groupBy(refunds, ({ reason }) => reason);
  for (const { key, answer } of asked) {
    const rows = byReason.get(key) ?? [];
    if (rows.length > 1) faults.push(`${key}: booked ${rows.length} times`);
    if (answer?.status === 200 && rows[0]?.id !== answer.body.refund_id) faults.push(`${key}: told, not booked`);
    if (answer && answer.status !== 200 && rows.length > 0) faults.push(`${key}: refused, and booked`);
  }
  return faults;
}

/** Every charge that stayed has an issued document or is returned. */
function unreceipted(rows: readonly Record<string, unknown>[], ledger: readonly LedgerLine[]): string[] {
  const documented = new Set(
    rows.filter(({ entity }) => entity === 'DOCUMENT').map(({ pk }) => String(pk).split('#')[1]),
  );
  return ledger
    .filter(({ paymentId, paid, refunded }) => refunded < paid && !documented.has(paymentId))
    .map(({ paymentId, paid }) => `${paymentId}: paid ${paid}, without a receipt and not returned`);
}

const disputeWords: Readonly<Record<string, string>> = { won: 'won', lost: 'lost', warning_closed: 'cancelled' };

function wrongDisputes({ fake }: ProcessorWorld, rows: readonly Record<string, unknown>[]): string[] {
  const here = new Map(
    rows
      .filter(({ entity }) => entity === 'DISPUTE')
      .map(({ data }) => [Dispute.parse(data).reference, Dispute.parse(data)]),
  );
  return [...fake.account.disputes.values()].flatMap(({ id, status, amount }) => {
    const known = here.get(id);
    const withdrawn = status === 'lost' ? amount : 0;
    const isRight =
      known !== undefined &&
      known.status === disputeWords[status] &&
      known.amount === amount &&
      known.withdrawn === withdrawn;
    return isRight ? [] : [`${id}: ${status} ${amount} there, ${known?.status} ${known?.amount} here`];
  });
}

/** A refund may wait for one thing after the other, and an inquiry that becomes a chargeback is told of once more. */
const mayRepeat = (name: string): boolean => /^(refund\.delayed|dispute\.(opened|challenged)) /.test(name);

/** The events that every payment, refund and dispute must have had by its last state, each once. */
function misstated({ events, payments, refunds }: Books): string[] {
  const told = new Map<string, number>();
  for (const { type, payload } of events) {
    const { data } = JSON.parse(payload);
    const name = `${type} ${data.refund_id ?? data.dispute_id ?? data.payment_id}`;
    told.set(name, (told.get(name) ?? 0) + 1);
  }
  const wanted = [
    ...payments.map(({ id, status }) => `payment.${status} ${id}`),
    ...refunds.map(({ id, status }) => `refund.${status} ${id}`),
    ...payments.flatMap(({ disputes }) => disputes.map(({ id, status }) => `dispute.${status} ${id}`)),
  ];
  return [
    ...wanted.filter((name) => !told.has(name)).map((name) => `never told: ${name}`),
    ...[...told]
      .filter(([name, times]) => times > 1 && !mayRepeat(name))
      .map(([name, times]) => `told ${times} times: ${name}`),
  ];
}

/** Every early fraud warning is noted on its payment, and told of once. */
function unwarned({ fake }: ProcessorWorld, { payments, events }: Books): string[] {
  const noted = payments.flatMap(({ fraudWarning }) => fraudWarning?.reference ?? []);
  const told = events.filter(({ type }) => type === 'payment.fraud_warned').length;
  const lost = [...fake.account.warnings.keys()].filter((id) => !noted.includes(id));
  return [
    ...lost.map((id) => `${id}: never noted`),
    ...(told === fake.account.warnings.size ? [] : [`${told} events of ${fake.account.warnings.size} fraud warnings`]),
  ];
}

/** What leads to the processor's page is a right to pay: no event, delivery, list or log may carry it. */
export const leads = (text: string): boolean => text.includes('/c/pay/');
const secrets = /rk_test_\w{6}|whsec_\w{6}|[a-z]+@example\.com/;

function leaked({ log, receipts }: ProcessorWorld, { events }: Books): string[] {
  return [
    ...events.filter(({ payload }) => leads(payload)).map(({ id }) => `${id} carries the processor's address`),
    ...receipts.filter(({ body }) => leads(body)).map(({ eventId }) => `${eventId} delivered the processor's address`),
    ...log.filter((line) => leads(line) || secrets.test(line)).map((line) => `log: ${line.slice(0, 200)}`),
  ];
}

async function undelivered({ receipts, endpointId }: ProcessorWorld, { events }: Books): Promise<string[]> {
  const arrived = new Set(receipts.map(({ eventId }) => eventId));
  const rows = await Promise.all(events.map(({ id }) => deliveries().ofEvent(id)));
  return [
    ...events.flatMap(({ id, type }, index) =>
      rows[index]?.length === 1 && rows[index][0]?.endpointId === endpointId && arrived.has(id)
        ? []
        : [`${id} ${type}: ${rows[index]?.length} deliveries, ${arrived.has(id) ? 'arrived' : 'never arrived'}`],
    ),
    ...receipts.filter(({ isTrusted }) => !isTrusted).map(({ eventId }) => `${eventId} arrived with a wrong signature`),
  ];
}

export interface ProcessorVerdict {
  violations: string[];
  rows: Record<string, number>;
}

/** Everything that must hold when all is quiet. */
export async function judge(world: ProcessorWorld, asked: readonly AskedRefund[]): Promise<ProcessorVerdict> {
  const rows = await scanRows(table().client, table().name);
  const books = booksOf(rows);
  const ledger = world.fake.ledger();
  const documents = rows.filter(({ entity }) => entity === 'DOCUMENT').length;
  const violations = [
    ...(await contradictions(rows)),
    ...unequal(ledger, books.payments),
    ...doubleCharges(books, ledger),
    ...wrongRefunds(world, books, asked),
    ...wrongDisputes(world, rows),
    ...unreceipted(rows, ledger),
    ...misstated(books),
    ...[...world.schemaFaults].map((fault) => `Stripe's schema: ${fault}`),
    ...unwarned(world, books),
    ...leaked(world, books),
    ...(await undelivered(world, books)),
    ...(await world.due()).map(({ kind, id }) => `${kind} ${id} is still due`),
    ...(world.mailed() < documents ? [`${documents} documents, ${world.mailed()} mails`] : []),
    ...world.time.faults.map((error) => `a script failed: ${error instanceof Error ? error.stack : error}`),
  ];
  const total = (name: 'paid' | 'refunded' | 'disputed') => ledger.reduce((sum, line) => sum + line[name], 0);
  return {
    violations,
    rows: {
      sessions: books.sessions.length,
      payments: books.payments.length,
      charges: ledger.filter(({ charges }) => charges > 0).length,
      refunds: books.refunds.length,
      disputes: world.fake.account.disputes.size,
      events: books.events.length,
      deliveries: world.receipts.length,
      documents,
      mails: world.mailed(),
      paid: total('paid'),
      refunded: total('refunded'),
      disputed: total('disputed'),
    },
  };
}
