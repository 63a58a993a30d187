import fc from 'fast-check';
import type { Product } from '../../../shared/domain/catalogue/product.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import type { Refund } from '../../../shared/domain/payments/refund.ts';
import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { samplePayment, sampleRefund } from '../../../shared/domain/webhooks/sample-payment.ts';

/** Characters that need more bytes when they are encoded: four bytes each in UTF-8, or in JSON inside JSON. */
const growing = ['🦉', '"', '\\', '\n', 'ä', 'x', '漢'];

const writing = (most: number) =>
  fc
    .tuple(fc.constantFrom(...growing), fc.oneof(fc.constant(most), fc.integer({ min: 1, max: most })))
    .map(([character, length]) => character.repeat(length));

const idOf = (prefix: string) => fc.stringMatching(/^[A-Za-z0-9]{21}$/).map((random) => `${prefix}_${random}`);
const instant = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString());
const amount = fc.constantFrom(0, 1_999, 2_147_483_647);

/**
 * The largest metadata that the API accepts: fifty keys of forty characters, with values of five hundred characters.
 */
export const metadata = fc.oneof(
  fc.constant({}),
  fc
    .tuple(fc.integer({ min: 1, max: 50 }), writing(500))
    .map(([count, text]) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`.padEnd(40, '_'), text])),
    ),
);

const email = fc.constantFrom('a@example.com', `${'x'.repeat(64)}@${'y'.repeat(63)}.${'z'.repeat(63)}.example.com`);
const customer = fc.record({
  id: idOf('cus'),
  email,
  name: writing(250),
  phone: fc.constantFrom(null, '+'.padEnd(40, '4')),
});
const card = fc.constantFrom(null, { lastFour: '4242', network: 'AMERICAN EXPRESS', country: 'US' });

export const extremePayment: fc.Arbitrary<Payment> = fc
  .record({
    id: idOf('pay'),
    brandId: idOf('brnd'),
    createdAt: instant,
    gross: amount,
    refunded: amount,
    customer,
    card,
    metadata,
  })
  .chain((fields) =>
    fc.array(idOf('pdt'), { minLength: 1, maxLength: 20, size: 'max' }).map((products) => {
      const payment = samplePayment('processing', fields.createdAt);
      const [line] = payment.lines;
      if (!line) throw new Error('A sample without lines.');
      return { ...payment, ...fields, lines: products.map((productId) => ({ ...line, productId })) };
    }),
  );

export const extremeRefund: fc.Arbitrary<Refund> = fc
  .record({
    id: idOf('ref'),
    paymentId: idOf('pay'),
    createdAt: instant,
    amount,
    reason: fc.option(writing(3_000)),
    publicReason: fc.option(writing(3_000)),
    metadata,
    customer,
  })
  .map((fields) => ({ ...sampleRefund('succeeded', fields.createdAt), ...fields }));

const price = fc.constantFrom<Product['price']>(
  { kind: 'fixed', currency: 'EUR', taxInclusive: true, unitAmount: 1 },
  {
    kind: 'pay_what_you_want',
    currency: 'EUR',
    taxInclusive: false,
    minimum: 2_147_483_647,
    suggested: 2_147_483_647,
    maximum: 2_147_483_647,
  },
);

export const extremeProduct: fc.Arbitrary<Product> = fc.record({
  id: idOf('pdt'),
  name: writing(100),
  description: writing(1_000),
  brandId: idOf('brnd'),
  price,
  taxCategory: fc.constant('digital_products'),
  image: fc.constantFrom(null, `https://${'a'.repeat(200)}.example.com/images/${'0'.repeat(36)}.png`),
  metadata,
  archived: fc.boolean(),
  createdAt: instant,
  updatedAt: instant,
  version: fc.constant(0),
});

export const extremeDelivery: fc.Arbitrary<Delivery> = fc.record({
  eventId: idOf('evt'),
  endpointId: idOf('whk'),
  eventType: fc.constant('payment.succeeded'),
  status: fc.constantFrom('pending', 'delivered', 'exhausted', 'cancelled'),
  attempts: fc
    .tuple(fc.integer({ min: 0, max: 20 }), fc.constantFrom('\u0000', '"', '\ufffd', 'x'))
    .map(([count, character]) =>
      Array.from({ length: count }, () => ({
        at: '2026-01-01T00:00:00.000Z',
        status: 500,
        latencyMs: 30_000,
        error: 'connection' as const,
        answer: character.repeat(1_024),
      })),
    ),
  tries: fc.integer({ min: 0, max: 10 }),
  nextAttemptAt: fc.constantFrom(null, '2026-01-01T00:00:00.000Z'),
  createdAt: instant,
});
