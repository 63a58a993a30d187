import { type CheckLine, fulfilled, lacks } from '../../../../domain/check-line.ts';
import { ProcessorError } from '../../../../domain/processor.ts';
import { type StripeClient, StripeRefusal } from '../client.ts';

interface Right {
  /** The name on Stripe's page for restricted keys. */
  resource: string;
  access: 'read' | 'write';
  why: string;
  /** A call that needs the right but changes nothing: a list, or an incomplete request. */
  probe: (stripe: StripeClient) => Promise<unknown>;
}

const one = { limit: 1 };

/** The rights that the functions need. docs/live-payments.md lists the same; a test compares the two. */
export const neededRights: readonly Right[] = [
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
    resource: 'Early Fraud Warnings',
    access: 'read',
    why: 'to warn before a fraud becomes a dispute',
    probe: (stripe) => stripe.get('radar/early_fraud_warnings', one),
  },
];

/** Needed only by this command. Without it, the operator creates the endpoint in Stripe's dashboard. */
export const endpointRight: Right = {
  resource: 'Webhook Endpoints',
  access: 'write',
  why: 'for this command only, to see and create the endpoint of notifications',
  probe: (stripe) => stripe.get('webhook_endpoints', one),
};

/** If Stripe refuses only the request's parameters, the key has the right. Throws if Stripe cannot be reached. */
async function mayUse(stripe: StripeClient, { probe }: Right): Promise<boolean> {
  try {
    await probe(stripe);
    return true;
  } catch (error) {
    if (error instanceof StripeRefusal && error.status === 403) return false;
    if (error instanceof ProcessorError && error.kind === 'refused') return true;
    throw error;
  }
}

export async function checkRights(stripe: StripeClient): Promise<CheckLine[]> {
  const findings: CheckLine[] = [];
  for (const right of neededRights) {
    const name = `${right.resource}: ${right.access}, ${right.why}`;
    findings.push(
      (await mayUse(stripe, right)) ? fulfilled(`right ${name}`) : lacks(`the key lacks the right ${name}`),
    );
  }
  return findings;
}

export const maySeeEndpoints = (stripe: StripeClient): Promise<boolean> => mayUse(stripe, endpointRight);
