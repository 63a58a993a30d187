import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnsweredCall } from '../../../../infra/local/stripe/fake-stripe.ts';
import { sessionParameters } from '../../../../shared/outside/processor/stripe/charge.ts';
import { encodeForm } from '../../../../shared/outside/processor/stripe/form.ts';
import { anAttempt, place, steppedClock } from '../../../support/processors.ts';
import { type StripeShop, startStripeShop } from '../../../support/shop/stripe-shop.ts';
import { schemaFaults, schemaVersion } from '../../../support/stripe-schema/check-exchange.ts';

/** Every shop at the simulated Stripe checks each request and answer when it stops. This file shows that the check works. */
let shop: StripeShop;
const heard: AnsweredCall[] = [];
beforeAll(async () => {
  shop = await startStripeShop();
  const { answered } = shop.fake;
  shop.fake.answered = (exchange) => {
    heard.push(exchange);
    answered?.(exchange);
  };
  const { id, reference } = await shop.begin();
  shop.payAt(String(reference));
  const paid = shop.fake.notifications.events.findLast(({ type }) => type === 'checkout.session.completed');
  await shop.notify(JSON.stringify(paid));
  await shop.api.call('POST /refunds', { body: { payment_id: id, amount: 500 } });
});
afterAll(() => shop.stop());

const sent = (change: (parameters: ReturnType<typeof sessionParameters>) => object) => {
  const form = encodeForm(change(sessionParameters(anAttempt(steppedClock()), place)) as never);
  return schemaFaults({ method: 'POST', path: 'checkout/sessions', form, status: 400, body: {} });
};

describe('Stripe’s published schema', () => {
  it('is of the version that docs name, and accepts what a sale and a refund send and read', () => {
    expect(schemaVersion).toBe('2026-08-26.dahlia');
    expect(heard.map(({ method, path }) => `${method} ${path.split('/cs_')[0]}`)).toEqual(
      expect.arrayContaining(['POST checkout/sessions', 'GET checkout/sessions', 'POST refunds']),
    );
    expect(heard.flatMap(schemaFaults)).toEqual([]);
  });

  it.each([
    { fault: 'an unknown field', change: { mystery: '1' }, says: 'request.mystery is unknown' },
    { fault: 'a wrong word', change: { mode: 'pay' }, says: 'request.mode is pay' },
    { fault: 'no number', change: { expires_at: 'soon' }, says: 'request.expires_at is no integer' },
    {
      fault: 'a long suffix',
      change: { payment_intent_data: { statement_descriptor_suffix: 'A'.repeat(23) } },
      says: 'statement_descriptor_suffix is too long',
    },
    {
      fault: 'an unknown field in a line',
      change: { line_items: [{ quantity: 1, colour: 'red' }] },
      says: 'request.line_items[].colour is unknown',
    },
  ])('finds $fault in a request', ({ change, says }) => {
    expect(sent((parameters) => parameters)).toEqual([]);
    expect(sent((parameters) => ({ ...parameters, ...change })).join()).toContain(says);
  });

  it('finds a missing, an invented and a wrong field in an answer', () => {
    const [refund] = heard.filter(({ method, path }) => method === 'POST' && path === 'refunds');
    const body = refund?.body as Record<string, unknown>;
    const { id: _, ...rest } = body;
    const answers = [rest, { ...body, colour: 'red' }, { ...body, amount: '5' }];
    expect(answers.map((answer) => refund && schemaFaults({ ...refund, body: answer }))).toEqual([
      ['POST refunds: answer.id is missing'],
      ['POST refunds: answer.colour is unknown'],
      ['POST refunds: answer.amount is no integer'],
    ]);
    expect(schemaFaults({ method: 'GET', path: 'mysteries', form: '', status: 200, body: {} })).toHaveLength(1);
  });
});
