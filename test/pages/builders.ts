import type { CheckoutForm } from '../../shared/checkout-page/form/checkout-form.ts';
import type { Advice } from '../../shared/checkout-page/form/faults.ts';
import { type Places, placesOf } from '../../shared/checkout-page/form/places.ts';
import { formOf, readAmounts, withLocked } from '../../shared/checkout-page/form/read-fields.ts';
import { readQuantities } from '../../shared/checkout-page/form/read-quantities.ts';
import { type CheckoutView, checkoutView } from '../../shared/checkout-page/views/present-checkout.ts';
import type { PayWhatYouWant } from '../../shared/domain/catalogue/pay-what-you-want.ts';
import type { Price } from '../../shared/domain/catalogue/price.ts';
import type { TaxIdCheck } from '../../shared/domain/checkout/buyer.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/checkout-session.ts';
import type { ConsentKind } from '../../shared/domain/checkout/consent.ts';
import { type Quote, quote } from '../../shared/domain/checkout/quote.ts';
import type { TaxComponent } from '../../shared/domain/checkout/tax.ts';
import { createPayment } from '../../shared/domain/payments/charge.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { testCards } from '../../shared/outside/processor/sandbox/sandbox-cards.ts';
import type { PageContext } from '../../shared/pages/page-context.ts';
import { tableVersion } from '../../shared/tax/rates/table-version.ts';
import { settings } from '../tax/builders.ts';

export const context: PageContext = {
  locale: 'en',
  brand: { name: 'Example Books', color: null, logo: null, supportEmail: 'support@example.com' },
  seller: { name: 'Example Books', address: ['Musterstraße 1', '10115 Berlin'] },
  isSandbox: true,
};

export const places = placesOf(settings({ onUnsupported: 'zero' }), [], '2026-06-01');

export const fixed: Extract<Price, { kind: 'fixed' }> = {
  kind: 'fixed',
  currency: 'EUR',
  unitAmount: 1_999,
  taxInclusive: true,
};

export const payWhatYouWant: PayWhatYouWant = {
  kind: 'pay_what_you_want',
  currency: 'EUR',
  minimum: 500,
  suggested: 1_500,
  maximum: null,
  taxInclusive: true,
};

export const sessionLine = (
  fields: Partial<CheckoutSession['lines'][number]> = {},
): CheckoutSession['lines'][number] => ({
  productId: 'pdt_000000000000000000001',
  name: 'Field Guide',
  description: '210 pages.',
  image: null,
  taxCategory: 'e_book',
  price: fixed,
  quantity: 1,
  amount: null,
  ...fields,
});

export const session = (fields: Partial<CheckoutSession> = {}): CheckoutSession => ({
  id: 'cks_000000000000000000001',
  status: 'open',
  currency: fields.lines?.[0]?.price.currency ?? 'EUR',
  brandId: 'brnd_1',
  lines: [sessionLine()],
  customer: {},
  billing: {},
  taxId: null,
  businessName: null,
  returnUrl: null,
  cancelUrl: null,
  metadata: {},
  createdAt: '2026-03-01T10:00:00.000Z',
  expiresAt: '2026-03-02T10:00:00.000Z',
  attempts: 0,
  paymentId: null,
  paymentStatus: null,
  tableVersion,
  quoted: null,
  formToken: 'a-token',
  version: 1,
  ...fields,
});

export const component = (fields: Partial<TaxComponent> = {}): TaxComponent => ({
  name: 'VAT',
  jurisdiction: 'DE',
  rate: '0.19',
  baseFraction: '1',
  reason: null,
  ...fields,
});

/** A quote of the session's lines, all taxed alike. */
export const quoteOf = (of: CheckoutSession, components: TaxComponent[] = [component()], amount = 1_500): Quote =>
  quote(
    of.lines.map(({ price, quantity, amount: locked }) => ({
      unitAmount: price.kind === 'fixed' ? price.unitAmount : (locked ?? amount),
      quantity,
      taxInclusive: price.taxInclusive,
      treatment: { components, warnings: [] },
    })),
  );

interface ViewFields {
  session?: CheckoutSession;
  buyer?: Partial<CheckoutForm['buyer']>;
  form?: Partial<CheckoutForm>;
  quote?: Quote;
  /** The tax id that no register has confirmed, so that tax is charged. */
  taxId?: TaxIdCheck | null;
  advice?: Advice;
  consents?: readonly ConsentKind[];
  asksForSupply?: boolean;
  context?: Partial<PageContext>;
  /** The processor on whose page the buyer pays. */
  processorTitle?: string;
  places?: Places;
}

/** The page of a session as it is after the buyer has filled in some of it. */
export function view({
  session: of = session(),
  buyer,
  form,
  quote: priced,
  taxId = null,
  advice,
  consents = [],
  asksForSupply = false,
  processorTitle = '',
  places: at = places,
  ...fields
}: ViewFields = {}): CheckoutView {
  const where = { ...context, ...fields.context };
  const first = formOf(of, where.locale);
  const filled = withLocked(of, { ...first, ...form, buyer: { ...first.buyer, ...buyer } });
  const calculation = { taxDate: '2026-03-01', tableVersion: 'test', country: 'DE', region: null, postalCode: null };
  return checkoutView({
    context: where,
    session: of,
    form: filled,
    read: readAmounts(of, filled, where.locale, where.locale),
    ordered: readQuantities(of, filled),
    review: {
      priced: priced
        ? { quote: priced, taken: [], calculation: { ...calculation, rows: [], registrations: [], warnings: [] } }
        : null,
      taxId,
      isDoubtCharged: taxId !== null,
    },
    advice: advice ?? { faults: [], notice: null },
    places: at,
    cards: processorTitle === '' ? testCards : [],
    processorTitle,
    consents,
    asksForSupply,
  });
}

/** The succeeded payment of a session, by a person whose name must not appear anywhere. */
export function payment(of: CheckoutSession, components?: TaxComponent[]): Payment {
  const sale = {
    session: of,
    quote: quoteOf(of, components),
    customer: { id: 'cus_1', email: 'ada@example.com', name: 'Ada Lovelace', phone: '+44 20 7946 0000' },
    billing: { country: 'DE', state: null, city: 'Marburg', street: 'Lahnweg 3', zipcode: '35037' },
    taxId: null,
    businessName: 'Lovelace Ltd',
    language: 'en',
    calculation: {
      taxDate: '2026-03-01',
      tableVersion: 'test',
      country: 'DE',
      region: null,
      postalCode: null,
      rows: [],
      registrations: [],
      warnings: [],
    },
    evidence: { status: 'one_only' as const, items: [] },
  };
  const outcome = {
    status: 'succeeded' as const,
    card: { lastFour: '4242', network: 'VISA', country: null },
    errorCode: null,
    errorMessage: null,
  };
  const stamps = {
    id: 'pay_000000000000000000001',
    now: '2026-03-01T10:05:00.000Z',
    processor: 'sandbox',
    documentSecret: 'doc_000000000000000000001',
  };
  return createPayment(sale, outcome, stamps);
}
