import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import { apiKeyStore } from '../../../shared/store/access/api-key-store.ts';
import { revokeApiKey } from '../../../shared/use-cases/access/revoke-api-key.ts';
import type { catalogueAnswers } from '../../../shared/wire/catalogue/product-answer.ts';
import type { checkoutAnswers } from '../../../shared/wire/checkout/checkout-answer.ts';
import type { paymentAnswers } from '../../../shared/wire/payments/payment-answer.ts';
import { type ApiCaller, apiCaller } from '../integrator/api.ts';
import { buyWithTestCard } from '../integrator/trigger/test-purchase.ts';
import { makeKey, recordedBy } from '../made-key.ts';
import type { OperatorClients } from '../ops/context.ts';
import { getStack } from '../ops/stack-parts.ts';
import type { FleetStack } from './targets.ts';

type ProductPage = z.infer<typeof catalogueAnswers.ProductPage>;
type SessionCreated = z.infer<typeof checkoutAnswers.SessionCreated>;
type Quote = z.infer<typeof checkoutAnswers.Quote>;
type Payment = z.infer<typeof paymentAnswers.Payment>;

const name = 'npm run fleet';
const recorded = recordedBy(name);
const marker = { created_by: 'tillstack fleet' };
const keyMinutes = 15;

/** Checks that a deployed stack sells, and says what was done. Throws if it does not. */
export type CheckSales = (stack: FleetStack, clients: OperatorClients) => Promise<string>;

/**
 * Buys in a sandbox; in live, opens a session, asks for its total and ends it. It does so with a key of its own, which
 * may write but not refund, and is revoked at once. If the revocation fails, the key ends within minutes.
 */
export const checkSales: CheckSales = async ({ name: stackName, config, stage }, clients) => {
  if (stage === 'live' && !config.merchant.live) return 'nothing is checked, because "live" is false in the file';
  const { Outputs = [] } = await getStack(clients.cloudFormation, stackName);
  const output = (key: string) => Outputs.find(({ OutputKey }) => OutputKey === key)?.OutputValue ?? '';
  const client = DynamoDBDocumentClient.from(clients.table);
  const apiKeys = apiKeyStore({ name: output('TableName'), client });
  const expiresAt = new Date(Date.now() + keyMinutes * 60_000).toISOString();
  const fields = { name, access: 'write' as const, refunds: null, expiresAt };
  const { key, id } = await makeKey(apiKeys, { stage, fields, recorded });
  try {
    const api = apiCaller({ url: output('PublicUrl'), key }, { signal: AbortSignal.timeout(keyMinutes * 60_000) });
    const bought = stage === 'sandbox' ? await buy(api) : undefined;
    return bought ?? (await tryCheckout(api, config.merchant.country));
  } finally {
    const revocation = { id, withDescendants: false };
    await revokeApiKey({ apiKeys, now: () => new Date() }, revocation, (_, command) => recorded(command));
  }
};

/** Buys with the test card that succeeds. Undefined if a processor takes the payments of this sandbox. */
async function buy(api: ApiCaller): Promise<string | undefined> {
  const bought = await buyWithTestCard(api, { card: '4242' });
  if (!bought) return undefined;
  const { status, total_amount, currency } = await api.get<Payment>(`/payments/${bought.paymentId}`);
  if (status === 'succeeded') return `a purchase of ${total_amount} ${currency} in minor units succeeded`;
  throw new Error(`A test purchase is ${status}: ${bought.paymentId}.`);
}

/** Opens a session for the first product with a fixed price, and ends it. Nobody gets its link. */
export async function tryCheckout(api: ApiCaller, country: string): Promise<string> {
  const { items } = await api.get<ProductPage>('/products', { cursor: 'start', page_size: 100 });
  const product = items.find(({ price_detail: price }) => price && !price.pay_what_you_want);
  if (!product) return 'the list of products was read; there is none with a fixed price to open a session for';
  const cart = [{ product_id: product.product_id, quantity: 1 }];
  const { session_id } = await api.post<SessionCreated>('/checkouts', { product_cart: cart, metadata: marker });
  try {
    const { body } = await api.postAsBuyer(`/checkout/${session_id}/quote`, { billing_address: { country } });
    const { total_amount, currency } = body as Quote;
    return `a session was opened, quoted with ${total_amount} ${currency} in minor units, and expired`;
  } finally {
    await api.post(`/checkouts/${session_id}/expire`, {});
  }
}
