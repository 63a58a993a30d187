import { dayMs } from '../../domain/duration.ts';
import { type DayRates, daysBetween } from '../../domain/money/exchange-rates.ts';
import type { ExchangeRateStore } from '../../store/exchange-rate-store.ts';
import { localCurrencies } from '../../tax/local-currency.ts';
import type { Report } from '../webhooks/disable-webhook.ts';

interface UpdateRatesDeps {
  rates: Pick<ExchangeRateStore, 'newestBefore' | 'keep'>;
  /** Downloads the publisher's latest day, or its latest ninety days. */
  download: (file: 'daily' | 'recent') => Promise<DayRates[]>;
  now: () => Date;
  report: Report;
}

const dayAfter = (date: string, days = 1): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/**
 * Stores all rates that were published since the last update. If that fails, it is reported, and the stored rates stay
 * in use. Returns the date of the newest rates; undefined if there are none.
 */
export async function updateRates(deps: UpdateRatesDeps): Promise<string | undefined> {
  const today = deps.now().toISOString().slice(0, 10);
  const tomorrow = dayAfter(today);
  const known = await deps.rates.newestBefore(tomorrow);
  if (known?.date === today) return today;
  try {
    for (const day of await publishedSince(deps, known?.date)) await keep(deps, day, tomorrow);
  } catch (error) {
    deps.report('The exchange rates cannot be fetched.', { newest: known?.date ?? null }, error);
  }
  return (await deps.rates.newestBefore(tomorrow))?.date;
}

/** Downloads the latest day. If earlier days are missing, it downloads the latest ninety days. */
async function publishedSince({ download }: UpdateRatesDeps, known: string | undefined): Promise<DayRates[]> {
  const daily = await download('daily');
  const [last] = daily;
  if (last && known !== undefined && known >= weekdayBefore(last.date)) return daily;
  return (await download('recent')).filter(({ date }) => known === undefined || date > known);
}

const saturday = 6;

/** The last date before a given one that is not a Saturday or Sunday. */
function weekdayBefore(date: string): string {
  const before = dayAfter(date, -1);
  return new Date(before).getUTCDay() % saturday === 0 ? weekdayBefore(before) : before;
}

/** Stores the rates of a day, if they are complete and the day is not in the future. Stored rates never change. */
async function keep({ rates, report }: UpdateRatesDeps, day: DayRates, tomorrow: string): Promise<void> {
  const { date } = day;
  if (daysBetween(date, tomorrow) <= 0) return report('The exchange rates have a date in the future.', { date });
  const missing = localCurrencies.filter((currency) => day.perEuro[currency] === undefined);
  if (missing.length > 0) return report('The exchange rates of a day are not complete.', { date, missing });
  const known = await rates.keep(day);
  if (known && !isSame(known, day)) report('The exchange rates of a day were published again, differently.', { date });
}

const isSame = (a: DayRates, b: DayRates): boolean => {
  const currencies = new Set([...Object.keys(a.perEuro), ...Object.keys(b.perEuro)]);
  return [...currencies].every((currency) => a.perEuro[currency] === b.perEuro[currency]);
};
