import { settleGrants } from '../../../shared/use-cases/entitlements/settle-grants.ts';
import { revertRefund } from '../../../shared/use-cases/payments/revert-refund.ts';
import { newId, now, payments, table } from '../../../shared/wiring/runtime.ts';
import { processor } from '../../../shared/wiring/selling.ts';
import { clock } from '../clock.ts';
import { cards } from '../shop/cards.ts';
import { granting, sweep } from '../shop/settle.ts';
import { addProduct, createSession, pay } from '../shop/shop.ts';
import { sendThrough } from '../table/send-through.ts';
import type { RacingShop } from './racing-shop.ts';

/** A sale of a product that gives these entitlements. */
export async function soldWith(
  { api }: Pick<RacingShop, 'api'>,
  entitlements: string | readonly string[],
  card: string = cards.good,
): Promise<string> {
  const attached = [entitlements].flat().map((entitlement_id) => ({ entitlement_id }));
  const productId = await addProduct(api, { entitlements: attached });
  const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  return (await pay(session, { expectedTotal: 1_999, card })).id;
}

/** Issues, revokes or gives back what a payment gives, like the sweep and the order's page. */
export const settlingGrants = (paymentId: string) => () =>
  settleGrants({ payments: payments(), ...granting(), now, newId }, paymentId);

/** Later sweeps finish what a dead process began. */
export async function sweepLater(): Promise<void> {
  for (const _ of [1, 2]) {
    clock.forward({ minutes: 1 });
    await sweep();
  }
}

/** The processor says that the money of a successful refund came back. */
export const refundComesBack = (refundId: string) => () => {
  const back = { status: 'failed' as const, reference: null, failureReason: 'account_closed' };
  const failing = { ...processor(), findRefund: async () => back };
  return revertRefund({ payments: payments(), processor: failing, alert: () => {}, now, newId }, refundId);
};

/** Lets a commit of a grant pass although the payment owes something newer. Returns a function that undoes it. */
export const withoutComparison = () =>
  sendThrough(table().client, (send) => (command) => {
    const items = (command.input['TransactItems'] ?? []) as { Update?: Record<string, unknown> }[];
    for (const { Update } of items)
      if (String(Update?.['UpdateExpression']).startsWith('SET seen')) delete Update?.['ConditionExpression'];
    return send(command);
  });
