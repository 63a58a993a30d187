import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sum } from '../../../../shared/domain/money/money.ts';
import type { ChargeAttempt, ShownOrder } from '../../../../shared/outside/processor/payment-processor.ts';
import { limits } from '../../../../shared/outside/processor/stripe/amounts.ts';
import { sessionParameters } from '../../../../shared/outside/processor/stripe/charge.ts';
import { encodeForm } from '../../../../shared/outside/processor/stripe/form.ts';
import { anAttempt, place, steppedClock } from '../../../support/processors.ts';

const clock = steppedClock();
const facts = { checkout_session_id: 'cks_1', net: '20.00 EUR', tax: '3.80 EUR', taxed_in: 'DE' };
const line = (fields: Partial<ShownOrder['lines'][number]> = {}) => ({
  name: 'Field Guide',
  quantity: 1,
  amount: 1_000,
  image: null,
  ...fields,
});
const asked = (lines: ShownOrder['lines'], fields: Partial<ChargeAttempt> = {}) =>
  sessionParameters(
    anAttempt(clock, {
      paymentId: 'pay_1',
      amount: sum(lines.map(({ amount }) => amount)),
      order: { lines, facts },
      ...fields,
    }),
    place,
  );

describe('the payment page at Stripe', () => {
  it('shows each line of the cart with its discounted total, quantity and image', () => {
    const image = 'https://shop.example/images/guide.png';
    const { line_items: items } = asked([
      line({ quantity: 3, amount: 2_699, image }),
      line({ name: 'Map', amount: 0 }),
    ]);
    expect(items).toEqual([
      {
        quantity: 1,
        price_data: { currency: 'eur', unit_amount: 2_699, product_data: { name: 'Field Guide × 3', images: [image] } },
      },
      { quantity: 1, price_data: { currency: 'eur', unit_amount: 0, product_data: { name: 'Map' } } },
    ]);
  });

  it.each(['http://127.0.0.1:3000/a.png', 'no address', `https://shop.example/${'a'.repeat(2_048)}`])(
    'shows no image that Stripe cannot fetch: %s',
    (image) => {
      expect(encodeForm(asked([line({ image })]))).not.toContain('images');
    },
  );

  it('shows one line for the whole cart when a line’s total does not exist in Stripe’s unit', () => {
    // in KWD the last digit must be 0: 1.235 and 0.765 are 2.000
    const { line_items: items } = asked([line({ amount: 1_235 }), line({ amount: 765 })], { currency: 'KWD' });
    expect(items).toMatchObject([
      { quantity: 1, price_data: { unit_amount: 2_000, product_data: { name: 'Field Guide (e-book)' } } },
    ]);
  });

  it('adds up to exactly the charge, for any cart in any currency', () => {
    const cart = fc.record({
      currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'MGA', 'HUF'),
      amounts: fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 20 }),
    });
    fc.assert(
      fc.property(cart, ({ currency, amounts }) => {
        const { step = 1, unit = 1 } = limits(currency) ?? {};
        const rest = sum(amounts) % step;
        const all = rest === 0 ? amounts : [...amounts, step - rest];
        const { line_items: items } = asked(
          all.map((amount) => line({ amount })),
          { currency },
        );
        expect(sum(items.map(({ quantity, price_data }) => quantity * price_data.unit_amount))).toBe(sum(all) / unit);
      }),
    );
  });

  it('gets description, session, net, tax and place for bookkeeping, and sends no receipt', () => {
    const parameters = asked([line()]);
    expect(parameters.payment_intent_data).toMatchObject({
      description: 'Field Guide (e-book) (pay_1)',
      metadata: { ...facts, payment_id: 'pay_1', merchant_id: 'demo' },
    });
    expect(parameters.invoice_creation).toEqual({ enabled: false });
    expect(encodeForm(parameters)).not.toMatch(/receipt_email|invoice_creation\[enabled\]=true/);
  });

  it('is requested with the same text as by 0.2.0 if 0.2.0 has begun the payment', () => {
    const attempt = anAttempt(clock, { paymentId: 'pay_1', order: null });
    const ids = 'payment_id]=pay_1&METADATA[merchant_id]=demo';
    expect(encodeForm(sessionParameters(attempt, place))).toBe(
      `mode=payment&ui_mode=hosted_page&submit_type=pay&line_items[0][quantity]=1&line_items[0][price_data][currency]=eur&line_items[0][price_data][unit_amount]=1999&line_items[0][price_data][product_data][name]=Field%20Guide%20(e-book)&adaptive_pricing[enabled]=false&client_reference_id=pay_1&metadata[${ids.replace('METADATA', 'metadata')}&payment_intent_data[metadata][${ids.replace('METADATA', 'payment_intent_data[metadata]')}&customer_email=buyer%40example.com&locale=de&success_url=https%3A%2F%2Fshop.example%2Fcheckout%2Fcks_1%2Freturn&cancel_url=https%3A%2F%2Fshop.example%2Fcheckout%2Fcks_1&expires_at=1795348800`,
    );
  });
});
