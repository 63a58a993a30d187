import type { Price } from '../../../shared/domain/catalogue/price.ts';
import {
  type CheckoutSession,
  openSession,
  type SessionLine,
} from '../../../shared/domain/checkout/checkout-session.ts';
import { tableVersion } from '../../../shared/tax/rates/table-version.ts';
import type { SoldLine } from './payments.ts';

export const aSessionLine = (price: Price, index = 0, quantity = 1): SessionLine => ({
  productId: `pdt_${index}`,
  name: `Product ${index}`,
  description: 'An example.',
  image: null,
  taxCategory: 'digital_products',
  price,
  quantity,
  amount: null,
});

export function sessionOf(lines: SessionLine[]): CheckoutSession {
  const fields = {
    customer: {},
    billing: {},
    taxId: null,
    businessName: null,
    returnUrl: null,
    cancelUrl: null,
    metadata: {},
  };
  const now = new Date('2026-03-01T12:00:00Z');
  const origin = { id: 'cks_1', now, formToken: 'token', brandId: 'brnd_1', tableVersion };
  return openSession(lines, fields, origin);
}

export const aSession = (lines: readonly SoldLine[], currency = 'EUR'): CheckoutSession =>
  sessionOf(
    lines.map(({ unitAmount, quantity = 1, taxInclusive = true }, index) =>
      aSessionLine({ kind: 'fixed', currency, taxInclusive, unitAmount }, index, quantity),
    ),
  );
