import * as z from 'zod';
import { RegisterCheck, TaxIdCheck } from '../../domain/checkout/buyer.ts';
import { LocationEvidence } from '../../domain/checkout/location-evidence.ts';
import { taxCategories, zeroReasons } from '../../domain/checkout/tax.ts';
import { confidences, taxabilities } from '../../tax/rates/rate-sheet.ts';
import { answeredId, countryText, decimalText, instantText, paidAmount, paidCurrency, upTo } from '../answer-values.ts';

const taxDay = z.iso.date();

const TaxRate = z.strictObject({ name: upTo(60), rate: decimalText, base_fraction: decimalText });

const TaxRateRow = z.union([
  z.strictObject({ id: upTo(100), in_table: z.literal(false) }),
  z.strictObject({
    id: upTo(100),
    in_table: z.literal(true),
    taxability: z.enum(taxabilities),
    components: z.array(TaxRate).max(20),
    effective_from: taxDay.nullable(),
    effective_to: taxDay.nullable(),
    confidence: z.enum(confidences),
    checked_on: taxDay,
    sources: z.array(upTo(2_048)).max(50),
    note: upTo(2_000).nullable(),
  }),
]);

const CalculatedTax = z.strictObject({
  name: upTo(60),
  jurisdiction: upTo(20),
  rate: decimalText.nullable(),
  base_fraction: decimalText,
  amount: paidAmount,
  reason: z.enum(zeroReasons).nullable(),
});

const CalculatedLine = z.strictObject({
  item_id: answeredId('pdt'),
  unit_amount: paidAmount,
  discount_amount: paidAmount.optional(),
  quantity: z.int().min(1).max(1_000_000),
  tax_inclusive: z.boolean(),
  tax_category: z.enum(taxCategories),
  net_amount: paidAmount,
  tax: paidAmount,
  amount: paidAmount,
  components: z.array(CalculatedTax).max(20),
});

const TaxIdConsultation = z.strictObject({
  register: RegisterCheck.shape.register,
  asked_at: instantText,
  verdict: RegisterCheck.shape.verdict,
  fault: upTo(1_000).nullable(),
  consultation_number: upTo(200).nullable(),
  name: upTo(1_000).nullable(),
  address: upTo(2_000).nullable(),
});

const names = z.array(upTo(200)).max(100);

/** What explains the tax of a payment, by the name in the contract. */
export const calculationAnswers = {
  TaxRate,
  TaxRateRow,
  TaxIdConsultation,
  CalculatedTax,
  CalculatedLine,
  Calculation: z.strictObject({
    payment_id: answeredId('pay'),
    currency: paidCurrency,
    verified: z.boolean(),
    tax_date: taxDay,
    table_version: upTo(40),
    rounding: upTo(200),
    place: z.strictObject({
      country: countryText,
      region: upTo(60).nullable(),
      postal_code: upTo(20).nullable(),
    }),
    tax_id: z
      .strictObject({
        id: upTo(50),
        country: countryText,
        status: TaxIdCheck.shape.status,
        checked_at: instantText,
        kinds: TaxIdCheck.shape.kinds.unwrap().max(10),
        statement: TaxIdCheck.shape.statement.unwrap().nullable(),
        checks: z.array(TaxIdConsultation).max(100),
      })
      .nullable(),
    registrations: names,
    warnings: names,
    exemptions: z.array(upTo(1_000)).max(100),
    location_evidence: z
      .array(
        z.strictObject({
          type: LocationEvidence.shape.items.element.shape.type,
          country: countryText,
          region: upTo(100).nullable(),
        }),
      )
      .max(10),
    location_status: LocationEvidence.shape.status,
    rates: z.array(TaxRateRow).max(100),
    lines: z.array(CalculatedLine).max(20),
    net_amount: paidAmount,
    tax: paidAmount,
    total_amount: paidAmount,
  }),
};
