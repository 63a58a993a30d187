import { type CheckoutSession, sessionStatus } from '../../domain/checkout/checkout-session.ts';
import { isRecoverable } from '../../domain/checkout/expired-checkout.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { OfferStore } from '../../store/catalogue/offer-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { retryStale } from '../retry.ts';
import { type PlanRecoveryDeps, planRecovery } from './plan-recovery.ts';

export interface RecoverCheckoutDeps extends PlanRecoveryDeps {
  offers: Pick<OfferStore, 'keep'>;
  sessions: Pick<SessionStore, 'get' | 'find' | 'save' | 'create'>;
}

type ReadDeps = Pick<RecoverCheckoutDeps, 'sessions' | 'now'>;

/** The session that a link has opened last; undefined: there is none, or it was named and never written. */
const latestOf = async ({ sessions }: ReadDeps, { recoveredBy }: CheckoutSession) =>
  recoveredBy === undefined ? undefined : sessions.find(recoveredBy);

/** Where a link leads without opening anything: to a session that can be, is being, or has been paid. */
function leadingTo({ now }: ReadDeps, session: CheckoutSession, latest: CheckoutSession | undefined) {
  return [session, latest].find((one) => one && sessionStatus(one, now()) !== 'expired')?.id;
}

/** The id of the session to which a recovery link leads; undefined: it can open one, or is over. */
export const recoveredSession = async (deps: ReadDeps, session: CheckoutSession): Promise<string | undefined> =>
  leadingTo(deps, session, await latestOf(deps, session));

/**
 * Opens a session on the terms of an expired one, and returns its id; undefined if nothing can be opened. The expired session names it first: any
 * number of clicks lead to one session, and another one is opened only when that has expired unpaid. A crash in between leaves a name, which the next click fills.
 */
export function recoverCheckout(deps: RecoverCheckoutDeps, id: string): Promise<string | undefined> {
  return retryStale(async () => {
    const expired = await deps.sessions.get(id);
    const latest = await latestOf(deps, expired);
    const known = leadingTo(deps, expired, latest);
    if (known !== undefined) return known;
    const plan = isRecoverable(expired, deps.now()) ? await planRecovery(deps, expired) : undefined;
    if (!plan) return undefined;
    const recoveredBy = unwritten(expired, latest) ?? plan.session.id;
    await follow(deps, [latest, expired], recoveredBy);
    await deps.offers.keep(plan.offers, deps.now());
    await createOnce(deps, { ...plan.session, id: recoveredBy });
    return recoveredBy;
  });
}

/**
 * Names the next session in those before it, which then keep no late money any more. The expired session is the last, so that a crash
 * leaves none that it leads to and that still would.
 */
async function follow(
  { sessions }: RecoverCheckoutDeps,
  before: readonly (CheckoutSession | undefined)[],
  recoveredBy: string,
): Promise<void> {
  for (const one of before) if (one && one.recoveredBy !== recoveredBy) await sessions.save({ ...one, recoveredBy });
}

/** The name of a session that was never written. */
const unwritten = ({ recoveredBy }: CheckoutSession, latest: CheckoutSession | undefined): string | undefined =>
  latest ? undefined : recoveredBy;

/** Another click that found the same name may be faster. */
const createOnce = ({ sessions }: RecoverCheckoutDeps, session: CheckoutSession): Promise<void> =>
  sessions.create(session, []).catch((error: unknown) => {
    if (!(error instanceof StaleVersion)) throw error;
  });
