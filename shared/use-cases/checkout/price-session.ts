import type { TaxIdCheck } from '../../domain/checkout/buyer.ts';
import { type CheckoutSession, chosenUnitAmounts } from '../../domain/checkout/checkout-session.ts';
import type { PricedSession } from '../../domain/checkout/priced-session.ts';
import { type QuoteLine, quote } from '../../domain/checkout/quote.ts';
import type { Place, TaxTreatment } from '../../domain/checkout/tax.ts';
import { localDate } from '../../tax/places/local-date.ts';
import { tableVersion } from '../../tax/rates/rate-table.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { taxTreatment } from '../../tax/treatment.ts';

/** A session and the tax settings that price it, as they were read. */
export interface ReadCheckout {
  session: CheckoutSession;
  settings: TaxSettings;
}

/** Identifies the place and tax id of a shown quote. Another one is quoted at today's rates. */
export const quotedPlace = (place: Place, taxId: TaxIdCheck | null): string =>
  [place.country, place.region ?? '', place.postalCode ?? '', taxId ? `${taxId.id}:${taxId.status}` : ''].join('|');

interface Pricing {
  place: Place;
  taxId: TaxIdCheck | null;
  settings: TaxSettings;
  now: Date;
  /** The day whose rates count; absent: the day of the sale. */
  taxDate?: string | null;
}

/** Prices a session for a place: the amounts that are due now, at the rates that the buyer was shown. */
export function priceSession(
  session: CheckoutSession,
  chosen: ReadonlyMap<string, number>,
  { place, taxId, settings, now, taxDate: asked = null }: Pricing,
): PricedSession {
  const unitAmounts = chosenUnitAmounts(session, chosen);
  const shown = session.quoted?.place === quotedPlace(place, taxId) ? session.quoted.at : now.toISOString();
  const taxDate = asked ?? localDate(place, shown);
  const treatments = session.lines.map(({ taxCategory: category }) =>
    taxTreatment({ place, category, date: taxDate, settings, buyerTaxId: taxId ?? undefined }),
  );
  const lines = session.lines.map(
    (line, index): QuoteLine => ({
      unitAmount: unitAmounts[index] as number,
      quantity: line.quantity,
      taxInclusive: line.price.taxInclusive,
      treatment: treatments[index] as TaxTreatment,
    }),
  );
  const warnings = [...new Set(treatments.flatMap((treatment) => treatment.warnings))];
  const rows = [...new Set(treatments.flatMap((treatment) => treatment.rowIds))];
  const registrations = [...new Set(treatments.flatMap((treatment) => treatment.registrations))];
  const { country, region = null, postalCode = null } = place;
  const calculation = { taxDate, tableVersion, country, region, postalCode, rows, registrations, warnings };
  return { unitAmounts, quote: quote(lines), calculation };
}
