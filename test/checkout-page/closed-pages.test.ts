import { describe, expect, it } from 'vitest';
import {
  checkoutState,
  closedPage,
  openPage,
  paidPage,
  reviewedPage,
  waitingPage,
} from '../../shared/checkout-page/checkout-responses.ts';
import { formOf } from '../../shared/checkout-page/form/read-fields.ts';
import { fillCheckout } from '../../shared/checkout-page/form/read-form.ts';
import { stepPage } from '../../shared/checkout-page/views/at-processor/step-page.ts';
import { returnAddress } from '../../shared/checkout-page/views/receipt-page.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/checkout-session.ts';
import type { CheckoutDraft } from '../../shared/domain/checkout/submission.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { testCards } from '../../shared/outside/processor/sandbox/sandbox-cards.ts';
import { locales } from '../../shared/pages/locale.ts';
import { refusedPage } from '../../shared/pages/notices/refused-page.ts';
import { component, context, payment, places, quoteOf, session } from '../pages/builders.ts';
import { visibleText } from '../pages/markup.ts';

const now = new Date('2026-03-01T12:00:00Z');
const later = new Date('2026-03-02T12:00:00Z');
const orderUrl = 'https://pay.example/orders/pay_1?secret=s';
const payAt = { url: 'https://pay.example/c/1', until: '2026-03-01T14:00:00.000Z' };

describe('the page of a session', () => {
  it.each<[string, Partial<CheckoutSession>, Date, string]>([
    ['untouched', {}, now, 'open'],
    ['with a failed payment', { attempts: 1, paymentStatus: 'failed' }, now, 'open'],
    ['with its last attempt failed', { attempts: 10, paymentStatus: 'failed' }, now, 'exhausted'],
    ['being paid', { attempts: 1, paymentStatus: 'processing' }, now, 'processing'],
    ['being paid at the processor', { attempts: 1, paymentStatus: 'requires_customer_action' }, now, 'at-processor'],
    ['closed at the processor', { attempts: 1, spared: 1, paymentStatus: 'cancelled' }, now, 'open'],
    ['with its last attempt spared', { attempts: 10, spared: 1, paymentStatus: 'failed' }, now, 'open'],
    ['begun too often', { attempts: 40, spared: 40, paymentStatus: 'cancelled' }, now, 'exhausted'],
    ['being paid after its time', { attempts: 1, paymentStatus: 'processing' }, later, 'processing'],
    ['paid', { status: 'completed', attempts: 1, paymentStatus: 'succeeded' }, now, 'paid'],
    ['paid, after its time', { status: 'completed', attempts: 1, paymentStatus: 'succeeded' }, later, 'paid'],
    ['untouched after its time', {}, later, 'expired'],
  ])('that is %s has the right state', (_, fields, when, state) => {
    expect(checkoutState(session(fields), when)).toBe(state);
  });

  it.each([
    ['expired', 410, 'This checkout has expired'],
    ['exhausted', 410, 'Too many attempts'],
    ['unpayable', 403, 'No payments are possible here yet'],
  ] as const)('that is %s is answered with status %i', (state, status, text) => {
    const { statusCode, body } = closedPage(context, session({ cancelUrl: 'https://example.com/cart' }), state);
    expect(statusCode).toBe(status);
    expect(visibleText(body)).toContain(text);
  });

  it('links back to the session’s cancel or return URL when the session has expired', () => {
    expect(closedPage(context, session({ cancelUrl: 'https://a.example/cart' }), 'expired').body).toContain(
      'href="https://a.example/cart"',
    );
    expect(closedPage(context, session({ returnUrl: 'https://a.example/done' }), 'expired').body).toContain(
      'href="https://a.example/done"',
    );
  });

  it('links to each product by name when the integrator has set no return URL', () => {
    const [line] = session().lines;
    const more = { ...line, productId: 'pdt_000000000000000000002', name: 'Atlas <of> trees' } as typeof line;
    const [one, cart] = [[line], [line, more]].map((lines) => {
      const { body } = closedPage(context, session({ lines: lines as CheckoutSession['lines'] }), 'expired');
      return [...body.matchAll(/href="(\/buy\/[^"]+)"[^>]*>([^<]+)/g)].map(([, url, text]) => `${text}: ${url}`);
    });
    expect(one).toEqual([`Start again: /buy/${line?.productId}?lang=en`]);
    expect(cart).toEqual([
      `${line?.name}: /buy/${line?.productId}?lang=en`,
      'Atlas &lt;of&gt; trees: /buy/pdt_000000000000000000002?lang=en',
    ]);
  });

  it('reloads while the payment is processing, with and without a script', () => {
    const checkAt = '/checkout/cks_000000000000000000001?lang=en';
    const { body } = waitingPage(context, { isSlow: false, checkAt });
    expect(body).toContain(`<noscript><meta http-equiv="refresh" content="4; url=${checkAt}"></noscript>`);
    expect(body).toContain('hx-get="/checkout/cks_000000000000000000001?lang=en" hx-trigger="every 2s"');
    expect(body).toContain('href="/checkout/cks_000000000000000000001?lang=en"');
  });

  it.each(locales)('has every text in %s', (locale) => {
    const here = { ...context, locale };
    const closed = (['expired', 'exhausted'] as const).map((state) => closedPage(here, session(), state));
    const waiting = [true, false].map((isSlow) => waitingPage(here, { isSlow, checkAt: '/checkout/cks_1' }));
    const open = [openPage(here, session(), null), openPage(here, session(), { ...payment(session()), payAt })];
    for (const { body } of [...closed, ...waiting, ...open]) expect(visibleText(body)).not.toMatch(/\{\w+\}/);
    for (const asksToConfirm of [true, false]) {
      const view = { sessionId: 'cks_1', formToken: 'x', total: 1_999, currency: 'EUR', asksToConfirm };
      expect(visibleText(stepPage(here, view))).not.toMatch(/\{\w+\}/);
    }
  });
});

describe('the receipt', () => {
  const paid = session({ returnUrl: 'https://example.com/done?a=1#top' });

  it('shows what was bought and paid', () => {
    const { statusCode, body } = paidPage(context, paid, payment(paid), orderUrl);
    expect(statusCode).toBe(200);
    expect(visibleText(body)).toContain('Paid Thank you! Your payment to Example Books has arrived.');
    expect(visibleText(body)).toContain('Subtotal without tax €16.80 VAT 19% €3.19 Total €19.99');
    expect(visibleText(body)).toContain('March 1, 2026');
    expect(visibleText(body)).toContain('pay_000000000000000000001');
  });

  it('calls a free order free and a refunded one refunded, not paid', () => {
    const of = payment(paid);
    const text = (fields: Partial<typeof of>) =>
      visibleText(paidPage(context, paid, { ...of, ...fields }, orderUrl).body);
    expect(text({ gross: 0 })).toMatch(/\bFree Your order\b.*Ordered on.*Order confirmation/);
    expect(text({ refunded: of.gross, refundable: 0 })).toMatch(/Refunded The whole amount of €19.99 goes back to you/);
    for (const fields of [{ gross: 0 }, { refunded: of.gross, refundable: 0 }])
      expect(text(fields)).not.toContain('has arrived');
    expect(text({ refunded: 1, refundable: of.gross - 1 })).toContain('has arrived');
  });

  it('offers an XML invoice only to businesses, and only if the standard supports the sale', () => {
    const bought = { ...payment(paid), businessName: 'Beispiel GmbH' };
    const link = '/invoices/payments/pay_000000000000000000001?format=xml';
    expect(paidPage(context, paid, bought, orderUrl).body).toContain(link);
    for (const [other, isBuyer] of [
      [bought, false],
      [{ ...bought, businessName: null }, true],
      [{ ...bought, currency: 'KWD' }, true],
    ] as const)
      expect(paidPage(context, paid, other, isBuyer ? orderUrl : null).body).not.toContain('format=xml');
  });

  it('links only the browser that paid to documents with the buyer’s name', () => {
    const stranger = paidPage(context, paid, payment(paid), null).body;
    expect(stranger).not.toContain('pay_000000000000000000001');
    expect(stranger).not.toContain('/invoices/');
    expect(stranger).toContain('href="https://example.com/done?a=1#top"');
    expect(paidPage(context, paid, payment(paid), orderUrl).body).toContain(
      '/invoices/payments/pay_000000000000000000001',
    );
  });

  it.each([true, false])('shows no personal data (opened by the buyer: %s)', (isBuyer) => {
    const { body } = paidPage(context, paid, payment(paid), isBuyer ? orderUrl : null);
    for (const personal of ['ada@example.com', 'Lovelace', '7946', 'Marburg', 'Lahnweg', '35037', '4242', 'cus_1'])
      expect(body).not.toContain(personal);
  });

  it('links back with the payment and its status, and keeps the parameters of the return URL', () => {
    expect(paidPage(context, paid, payment(paid), orderUrl).body).toContain(
      'href="https://example.com/done?a=1&amp;payment_id=pay_000000000000000000001&amp;status=succeeded#top"',
    );
  });

  it('adds the e-mail address only to the return URL that the browser is sent to', () => {
    const url = new URL(returnAddress(paid, payment(paid), 'ada+shop@example.com') ?? '');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      a: '1',
      payment_id: 'pay_000000000000000000001',
      status: 'succeeded',
      email: 'ada+shop@example.com',
    });
  });

  it('replaces forged payment parameters in the return URL', () => {
    const forged = session({ returnUrl: 'https://example.com/?status=failed&payment_id=x' });
    expect(returnAddress(forged, payment(forged))).toBe(
      'https://example.com/?status=succeeded&payment_id=pay_000000000000000000001',
    );
  });

  it('has no return link when the session has no return URL', () => {
    const of = session();
    expect(returnAddress(of, payment(of))).toBeNull();
    expect(paidPage(context, of, payment(of), orderUrl).body).not.toContain('Return to');
  });
});

describe('an error page', () => {
  const request = { path: '/checkout/cks_1' } as Parameters<typeof refusedPage>[2];

  it.each([
    [404, 'NOT_FOUND', 'This checkout does not exist'],
    [403, 'FORBIDDEN', 'This form could not be accepted'],
    [413, 'PAYLOAD_TOO_LARGE', 'This form could not be accepted'],
    [500, 'INTERNAL_SERVER_ERROR', 'Something went wrong'],
    [503, 'SERVICE_UNAVAILABLE', 'Something went wrong'],
  ] as const)('exists for the status %i', (status, code, title) => {
    const { statusCode, headers, body } = refusedPage(context, { status, code, requestId: 'request-7' }, request);
    expect([statusCode, headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(visibleText(body)).toContain(title);
    expect(body.includes('request-7')).toBe(status >= 500);
  });

  it.each(['', '/quote', '/pay'])(
    'links back to the checkout page when the failed address was /checkout/{id}%s',
    (where) => {
      const refusal = { status: 500, code: 'INTERNAL_SERVER_ERROR', requestId: 'r' } as const;
      const { body } = refusedPage(context, refusal, { ...request, path: `/checkout/cks_1${where}` });
      expect(body).toContain('href="/checkout/cks_1?lang=en"');
    },
  );

  it('links only to addresses of checkouts', () => {
    const forged = { path: '/checkout/../evil?x' } as typeof request;
    expect(refusedPage(context, { status: 403, code: 'FORBIDDEN', requestId: 'r' }, forged).body).not.toContain('evil');
  });
});

describe('the checkout form with a quote', () => {
  const of = session({ returnUrl: 'https://shop.example/done' });
  const filled = (buyer: Record<string, string>, action: 'update' | 'pay' = 'update') => {
    const first = formOf(of, 'en');
    const form = { ...first, action, buyer: { ...first.buyer, ...buyer } };
    const entries = { context, session: of, form, places, cards: testCards, processorTitle: '', merchant: {} };
    return { ...fillCheckout(entries), asksForSupply: false };
  };
  const nothing = { session: of, status: 'open' as const, priced: null, taxId: null, isDoubtCharged: false };
  const priced = () =>
    ({
      ...nothing,
      priced: { quote: quoteOf(of, [component()]), calculation: {} as never },
      problem: null,
    }) as never;
  const refuse = (error: DomainError) => () => Promise.resolve({ ...nothing, problem: error });

  it('is allowed by the security policy to redirect to the return URL', async () => {
    const { headers } = await reviewedPage(filled({ country: 'DE' }), { faults: [], notice: null }, async () =>
      priced(),
    );
    expect(headers['content-security-policy']).toContain("form-action 'self' https:;");
  });

  it('shows the price with the tax for consumers when the tax id is refused', async () => {
    const asked: CheckoutDraft[] = [];
    const refusal = new DomainError('INVALID_TAX_ID', 'No.', { faults: [{ path: 'tax_id', message: 'No.' }] });
    const page = await reviewedPage(
      filled({ country: 'DE', tax_id: 'DE1' }),
      { faults: [], notice: null },
      async (draft) => {
        asked.push(draft);
        return draft.taxId ? { ...nothing, problem: refusal } : priced();
      },
    );
    expect(asked.map(({ taxId }) => taxId)).toEqual(['DE1', null]);
    expect(page.statusCode).toBe(200);
    expect(visibleText(page.body)).toContain('VAT 19%');
    expect(visibleText(page.body)).toContain('This is not a valid tax ID');
  });

  it('reports missing fields only when the buyer presses Pay', async () => {
    const region = new DomainError('INVALID_REQUEST_PARAMETERS', 'x', {
      faults: [{ path: 'billing_address.state', message: 'x' }],
    });
    const ask = (action: 'update' | 'pay') =>
      reviewedPage(filled({ country: 'US' }, action), { faults: [], notice: null }, refuse(region));
    expect((await ask('update')).body).not.toMatch(/<[^<>]*aria-invalid/);
    expect((await ask('pay')).body).toMatch(/id="region"[^>]*aria-invalid/);
    expect((await ask('pay')).statusCode).toBe(422);
  });

  it('reports a place without sales at the country field', async () => {
    const { body } = await reviewedPage(
      filled({ country: 'BR' }),
      { faults: [], notice: null },
      refuse(
        new DomainError('UNSUPPORTED_COUNTRY', 'x', { faults: [{ path: 'billing_address.country', message: 'x' }] }),
      ),
    );
    expect(body).toContain('<p class="fault" id="country-fault">This order cannot be sold');
  });

  it('shows an error that belongs to no field on the error page', async () => {
    const error = new DomainError('INTERNAL_SERVER_ERROR', 'x');
    await expect(reviewedPage(filled({ country: 'DE' }), { faults: [], notice: null }, refuse(error))).rejects.toBe(
      error,
    );
  });
});
