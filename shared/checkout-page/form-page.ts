import type { Brands } from '../domain/catalogue/brand.ts';
import type { Page } from '../http/page.ts';
import type { ReadAhead } from '../store/keys.ts';
import { type ReviewCheckoutDeps, reviewCheckout } from '../use-cases/checkout/review-checkout.ts';
import { underBrand } from './checkout-context.ts';
import { reviewedPage } from './checkout-responses.ts';
import type { Advice } from './form/faults.ts';
import type { FormDeps, PricedForm } from './form/receive-form.ts';

export interface FormPageDeps extends FormDeps, Omit<ReviewCheckoutDeps, 'sessions'> {
  sessions: FormDeps['sessions'] & ReviewCheckoutDeps['sessions'];
  brands: { get: () => Promise<Brands> };
  readAhead: ReadAhead;
}

/** Shows the form with the price for the entries, and the errors to correct. */
export async function formPage(deps: FormPageDeps, form: PricedForm, advice: Advice): Promise<Page> {
  const context = await underBrand(deps, form.context, form.session);
  return reviewedPage({ ...form, context }, advice, (draft) => reviewCheckout(deps, form, draft));
}
