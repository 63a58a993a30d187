import type { ExpiredCheckout } from '../checkout/expired-checkout.ts';
import { dayMs } from '../duration.ts';

/** An invented checkout of EUR 11.90 for test events, which expired now. */
export const sampleExpiry = (now: string): ExpiredCheckout => ({
  total: 1_190,
  session: {
    id: 'cks_SampleSampleSampleSam',
    status: 'expired',
    currency: 'EUR',
    brandId: 'brnd_SampleSampleSampleSam',
    lines: [
      {
        productId: 'pdt_SampleSampleSampleSam',
        name: 'Sample product',
        description: 'What a test event shows.',
        image: null,
        taxCategory: 'digital_products',
        price: { kind: 'fixed', currency: 'EUR', taxInclusive: true, unitAmount: 1_190 },
        quantity: 1,
        amount: null,
      },
    ],
    customer: { email: 'sample@example.com', name: 'Sample buyer' },
    billing: {},
    taxId: null,
    businessName: null,
    returnUrl: null,
    cancelUrl: null,
    metadata: {},
    createdAt: new Date(Date.parse(now) - dayMs).toISOString(),
    expiresAt: now,
    attempts: 0,
    paymentId: null,
    paymentStatus: null,
    tableVersion: 'sample',
    quoted: null,
    formToken: '',
    version: 1,
  },
});
