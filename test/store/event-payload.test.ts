import { describe, expect, it } from 'vitest';
import { samplePayment, sampleRefund } from '../../shared/domain/webhooks/sample-payment.ts';
import { recordPaymentEvent, recordRefundEvent } from '../../shared/events/catalogue.ts';
import { packPayload, unpackPayload } from '../../shared/store/events/event-payload.ts';
import { freezeEvent } from '../../shared/wire/webhooks/event.ts';

const now = '2026-03-01T12:00:00.000Z';
const freeze = freezeEvent({ businessId: 'demo', publicUrl: 'https://pay.example.com' });

describe('a compressed event payload', () => {
  it.each(['', '{}', '{"name":"Žluťoučký 🐎\\u2028"}', 'x'.repeat(100_000)])(
    'is unpacked without any change: %.20s',
    (payload) => {
      expect(unpackPayload(packPayload(payload))).toBe(payload);
    },
  );

  it('keeps the row of an event within one kilobyte, which is one write unit instead of two', () => {
    const payment = samplePayment('succeeded', now);
    const refund = sampleRefund('succeeded', now);
    const paid = recordPaymentEvent(payment, { id: 'evt_1', now }).event;
    const returned = recordRefundEvent(payment, refund, { id: 'evt_2', now }).event;
    for (const event of [paid, returned]) expect(packPayload(freeze(event)).length).toBeLessThan(420);
  });

  it('that was compressed long ago is still readable, because the dictionary is unchanged', () => {
    const packed = 'eLv7EX1hq8ZX7uEs2QyBOgFc4BRQ';
    expect(unpackPayload(Buffer.from(packed, 'base64'))).toBe(
      '{"type":"payment.succeeded","data":{"payment_id":"pay_1"}}',
    );
  });
});
