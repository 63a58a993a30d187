import type { DayRates } from '../../domain/money/exchange-rates.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import type { ExportJob } from '../../domain/reports/export-job.ts';
import {
  britishForm,
  countryReturn,
  type RatesOfSale,
  swissForm,
} from '../../domain/reports/returns/country-return.ts';
import { generalReturn } from '../../domain/reports/returns/general-return.ts';
import type { TaxMovement } from '../../domain/reports/returns/movement.ts';
import { type OssScheme, ossReturn } from '../../domain/reports/returns/oss-return.ts';
import { daysOfQuarter, quarterOfDay } from '../../domain/reports/returns/period.ts';
import type { ReturnCounter } from '../../domain/reports/returns/return-file.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { ExchangeRateStore } from '../../store/exchange-rate-store.ts';
import { vatCountryOf } from '../../tax/places/tax-areas.ts';
import { isInUnionVat } from '../../tax/places/territories.ts';
import { lookUpRate } from '../../tax/rates/rate-lookup.ts';
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
  { kind, from }: Pick<ExportJob, 'kind' | 'from'>,
  registrations: TaxRules['registrations'],
): ReturnCounter | undefined {
  const to = (country: string) => (of: string) => vatCountryOf(of) === country;
  if (kind === 'oss') return ossReturn(quarterOfDay(from), ossSchemeOf(deps, registrations));
  if (kind === 'gb') return countryReturn(britishForm(to('GB')), ratesOfSale(deps, to('GB')));
  const isSwiss = to('CH');
  if (kind === 'ch')
    return countryReturn(swissForm(isSwiss, isSwiss(deps.merchantCountry)), ratesOfSale(deps, isSwiss));
  return kind === 'general' ? generalReturn() : undefined;
}

/**
 * Finds the exchange rates of a sale's invoice. Without an invoice, it finds the rates that it would have. For a
 * foreign sale, the invoice is not read, because its rates are for another country.
 */
function ratesOfSale({ documents, rates }: OpenReturnDeps, isHome: (country: string) => boolean): RatesOfSale {
  const before = remembering((date: string) => rates.newestBefore(date));
  return async ({ country, paymentId, saleDate }) => {
    const invoice = isHome(country) ? (await documents.find(paymentId)).document : undefined;
    return invoice?.localTax?.rates ?? (await before(saleDate));
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

/**
 * Whether a movement belongs to the OSS return. The scheme that the sale has stored decides. For older sales, it is the
 * scheme of the registration in the stored copy. Without a registration, such as in a sandbox, every other member state
 * counts as OSS.
 */
function isUnderOss(
  { registrations, schemes }: TaxMovement,
  known: ReadonlyMap<string, string>,
  isAbroad: boolean,
): boolean {
  const used = schemes ?? registrations.flatMap((id) => known.get(id) ?? []);
  return used.length > 0 ? used.includes('oss') : isAbroad;
}

function remembering(read: (day: string) => Promise<DayRates | undefined>) {
  const readings = new Map<string, Promise<DayRates | undefined>>();
  return (day: string): Promise<DayRates | undefined> => {
    const reading = readings.get(day) ?? read(day);
    readings.set(day, reading);
    return reading;
  };
}
