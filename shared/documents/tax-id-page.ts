import type { Brands } from '../domain/catalogue/brand.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { isSameOrigin } from '../pages/form-guard.ts';
import { countryName, formatMoney } from '../pages/format.ts';
import type { Locale } from '../pages/locale.ts';
import { taxIdExample } from '../tax/tax-ids/tax-id.ts';
import { documentTranslator, taxTranslator } from '../texts/texts.ts';
import { type AddTaxIdDeps, addTaxId, openTaxIdLink } from '../use-cases/tax-ids/add-tax-id.ts';
import { documentNotice, taxIdForm } from './document-page.ts';
import { taxIdPageOf, withdrawPathIn } from './document-responses.ts';

export interface TaxIdPageDeps extends AddTaxIdDeps {
  merchant: { name: string };
  brands: { get: () => Promise<Brands> };
  publicUrl: string;
}

const maxFormBytes = 4_096;

/**
 * The page on which a buyer adds a tax id to an invoice. The link is in the invoice's mail. Refuses forms from other
 * sites.
 */
export const taxIdPage = (deps: TaxIdPageDeps): PageRoute => ({
  answer: (request) => (request.method === 'POST' ? receive(deps, request) : show(deps, request)),
  refuse: ({ status }, request) =>
    taxIdPageOf(request, status, (locale) =>
      documentNotice(locale, status === 404 ? 'closed' : 'failure', { merchant: deps.merchant.name }),
    ),
});

async function notice(
  { merchant, brands }: TaxIdPageDeps,
  request: PageRequest,
  kind: 'taken' | 'closed',
  status = 200,
): Promise<Page> {
  const shown = await brands.get();
  return taxIdPageOf(request, status, (locale) =>
    documentNotice(locale, kind, { merchant: merchant.name, withdrawUrl: withdrawPathIn(shown, locale) }),
  );
}

async function show(deps: TaxIdPageDeps, request: PageRequest): Promise<Page> {
  const link = { paymentId: request.param('payment_id'), token: request.query('token') ?? '' };
  const payment = await openTaxIdLink(deps, link);
  if (!payment) return notice(deps, request, 'closed', 410);
  const filled = { taxId: '', businessName: payment.businessName ?? '' };
  return formPageOf(deps, request, payment, { ...link, ...filled, fault: () => '', status: 200 });
}

interface Filled {
  token: string;
  taxId: string;
  businessName: string;
  fault: (locale: Locale) => string;
  status: number;
}

async function formPageOf(
  { merchant, brands }: TaxIdPageDeps,
  request: PageRequest,
  { refundable, currency, billing }: Payment,
  { fault, status, ...filled }: Filled,
): Promise<Page> {
  const shown = await brands.get();
  const example = taxIdExample(billing.country);
  return taxIdPageOf(request, status, (locale) =>
    taxIdForm(locale, {
      ...filled,
      merchant: merchant.name,
      total: formatMoney(refundable, currency, locale),
      fault: fault(locale),
      example: example === undefined ? '' : taxTranslator(locale)('tax.example', { example }),
      withdrawUrl: withdrawPathIn(shown, locale),
    }),
  );
}

async function receive(deps: TaxIdPageDeps, request: PageRequest): Promise<Page> {
  const form = new URLSearchParams(request.form(maxFormBytes));
  const field = (name: string) => (form.get(name) ?? '').trim().slice(0, 250);
  const link = { paymentId: request.param('payment_id'), token: field('token') };
  const payment = isSameOrigin(request.headers, deps.publicUrl) ? await openTaxIdLink(deps, link) : undefined;
  if (!payment) return notice(deps, request, 'closed', 410);
  const added = { taxId: field('tax_id'), businessName: field('business_name') };
  const isWhole = added.taxId !== '' && added.businessName !== '';
  const outcome = isWhole ? await addTaxId(deps, link, added) : 'missing';
  if (outcome === 'taken' || outcome === 'closed')
    return notice(deps, request, outcome, outcome === 'taken' ? 200 : 410);
  const fault = (locale: Locale) =>
    documentTranslator(locale)(`add.${outcome}`, { country: countryName(payment.billing.country, locale) });
  const status = outcome === 'unanswered' ? 503 : 422;
  return formPageOf(deps, request, payment, { token: link.token, ...added, fault, status });
}
