import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { Page, PageRequest } from '../../http/page.ts';
import { assertOwnForm } from '../../pages/form-guard.ts';
import { contextOf } from '../../pages/page-context.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import type { CheckoutEnvironment } from '../checkout-context.ts';
import { checkoutPath } from '../checkout-path.ts';
import { checkoutState, leadTo } from '../checkout-responses.ts';
import type { TestCard } from '../views/present-checkout.ts';
import { type CheckoutForm, maxFormBytes, parseCheckoutForm } from './checkout-form.ts';
import { placesOf } from './places.ts';
import { withLocked } from './read-fields.ts';
import { type FilledCheckout, fillCheckout } from './read-form.ts';

export interface FormDeps {
  env: CheckoutEnvironment;
  sessions: { get: (id: string) => Promise<CheckoutSession> };
  taxSettings: () => Promise<TaxSettings>;
  /** The test cards. Empty if the buyer chooses the payment method on the processor's page. */
  cards: readonly TestCard[];
  /** The addresses of other sites to which the form may lead. */
  payOrigins: readonly string[];
  /** The name of the processor on whose site the buyer pays. Empty if the buyer pays on our page. */
  processorTitle: string;
  now: () => Date;
}

/** A parsed form, and the tax settings for its price. */
export interface PricedForm extends FilledCheckout {
  settings: TaxSettings;
  payOrigins: readonly string[];
}

/**
 * Reads the posted form of an open session. If the session is not open, it redirects to the page that shows its state.
 */
export async function receiveForm(
  deps: FormDeps,
  request: PageRequest,
  action: CheckoutForm['action'],
): Promise<PricedForm | { redirect: Page }> {
  const form = parseCheckoutForm(request.form(maxFormBytes), action);
  const session = await deps.sessions.get(request.param('id'));
  assertOwnForm({ headers: request.headers, publicUrl: deps.env.publicUrl(), token: form.token }, session);
  const { locale } = contextOf(deps.env, request);
  if (checkoutState(session, deps.now()) !== 'open')
    return { redirect: leadTo(request, checkoutPath(session.id, locale)) };
  return priceableForm(deps, request, session, withLocked(session, form));
}

/** The form with the countries and test cards that the buyer can choose. */
export async function priceableForm(
  deps: Pick<FormDeps, 'env' | 'taxSettings' | 'cards' | 'payOrigins' | 'processorTitle' | 'now'>,
  request: PageRequest,
  session: CheckoutSession,
  form: CheckoutForm,
): Promise<PricedForm> {
  const context = contextOf(deps.env, request);
  const settings = await deps.taxSettings();
  const places = placesOf(
    settings,
    session.lines.map(({ taxCategory }) => taxCategory),
    deps.now().toISOString().slice(0, 10),
  );
  const { cards, payOrigins, processorTitle } = deps;
  return {
    ...fillCheckout({ context, session, form, places, cards, processorTitle, merchant: deps.env.merchant() }),
    payOrigins,
    settings,
  };
}
