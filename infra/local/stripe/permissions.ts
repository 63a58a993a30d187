import { type Account, ApiFault } from './account.ts';

/** The names of the rights of a restricted key, as Stripe's error messages write them. */
const permissions: Readonly<Record<string, string>> = {
  account: 'rak_connected_account',
  balance: 'rak_balance',
  balance_transactions: 'rak_balance_transaction_source',
  'checkout/sessions': 'rak_checkout_session',
  disputes: 'rak_dispute',
  payment_intents: 'rak_payment_intent',
  payouts: 'rak_payout',
  'radar/early_fraud_warnings': 'rak_early_fraud_warning',
  refunds: 'rak_charge',
  webhook_endpoints: 'rak_webhook',
};

/** Refuses a call that the account's key may not make. The error names the missing right. */
export function assertRight({ rights, id, isLive }: Account, call: string): void {
  if (!rights || rights.has(call)) return;
  const [method = '', path = ''] = call.split(' ');
  const resource = Object.keys(permissions).find((name) => path === name || path.startsWith(`${name}/`)) ?? path;
  const permission = `${permissions[resource] ?? 'rak_other'}_${method === 'GET' ? 'read' : 'write'}`;
  throw new ApiFault(
    403,
    `The provided key 'rk_${isLive ? 'live' : 'test'}_*********' does not have the required permissions for this endpoint on account '${id}'. Having the '${permission}' permission would allow this request to continue.`,
  );
}
