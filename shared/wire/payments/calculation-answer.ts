import * as z from 'zod';
import { RegisterCheck, TaxIdCheck } from '../../domain/checkout/buyer.ts';
import { LocationEvidence } from '../../domain/checkout/location-evidence.ts';
import { confidences } from '../../tax/rates/rate-sheet.ts';
import { common } from '../answers/fields.ts';
import { decimalText, instantText, paidAmount, upTo } from '../answers/values.ts';

const taxDay = z.iso.date();

const TaxRate = z.strictObject({
  name: upTo(60).describe('The name of the tax, such as `VAT`.'),
  rate: decimalText.describe('The rate as a decimal string, such as `0.19` for 19 %.'),
  base_fraction: common.base_fraction,
});

const TaxRateRow = z.union([
  z.strictObject({
    id: upTo(100).describe('The id.'),
    in_table: z.literal(false).describe('Whether the row is still known.'),
  }),
  z.strictObject({
    id: upTo(100).describe('The id.'),
    in_table: z.literal(true).describe('Whether the row is still known.'),
    taxability: common.taxability,
    components: z.array(TaxRate).max(20).describe('The taxes of the line or row, in the order of printing.'),
    effective_from: taxDay.nullable().describe('The first day on which it is valid.'),
    effective_to: taxDay.nullable().describe('The first day on which it is no longer valid; null where it has no end.'),
    confidence: z.enum(confidences).describe('How well the rate is known: `high` means agreeing sources.'),
    checked_on: taxDay.describe('When the row was last compared with its sources.'),
    sources: z.array(upTo(2_048)).max(50).describe('Where the rate is published.'),
    note: upTo(2_000).nullable().describe('A remark.'),
  }),
]);

const CalculatedTax = z.strictObject({
  name: upTo(60).describe('The name of the tax, such as `VAT`.'),
  jurisdiction: common.jurisdiction,
  rate: decimalText.nullable().describe('The rate as a decimal string, such as `0.19`; null where no tax is charged.'),
  base_fraction: common.base_fraction,
  amount: paidAmount.describe('The amount of this tax in minor units.'),
  reason: common.reason,
});

const CalculatedLine = z.strictObject({
  item_id: common.item_id,
  unit_amount: common.unit_amount,
  discount_amount: common.discount_amount,
  quantity: common.quantity,
  tax_inclusive: common.tax_inclusive,
  tax_category: common.tax_category,
  net_amount: common.net_amount,
  tax: common.tax,
  amount: common.amount,
  components: z.array(CalculatedTax).max(20).describe('The taxes of the line or row, in the order of printing.'),
});

const TaxIdConsultation = z.strictObject({
  register: RegisterCheck.shape.register.describe('The register that was asked; `sandbox` where a sandbox plays it.'),
  asked_at: instantText.describe('When it was asked.'),
  verdict: RegisterCheck.shape.verdict.describe('What it said; `none` means that it gave no verdict.'),
  fault: upTo(1_000).nullable().describe('The register’s own word for what went wrong.'),
  consultation_number: upTo(200)
    .nullable()
    .describe('The number under which the register keeps the consultation, as proof.'),
  name: upTo(1_000).nullable().describe('The name.'),
  address: upTo(2_000).nullable().describe('The postal address.'),
});

const names = z.array(upTo(200)).max(100);

/** The parts of an answer that explain the tax of a payment, by their names in the contract. */
export const calculationAnswers = {
  TaxRate,
  TaxRateRow,
  TaxIdConsultation,
  CalculatedTax,
  CalculatedLine,
  Calculation: z.strictObject({
    payment_id: common.payment_id,
    currency: common.currency,
    verified: z.boolean().describe('Whether the stored figures follow from the stored inputs.'),
    tax_date: taxDay.describe('The day whose rates count.'),
    table_version: upTo(40).describe('The version of the rate table.'),
    rounding: upTo(200).describe('How the tax was rounded.'),
    place: z
      .strictObject({
        country: common.country,
        region: common.region,
        postal_code: upTo(20).nullable().describe('The postal code, where it mattered.'),
      })
      .describe('Where the sale was taxed.'),
    tax_id: z
      .strictObject({
        id: upTo(50).describe('The id.'),
        country: common.country,
        status: TaxIdCheck.shape.status.describe('The status.'),
        checked_at: instantText.describe('When the tax id was checked.'),
        kinds: TaxIdCheck.shape.kinds
          .unwrap()
          .max(10)
          .describe('Where a country has ids for different taxes: those that were given.'),
        statement: TaxIdCheck.shape.statement
          .unwrap()
          .nullable()
          .describe('What the buyer states by giving the id, where the law asks for it.'),
        checks: z
          .array(TaxIdConsultation)
          .max(100)
          .describe('What registers said of the tax id, the first answer first.'),
      })
      .nullable()
      .describe(
        'The tax id of a business buyer. A valid one may relieve the sale of the tax. Needs the country of the address, and for a reverse charge the street and the city.',
      ),
    registrations: names.describe('The registrations that applied.'),
    warnings: names.describe('What is uncertain about the tax.'),
    exemptions: common.exemptions,
    location_evidence: z
      .array(
        z.strictObject({
          type: LocationEvidence.shape.items.element.shape.type.describe('What kind of evidence it is.'),
          country: common.country,
          region: upTo(100).nullable().describe('The state or province, where tax is regional.'),
        }),
      )
      .max(10)
      .describe('What says where the buyer is.'),
    location_status: LocationEvidence.shape.status.describe(
      'Whether the evidence agrees: `two_match`, `one_only` or `conflict`.',
    ),
    rates: z.array(TaxRateRow).max(100).describe('The rows of the rate table that applied.'),
    lines: z.array(CalculatedLine).max(20).describe('The lines, in the order of the cart.'),
    net_amount: common.net_amount,
    tax: common.tax,
    total_amount: common.total_amount,
  }),
};
export type CalculationAnswer<Name extends keyof typeof calculationAnswers> = z.input<
  (typeof calculationAnswers)[Name]
>;
