import { dayMs } from '../../domain/duration.ts';
import type { PayoutAccess, PayoutState } from '../../domain/payouts/payout.ts';
import { ProcessorError, RightMissing } from '../../domain/processor.ts';
import { describeError, logWarn } from '../../log.ts';
import type { Payouts } from '../../outside/processor/payment-processor.ts';
import type { PayoutStore } from '../../store/payouts/payout-store.ts';
import { type NotePayoutDeps, noteListedPayout, notePayout } from './note-payout.ts';
import { type ReadPayoutDeps, readPayout } from './read-payout.ts';

export interface FollowPayoutsDeps extends Omit<ReadPayoutDeps, 'payouts' | 'account'> {
  payouts: NotePayoutDeps['payouts'] & ReadPayoutDeps['payouts'] & Pick<PayoutStore, 'findAccess' | 'saveAccess'>;
  account: ReadPayoutDeps['account'] & Pick<Payouts, 'payouts' | 'payout'>;
  now: () => Date;
}

/** A payout can fail some days after it was paid. */
const lookBackDays = 40;
/** The first time, the year before is read too, so that its bookkeeping is whole. */
const firstLookBackDays = 400;

/**
 * Reads the account's payouts and what is in them, oldest first, as many as there is time for. An endpoint of 0.2.0 does
 * not hear of payouts, so nothing here needs a notification. If the processor cannot be asked, the next call asks again.
 */
export async function followPayouts(deps: FollowPayoutsDeps, hasTime: () => boolean): Promise<void> {
  const known = await deps.payouts.findAccess();
  const found = await tryAll(deps, known?.isCaughtUp ? lookBackDays : firstLookBackDays, hasTime);
  if (!found || (known && isSame(known, found))) return;
  await deps.payouts.saveAccess({ ...found, at: deps.now().toISOString() });
}

type Access = Pick<PayoutAccess, 'lacks' | 'isCaughtUp'>;

const isSame = (one: Access, other: Access): boolean =>
  one.isCaughtUp === other.isCaughtUp && one.lacks.join() === other.lacks.join();

/** Whether the key may read everything, and whether nothing is left; undefined if the processor cannot be asked. */
async function tryAll(deps: FollowPayoutsDeps, days: number, hasTime: () => boolean): Promise<Access | undefined> {
  try {
    return { lacks: [], isCaughtUp: await readAll(deps, days, hasTime) };
  } catch (error) {
    if (error instanceof RightMissing) return { lacks: [error.right], isCaughtUp: false };
    if (!(error instanceof ProcessorError)) throw error;
    logWarn('payouts are asked for again later', describeError(error));
    return undefined;
  }
}

async function readAll(deps: FollowPayoutsDeps, days: number, hasTime: () => boolean): Promise<boolean> {
  const now = deps.now();
  const period = { from: new Date(now.getTime() - days * dayMs).toISOString(), to: now.toISOString() };
  const oldestFirst = (await deps.account.payouts(period)).toReversed();
  let isDone = true;
  for (const state of oldestFirst) isDone = (await tryOne(state.id, () => note(deps, state))) && isDone;
  for (const { id } of oldestFirst) isDone = (await tryOne(id, () => readPayout(deps, id, hasTime))) && isDone;
  return isDone;
}

async function note(deps: FollowPayoutsDeps, state: PayoutState): Promise<boolean> {
  await noteListedPayout(deps, state);
  return true;
}

/** Does a step of one payout. If the processor does not answer, the payouts after it are read all the same. */
async function tryOne(id: string, step: () => Promise<boolean>): Promise<boolean> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof RightMissing || !(error instanceof ProcessorError)) throw error;
    logWarn('a payout is asked for again later', { payout_id: id, ...describeError(error) });
    return false;
  }
}

/**
 * Reads a payout that a notification names. The daily call reads on in a large one. A key without the
 * right to read payouts is no reason to be notified again.
 */
export async function followPayout(deps: FollowPayoutsDeps, id: string, hasTime: () => boolean): Promise<void> {
  try {
    await notePayout(deps, id);
    await readPayout(deps, id, hasTime);
  } catch (error) {
    if (!(error instanceof RightMissing)) throw error;
  }
}
