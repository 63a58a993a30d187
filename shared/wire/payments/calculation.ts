import type { RegisterCheck } from '../../domain/checkout/buyer.ts';
import { isCalculationExact } from '../../domain/checkout/calculation.ts';
import type { RoundingRule } from '../../domain/checkout/tax.ts';
import type { Payment, PaymentLine } from '../../domain/payments/payment.ts';
import type { ExplainedRow } from '../../tax/explain.ts';
import type { CalculationAnswer } from './calculation-answer.ts';

const roundedPer: Readonly<Record<RoundingRule, string>> = {
  rate_set_and_behaviour: 'rate set and tax behaviour',
  rate_set: 'rate set',
};

/**
 * Explains a payment's net and tax from the stored inputs. It also says whether the figures can still be recomputed
 * from them.
 */
export const presentCalculation =
  (explain: (id: string, payment: Payment) => ExplainedRow | undefined) =>
  (payment: Payment): CalculationAnswer<'Calculation'> => ({
    payment_id: payment.id,
    currency: payment.currency,
    verified: isCalculationExact(payment),
    tax_date: payment.calculation.taxDate,
    table_version: payment.calculation.tableVersion,
    rounding: `half up, component by component, once per ${roundedPer[payment.calculation.rounding ?? 'rate_set_and_behaviour']}; allocated to lines by largest remainder`,
    place: {
      country: payment.calculation.country,
      region: payment.calculation.region,
      postal_code: payment.calculation.postalCode,
    },
    tax_id: payment.taxId && {
      id: payment.taxId.id,
      country: payment.taxId.country,
      status: payment.taxId.status,
      checked_at: payment.taxId.checkedAt,
      kinds: payment.taxId.kinds ?? [],
      statement: payment.taxId.statement ?? null,
      checks: (payment.taxId.checks ?? []).map(presentRegisterCheck),
    },
    registrations: payment.calculation.registrations,
    warnings: payment.calculation.warnings,
    exemptions: payment.calculation.exemptions ?? [],
    location_evidence: payment.evidence.items,
    location_status: payment.evidence.status,
    rates: payment.calculation.rows.map((id) => presentRow(id, explain(id, payment))),
    lines: payment.lines.map(presentLine),
    net_amount: payment.net,
    tax: payment.tax,
    total_amount: payment.gross,
  });

const presentRegisterCheck = ({
  register,
  at,
  verdict,
  ...said
}: RegisterCheck): CalculationAnswer<'TaxIdConsultation'> => ({
  register,
  asked_at: at,
  verdict,
  fault: said.fault ?? null,
  consultation_number: said.consultation ?? null,
  name: said.name ?? null,
  address: said.address ?? null,
});

function presentRow(id: string, explained: ExplainedRow | undefined): CalculationAnswer<'TaxRateRow'> {
  if (!explained) return { id, in_table: false };
  const { row, sources } = explained;
  return {
    id,
    in_table: true,
    taxability: row.taxability,
    components: row.components.map(({ name, rate, baseFraction }) => ({ name, rate, base_fraction: baseFraction })),
    effective_from: row.effectiveFrom ?? null,
    effective_to: row.effectiveTo ?? null,
    confidence: row.confidence,
    checked_on: row.checkedOn,
    sources,
    note: row.note ?? null,
  };
}

const presentLine = (line: PaymentLine): CalculationAnswer<'CalculatedLine'> => ({
  item_id: line.productId,
  unit_amount: line.unitAmount,
  ...(line.discount === undefined ? {} : { discount_amount: line.discount }),
  quantity: line.quantity,
  tax_inclusive: line.taxInclusive,
  tax_category: line.taxCategory,
  net_amount: line.net,
  tax: line.tax,
  amount: line.gross,
  components: line.components.map(({ name, jurisdiction, rate, baseFraction, amount, reason }) => ({
    name,
    jurisdiction,
    rate,
    base_fraction: baseFraction,
    amount,
    reason,
  })),
});
