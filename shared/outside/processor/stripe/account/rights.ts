import { type CheckLine, fulfilled, lacks } from '../../../../domain/check-line.ts';
import { ProcessorError } from '../../../../domain/processor.ts';
import { type StripeClient, StripeRefusal } from '../client.ts';

interface Right {
  /** The name of the right on Stripe's page for restricted keys. */
  resource: string;
  access: 'read' | 'write';
  why: string;
  /** A call that needs the right but changes nothing: a list, or an incomplete request. */
  probe: (stripe: StripeClient) => Promise<unknown>;
}

const one = { limit: 1 };

/** The rights that the functions need. */
const sellingRights: readonly Right[] = [
  {
    resource: 'Checkout Sessions',
    access: 'write',
    why: 'to begin and close payments',
    probe: (stripe) => stripe.post('checkout/sessions', {}, null),
  },
  {
    resource: 'Charges and Refunds',
    access: 'write',
    why: 'to pay back',
    probe: (stripe) => stripe.post('refunds', {}, null),
  },
  {
    resource: 'PaymentIntents',
    access: 'read',
    why: 'to see how a payment ended',
    probe: (stripe) => stripe.get('payment_intents', one),
  },
  {
    resource: 'Disputes',
    access: 'read',
    why: 'to see disputes',
    probe: (stripe) => stripe.get('disputes', one),
  },
  {
    resource: 'Balance transactions',
    access: 'read',
    why: 'to see fees, and to compare the books',
    probe: (stripe) => stripe.get('balance_transactions', one),
  },
  {
    resource: 'Balance',
    access: 'read',
    why: 'to warn before a refund for which the balance is too low',
    probe: (stripe) => stripe.get('balance'),
  },
  {
    resource: 'Payouts',
    access: 'read',
    why: 'to say which payout a sale is in',
    probe: (stripe) => stripe.get('payouts', one),
  },
  {
    resource: 'Early Fraud Warnings',
    access: 'read',
    why: 'to warn before a fraud becomes a dispute',
    probe: (stripe) => stripe.get('radar/early_fraud_warnings', one),
  },
];

/**
 * The right to read the account. Only this command needs it. Stripe's refusal calls it `rak_accounts_kyc_basic_read`.
 */
const accountRight: Right = {
  resource: 'Accounts',
  access: 'read',
  why: 'for `check` only, to see whether the account is ready',
  probe: (stripe) => stripe.get('account'),
};

/**
 * The right to write webhook endpoints. Only this command needs it. Without it, the operator creates the endpoint in
 * Stripe's dashboard.
 */
export const endpointRight: Right = {
  resource: 'Webhook Endpoints',
  access: 'write',
  why: 'for this command only, to see and create the endpoint of notifications',
  probe: (stripe) => stripe.get('webhook_endpoints', one),
};

/** All rights except the one for endpoints. docs/live-payments.md has the same list, and a test compares the two. */
export const neededRights: readonly Right[] = [...sellingRights, accountRight];

/**
 * Stripe's refusal of a key without the right; undefined if the key has it. If Stripe refuses only the parameters of
 * the request, the key has the right. Throws if Stripe cannot be reached.
 */
async function refusalOf(stripe: StripeClient, { probe }: Right): Promise<StripeRefusal | undefined> {
  try {
    await probe(stripe);
    return undefined;
  } catch (error) {
    if (error instanceof StripeRefusal && error.status === 403) return error;
    if (error instanceof ProcessorError && error.kind === 'refused') return undefined;
    throw error;
  }
}

/** The name of the missing right in Stripe's refusal, if it contains one. */
const nameIn = ({ message }: StripeRefusal): string => {
  const name = /\brak_\w+/.exec(message)?.[0];
  return name ? ` (Stripe calls it ${name})` : '';
};

export async function checkRights(stripe: StripeClient): Promise<CheckLine[]> {
  const findings: CheckLine[] = [];
  for (const right of neededRights) {
    const name = `${right.resource}: ${right.access}, ${right.why}`;
    const refusal = await refusalOf(stripe, right);
    findings.push(refusal ? lacks(`the key lacks the right ${name}${nameIn(refusal)}`) : fulfilled(`right ${name}`));
  }
  return findings;
}

/** The read rights that the key lacks. The functions work without them. To find out, it only reads lists. */
export async function missingReadRights(stripe: StripeClient): Promise<Right[]> {
  const missing: Right[] = [];
  for (const right of sellingRights)
    if (right.access === 'read' && (await refusalOf(stripe, right))) missing.push(right);
  return missing;
}

export const maySeeEndpoints = async (stripe: StripeClient): Promise<boolean> =>
  (await refusalOf(stripe, endpointRight)) === undefined;
