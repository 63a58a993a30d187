import type { Brands } from '../domain/catalogue/brand.ts';
import type { Page } from '../http/page.ts';
import type { ReadAhead } from '../store/keys.ts';
import { type ReviewCheckoutDeps, reviewCheckout } from '../use-cases/checkout/review-checkout.ts';
import { inBrandOf } from './checkout-context.ts';
import { reviewedPage } from './checkout-responses.ts';
import { asksForSupply } from './form/consents.ts';
import type { Advice } from './form/faults.ts';
import type { FormDeps, PricedForm } from './form/receive-form.ts';

export interface FormPageDeps extends FormDeps, Omit<ReviewCheckoutDeps, 'sessions'> {
  sessions: FormDeps['sessions'] & ReviewCheckoutDeps['sessions'];
  brands: { get: () => Promise<Brands> };
  readAhead: ReadAhead;
}

/** Shows the form with the price for the entries, and the errors to correct. */
export async function formPage(deps: FormPageDeps, form: PricedForm, advice: Advice): Promise<Page> {
  const brands = await deps.brands.get();
  const context = inBrandOf(brands, form.context, form.session);
  const asks = asksForSupply(brands, context, form.session);
  return reviewedPage({ ...form, context, asksForSupply: asks }, advice, (draft) => reviewCheckout(deps, form, draft));
}
