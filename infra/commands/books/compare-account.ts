import type { Stage } from '../../../shared/domain/merchant.ts';
import { ProcessorError } from '../../../shared/domain/processor.ts';
import { whyNotAccountKey } from '../../../shared/outside/processor/stripe/account-key.ts';
import { stripeRecords } from '../../../shared/outside/processor/stripe/stripe-records.ts';
import { disputeStore } from '../../../shared/store/payments/dispute-store.ts';
import { paymentListStore } from '../../../shared/store/payments/payment-list.ts';
import { paymentStore } from '../../../shared/store/payments/payment-store.ts';
import type { Table } from '../../../shared/store/table/table.ts';
import { adviceOn, findDifferences } from '../../../shared/use-cases/payments/find-differences.ts';
import { periodsUntil } from '../../../shared/use-cases/payments/reconcile.ts';
import { openDrawer, stripeOf } from '../processor/desk.ts';

interface Account {
  merchantId: string;
  stage: Stage;
  /** A Stripe that is played on this machine. */
  stripe: string | undefined;
}

const noEvents = (): never => {
  throw new Error('A comparison creates no events.');
};

/** The processor's account could not be asked; the message says why, and what to do. */
export class AccountNotAsked extends Error {
  override name = 'AccountNotAsked';
}

/**
 * One line for each difference between the processor's account and the table, with what to do. It changes nothing.
 * @throws AccountNotAsked
 */
export async function* compareAccount(table: Table, account: Account, now: Date): AsyncGenerator<string> {
  try {
    yield* differencesWith(table, account, now);
  } catch (error) {
    if (error instanceof ProcessorError) throw new AccountNotAsked(`${error.message} ${adviceAfter[error.kind]}`);
    throw error;
  }
}

const seeProcessor = 'See "npm run processor -- check".';
const adviceAfter: Readonly<Record<ProcessorError['kind'], string>> = {
  unavailable: 'Try again later. If Stripe is played on this machine, say where by --stripe.',
  unauthorized: `${seeProcessor} If Stripe is played on this machine, say where by --stripe.`,
  refused: seeProcessor,
  contradiction: seeProcessor,
};

async function* differencesWith(
  table: Table,
  { merchantId, stage, stripe }: Account,
  now: Date,
): AsyncGenerator<string> {
  const key = await (await openDrawer({ merchantId, stage })).key();
  if (key === undefined) throw new AccountNotAsked('The key is not set: use "npm run processor -- set".');
  const fault = whyNotAccountKey(key, stage);
  if (fault) throw new AccountNotAsked(fault);
  const records = stripeRecords({ client: stripeOf(key, stripe), merchantId, isLive: stage === 'live' });
  const payments = { ...paymentStore(table, noEvents), ...paymentListStore(table) };
  const deps = { payments, disputes: disputeStore(table, noEvents), records, processor: 'stripe' };
  for await (const { kind, id, reference } of findDifferences(deps, periodsUntil(now)))
    yield `${id}: ${kind}${reference ? ` (${reference})` : ''}. ${adviceOn[kind]}`;
}
