import { taxIdPage } from '../../shared/documents/tax-id-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { checkTaxId } from '../../shared/wiring/registers.ts';
import { apiKeys, brands, now, payments } from '../../shared/wiring/runtime.ts';
import { taxSettings } from '../../shared/wiring/selling.ts';

const linkSecret = () => apiKeys().findSessionSecret();
const deps = {
  payments: payments(),
  brands: brands(),
  taxSettings,
  checkTaxId,
  linkSecret,
  now,
  merchant: env.merchant(),
  publicUrl: env.publicUrl(),
};

/** GET, POST /invoices/payments/{payment_id}/tax-id */
export const handler = page(taxIdPage(deps));
