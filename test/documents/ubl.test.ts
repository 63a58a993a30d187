import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printedSeller } from '../../shared/documents/document-parties.ts';
import { ublDocument } from '../../shared/documents/ubl/ubl-document.ts';
import { textElement, writeXml } from '../../shared/documents/ubl/xml.ts';
import type { Document } from '../../shared/domain/documents/document.ts';
import { sellerOf } from '../../shared/domain/documents/document-frame.ts';
import { lineAllowance } from '../../shared/domain/documents/line-allowance.ts';
import { vatBreakdownOf } from '../../shared/domain/documents/vat-breakdown.ts';
import { Merchant } from '../../shared/domain/merchant.ts';
import type { Locale } from '../../shared/pages/locale.ts';
import { randomDocument } from '../einvoice/random-documents.ts';
import { anyCharacter } from '../support/any-character.ts';
import { creditNoteOf, invoiceOf, issueContext, merchant, sale, tax, taxes, untaxed } from './builders.ts';
import { hostileName, specimens } from './specimens.ts';

function xmlOf(document: Document, locale: Locale = 'en', isSandbox = false): string {
  const breakdown = vatBreakdownOf(document);
  if (typeof breakdown === 'string') throw new Error(breakdown);
  return ublDocument(document, breakdown, { locale, isSandbox, businessId: 'demo' });
}

/** The texts of all elements with a name, in their order. */
const all = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, found]) => found ?? '');

const partOf = (xml: string, name: string): string => xml.match(new RegExp(`<${name}>[\\s\\S]*?</${name}>`))?.[0] ?? '';

const specimen = (name: string): Document => {
  const found = specimens.find((one) => one.name === name);
  if (!found) throw new Error(`There is no specimen ${name}.`);
  return found.document;
};

const french = {
  id: 'FR 40 303265045',
  country: 'FR',
  status: 'valid' as const,
  formatName: 'EU VAT',
  checkedAt: '2026-03-01T12:00:00.000Z',
};
const inFrance = { country: 'FR', state: null, city: 'Lyon', street: null, zipcode: null };

describe('the UBL of an invoice', () => {
  it('contains the figures of the document: lines and totals without tax, the tax by rate, and 0 due', () => {
    // 19.99 with 7 % inside: 1.31 and 18.68; 2 × 15.00 with 19 % inside: 4.79 and 25.21
    const xml = xmlOf(specimen('german-two-rates'), 'de');
    expect(all(xml, 'cbc:LineExtensionAmount')).toEqual(['43.89', '18.68', '25.21']);
    expect(all(xml, 'cbc:TaxableAmount')).toEqual(['18.68', '25.21']);
    expect(all(xml, 'cbc:TaxAmount')).toEqual(['6.10', '1.31', '4.79']);
    expect(all(xml, 'cbc:TaxInclusiveAmount')).toEqual(['49.99']);
    expect(all(xml, 'cbc:PrepaidAmount')).toEqual(['49.99']);
    expect(all(xml, 'cbc:PayableAmount')).toEqual(['0.00']);
    expect(all(partOf(xml, 'cac:TaxTotal'), 'cbc:Percent')).toEqual(['7', '19']);
  });

  const allowances = (xml: string) =>
    ['cbc:BaseAmount', 'cbc:Amount', 'cbc:PriceAmount', 'cbc:LineExtensionAmount'].map((name) => all(xml, name));

  it('shows a discount as an allowance without tax, with the amount that it was taken from', () => {
    // 2 × 15.00 with 19 % inside are 25.21 net; less 5.00 they are 25.00, 21.01 net: 4.20 less
    const inclusive = xmlOf(invoiceOf(sale([{ unitAmount: 1_500, quantity: 2, discount: 500 }])), 'de');
    expect(allowances(inclusive)).toEqual([['25.21'], ['4.20'], ['25.21'], ['21.01', '21.01']]);
    expect([all(inclusive, 'cbc:AllowanceChargeReason'), all(inclusive, 'cbc:AllowanceChargeReasonCode')]).toEqual([
      ['Rabatt'],
      ['95'],
    ]);
    const exclusive = xmlOf(invoiceOf(sale([{ unitAmount: 4_999, taxInclusive: false, discount: 750 }])));
    expect(allowances(exclusive)).toEqual([['49.99'], ['7.50'], ['49.99'], ['42.49', '42.49']]);
    const free = xmlOf(invoiceOf(sale([{ unitAmount: 1_190, discount: 1_190 }])));
    expect(allowances(free)).toEqual([['10.00'], ['10.00'], ['10.00'], ['0.00', '0.00']]);
  });

  it('has no allowance when rounding reduces the discount’s net amount to zero', () => {
    // 0.03 with 19 % inside are 0.03 net (2.52): of a net of 0.03 or more, nothing was taken
    const line = { unitAmount: 3, discount: 1 };
    const { lines } = invoiceOf(sale([line, { unitAmount: 100 }]));
    const [first] = lines;
    if (!first) throw new Error('There is no line.');
    expect(lineAllowance({ ...first, net: 3 }, '0.19')).toBeUndefined();
    expect(lineAllowance({ ...first, net: 4 }, '0.19')).toBeUndefined();
    expect(lineAllowance({ ...first, net: 2 }, '0.19')).toEqual({ listed: 3, amount: 1 });
    expect(lineAllowance({ ...first, net: -2 }, '0.19')).toBeUndefined();
  });

  it('gives the exact price of all pieces together when the price of one piece has no exact value', () => {
    // three for 49.99 net, which are 16.6633… each
    const xml = xmlOf(invoiceOf(sale([{ unitAmount: 1_983, quantity: 3 }])));
    expect([all(xml, 'cbc:PriceAmount'), all(xml, 'cbc:BaseQuantity')]).toEqual([['49.99'], ['3']]);
    expect(all(xml, 'cbc:InvoicedQuantity')).toEqual(['3']);
  });

  it('has one total for each rate, even if one price includes the tax and another does not', () => {
    const xml = xmlOf(invoiceOf(sale([{ unitAmount: 11_900 }, { unitAmount: 10_000, taxInclusive: false }])));
    expect(all(xml, 'cbc:TaxableAmount')).toEqual(['200.00']);
    expect(all(xml, 'cbc:TaxAmount')).toEqual(['38.00', '38.00']);
  });

  it('names EN 16931 alone as its standard, and no stricter profile', () => {
    const xml = xmlOf(specimen('german-two-rates'));
    expect(all(xml, 'cbc:CustomizationID')).toEqual(['urn:cen.eu:en16931:2017']);
    expect(xml).not.toContain('ProfileID');
  });

  it('contains every text as plain text, without the characters that XML forbids', () => {
    const name = `${hostileName}\u0000\u001B\uD800 ]]>`;
    const xml = xmlOf(invoiceOf(sale([{ name, unitAmount: 1_000 }])));
    expect(xml).not.toMatch(/<script|<img/);
    for (const sign of ['\u0000', '\u001B']) expect(xml).not.toContain(sign);
    const [shown = ''] = all(partOf(xml, 'cac:Item'), 'cbc:Name');
    const back = shown.replace(
      /&(lt|gt|quot|amp);/g,
      (_, key) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[key as 'lt'],
    );
    expect(back).toBe(`${hostileName} ]]>`);
  });

  it('marks a document of the sandbox as not real', () => {
    expect(all(xmlOf(specimen('german-two-rates'), 'en', true), 'cbc:Note')).toEqual([
      'Sandbox: no money has moved, and this is not a real document.',
    ]);
    expect(all(xmlOf(specimen('german-two-rates')), 'cbc:Note')).toEqual([]);
  });
});

it('the UBL of an invoice also gives the tax in the currency of the state', () => {
  const xml = xmlOf(specimen('ten-06-dollars-in-britain'));
  expect([all(xml, 'cbc:DocumentCurrencyCode'), all(xml, 'cbc:TaxCurrencyCode')]).toEqual([['USD'], ['GBP']]);
  // $10.00 / 1.1812 × 0.8731 = £7.39
  expect(xml).toContain('<cbc:TaxAmount currencyID="GBP">7.39</cbc:TaxAmount>');
});

it('the UBL of a corrected invoice names the invoice that it replaces', () => {
  const xml = xmlOf(specimen('ten-08-corrected-invoice'), 'fr');
  expect(all(partOf(xml, 'cac:BillingReference'), 'cbc:ID')).toEqual(['INV-2026-000042']);
  expect(all(partOf(xml, 'cac:ClassifiedTaxCategory'), 'cbc:ID')).toEqual(['AE', 'VAT']);
});

describe('the UBL of the addresses', () => {
  const sold = sale([{ unitAmount: 11_900 }], {
    billing: { ...inFrance, zipcode: '69001' },
    taxId: french,
    businessName: 'Éditions du Rhône',
  });
  const addressesIn = (seller: Document['seller']) => {
    const xml = xmlOf(invoiceOf(sold, seller));
    const party = (name: string) => partOf(partOf(xml, name), 'cac:PostalAddress');
    const fields = (address: string) =>
      ['StreetName', 'AdditionalStreetName', 'CityName', 'PostalZone', 'Line', 'IdentificationCode'].map((field) =>
        all(address, `cbc:${field}`).join(),
      );
    return [fields(party('cac:AccountingSupplierParty')), fields(party('cac:AccountingCustomerParty'))];
  };

  it('names city and postal code of seller and buyer apart', () => {
    const [seller, buyer] = addressesIn(issueContext.seller);
    expect(seller).toEqual(['Musterstraße 1', '', 'Berlin', '10115', '', 'DE']);
    expect(buyer?.slice(2, 4)).toEqual(['Lyon', '69001']);
  });

  it.each([
    { address: ['Berliner Straße 5', '10115 Berlin', 'Germany'], street: 'Berliner Straße 5' },
    { address: ['Allee nach Berlin 5', 'D-10115 Berlin', 'Deutschland'], street: 'Allee nach Berlin 5' },
    { address: ['Musterstraße 1, 10115 Berlin, Germany'], street: 'Musterstraße 1, Germany' },
    { address: ['Hof 101150', '10115 Berlin - Mitte'], street: 'Hof 101150', second: 'Mitte' },
    { address: ['Hof 3', '10115', 'Berlin, Germany'], street: 'Hof 3' },
  ])('keeps the street of a seller at $address.0', ({ address, street, second = '' }) => {
    const [seller] = addressesIn({ ...issueContext.seller, address });
    expect(seller).toEqual([street, second, 'Berlin', '10115', '', 'DE']);
  });

  it.each(['Example Books', 'Example Books (an example merchant)'])('names once, as the page does, %s', (first) => {
    const [, ...street] = issueContext.seller.address;
    const seller = { ...issueContext.seller, name: 'Example Books', address: [first, ...street] };
    const document = invoiceOf(sold, seller);
    const party = partOf(xmlOf(document), 'cac:AccountingSupplierParty');
    expect(all(party, 'cbc:RegistrationName')).toEqual([printedSeller(document.seller, 'en').name]);
    expect(printedSeller(document.seller, 'en').name).toBe(first);
    expect(addressesIn(seller)[0]).toEqual(['Musterstraße 1', '', 'Berlin', '10115', '', 'DE']);
  });

  it('has the printed lines of a seller whose file does not name the city', () => {
    const { city: _, postalCode: __, ...printed } = issueContext.seller;
    expect(addressesIn(printed)[0]).toEqual(['Musterstraße 1', '10115 Berlin', '', '', 'Germany', 'DE']);
  });
});

describe('the UBL of a reverse charge', () => {
  const relieved = (relief: Document['relief'], reason: 'reverse_charge' | 'not_collecting' = 'reverse_charge') =>
    invoiceOf(
      sale([{ unitAmount: 49_900, components: [untaxed('VAT', 'FR', reason)] }], {
        billing: inFrance,
        taxId: french,
        businessName: 'Éditions du Rhône SARL',
      }),
      issueContext.seller,
      relief,
    );

  it('has tax category AE, the EU’s reason code, the wording of national law and both VAT ids', () => {
    const xml = xmlOf(relieved({ kind: 'reverse_charge', phrase: 'Autoliquidation' }));
    const category = partOf(partOf(xml, 'cac:TaxTotal'), 'cac:TaxCategory');
    expect(all(category, 'cbc:TaxExemptionReasonCode')).toEqual(['VATEX-EU-AE']);
    expect(all(category, 'cbc:TaxExemptionReason')).toEqual([
      'Reverse charge: the buyer is liable for the tax. (Autoliquidation)',
    ]);
    expect(all(xml, 'cbc:CompanyID')).toEqual(['DE123456788', 'FR40303265045']);
    expect(all(xml, 'cbc:TaxAmount')).toEqual(['0.00', '0.00']);
  });

  it('is “outside the scope of tax”, without VAT ids, if national law has no wording for it', () => {
    const xml = xmlOf(relieved({ kind: 'none' }));
    expect(all(partOf(xml, 'cac:ClassifiedTaxCategory'), 'cbc:ID')).toEqual(['O', 'VAT']);
    expect(all(xml, 'cbc:Percent')).toEqual([]);
    expect(all(partOf(xml, 'cac:PartyTaxScheme'), 'cbc:ID')).toEqual(['TAX']);
    expect(all(partOf(xml, 'cac:AccountingCustomerParty'), 'cbc:CompanyID')).toEqual(['FR 40 303265045']);
  });
});

describe('the UBL of a credit note', () => {
  it('has positive amounts, and names its invoice', () => {
    const note = creditNoteOf(sale([{ unitAmount: 11_900 }]), { amount: 5_950, publicReason: 'Half of it' });
    const xml = xmlOf(note);
    expect(xml).toContain('<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"');
    expect(all(xml, 'cbc:CreditNoteTypeCode')).toEqual(['381']);
    // 59.50 with 19 % inside: 9.50 and 50.00
    expect(all(xml, 'cbc:TaxInclusiveAmount')).toEqual(['59.50']);
    expect(all(xml, 'cbc:LineExtensionAmount')).toEqual(['50.00', '50.00']);
    expect(all(xml, 'cbc:TaxAmount')).toEqual(['9.50', '9.50']);
    expect(xml).not.toMatch(/>-/);
    expect(all(partOf(xml, 'cac:BillingReference'), 'cbc:ID')).toEqual(['INV-2026-000042']);
    expect(all(xml, 'cbc:Note')).toEqual(['Half of it']);
  });
});

describe('the check whether EN 16931 can express a document', () => {
  const anonymous = sellerOf(Merchant.parse({ ...merchant, taxId: undefined }), []);
  const relieved = sale([{ unitAmount: 1_000, components: taxes.reverseCharge }]);

  it.each([
    ['three_decimals', specimen('dinar-three-decimals')],
    ['other_taxes', specimen('texas-part-of-the-price')],
    ['other_taxes', specimen('quebec-two-taxes')],
    ['other_taxes', invoiceOf(sale([{ unitAmount: 1_000, components: [tax('State sales tax', 'US-WA', '0.065')] }]))],
    ['no_seller_id', invoiceOf(sale([{ unitAmount: 1_000 }]), anonymous)],
    ['no_buyer_id', invoiceOf(relieved)],
    ['tax_alone', specimen('credit-note-tax-only')],
  ])('refuses a document with the reason %s', (reason, document) => expect(vatBreakdownOf(document)).toBe(reason));

  it.each([
    [
      'a sale without tax and without a tax id',
      invoiceOf(sale([{ unitAmount: 1, components: taxes.notCollecting }]), anonymous),
    ],
    [
      'a tax on added value outside the Union',
      invoiceOf(sale([{ unitAmount: 1_000, components: [tax('GST', 'AU', '0.1')] }])),
    ],
    [
      'two taxes that are both left out',
      invoiceOf(
        sale([{ unitAmount: 1_000, components: ['GST', 'QST'].map((name) => untaxed(name, 'CA', 'not_collecting')) }]),
      ),
    ],
  ])('accepts %s', (_, document) => expect(vatBreakdownOf(document)).toMatchObject({ subtotals: [{}] }));
});

it('in the UBL, the lines and the totals by rate add up to the totals of every document', () => {
  fc.assert(
    fc.property(randomDocument, (document) => {
      const breakdown = vatBreakdownOf(document);
      if (typeof breakdown === 'string') return;
      const total = (side: 'net' | 'tax') => breakdown.subtotals.reduce((sum, one) => sum + one[side], 0);
      expect([total('net'), total('tax')]).toEqual([document.net, document.tax]);
      const codes = new Set(breakdown.subtotals.map(({ code }) => code));
      expect(codes.has('O') && codes.size > 1).toBe(false);
    }),
    { numRuns: 200 },
  );
});

it('the UBL keeps every text unchanged, except for characters that XML forbids', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (content) => {
      const xml = writeXml(textElement('a', content, { b: content }));
      const inside = xml.slice(xml.indexOf('">') + 2, -'</a>\n'.length);
      const allowed = [...content].filter((sign) =>
        /[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(sign),
      );
      const back = inside.replace(
        /&(lt|gt|quot|amp);/g,
        (_, key) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[key as 'lt'],
      );
      expect(back).toBe(allowed.join(''));
      expect(inside).not.toMatch(/[<>"]/);
    }),
  );
});
