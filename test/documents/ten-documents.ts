import { createCorrectedInvoice } from '../../shared/domain/documents/corrected-invoice.ts';
import type { Document } from '../../shared/domain/documents/document.ts';
import { sellerOf } from '../../shared/domain/documents/document-frame.ts';
import { localTaxOf } from '../../shared/domain/documents/local-tax.ts';
import { Merchant } from '../../shared/domain/merchant.ts';
import { reliefWordingOf } from '../../shared/tax/business-buyers.ts';
import {
  aStamp,
  creditNoteOf,
  invoiceOf,
  issueContext,
  merchant,
  refunded,
  type Sold,
  sale,
  tax,
  taxes,
  untaxed,
} from './builders.ts';
import type { Specimen } from './specimens.ts';

const at = (country: string, fields: object = {}) => ({
  ...{ country, state: null, city: null, street: null, zipcode: null },
  ...fields,
});
const person = (name: string) => ({ id: 'cus_1', email: 'buyer@example.com', name, phone: null });
const taxIdOf = (id: string, country: string, formatName: string) => ({
  ...{ id, country, formatName, status: 'valid' as const, checkedAt: '2026-03-01T12:00:00.000Z' },
});

const french = Merchant.parse({
  ...merchant,
  name: 'Éditions du Rhône SARL',
  country: 'FR',
  taxId: 'FR40303265045',
  address: ['Éditions du Rhône SARL', '3 rue de la République', '69001 Lyon', 'France'],
});

const german = (...registered: Parameters<typeof sellerOf>[1]) => sellerOf(merchant, registered);

const guide: Sold = { name: 'Field Guide (e-book)', unitAmount: 1_999, components: taxes.reduced };
const support: Sold = { name: 'Support our work', unitAmount: 1_500, quantity: 2 };

const inHamburg = { billing: at('DE', { city: 'Hamburg', street: 'Elbchaussee 1', zipcode: '22765' }) };

const sterling = { date: '2026-02-27', source: 'ECB', perEuro: { USD: '1.1812', GBP: '0.8731' } };

function britishSale(): Document {
  const payment = sale(
    [{ name: 'Cloud notebook, one year', unitAmount: 6_000, components: [tax('VAT', 'GB', '0.2')] }],
    {
      currency: 'USD',
      billing: at('GB', { city: 'Leeds', street: '5 Mill Lane', zipcode: 'LS1 4AP' }),
      customer: person('Oliver Wainwright'),
    },
  );
  const invoice = invoiceOf(payment, german({ country: 'GB', scheme: 'standard', taxId: 'GB220430231' }));
  return { ...invoice, ...localTaxOf(invoice.tax, 'USD', { currency: 'GBP', rates: sterling }) };
}

/** A French business gave its id after the sale: the price stays, and the tax falls away. */
function correctedSale(): Document {
  const lyon = at('FR', { city: 'Lyon', street: '3 rue de la République', zipcode: '69001' });
  const payment = sale([{ name: 'Team licence', unitAmount: 49_900, components: [tax('VAT', 'FR', '0.2')] }], {
    billing: lyon,
  });
  const lines = payment.lines.map(({ productId, taxInclusive, net, tax: charged, gross, components }) => ({
    ...{ productId, taxInclusive },
    reversed: { net, tax: charged, gross, components: components.map(({ amount }) => amount) },
    invoiced: {
      ...{ net: gross, tax: 0, gross },
      components: components.map((one) => ({ ...one, rate: null, reason: 'reverse_charge' as const, amount: 0 })),
    },
  }));
  const correction = {
    ...{
      taxId: taxIdOf('FR40303265045', 'FR', 'EU VAT'),
      businessName: 'Éditions du Rhône SARL',
      registrations: [],
      lines,
    },
  };
  const { refund } = refunded(payment);
  const context = { ...issueContext, relief: reliefWordingOf({ country: 'FR' }) };
  const creditNote = creditNoteOf(payment);
  return createCorrectedInvoice({ payment, refund, correction, creditNote }, context, aStamp('INV', 43, '2026-03-05'));
}

/** The documents that are looked at as pictures before a release: one for each way in which the law differs. */
export const tenDocuments: readonly Specimen[] = [
  { name: 'ten-01-german-consumer', locale: 'de', document: invoiceOf(sale([guide, support], inHamburg)) },
  {
    name: 'ten-02-german-business-from-france',
    locale: 'de',
    document: invoiceOf(
      sale(
        [{ name: 'Teamlizenz', unitAmount: 49_900, quantity: 3, components: [untaxed('VAT', 'DE', 'reverse_charge')] }],
        {
          billing: at('DE', { city: 'Berlin', street: 'Torstraße 12', zipcode: '10119' }),
          taxId: taxIdOf('DE123456788', 'DE', 'EU VAT'),
          businessName: 'Beispiel GmbH',
        },
      ),
      sellerOf(french, []),
      reliefWordingOf({ country: 'DE' }),
    ),
  },
  {
    name: 'ten-03-swiss-business',
    locale: 'fr',
    document: invoiceOf(
      sale([{ name: 'Licence d’équipe', unitAmount: 10_810, components: [tax('VAT', 'CH', '0.081')] }], {
        currency: 'CHF',
        billing: at('CH', { city: 'Genève', street: '8 rue du Rhône', zipcode: '1204' }),
        taxId: taxIdOf('CHE-116.281.710 MWST', 'CH', 'CH VAT'),
        businessName: 'Atelier du Lac SA',
      }),
      german({ country: 'CH', scheme: 'standard', taxId: 'CHE-105.806.904 MWST' }),
      reliefWordingOf({ country: 'CH' }),
    ),
  },
  {
    name: 'ten-04-japanese-mixed-cart',
    locale: 'ja',
    document: invoiceOf(
      sale(
        [
          { name: '野鳥観察ハンドブック 電子版', unitAmount: 1_000, components: taxes.japanese },
          { name: '双眼鏡の選び方', unitAmount: 2_500, taxInclusive: false, components: taxes.japanese },
        ],
        {
          currency: 'JPY',
          billing: at('JP', { city: '渋谷区', street: '神宮前1-2-3', zipcode: '150-0001' }),
          customer: person('髙橋 直子'),
          rounding: 'rate_set',
        },
      ),
      german({ country: 'JP', scheme: 'standard', taxId: 'T5835678256246' }),
    ),
  },
  {
    name: 'ten-05-texas',
    locale: 'en',
    document: invoiceOf(
      sale([{ name: 'Cloud notebook', unitAmount: 2_999, taxInclusive: false, components: taxes.texas }], {
        currency: 'USD',
        billing: at('US', { state: 'TX', city: 'Austin', street: '100 Congress Ave', zipcode: '78701' }),
        customer: person('Dana Whitfield'),
      }),
      german({ country: 'US', region: 'TX', scheme: 'standard', taxId: '3-20123-4567-8' }),
    ),
  },
  { name: 'ten-06-dollars-in-britain', locale: 'en', document: britishSale() },
  {
    name: 'ten-07-quebec',
    locale: 'fr',
    document: invoiceOf(
      sale([{ name: 'Guide de terrain', unitAmount: 10_000, taxInclusive: false, components: taxes.quebec }], {
        currency: 'CAD',
        billing: at('CA', { state: 'QC', city: 'Montréal', street: '12 avenue du Parc', zipcode: 'H2W 1S4' }),
        customer: person('Gabrielle Côté-Bélanger'),
      }),
      german(
        { country: 'CA', scheme: 'standard', taxId: '123026635 RT0001' },
        { country: 'CA', region: 'QC', scheme: 'standard', taxId: '1234567890 TQ0001' },
      ),
    ),
  },
  { name: 'ten-08-corrected-invoice', locale: 'fr', document: correctedSale() },
  {
    name: 'ten-09-credit-note',
    locale: 'de',
    document: creditNoteOf(sale([guide, support], inHamburg), {
      amount: 2_500,
      publicReason: 'Teilrückgabe nach Absprache',
    }),
  },
  {
    name: 'ten-10-simplified',
    locale: 'de',
    document: {
      ...invoiceOf(sale([guide], { customer: person(''), billing: at('DE') })),
      isSimplified: true,
      brandName: 'Abendschule',
      brand: { color: '#7a1fa2', email: 'hallo@abendschule.example', url: 'https://abendschule.example' },
    },
  },
];
