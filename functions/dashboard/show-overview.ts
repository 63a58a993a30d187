import { dashboard } from '../../shared/dashboard/dashboard.ts';
import { overviewPages } from '../../shared/dashboard/reports/overview-pages.ts';
import { env } from '../../shared/env.ts';
import { now, paymentLists, payments, products, takesPayments, taxRules } from '../../shared/runtime.ts';

const { live: isLive, collectPolicy } = env.merchant();
const settings = { isLive, hasProcessor: takesPayments(), collectsEverywhere: collectPolicy === 'everywhere' };
const sales = { ...payments(), ...paymentLists() };
const goingLive = env.stage() === 'live' ? { payments: sales, taxRules: taxRules(), settings } : undefined;

/** GET /dashboard */
export const handler = dashboard(overviewPages({ payments: sales, products: products(), now, goingLive }));
