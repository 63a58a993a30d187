import { type CheckLine, fulfilled, lacks } from '../../../../domain/check-line.ts';
import { ProcessorError } from '../../../../domain/processor.ts';
import { type StripeClient, StripeRefusal } from '../client.ts';

interface Right {
  /** As Stripe's page for restricted keys calls it. */
  resource: string;
  access: 'read' | 'write';
  why: string;
  /** A call that needs the right and changes nothing: a list, or a request that is not complete. */
  probe: (stripe: StripeClient) => Promise<unknown>;
}

const one = { limit: 1 };

/** The rights that the functions need; docs/live-payments.md lists the same, which a test compares. */
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
];

/** For this command alone: without it, create the endpoint in Stripe's dashboard. */
export const endpointRight: Right = {
  resource: 'Webhook Endpoints',
  access: 'write',
  why: 'for this command only, to see and create the endpoint of notifications',
  probe: (stripe) => stripe.get('webhook_endpoints', one),
};

/** A refusal of the request itself means that the key may make it. Throws where Stripe cannot be asked. */
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
