import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { secretNames, secretsFolder } from '../../../shared/domain/processor.ts';
import { now, payments } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type StripeShop, shopSigningSecret, startStripeShop } from '../../support/shop/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
afterAll(() => shop.stop());

const names = secretNames(secretsFolder('demo', 'sandbox', 'stripe'));
let hours = 0;
beforeEach(async () => {
  // An alarm is raised once an hour, so each test has its own hours, after what other tests have left open.
  hours += 6;
  clock.stopAt('2026-03-01T12:00:00.000Z');
  clock.forward({ hours: hours - 1 });
  await sweep();
  clock.forward({ hours: 1 });
});
afterEach(() => {
  shop.parameters.values.set(names.signingSecrets, shopSigningSecret);
  clock.run();
});

const notificationOf = (payment: { id: string; reference?: string | null }, merchant = 'demo') =>
  JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'checkout.session.completed',
    livemode: false,
    data: {
      object: {
        id: payment.reference,
        client_reference_id: payment.id,
        metadata: { payment_id: payment.id, merchant_id: merchant },
      },
    },
  });

/** The signature of an endpoint whose secret is not ours. */
function elsewhere(body: string): string {
  const at = Math.floor(now().getTime() / 1_000);
  return `t=${at},v1=${createHmac('sha256', 'whsec_of_another_endpoint').update(`${at}.${body}`).digest('hex')}`;
}

async function during(act: () => Promise<unknown>) {
  const from = shop.api.log.length;
  await act();
  const lines = shop.api.log.slice(from).map((line) => JSON.parse(line));
  const of = (kind: string) => lines.filter(({ alert }) => alert === kind);
  return {
    refused: of('notifications-refused'),
    missing: of('notification-missing'),
    alarms: lines.filter((line) => 'MoneyAlerts' in line).length,
  };
}

async function paid() {
  const payment = await shop.begin();
  shop.payAt(String(payment.reference));
  return payment;
}
const sweep = () => invokeFunction('events/sweep-due', {});

describe('A wrong signing secret', () => {
  it('raises an alarm at the first refused notification about a payment, and then once an hour', async () => {
    const body = notificationOf(await paid());
    const send = async () => expect((await shop.notify(body, elsewhere(body))).status).toBe(401);
    const { refused, alarms } = await during(async () => {
      await send();
      await send();
    });
    expect(refused).toMatchObject([{ message: 'money alert' }, { message: 'money alert again' }]);
    expect(refused[0]).toMatchObject({ payment_id: expect.stringMatching(/^pay_/), reason: expect.any(String) });
    expect(alarms).toBe(1);
    clock.forward({ hours: 1 });
    expect((await during(send)).alarms).toBe(1);
  });

  it('moves no money', async () => {
    const payment = await paid();
    const body = notificationOf(payment);
    const calls = shop.fake.calls.length;
    await shop.notify(body, elsewhere(body));
    expect([(await payments().get(payment.id)).status, shop.fake.calls.length]).toEqual(['processing', calls]);
  });

  it.each([
    {
      who: 'a stranger who does not know the id at Stripe',
      forge: (id: string) => notificationOf({ id, reference: 'cs_x' }),
    },
    { who: 'a payment that is not here', forge: () => notificationOf({ id: 'pay_none', reference: 'cs_x' }) },
    {
      who: 'another shop',
      forge: (id: string, reference?: string | null) => notificationOf({ id, reference: reference ?? null }, 'other'),
    },
    { who: 'no payment', forge: () => '{}' },
  ])('is not suspected because of a forged notification about $who', async ({ forge }) => {
    const { id, reference } = await paid();
    const body = forge(id, reference);
    const heard = await during(() => shop.notify(body, elsewhere(body)));
    expect(heard).toEqual({ refused: [], missing: [], alarms: 0 });
  });

  it('that was never stored raises an alarm, which names the command', async () => {
    shop.parameters.values.delete(names.signingSecrets);
    const body = notificationOf(await paid());
    const { refused, alarms } = await during(async () => expect((await shop.notify(body)).status).toBe(503));
    expect(refused).toMatchObject([{ reason: expect.stringContaining('npm run processor -- set --signing-secret') }]);
    expect(alarms).toBe(1);
  });
});

describe('A paid payment about which no notification comes', () => {
  it('is found by the sweep, and raises an alarm once an hour', async () => {
    const first = await paid();
    clock.forward({ minutes: 3 });
    const heard = await during(sweep);
    expect(heard.missing).toMatchObject([{ message: 'money alert', payment_id: first.id }]);
    expect([(await payments().get(first.id)).status, heard.alarms]).toEqual(['succeeded', 1]);
    const second = await paid();
    clock.forward({ minutes: 3 });
    const again = await during(sweep);
    expect(again.missing).toMatchObject([{ message: 'money alert again', payment_id: second.id }]);
    expect(again.alarms).toBe(0);
  });

  it.each([
    {
      because: 'the buyer has paid just before',
      act: async () => {
        const payment = await shop.begin();
        clock.forward({ minutes: 3 });
        shop.payAt(String(payment.reference));
      },
    },
    {
      because: 'a notification has come',
      act: async () => {
        const payment = await paid();
        await shop.notify(notificationOf(payment));
        clock.forward({ minutes: 3 });
      },
    },
    {
      because: 'a notification has come while Stripe did not answer',
      act: async () => {
        const payment = await paid();
        shop.fake.fate = () => 'broken';
        const { status } = await shop.notify(notificationOf(payment));
        shop.fake.fate = () => 'answered';
        expect([status, (await payments().get(payment.id)).status]).toEqual([200, 'processing']);
        clock.forward({ minutes: 3 });
      },
    },
    {
      because: 'the buyer has come back',
      act: async () => {
        const { sessionId } = await paid();
        await shop.api.call(`GET /checkout/${sessionId}/return`, { key: null });
        clock.forward({ minutes: 3 });
      },
    },
    {
      because: 'the buyer has not paid',
      act: async () => {
        await shop.begin();
        clock.forward({ minutes: 3 });
      },
    },
  ])('is not suspected if $because', async ({ act }) => {
    await act();
    expect(await during(sweep)).toEqual({ refused: [], missing: [], alarms: 0 });
  });
});
