import type { Brands } from '../../domain/catalogue/brand.ts';
import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import { isRecoverable } from '../../domain/checkout/expired-checkout.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Page, PageRequest, PageRoute } from '../../http/page.ts';
import { isSameOrigin } from '../../pages/form-guard.ts';
import { seeOther } from '../../pages/headers.ts';
import { refuseIn } from '../../pages/notices/refused-page.ts';
import { contextOf } from '../../pages/page-context.ts';
import { keys, type ReadAhead } from '../../store/keys.ts';
import { planRecovery } from '../../use-cases/checkout/plan-recovery.ts';
import {
  type RecoverCheckoutDeps,
  recoverCheckout,
  recoveredSession,
} from '../../use-cases/checkout/recover-checkout.ts';
import { type CheckoutEnvironment, underBrand } from '../checkout-context.ts';
import { checkoutPath } from '../checkout-path.ts';
import { closedPage, unavailablePage } from '../checkout-responses.ts';
import { recoveryPage } from './recovery-page.ts';

interface RecoverCheckoutPageDeps extends RecoverCheckoutDeps {
  env: CheckoutEnvironment;
  brands: { get: () => Promise<Brands> };
  readAhead: ReadAhead;
}

/**
 * The page of the recovery link, which the event of an expired session contains. Opening it writes nothing, because
 * mail programs open links. Its button opens a new session. It shows the same as the old session's page, but no data of
 * the buyer.
 */
export const recoverCheckoutPage = (deps: RecoverCheckoutPageDeps): PageRoute => ({
  answer: (request) => {
    const act = () => (request.method === 'POST' ? recover(deps, request) : show(deps, request));
    return deps.readAhead([keys.session(request.param('id')), keys.brands()], act);
  },
  refuse: refuseIn(deps.env),
});

async function show(deps: RecoverCheckoutPageDeps, request: PageRequest): Promise<Page> {
  const session = await deps.sessions.get(request.param('id'));
  const known = await recoveredSession(deps, session);
  if (known !== undefined) return seeOther(checkoutPath(known, contextOf(deps.env, request).locale));
  if (!isRecoverable(session, deps.now())) return overPage(deps, request, session);
  const plan = await planRecovery(deps, session);
  if (!plan) return overPage(deps, request, session);
  return recoveryPage(await brandedContext(deps, request, session), session.id, plan);
}

async function recover(deps: RecoverCheckoutPageDeps, request: PageRequest): Promise<Page> {
  if (!isSameOrigin(request.headers, deps.env.publicUrl()))
    throw new DomainError('FORBIDDEN', 'This form does not come from the page of the link.');
  const id = request.param('id');
  const opened = await recoverCheckout(deps, id);
  if (opened === undefined) return overPage(deps, request, await deps.sessions.get(id));
  return seeOther(checkoutPath(opened, contextOf(deps.env, request).locale));
}

const brandedContext = (deps: RecoverCheckoutPageDeps, request: PageRequest, session: CheckoutSession) =>
  underBrand(deps, contextOf(deps.env, request), session);

/** The page that says why no session can be opened: the link is too old, or none of the products is still sold. */
async function overPage(deps: RecoverCheckoutPageDeps, request: PageRequest, session: CheckoutSession): Promise<Page> {
  const context = await brandedContext(deps, request, session);
  return isRecoverable(session, deps.now()) ? unavailablePage(context) : closedPage(context, session, 'expired');
}
