import { type Grant, givesSomething, grantsOwedBy } from '../../domain/entitlements/grant.ts';
import type { GrantView } from '../../domain/entitlements/grant-view.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { describeError, logError } from '../../log.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { type ArrivedFiles, lookForFiles } from '../entitlements/entitlement-files.ts';
import { viewGrants } from '../entitlements/list-grants.ts';
import { type SettleGrantsDeps, settleGrants } from '../entitlements/settle-grants.ts';

export interface LoadOrderGrantsDeps extends Omit<SettleGrantsDeps, 'payments'> {
  payments: SettleGrantsDeps['payments'] & Pick<PaymentStore, 'find'>;
  files: Pick<ArrivedFiles, 'look'>;
}

/**
 * The grants of a payment, with the files that have arrived. They are issued now if the sweep has not done so. If that
 * fails, it returns the grants that already exist, or none, so that the order page can show everything else.
 */
export async function loadOrderGrants(deps: LoadOrderGrantsDeps, payment: Payment): Promise<GrantView[]> {
  if (!givesSomething(payment)) return [];
  const settled = await unlessFailed(payment, async () => withFiles(deps, await settleGrants(deps, payment.id)));
  return settled ?? (await unlessFailed(payment, async () => withFiles(deps, await known(deps, payment)))) ?? [];
}

async function unlessFailed<Result>({ id }: Payment, load: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await load();
  } catch (error) {
    logError('An order is shown without all that it gives.', { payment_id: id, ...describeError(error) });
    return undefined;
  }
}

const known = async ({ grants }: LoadOrderGrantsDeps, payment: Payment): Promise<Grant[]> => [
  ...(await grants.findMany(grantsOwedBy(payment).map(({ id }) => id))).values(),
];

async function withFiles(deps: LoadOrderGrantsDeps, grants: readonly Grant[]): Promise<GrantView[]> {
  const views = await viewGrants(deps, grants);
  return Promise.all(
    views.map(async (view) => ({
      ...view,
      entitlement: view.entitlement && (await lookForFiles(deps, view.entitlement)),
    })),
  );
}
