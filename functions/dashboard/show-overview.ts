import { overviewPages } from '../../shared/dashboard/reports/overview-pages.ts';
import { env } from '../../shared/env.ts';
import { namingExample as processorSetting } from '../../shared/outside/processor/registry.ts';
import * as books from '../../shared/wiring/books.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const { live: isLive, collectPolicy, ...merchant } = env.merchant();
const settings = {
  isSandbox: env.stage() === 'sandbox',
  isLive,
  hasProcessor: selling.takesPayments(),
  collectsEverywhere: collectPolicy === 'everywhere',
};
const legalSettings = {
  country: merchant.country,
  hasAddress: merchant.address.length > 0,
  hasEmail: merchant.supportEmail !== undefined,
  hasPhone: merchant.supportPhone !== undefined,
  hasSender: merchant.receipts !== undefined,
};
const sales = { ...runtime.payments(), ...runtime.paymentLists() };
const goingLive = { payments: sales, taxRules: runtime.taxRules(), settings };
const deps = {
  payments: sales,
  products: runtime.products(),
  thresholds: books.thresholds(),
  disputes: runtime.disputes(),
  webhooks: runtime.webhooks(),
  mails: books.mails(),
  pools: runtime.codePools(),
  apiKeys: runtime.apiKeys(),
  leftOutFields: runtime.leftOutFields(),
  accountLacks: env.processor() === undefined ? undefined : runtime.accountLacks(),
  withdrawals: runtime.withdrawals(),
  now: runtime.now,
  goingLive,
  brands: runtime.brands(),
  legalSettings,
  processorSetting,
};

/** GET /dashboard */
export const handler = dashboard(overviewPages(deps));
