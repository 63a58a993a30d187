import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { decodeForm } from '../../../../infra/local/stripe/form-body.ts';
import { sessionParameters } from '../../../../shared/outside/processor/stripe/charge.ts';
import { encodeForm } from '../../../../shared/outside/processor/stripe/form.ts';
import { anAttempt, place, steppedClock } from '../../../support/processors.ts';

/** What Stripe's own client would send. */
async function sentByStripe(parameters: Stripe.Checkout.SessionCreateParams): Promise<string> {
  let sent = '';
  const fetchFn = async (_: unknown, { body }: { body?: unknown } = {}) => {
    sent = String(body);
    return Response.json({ id: 'cs_1' });
  };
  const client = new Stripe('sk_test_1', {
    httpClient: Stripe.createFetchHttpClient(fetchFn as typeof fetch),
    telemetry: false,
  });
  await client.checkout.sessions.create(parameters);
  return sent;
}

describe('a form', () => {
  it.each([
    { name: 'plain', attempt: {} },
    {
      name: 'with signs that mean something',
      attempt: { description: 'A & B = C [50 %] + "ü"\n日本語', email: 'a+b@example.com' },
    },
    { name: 'for cards only', attempt: { takesCardsOnly: true } },
    { name: 'with a statement suffix', attempt: { statementSuffix: 'TILL SHOP' } },
  ])('is encoded as Stripe’s own client encodes it: $name', async ({ attempt }) => {
    const parameters = sessionParameters(anAttempt(steppedClock(), attempt), place);
    expect(decodeForm(encodeForm(parameters))).toEqual(decodeForm(await sentByStripe(parameters)));
  });

  it('omits undefined fields, and clears a field with an empty text', () => {
    expect(encodeForm({ a: undefined, b: '', c: [{ d: true }, { e: 0 }] })).toBe('b=&c[0][d]=true&c[1][e]=0');
  });
});
