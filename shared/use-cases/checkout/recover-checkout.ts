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

/**
 * The latest session that a link has opened. Undefined if there is none, or if its id was stored but the session was
 * never written.
 */
const latestOf = async ({ sessions }: ReadDeps, { recoveredBy }: CheckoutSession) =>
  recoveredBy === undefined ? undefined : sessions.find(recoveredBy);

/** The existing session to which a link leads: one that can be paid, is being paid, or is paid. */
function leadingTo({ now }: ReadDeps, session: CheckoutSession, latest: CheckoutSession | undefined) {
  return [session, latest].find((one) => one && sessionStatus(one, now()) !== 'expired')?.id;
}

/**
 * The id of the session to which a recovery link leads. Undefined if the link can open a new one, or no longer works.
 */
export const recoveredSession = async (deps: ReadDeps, session: CheckoutSession): Promise<string | undefined> =>
  leadingTo(deps, session, await latestOf(deps, session));

/**
 * Opens a session on the terms of an expired one, and returns its id; undefined if nothing can be opened. The expired
 * session stores the new id first, so many clicks lead to one session. Another session is opened only after that one
 * has expired unpaid. After a crash in between, the next click creates the session with the stored id.
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
 * Writes the id of the new session into the earlier ones. From then on, these refuse late money. The expired session is
 * written last. So after a crash, its link never leads to a new session while an earlier one still accepts late money.
 */
async function follow(
  { sessions }: RecoverCheckoutDeps,
  before: readonly (CheckoutSession | undefined)[],
  recoveredBy: string,
): Promise<void> {
  for (const one of before) if (one && one.recoveredBy !== recoveredBy) await sessions.save({ ...one, recoveredBy });
}

/** The id of a session that an earlier click stored but did not create. */
const unwritten = ({ recoveredBy }: CheckoutSession, latest: CheckoutSession | undefined): string | undefined =>
  latest ? undefined : recoveredBy;

/** Creates the session only once. If another click with the same id was faster, nothing happens. */
const createOnce = ({ sessions }: RecoverCheckoutDeps, session: CheckoutSession): Promise<void> =>
  sessions.create(session, []).catch((error: unknown) => {
    if (!(error instanceof StaleVersion)) throw error;
  });
