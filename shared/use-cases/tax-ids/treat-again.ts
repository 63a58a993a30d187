import type { TaxIdCheck } from '../../domain/checkout/buyer.ts';
import type { NewTreatment } from '../../domain/payments/decide-correction.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { taxTreatment } from '../../tax/treatment.ts';

/** Computes the taxes of a payment's lines again for another tax id, with the rate table and the date of the sale. */
export function treatAgain(
  { lines, calculation, customer }: Payment,
  taxId: TaxIdCheck,
  settings: TaxSettings,
): NewTreatment {
  const { country, region, postalCode, taxDate: date, tableVersion } = calculation;
  const place = { country, region: region ?? undefined, postalCode: postalCode ?? undefined };
  const treatments = lines.map(({ taxCategory: category }) =>
    taxTreatment({ place, category, date, settings, tableVersion, customerId: customer.id, buyerTaxId: taxId }),
  );
  return {
    lines: treatments.map(({ components }) => components),
    registrations: [...new Set(treatments.flatMap(({ registrations }) => registrations))],
  };
}
