import * as z from 'zod';
import { SellerTaxId } from '../../domain/documents/document.ts';
import { PostalAddress } from '../answers/buyer.ts';
import { common } from '../answers/fields.ts';
import { answeredId, count, instantText, link, paidAmount, signedAmount, upTo } from '../answers/values.ts';

const documentDay = z.iso.date();
const otherDocument = z
  .strictObject({
    number: upTo(40).describe('The number, such as `INV-2026-000042`.'),
    issued_on: documentDay.describe('The day of issue in the seller’s calendar.'),
  })
  .nullable();

const DocumentTax = z.strictObject({
  name: upTo(60).describe('The name of the tax, such as `VAT`.'),
  jurisdiction: common.jurisdiction,
  rate: common.rate,
  base_fraction: common.base_fraction,
  amount: signedAmount.describe('The amount of this tax in minor units. Negative on a credit note.'),
  reason: common.reason,
});

const DocumentLine = z.strictObject({
  item_id: common.item_id,
  name: common.name,
  quantity: z.int().min(1).max(1_000_000).nullable().describe('How many units.'),
  unit_amount: paidAmount
    .nullable()
    .describe('The displayed price of one unit, or the amount that the buyer chose, in minor units.'),
  net_unit_price: upTo(40)
    .nullable()
    .describe('The price of one unit without tax in major units, with up to four places.'),
  discount_amount: common.discount_amount,
  tax_inclusive: common.tax_inclusive,
  net_amount: signedAmount.describe('The amount without tax, in minor units.'),
  tax: signedAmount.describe('The tax in minor units.'),
  amount: signedAmount.describe('The amount of the line in minor units, tax included. Negative on a credit note.'),
  tax_components: z.array(DocumentTax).max(20).describe('Each tax of the line. Their amounts sum to its tax.'),
});

const DocumentTaxGroup = z.strictObject({
  tax_inclusive: common.tax_inclusive,
  net_amount: signedAmount.describe('The amount without tax, in minor units.'),
  tax: signedAmount.describe('The tax in minor units.'),
  amount: signedAmount.describe('The amount of the group in minor units, tax included. Negative on a credit note.'),
  tax_components: z.array(DocumentTax).max(20).describe('Each tax of the line. Their amounts sum to its tax.'),
});

const DocumentSeller = z.strictObject({
  name: common.name,
  address: z.array(upTo(100)).max(6).describe('The postal address, line by line.'),
  country: common.country,
  email: upTo(254).nullable().describe('The e-mail address.'),
  tax_ids: z
    .array(
      z.strictObject({
        country: common.country,
        region: common.region,
        scheme: SellerTaxId.shape.scheme.describe('The kind of registration. `oss` is the EU’s One Stop Shop.'),
        id: upTo(50).describe('The id.'),
      }),
    )
    .max(1_000)
    .describe('The numbers under which the seller is registered.'),
});

const DocumentBuyer = z.strictObject({
  name: upTo(250).describe('The name.'),
  business_name: upTo(250).nullable().describe('The name of the buyer’s business.'),
  email: common.email,
  address: PostalAddress.describe('The postal address.'),
  tax_id: z
    .strictObject({
      id: upTo(50).describe('The id.'),
      format_name: upTo(100).describe('The name of this kind of tax id, such as `EU VAT`.'),
    })
    .nullable()
    .describe(
      'The tax id of a business buyer. A valid one may relieve the sale of the tax. Needs the country of the address, and for a reverse charge the street and the city.',
    ),
});

/** The JSON answers of the routes for invoices and credit notes, by their names in the contract. */
export const documentAnswers = {
  DocumentTax,
  DocumentLine,
  DocumentTaxGroup,
  DocumentSeller,
  DocumentBuyer,
  Document: z.strictObject({
    document_id: upTo(40).describe('The id of the document.'),
    kind: z
      .enum(['invoice', 'credit_note', 'credit_note_cancellation', 'dispute_credit_note'])
      .describe(
        'What kind of document it is. `dispute_credit_note`: a lost dispute has undone the sale, and no money is paid.',
      ),
    number: upTo(40).describe('The number, such as `INV-2026-000042`.'),
    series: upTo(20).describe('The kind and year of the numbers, such as `INV-2026`.'),
    serial: z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe('The number within the series.'),
    url: link.nullable().describe('The address of the document, with a secret that opens it.'),
    xml_url: link
      .nullable()
      .describe('The address of the document as XML (EN 16931); null where it cannot be written so.'),
    payment_id: common.payment_id,
    refund_id: answeredId('ref').nullable().describe('The id of the refund; on a document, null for an invoice.'),
    adjustment_id: answeredId('adj')
      .optional()
      .describe('The adjustment of a dispute that has the document; absent in others.'),
    business_id: common.business_id,
    brand_name: upTo(100).describe('The name under which the buyer knows the seller.'),
    issued_at: instantText.describe('When the document was issued, in UTC.'),
    issued_on: documentDay.describe('The day of issue in the seller’s calendar.'),
    paid_on: documentDay.describe('The day of the payment or refund in the seller’s calendar.'),
    currency: common.currency,
    net_amount: signedAmount.describe('The amount without tax, in minor units.'),
    tax: signedAmount.describe('The tax in minor units.'),
    total_amount: signedAmount.describe('The total in minor units, tax included.'),
    lines: z.array(DocumentLine).max(20).describe('The lines, in the order of the cart.'),
    taxes: z.array(DocumentTaxGroup).max(40).describe('The taxed amount and each tax, by set of rates.'),
    seller: DocumentSeller.describe('The seller, as of the day of issue.'),
    buyer: DocumentBuyer.describe('The buyer, as of the payment.'),
    place_of_supply: z
      .strictObject({ country: common.country, region: common.region })
      .describe('Where the sale was taxed.'),
    tax_date: documentDay.describe('The day whose rates count.'),
    exemptions: common.exemptions,
    corrects: otherDocument.describe('The invoice that this credit note corrects; null on an invoice.'),
    cancels: otherDocument.describe('The credit note that this cancellation takes back; null on other documents.'),
    reason: upTo(3_000).nullable().describe('The refund’s reason for the buyer.'),
    local_tax: z
      .strictObject({
        currency: common.currency,
        tax: signedAmount.describe('The tax in minor units.'),
        per_euro: z
          .record(z.string(), upTo(40))
          .meta({ maxProperties: 10 })
          .describe('What one euro is worth, by currency, as the publisher says.'),
      })
      .nullable()
      .describe('The tax in the currency of its state, where that is another one; null where it is not.'),
    fx_rate: upTo(40).nullable().describe('The rate to the currency in which the tax is due, where it is another one.'),
    fx_date: documentDay.nullable().describe('The day of `fx_rate`.'),
    fx_source: upTo(100).nullable().describe('Who published the rate.'),
  }),
  DocumentAudit: z.strictObject({
    series: upTo(20).describe('The kind and year of the numbers, such as `INV-2026`.'),
    first: count.nullable().describe('The first number; null where there is none.'),
    last: count.nullable().describe('The last number; null where there is none.'),
    count: count.describe('How many documents there are.'),
    gaps: z
      .array(
        z.strictObject({
          from: count.describe('The first missing number.'),
          to: count.describe('The last missing number.'),
        }),
      )
      .max(10_000)
      .describe('Missing numbers, in ranges.'),
    counter: count.describe('The last number that was taken.'),
    is_continuous: z.boolean().describe('Whether the numbers have no gap.'),
    missing: z
      .array(
        z.strictObject({
          what: z
            .enum(['document', 'number', 'mail', 'sale'])
            .describe('What is missing: a `document`, a `number`, a `mail`, or the `sale` of a number.'),
          id: upTo(40).describe('The id.'),
          number: upTo(40).nullable().describe('The number, such as `INV-2026-000042`.'),
        }),
      )
      .max(10_000)
      .describe('Payments, refunds and numbers without their document.'),
    next_cursor: upTo(200).nullable().describe('The `cursor` of the next page; null on the last page.'),
  }),
};
export type DocumentAnswer<Name extends keyof typeof documentAnswers> = z.input<(typeof documentAnswers)[Name]>;
