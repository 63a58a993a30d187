import { describe, expect, it } from 'vitest';
import type { CheckoutSession } from '../../shared/domain/checkout/checkout-session.ts';
import { paymentIdOf } from '../../shared/domain/ids.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { timelineOf } from '../../shared/domain/reports/timeline.ts';
import type { EventRow } from '../../shared/events/recorded-event.ts';
import type { Filed } from '../../shared/store/documents/document-rows.ts';
import type { EventListFilter } from '../../shared/store/events/event-store.ts';
import { loadPaymentOverview } from '../../shared/use-cases/reports/load-payment-overview.ts';
import { aPayment } from '../support/shop/payments.ts';
import { aSession } from '../support/shop/sessions.ts';

const event = (sequence: number, occurredAt: string, paymentId = 'pay_1'): EventRow => ({
  id: `evt_${sequence}_${paymentId}`,
  type: 'payment.succeeded',
  occurredAt,
  paymentId,
  sequence,
});

interface Besides {
  session?: CheckoutSession;
  others?: readonly Payment[];
  filed?: Filed;
}

const unfiled: Filed = {
  ...{ document: undefined, taken: undefined, linkSecret: undefined },
  mail: { isDone: false, isExpected: false, notes: [] },
};

/** Stores that hold one payment and these events; notes how far the events were read. */
function storesOf(
  payment: Payment,
  events: readonly EventRow[],
  { session, others = [], filed = unfiled }: Besides = {},
) {
  const read: [string | undefined, string | undefined][] = [];
  const list = async ({ createdFrom, createdTo, matches }: EventListFilter) => {
    read.push([createdFrom, createdTo]);
    const items = events.filter(
      (row) => row.occurredAt >= (createdFrom ?? '') && row.occurredAt <= (createdTo ?? '~') && matches?.(row),
    );
    return { items, hasMore: false, last: undefined };
  };
  const deps = {
    payments: {
      get: async () => payment,
      find: async (id: string) => others.find((other) => other.id === id),
      getRefund: () => Promise.reject(new Error('There is no refund.')),
    },
    sessions: { find: async () => session },
    disputes: { find: async () => undefined },
    documents: { find: async () => filed },
    events: { list },
    deliveries: { ofEvent: async () => [] },
    webhooks: { all: async () => [] },
  };
  return { deps, read };
}

const base = {
  ...aPayment([{ unitAmount: 1_190 }]),
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
};

describe('the timeline of a payment', () => {
  it('is read without reading events of other payments', async () => {
    const others = Array.from({ length: 50 }, (_, index) => event(1, '2026-03-01T13:00:00.000Z', `pay_${index + 2}`));
    const { deps, read } = storesOf({ ...base, events: 1 }, [event(1, base.createdAt), ...others]);
    const { events } = await loadPaymentOverview(deps, 'pay_1');
    expect(events.map(({ event: { sequence } }) => sequence)).toEqual([1]);
    expect(read).toEqual([[base.createdAt, base.createdAt]]);
  });

  it('has all events of a payment that changed months later, with a search of two hours after its start', async () => {
    const payment = { ...base, events: 3, updatedAt: '2026-05-01T12:00:00.000Z' };
    const happened = [event(1, base.createdAt), event(2, '2026-03-01T12:00:20.000Z'), event(3, payment.updatedAt)];
    const { deps, read } = storesOf(payment, happened);
    const { events } = await loadPaymentOverview(deps, 'pay_1');
    expect(events.map(({ event: { sequence } }) => sequence)).toEqual([1, 2, 3]);
    expect(read.at(-1)).toEqual([base.createdAt, '2026-03-01T14:00:00.000Z']);
  });

  it('runs from the opened session to the mail of the invoice', async () => {
    const session = { ...aSession([{ unitAmount: 1_190 }]), createdAt: '2026-03-01T11:50:00.000Z', attempts: 2 };
    const payment = { ...base, id: paymentIdOf(session.id, 2), sessionId: session.id, events: 1 };
    const declined = {
      ...payment,
      id: paymentIdOf(session.id, 1),
      status: 'failed' as const,
      createdAt: '2026-03-01T11:55:00.000Z',
    };
    const notes = [{ at: '2026-03-01T12:00:09.000Z', what: 'refused' as const }];
    const mail = { isDone: true, isExpected: true, notes };
    const document = { number: 'INV-2026-000001', issuedAt: '2026-03-01T12:00:02.000Z' } as Filed['document'];
    const { deps } = storesOf(payment, [event(1, base.createdAt, payment.id)], {
      ...{ session, others: [declined], filed: { ...unfiled, document, mail } },
    });
    const overview = await loadPaymentOverview(deps, payment.id);
    const timeline = timelineOf(
      overview,
      overview.events.map((entry) => ({ at: entry.event.occurredAt, event: entry })),
    );
    expect(timeline.map(({ kind, at }) => `${kind} ${at.slice(11, 19)}`)).toEqual([
      'session 11:50:00',
      'attempt 11:55:00',
      'payment 12:00:00',
      'event 12:00:00',
      'document 12:00:02',
      'mail 12:00:09',
    ]);
    expect(overview.attempts).toEqual([declined]);
  });
});
