import { isOutdated, type LocalRates, localRatesOf, type RateNeed } from '../../domain/documents/local-tax.ts';
import { DomainError } from '../../domain/errors.ts';
import type { DayRates } from '../../domain/money/exchange-rates.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { logWarn } from '../../log.ts';
import type { ExchangeRateStore } from '../../store/exchange-rate-store.ts';
import { localCurrencyOf } from '../../tax/local-currency.ts';

interface LoadLocalRatesDeps {
  rates: Pick<ExchangeRateStore, 'newestBefore'>;
  awaitsRates: boolean;
}

/** Thrown if the published rates are not stored here yet. The document is issued later, when they are. */
class RateAwaited extends DomainError {}

export const isRateAwaited = (error: unknown): boolean => error instanceof RateAwaited;

/**
 * The exchange rate that a sale's invoice needs. Undefined if the country does not require the tax in its own currency,
 * or if the sale is in that currency.
 */
function needOf({ currency, tax, calculation, lines }: Payment): RateNeed | undefined {
  const taxedIn = lines.find((line) => line.taxedIn !== undefined)?.taxedIn;
  const local = localCurrencyOf(taxedIn ?? calculation.country);
  if (tax === 0 || local === undefined || local.currency === currency) return undefined;
  return { from: currency, to: local.currency, before: calculation.taxDate };
}

/** Reads the newest rates before each sale's date, once for each date, and returns them by sale. */
export async function loadLocalRates(
  { rates, awaitsRates }: LoadLocalRatesDeps,
  payments: readonly Payment[],
): Promise<(payment: Payment) => LocalRates | undefined> {
  const dates = [...new Set(payments.flatMap((payment) => needOf(payment)?.before ?? []))];
  const newest = new Map<string, DayRates | undefined>(
    await Promise.all(dates.map(async (date) => [date, await rates.newestBefore(date)] as const)),
  );
  return (payment) => {
    const need = needOf(payment);
    if (need === undefined) return undefined;
    const day = newest.get(need.before);
    if (awaitsRates && isOutdated(day, need)) throw awaited(payment, need);
    const local = localRatesOf(day, need);
    if (!local)
      logWarn('A document shows no tax in local currency: there is no rate.', { payment_id: payment.id, ...need });
    return local;
  };
}

const awaited = ({ id }: Payment, { from, to, before }: RateNeed): DomainError =>
  new RateAwaited(
    'SERVICE_UNAVAILABLE',
    `The document of ${id} waits for the exchange rate from ${from} to ${to} before ${before}. Try again later.`,
  );
