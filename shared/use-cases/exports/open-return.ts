import type { DayRates } from '../../domain/money/exchange-rates.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import type { ExportJob } from '../../domain/reports/export-job.ts';
import { britishForm, countryReturn, swissForm } from '../../domain/reports/returns/country-return.ts';
import { generalReturn } from '../../domain/reports/returns/general-return.ts';
import { type HomeScheme, homeReturn } from '../../domain/reports/returns/home-return.ts';
import type { RatesOfSale } from '../../domain/reports/returns/local-amounts.ts';
import { type OssScheme, ossReturn } from '../../domain/reports/returns/oss-return.ts';
import { daysOfQuarter, quarterOfDay } from '../../domain/reports/returns/period.ts';
import type { ReturnCounter } from '../../domain/reports/returns/return-file.ts';
import { type SalesListScheme, salesList } from '../../domain/reports/returns/sales-list.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { ExchangeRateStore } from '../../store/exchange-rate-store.ts';
import { localCurrencyOf } from '../../tax/local-currency.ts';
import { vatCountryOf } from '../../tax/places/tax-areas.ts';
import { isInUnionVat } from '../../tax/places/territories.ts';
import { lookUpRate } from '../../tax/rates/rate-lookup.ts';
import { homeFormOf, homeSectionOf, isUnderOss } from '../../tax/returns/home-returns.ts';
import { identifiedIn, isInOtherState, statementNotes } from '../../tax/returns/sales-lists.ts';
import type { TaxRules } from '../../tax/rules/tax-rules.ts';

export interface OpenReturnDeps {
  rates: Pick<ExchangeRateStore, 'newestBefore' | 'firstFrom'>;
  documents: Pick<DocumentStore, 'find'>;
  /** The country of the merchant. */
  merchantCountry: string;
}

/** Opens the counter for a kind of tax return; undefined if the kind is not a return. */
export function openReturn(
  deps: OpenReturnDeps,
  { kind, from, to: until }: Pick<ExportJob, 'kind' | 'from' | 'to'>,
  registrations: TaxRules['registrations'],
): ReturnCounter | undefined {
  const to = (country: string) => (of: string) => vatCountryOf(of) === country;
  if (kind === 'oss') return ossReturn(quarterOfDay(from), ossSchemeOf(deps, registrations));
  if (kind === 'home') return homeReturn(homeSchemeOf(deps, registrations));
  if (kind === 'recap') return salesList({ from, to: until }, salesListSchemeOf(deps, registrations));
  if (kind === 'gb') return countryReturn(britishForm(to('GB')), ratesOfSale(deps, to('GB')));
  const isSwiss = to('CH');
  if (kind === 'ch')
    return countryReturn(swissForm(isSwiss, isSwiss(deps.merchantCountry)), ratesOfSale(deps, isSwiss));
  return kind === 'general' ? generalReturn() : undefined;
}

/**
 * Finds the exchange rates of a sale's invoice. Without an invoice, it finds the rates that it would have. For a sale
 * that is taxed abroad, the invoice is not read, because its rates are for another country.
 */
function ratesOfSale({ documents, rates }: OpenReturnDeps, isHome: (country: string) => boolean): RatesOfSale {
  const before = remembering((date: string) => rates.newestBefore(date));
  return async ({ country, lines, paymentId, saleDate }) => {
    const taxedIn = lines.find((line) => line.taxedIn !== undefined)?.taxedIn;
    const invoice = isHome(taxedIn ?? country) ? (await documents.find(paymentId)).document : undefined;
    return invoice?.localTax?.rates ?? (await before(saleDate));
  };
}

/** The currency of a member state. It is the euro if the country's own currency is not known. */
const currencyOf = (state: string): string => localCurrencyOf(state)?.currency ?? 'EUR';

function homeSchemeOf(deps: OpenReturnDeps, registrations: TaxRules['registrations']): HomeScheme {
  const home = vatCountryOf(deps.merchantCountry);
  const schemes = new Map(registrations.map(({ id, scheme }) => [id, scheme]));
  return {
    currency: currencyOf(home),
    form: homeFormOf(home),
    sectionOf: (movement, line) =>
      homeSectionOf({ ...movement, ...line }, { home, isOss: isUnderOss(movement, schemes, true) }),
    ratesOf: ratesOfSale(deps, (country) => vatCountryOf(country) === home),
  };
}

function salesListSchemeOf(deps: OpenReturnDeps, registrations: TaxRules['registrations']): SalesListScheme {
  const known = new Map(registrations.map((one) => [one.id, one]));
  return {
    identifiedIn: (movement) => identifiedIn(movement, { known, home: deps.merchantCountry }),
    isAbroad: isInOtherState,
    currencyOf,
    // The invoice of such a sale has no tax, so it stores no exchange rates.
    ratesOf: ratesOfSale(deps, () => false),
    notesOf: statementNotes,
  };
}

function ossSchemeOf({ rates, merchantCountry }: OpenReturnDeps, registrations: TaxRules['registrations']): OssScheme {
  const schemes = new Map(registrations.map(({ id, scheme }) => [id, scheme]));
  const ratesOn = remembering((day: string) => rates.firstFrom(day));
  return {
    stateOf: (movement) => {
      const state = vatCountryOf(movement.country);
      const isUnion = unionCountries.has(state) && isInUnionVat(movement.country, movement.region ?? undefined);
      return isUnion && isUnderOss(movement, schemes, state !== vatCountryOf(merchantCountry)) ? state : undefined;
    },
    isStandard: ({ country, region, saleDate: date }, rate) =>
      lookUpRate({ country, region: region ?? undefined, category: 'standard', date })?.components[0]?.rate === rate,
    ratesOf: async (quarter) => {
      const { to } = daysOfQuarter(quarter);
      const published = await ratesOn(to);
      if (published) return { rates: published, isProvisional: false };
      const newest = await rates.newestBefore(to);
      return newest && { rates: newest, isProvisional: true };
    },
  };
}

function remembering(read: (day: string) => Promise<DayRates | undefined>) {
  const readings = new Map<string, Promise<DayRates | undefined>>();
  return (day: string): Promise<DayRates | undefined> => {
    const reading = readings.get(day) ?? read(day);
    readings.set(day, reading);
    return reading;
  };
}
