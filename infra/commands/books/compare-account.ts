import type { Stage } from '../../../shared/domain/merchant.ts';
import { ProcessorError } from '../../../shared/domain/processor.ts';
import { keyCheckOf, type ProcessorName, recordsOf } from '../../../shared/outside/processor/registry.ts';
import { disputeStore } from '../../../shared/store/payments/dispute-store.ts';
import { paymentListStore } from '../../../shared/store/payments/payment-list.ts';
import { paymentStore } from '../../../shared/store/payments/payment-store.ts';
import type { Table } from '../../../shared/store/table/table.ts';
import { adviceOn, findDifferences } from '../../../shared/use-cases/payments/find-differences.ts';
import { periodsUntil } from '../../../shared/use-cases/payments/reconcile.ts';
import { accessTo, openSecrets } from '../processor/stored-secrets.ts';

interface Account {
  merchantId: string;
  stage: Stage;
  processor: ProcessorName;
  /** The address of a fake processor on this machine. */
  processorUrl: string | undefined;
}

const noEvents = (): never => {
  throw new Error('A comparison creates no events.');
};

/** Thrown if the processor's account could not be read. The message says why, and what to do. */
export class AccountNotAsked extends Error {
  override name = 'AccountNotAsked';
}

/**
 * Returns one line for each difference between the processor's account and the table, with advice. It changes nothing.
 * @throws AccountNotAsked if the account could not be read
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
  unavailable: 'Try again later. If this machine plays the processor, say where by --processor-url.',
  unauthorized: `${seeProcessor} If this machine plays the processor, say where by --processor-url.`,
  refused: seeProcessor,
  contradiction: seeProcessor,
};

async function* differencesWith(
  table: Table,
  { merchantId, stage, processor, processorUrl }: Account,
  now: Date,
): AsyncGenerator<string> {
  const key = await (await openSecrets({ merchantId, stage, processor })).key();
  if (key === undefined) throw new AccountNotAsked('The key is not set: use "npm run processor -- set".');
  const fault = keyCheckOf[processor](key, stage);
  if (fault) throw new AccountNotAsked(fault);
  const account = accessTo(key, processorUrl);
  const records = recordsOf[processor]({ account, merchantId, isLive: stage === 'live' });
  const payments = { ...paymentStore(table, noEvents), ...paymentListStore(table) };
  const deps = { payments, disputes: disputeStore(table, noEvents), records, processor };
  for await (const { kind, id, reference } of findDifferences(deps, periodsUntil(now)))
    yield `${id}: ${kind}${reference ? ` (${reference})` : ''}. ${adviceOn[kind]}`;
}
