import { taxPages } from '../../shared/dashboard/tax/tax-pages.ts';
import { env } from '../../shared/env.ts';
import { exchangeRates, thresholds } from '../../shared/wiring/books.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { newId, now, taxRules } from '../../shared/wiring/runtime.ts';
import { taxSettings } from '../../shared/wiring/selling.ts';

const deps = {
  taxRules: taxRules(),
  thresholds: thresholds(),
  rates: exchangeRates(),
  merchantCountry: env.merchant().country,
  taxSettings,
  now,
  newId,
};

/** GET, POST /dashboard/tax */
export const handler = dashboard(taxPages(deps));
