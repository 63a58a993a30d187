import { vatCountryOf } from './places/tax-areas.ts';

/** A country whose invoices also show the tax in its own currency. */
interface LocalCurrency {
  currency: string;
  /** The law that requires it. */
  source: string;
  confidence: 'high' | 'medium';
}

const article230 = (currency: string): LocalCurrency => ({
  currency,
  source: 'VAT Directive 2006/112/EC, art. 230 and 91(2)',
  confidence: 'high',
});

/**
 * The member states without the euro, and other countries that require the tax in their own currency. Bulgaria has had
 * the euro since 2026.
 */
const own: Readonly<Record<string, LocalCurrency>> = {
  CZ: article230('CZK'),
  DK: article230('DKK'),
  HU: article230('HUF'),
  PL: article230('PLN'),
  RO: article230('RON'),
  SE: article230('SEK'),
  GB: { currency: 'GBP', source: 'VAT Regulations 1995, reg. 14; HMRC Notice 700, 7.7', confidence: 'medium' },
  NO: { currency: 'NOK', source: 'Bokføringsforskriften, § 5-1-1', confidence: 'medium' },
  CH: { currency: 'CHF', source: 'MWSTV, Art. 45', confidence: 'medium' },
};

const euro = article230('EUR');

/** The member states with the euro, and Monaco, which belongs to France. */
const euroCountries: ReadonlySet<string> = new Set(
  'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '),
);

/**
 * The currency in which a country requires the tax on an invoice, in addition to the currency of the sale. Undefined if
 * no such rule is known.
 */
export function localCurrencyOf(country: string): LocalCurrency | undefined {
  const state = vatCountryOf(country);
  return own[state] ?? (euroCountries.has(state) ? euro : undefined);
}

/** The currencies for which a complete day must have a rate. */
export const localCurrencies: readonly string[] = Object.values(own).map(({ currency }) => currency);
