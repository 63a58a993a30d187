import { thresholds } from '../../shared/books-runtime.ts';
import { dashboard } from '../../shared/dashboard/dashboard.ts';
import { taxPages } from '../../shared/dashboard/tax/tax-pages.ts';
import { newId, now, taxRules } from '../../shared/runtime.ts';
import { taxSettings } from '../../shared/selling-runtime.ts';

const deps = { taxRules: taxRules(), thresholds: thresholds(), taxSettings, now, newId };

/** GET, POST /dashboard/tax */
export const handler = dashboard(taxPages(deps));
