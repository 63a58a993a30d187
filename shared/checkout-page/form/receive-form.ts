import type { Merchant, Stage } from '../../domain/merchant.ts';
import type { Page, PageRequest } from '../../http/page.ts';
import { assertOwnForm } from '../../pages/form-guard.ts';
import { pageContext } from '../../pages/page-context.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { checkoutPath } from '../checkout-path.ts';
import { checkoutState, leadTo } from '../checkout-responses.ts';
import type { TestCard } from '../views/present-checkout.ts';
import { type CheckoutForm, maxFormBytes, parseCheckoutForm } from './checkout-form.ts';
import { type PlaceRules, placesOf } from './places.ts';
import { withLocked } from './read-fields.ts';
import { type FilledCheckout, fillCheckout } from './read-form.ts';

export interface PostedDeps {
  sessions: Pick<SessionStore, 'get'>;
  taxSettings: () => Promise<TaxSettings>;
  now: () => Date;
}

/** Whose stack it is, and what can be chosen there. */
export interface Till {
  merchant: Merchant;
  stage: Stage;
  publicUrl: string;
  placeRules: PlaceRules;
  cards: readonly TestCard[];
}

/** Answers what was posted from the page of an open session; whoever comes too late is led to the page that says so. */
export async function answerPosted(
  deps: PostedDeps,
  { merchant, stage, publicUrl, placeRules, cards }: Till,
  { request, action }: { request: PageRequest; action: CheckoutForm['action'] },
  answer: (filled: FilledCheckout, settings: TaxSettings) => Promise<Page>,
): Promise<Page> {
  const form = parseCheckoutForm(request.form(maxFormBytes), action);
  const session = await deps.sessions.get(request.param('id'));
  assertOwnForm({ headers: request.headers, publicUrl, token: form.token }, session);
  const context = pageContext(request, merchant, stage);
  if (checkoutState(session, deps.now()) !== 'open') return leadTo(request, checkoutPath(session.id, context.locale));
  const settings = await deps.taxSettings();
  const places = placesOf(placeRules, settings.overrides);
  const offered = context.isSandbox ? cards : [];
  const filled = fillCheckout({ context, session, form: withLocked(session, form), places, cards: offered });
  return answer(filled, settings);
}
