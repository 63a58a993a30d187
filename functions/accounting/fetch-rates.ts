import { env } from '../../shared/env.ts';
import { ratesDownload } from '../../shared/outside/exchange-rates/download-rates.ts';
import { updateRates } from '../../shared/use-cases/rates/update-rates.ts';
import { exchangeRates } from '../../shared/wiring/books.ts';
import { measure } from '../../shared/wiring/metrics.ts';
import { reportToOperator } from '../../shared/wiring/operator-report.ts';
import { now } from '../../shared/wiring/runtime.ts';
import { worker } from '../../shared/wiring/worker.ts';

const download = ratesDownload({ url: env.exchangeRatesUrl(), timeoutSeconds: 15 });
const deps = { rates: exchangeRates(), download, now, report: reportToOperator };

/** The publisher pauses for at most four days, at Easter, so the newest rates are never older than this. */
const usualAgeSeconds = 6 * 86_400;

/** Each hour: stores the exchange rates that were published, and measures the age of the newest ones if they are old. */
export const handler = worker(async () => {
  const newest = await updateRates(deps);
  const ageSeconds = (now().getTime() - Date.parse(newest ?? '1970-01-01')) / 1_000;
  if (ageSeconds > usualAgeSeconds) measure('ExchangeRatesAgeSeconds', ageSeconds, 'Seconds', now());
});
