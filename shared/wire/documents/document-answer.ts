import * as z from 'zod';
import { zeroReasons } from '../../domain/checkout/tax.ts';
import { SellerTaxId } from '../../domain/documents/document.ts';
import {
  answeredId,
  count,
  countryText,
  decimalText,
  instantText,
  link,
  paidAmount,
  paidCurrency,
  percentage,
  signedAmount,
  upTo,
} from '../answer-values.ts';
import { PostalAddress } from '../buyer-answer.ts';

const documentDay = z.iso.date();
const otherDocument = z.strictObject({ number: upTo(40), issued_on: documentDay }).nullable();

const DocumentTax = z.strictObject({
  name: upTo(60),
  jurisdiction: upTo(20),
  rate: percentage.nullable(),
  base_fraction: decimalText,
  amount: signedAmount,
  reason: z.enum(zeroReasons).nullable(),
});

const DocumentLine = z.strictObject({
  item_id: answeredId('pdt'),
  name: upTo(100),
  quantity: z.int().min(1).max(1_000_000).nullable(),
  unit_amount: paidAmount.nullable(),
  net_unit_price: upTo(40).nullable(),
  discount_amount: paidAmount.optional(),
  tax_inclusive: z.boolean(),
  net_amount: signedAmount,
  tax: signedAmount,
  amount: signedAmount,
  tax_components: z.array(DocumentTax).max(20),
});

const DocumentTaxGroup = z.strictObject({
  tax_inclusive: z.boolean(),
  net_amount: signedAmount,
  tax: signedAmount,
  amount: signedAmount,
  tax_components: z.array(DocumentTax).max(20),
});

const DocumentSeller = z.strictObject({
  name: upTo(100),
  address: z.array(upTo(100)).max(6),
  country: countryText,
  email: upTo(254).nullable(),
  tax_ids: z
    .array(
      z.strictObject({
        country: countryText,
        region: upTo(60).nullable(),
        scheme: SellerTaxId.shape.scheme,
        id: upTo(50),
      }),
    )
    .max(1_000),
});

const DocumentBuyer = z.strictObject({
  name: upTo(250),
  business_name: upTo(250).nullable(),
  email: upTo(254),
  address: PostalAddress,
  tax_id: z.strictObject({ id: upTo(50), format_name: upTo(100) }).nullable(),
});

/** What the routes of invoices and credit notes answer in JSON, by the name in the contract. */
export const documentAnswers = {
  DocumentTax,
  DocumentLine,
  DocumentTaxGroup,
  DocumentSeller,
  DocumentBuyer,
  Document: z.strictObject({
    document_id: upTo(40),
    kind: z.enum(['invoice', 'credit_note', 'credit_note_cancellation']),
    number: upTo(40),
    series: upTo(20),
    serial: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    url: link.nullable(),
    xml_url: link.nullable(),
    payment_id: answeredId('pay'),
    refund_id: answeredId('ref').nullable(),
    business_id: upTo(31),
    brand_name: upTo(100),
    issued_at: instantText,
    issued_on: documentDay,
    paid_on: documentDay,
    currency: paidCurrency,
    net_amount: signedAmount,
    tax: signedAmount,
    total_amount: signedAmount,
    lines: z.array(DocumentLine).max(20),
    taxes: z.array(DocumentTaxGroup).max(40),
    seller: DocumentSeller,
    buyer: DocumentBuyer,
    place_of_supply: z.strictObject({ country: countryText, region: upTo(60).nullable() }),
    tax_date: documentDay,
    exemptions: z.array(upTo(1_000)).max(100),
    corrects: otherDocument,
    cancels: otherDocument,
    reason: upTo(3_000).nullable(),
    local_tax: z
      .strictObject({
        currency: paidCurrency,
        tax: signedAmount,
        per_euro: z.record(z.string(), upTo(40)).meta({ maxProperties: 10 }),
      })
      .nullable(),
    fx_rate: upTo(40).nullable(),
    fx_date: documentDay.nullable(),
    fx_source: upTo(100).nullable(),
  }),
  DocumentAudit: z.strictObject({
    series: upTo(20),
    first: count.nullable(),
    last: count.nullable(),
    count,
    gaps: z.array(z.strictObject({ from: count, to: count })).max(10_000),
    counter: count,
    is_continuous: z.boolean(),
    missing: z
      .array(
        z.strictObject({
          what: z.enum(['document', 'number', 'mail', 'sale']),
          id: upTo(40),
          number: upTo(40).nullable(),
        }),
      )
      .max(10_000),
    next_cursor: upTo(200).nullable(),
  }),
};
