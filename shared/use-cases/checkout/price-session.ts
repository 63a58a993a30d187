import { withTaxedMinimum } from '../../domain/catalogue/least-gross.ts';
import { hasLeastNet } from '../../domain/catalogue/price.ts';
import { isInclusiveIn, taxedIn } from '../../domain/catalogue/tax-mode.ts';
import type { TaxIdCheck } from '../../domain/checkout/buyer.ts';
import { chosenUnitAmounts } from '../../domain/checkout/cart.ts';
import type { CheckoutSession, SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { PricedSession } from '../../domain/checkout/priced-session.ts';
import { type QuoteLine, quote } from '../../domain/checkout/quote.ts';
import type { Place, TaxTreatment } from '../../domain/checkout/tax.ts';
import { takeDiscounts } from '../../domain/discounts/take-discounts.ts';
import { DomainError } from '../../domain/errors.ts';
import { sum } from '../../domain/money/money.ts';
import type { Calculation } from '../../domain/payments/payment.ts';
import { localDate } from '../../tax/places/local-date.ts';
import { isKnownTable } from '../../tax/rates/rate-table.ts';
import { tableVersion } from '../../tax/rates/table-version.ts';
import { roundingRuleOf } from '../../tax/rounding-rule.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { countedSale, noHomeSales, roomAtHome } from '../../tax/rules/small-seller.ts';
import { taxTreatment } from '../../tax/treatment.ts';

/** A session, with the tax settings that were read to price it. */
export interface ReadCheckout {
  session: CheckoutSession;
  settings: TaxSettings;
}

/** Identifies a shown quote by place and tax id. For any other place or tax id, the current rates apply. */
export const quotedPlace = (place: Place, taxId: TaxIdCheck | null): string =>
  [place.country, place.region ?? '', place.postalCode ?? '', taxId ? `${taxId.id}:${taxId.status}` : ''].join('|');

interface Pricing {
  place: Place;
  taxId: TaxIdCheck | null;
  settings: TaxSettings;
  now: Date;
  /** The day whose rates apply; absent means the day on which the session is priced. */
  taxDate?: string | null;
}

type Rules = Pick<Pricing, 'place' | 'taxId' | 'settings'>;

const treatmentsOn = (session: CheckoutSession, date: string, { place, taxId, settings }: Rules, isAtHome?: boolean) =>
  session.lines.map(({ taxCategory: category }) =>
    taxTreatment({
      ...{ place, category, date, settings, isAtHome },
      tableVersion: tableOf(session),
      customerId: session.customer.id,
      buyerTaxId: taxId ?? undefined,
    }),
  );

const hasRoomAtHome = ({ smallSeller, homeSales = noHomeSales }: TaxSettings, date: string): boolean =>
  smallSeller !== undefined && roomAtHome(smallSeller, homeSales, date) !== undefined;

/**
 * The version of the rate table that the session uses until it expires. If this version of the software does not know
 * that table, it uses the current one.
 */
function tableOf({ tableVersion: opened }: CheckoutSession): string {
  return isKnownTable(opened) ? opened : tableVersion;
}

/**
 * Whether the rates are the same as when the session was opened: its table is known, and the tax rules have not
 * changed.
 */
const isUnchanged = ({ tableVersion: opened, createdAt }: CheckoutSession, { settings }: Rules) =>
  isKnownTable(opened) && (settings.changedAt ?? '') < createdAt;

/**
 * The instant whose rates apply to a session at a place. It is the noted one if rates were shown, otherwise now. If
 * rules have changed since the session was opened, or its table is unknown, rates may have been shown without a note.
 * Then the rates at the opening of the session apply.
 */
export function shownAt(session: CheckoutSession, { now, ...rules }: Omit<Pricing, 'taxDate'>): string {
  if (session.quoted?.place === quotedPlace(rules.place, rules.taxId)) return session.quoted.at;
  return isUnchanged(session, rules) ? now.toISOString() : session.createdAt;
}

/**
 * Whether the tax could change before the session expires, because a rate, a registration or an override begins or
 * ends, or a small seller's limit is that of another year. Also true if rules have changed since the session was
 * opened, or its table is unknown.
 */
export function mayChangeBeforeExpiry(
  session: CheckoutSession,
  chosen: ReadonlyMap<string, number>,
  pricing: Omit<Pricing, 'taxDate'>,
): boolean {
  if (!isUnchanged(session, pricing)) return true;
  const taxedAt = (now: Date) => taxedWithoutDate(session, chosen, { ...pricing, now });
  return taxedAt(pricing.now) !== taxedAt(new Date(session.expiresAt));
}

/** The amounts and their basis as text, without the date; undefined if the session cannot be sold like this. */
function taxedWithoutDate(...sale: Parameters<typeof priceSession>): string | undefined {
  try {
    const { quote: quoted, calculation } = priceSession(...sale);
    return JSON.stringify([quoted, { ...calculation, taxDate: null }]);
  } catch (problem) {
    if (problem instanceof DomainError) return undefined;
    throw problem;
  }
}

/**
 * The local date whose rates apply, in the place that taxes the sale: the seller's country for a small seller's sale
 * that is taxed at home.
 */
function taxDateOf(session: CheckoutSession, pricing: Pricing, isAtHome = false): string {
  const { place, settings, taxDate } = pricing;
  return taxDate ?? localDate(isAtHome ? { country: settings.merchantCountry } : place, shownAt(session, pricing));
}

/** The lines with the tax mode of the country, and the minimum prices that these taxes require. */
const linesTaxedBy = (
  { lines }: CheckoutSession,
  { country }: Place,
  treatments: readonly TaxTreatment[],
): SessionLine[] =>
  lines.map((line, index) => ({
    ...line,
    price: withTaxedMinimum(taxedIn(line.price, country), line.quantity, treatments[index]?.components ?? []),
  }));

const dependsOnPlace = ({ price }: SessionLine): boolean => price.taxByPlace !== undefined || hasLeastNet(price);

/** The lines for a buyer at a place; undefined if they are the same everywhere. */
export function linesAt(session: CheckoutSession, pricing: Omit<Pricing, 'taxDate'>): SessionLine[] | undefined {
  if (!session.lines.some(dependsOnPlace)) return undefined;
  const homeDate = taxDateOf(session, pricing, true);
  const atHome = hasRoomAtHome(pricing.settings, homeDate) ? treatmentsOn(session, homeDate, pricing, true) : [];
  const treatments = atHome.some(({ isCrossBorder }) => isCrossBorder)
    ? atHome
    : treatmentsOn(session, taxDateOf(session, pricing), pricing);
  return linesTaxedBy(session, pricing.place, treatments);
}

/**
 * Prices a session for a place: the amounts that are due now, at the rates that the buyer was shown. A small seller's
 * sale gets the tax of the seller's country while the year's limit has room, otherwise that of the buyer's place. Both
 * count in the year whose limit was asked, by the seller's date.
 */
export function priceSession(
  session: CheckoutSession,
  chosen: ReadonlyMap<string, number>,
  pricing: Pricing,
): PricedSession {
  const { smallSeller: rule, homeSales = noHomeSales } = pricing.settings;
  if (!rule) return priceTaxed(session, chosen, pricing).priced;
  const atHome = priceTaxed(session, chosen, { ...pricing, isAtHome: true });
  const date = atHome.priced.calculation.taxDate;
  const counted = ({ crossBorderNet: net }: Taxed) =>
    countedSale(rule, homeSales, { net, currency: session.currency, date });
  const homeSale = counted(atHome);
  const room = roomAtHome(rule, homeSales, date);
  if (homeSale && room !== undefined && homeSale.amount <= room) return { ...atHome.priced, homeSale };
  const abroad = priceTaxed(session, chosen, { ...pricing, isAtHome: false });
  return { ...abroad.priced, homeSale: counted(abroad) };
}

interface Taxed {
  priced: PricedSession;
  /** The net of the lines that count towards a small seller's limit. */
  crossBorderNet: number;
}

function priceTaxed(
  session: CheckoutSession,
  chosen: ReadonlyMap<string, number>,
  { isAtHome, ...pricing }: Pricing & { isAtHome?: boolean },
): Taxed {
  const { place, settings } = pricing;
  const taxDate = taxDateOf(session, pricing, isAtHome);
  const treatments = treatmentsOn(session, taxDate, pricing, isAtHome);
  const taxed = linesTaxedBy(session, place, treatments);
  const unitAmounts = chosenUnitAmounts(taxed, chosen);
  const { discounts = [] } = session;
  const listed = taxed.map((line, index) => ({ ...line, unitAmount: unitAmounts[index] as number }));
  const taken = takeDiscounts(listed, discounts, session.currency);
  const lines = session.lines.map(
    (line, index): QuoteLine => ({
      unitAmount: unitAmounts[index] as number,
      quantity: line.quantity,
      ...(discounts.length > 0 && { discount: taken.lines[index] as number }),
      taxInclusive: isInclusiveIn(line.price, place.country),
      treatment: treatments[index] as TaxTreatment,
    }),
  );
  const warnings = [...new Set(treatments.flatMap((treatment) => treatment.warnings))];
  const rows = [...new Set(treatments.flatMap((treatment) => treatment.rowIds))];
  const registrations = [...new Set(treatments.flatMap((treatment) => treatment.registrations))];
  const { country, region = null, postalCode = null } = place;
  const rounding = roundingRuleOf(country);
  const exemptions = [...new Set(treatments.flatMap(({ exemption }) => exemption ?? []))];
  const rare = {
    ...(rounding === 'rate_set' && { rounding }),
    ...(exemptions.length > 0 && { exemptions }),
  };
  const basis = { taxDate, tableVersion: tableOf(session), country, region, postalCode };
  const calculation = { ...basis, rows, registrations, ...schemesOf(registrations, settings), warnings, ...rare };
  const quoted = quote(lines, rounding);
  const crossBorder = quoted.lines.filter((_, index) => treatments[index]?.isCrossBorder);
  return {
    priced: { quote: quoted, taken: taken.codes, calculation },
    crossBorderNet: sum(crossBorder.map(({ net }) => net)),
  };
}

/**
 * The schemes of the registrations. The sale stores them, so that a later change of a registration does not move the
 * sale to another return.
 */
function schemesOf(ids: readonly string[], { registrations }: TaxSettings): Pick<Calculation, 'schemes'> {
  const schemes = ids.flatMap((id) => registrations.find((registration) => registration.id === id)?.scheme ?? []);
  return schemes.length > 0 ? { schemes } : {};
}
