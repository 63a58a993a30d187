import { describe, expect, it } from 'vitest';
import { buyerFields } from '../../shared/checkout-page/form/checkout-form.ts';
import { checkoutPage } from '../../shared/checkout-page/views/checkout-page.ts';
import { receiptPage, receiptView } from '../../shared/checkout-page/views/receipt-page.ts';
import { usualAccessRules } from '../../shared/domain/entitlements/entitlement.ts';
import type { GrantView } from '../../shared/domain/entitlements/grant-view.ts';
import { newImportedKey } from '../../shared/domain/entitlements/license-key.ts';
import { orderPage } from '../../shared/order-page/order-page.ts';
import { orderView } from '../../shared/order-page/order-view.ts';
import { noticePage } from '../../shared/pages/notices/notice-page.ts';
import type { PageContext } from '../../shared/pages/page-context.ts';
import { aGrant } from '../support/shop/grants.ts';
import { context, payment, payWhatYouWant, session, sessionLine, view } from './builders.ts';
import { skeletonOf } from './markup.ts';
import { xssPayloads } from './xss-payloads.ts';

const soldBy = (text: string): PageContext => ({
  ...context,
  brand: { name: text, color: '#123456', logo: text, supportEmail: text },
});

const sessionOf = (text: string) =>
  session({
    lines: [sessionLine({ name: text, description: text, image: text, price: payWhatYouWant, productId: text })],
    cancelUrl: text,
  });

/** Grants with one text wherever a merchant can put one. */
const grantsOf = (text: string): GrantView[] => {
  const file = { id: text, name: text, contentType: text, size: 1, sha256: null, isReady: true, createdAt: '' };
  const common = { id: text, productId: text, version: 1 };
  const entitlement = {
    ...common,
    name: text,
    description: text,
    config: { type: 'digital_files' as const, files: [file], url: text, instructions: text },
    access: usualAccessRules,
    metadata: {},
    isActive: true,
    createdAt: '',
    updatedAt: '',
  };
  const grant = aGrant({ id: text, entitlementName: text, status: 'delivered' });
  const key = newImportedKey(
    { ...common, key: text, customerId: text, brandId: text, activationsLimit: 1, expiresAt: null },
    '2026-01-01T00:00:00.000Z',
  );
  const message = { activationMessage: text, activationsLimit: 1, validity: null, fulfillment: 'auto' as const };
  return [
    { grant, entitlement, key: undefined },
    { grant, entitlement: undefined, key: undefined },
    {
      grant,
      entitlement: { ...entitlement, config: { type: 'license_key', ...message } },
      key: { key, status: 'active' },
    },
  ];
};

/** The pages with one text wherever a merchant or a buyer can put one. */
const pages = {
  checkout: (text: string) => {
    const buyer = { ...Object.fromEntries(buyerFields.map((field) => [field, text])), country: 'DE' };
    const form = { amounts: new Map([[text, text]]), card: text, token: text };
    return checkoutPage(view({ session: { ...sessionOf(text), formToken: text }, buyer, form, context: soldBy(text) }));
  },
  receipt: (text: string) => {
    const of = sessionOf(text);
    return receiptPage({
      ...receiptView(soldBy(text), of, payment(of), text),
      returnUrl: text,
      paymentId: text,
    });
  },
  order: (text: string) => {
    const of = sessionOf(text);
    const delivery = { url: text, instructions: text };
    const given = { ...of, lines: of.lines.map((line) => ({ ...line, delivery })) };
    const sold = { payment: { ...payment(of), id: text }, session: given, grants: grantsOf(text) };
    const stored = { ...sold, failedRefunds: [], adjustments: [] };
    const around = {
      isConfirmed: true,
      site: { businessId: text, publicUrl: '' },
      taxIdUrl: text,
      tokenOf: () => text,
      waiting: new Set<number>(),
      kept: new Map<number, string>(),
    };
    return orderPage(orderView(soldBy(text), stored, around));
  },
  notice: (text: string) =>
    noticePage(soldBy(text), 'failure', { cancelUrl: text, checkoutUrl: text, reference: text }),
};

describe('texts of merchants and buyers', () => {
  it('are tested with at least sixty attack texts', () => {
    expect(new Set(xssPayloads).size).toBeGreaterThanOrEqual(60);
  });

  it.each(Object.keys(pages) as (keyof typeof pages)[])('cannot add an element or attribute to the %s page', (name) => {
    const expected = skeletonOf(pages[name]('A plain text'));
    expect(expected.length).toBeGreaterThan(20);
    for (const payload of xssPayloads) expect(skeletonOf(pages[name](payload)), payload).toEqual(expected);
  });

  it.each(Object.keys(pages) as (keyof typeof pages)[])(
    'cannot add an address that runs code to the %s page',
    (name) => {
      for (const payload of xssPayloads)
        for (const [, address = ''] of pages[name](payload).matchAll(/\s(?:href|src|action|formaction)="([^"]*)"/g))
          expect(address, payload).toMatch(/^$|^(?:\/[^/\\]|#|mailto:|data:image\/svg\+xml,%3Csvg[\w.~%'()*-]*$)/);
    },
  );
});
