import { describe, expect, it } from 'vitest';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import type { EventRow } from '../../shared/events/recorded-event.ts';
import type { EventListFilter } from '../../shared/store/events/event-store.ts';
import { loadPaymentOverview } from '../../shared/use-cases/reports/load-payment-overview.ts';
import { aPayment } from '../support/shop/payments.ts';

const event = (sequence: number, occurredAt: string, paymentId = 'pay_1'): EventRow => ({
  id: `evt_${sequence}_${paymentId}`,
  type: 'payment.succeeded',
  occurredAt,
  paymentId,
  sequence,
});

/** Stores that hold one payment and these events; notes how far the events were read. */
function storesOf(payment: Payment, events: readonly EventRow[]) {
  const read: [string | undefined, string | undefined][] = [];
  const list = async ({ createdFrom, createdTo, matches }: EventListFilter) => {
    read.push([createdFrom, createdTo]);
    const items = events.filter(
      (row) => row.occurredAt >= (createdFrom ?? '') && row.occurredAt <= (createdTo ?? '~') && matches?.(row),
    );
    return { items, hasMore: false, last: undefined };
  };
  const deps = {
    payments: { get: async () => payment, getRefund: () => Promise.reject(new Error('There is no refund.')) },
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

describe('what happened to a payment', () => {
  it('is found where it happened, without reading what happened to others', async () => {
    const others = Array.from({ length: 50 }, (_, index) => event(1, '2026-03-01T13:00:00.000Z', `pay_${index + 2}`));
    const { deps, read } = storesOf({ ...base, events: 1 }, [event(1, base.createdAt), ...others]);
    const { events } = await loadPaymentOverview(deps, 'pay_1');
    expect(events.map(({ event: { sequence } }) => sequence)).toEqual([1]);
    expect(read).toEqual([[base.createdAt, base.createdAt]]);
  });

  it('is looked for in the time after its beginning, when its end is dated nowhere', async () => {
    const payment = { ...base, events: 3, updatedAt: '2026-05-01T12:00:00.000Z' };
    const happened = [event(1, base.createdAt), event(2, '2026-03-01T12:00:20.000Z'), event(3, payment.updatedAt)];
    const { deps, read } = storesOf(payment, happened);
    const { events } = await loadPaymentOverview(deps, 'pay_1');
    expect(events.map(({ event: { sequence } }) => sequence)).toEqual([1, 2, 3]);
    expect(read.at(-1)).toEqual([base.createdAt, '2026-03-01T14:00:00.000Z']);
  });
});
