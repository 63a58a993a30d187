import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { completePayout, payOut, sellElsewhere } from '../../infra/local/stripe/balance/payouts.ts';
import type { ApiAnswer } from '../support/shop/api.ts';
import { testMerchant } from '../support/shop/api.ts';
import { type StripeShop, startStripeShop } from '../support/shop/stripe-shop.ts';
import {
  type Counted,
  figureOf,
  gigabyteSecondsOf,
  megabytesOf,
  millisecondsOf,
  prices,
  processorMsOf,
  sizes,
} from './bill.ts';
import { tableMeter } from './table-meter.ts';

let shop: StripeShop;
const meter = tableMeter();
const steps: Counted[] = [];

async function count(name: string, times: number, act: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  meter.reset();
  const [calls, lines] = [shop.fake.calls.length, shop.api.log.length];
  const answer = await act();
  const logLines = shop.api.log.slice(lines);
  const stripeCalls = shop.fake.calls.length - calls;
  steps.push({ name, times, batch: 1, isRequest: true, logLines, stripeCalls, ...meter.used() });
  return answer;
}

/** One sale by Stripe: paid on its page, and the buyer comes back before the notifications. Then a refund. */
beforeAll(async () => {
  shop = await startStripeShop();
  await shop.begin(); // the key is read once in five minutes
  const { table } = await import('../../shared/wiring/runtime.ts');
  meter.read(table().client);
  const { sessionId, answer } = await shop.fill();
  await count('the payment, at Stripe', 1, answer);
  const payment = await shop.paymentOf(sessionId);
  shop.payAt(String(payment.reference));
  const from = shop.fake.notifications.events.length;
  await count('the return from Stripe', 1, () => shop.api.call(`GET /checkout/${sessionId}/return`, { key: null }));
  const events = shop.fake.notifications.events.slice(from - 1).filter(({ type }) => !String(type).includes('created'));
  const [event] = events;
  await count('a notification of Stripe', 3, () => shop.notify(JSON.stringify(event)));
  const body = { payment_id: payment.id, amount: 500 };
  await count('a refund, by Stripe', 0, () => shop.api.call('POST /refunds', { body }));
});
afterAll(() => shop.stop());

/** The write units of reading a payout of 100 sales. */
async function unitsOfPayout(): Promise<number> {
  const { account } = shop.fake;
  for (let sale = 0; sale < 100; sale += 1)
    sellElsewhere(account, {
      amount: 1_999,
      currency: 'chf',
      metadata: { payment_id: `pay_${String(sale).padStart(21, '0')}`, merchant_id: testMerchant.id },
    });
  completePayout(account, payOut(account, { currency: 'chf' }).id);
  await invokeFunction('processor/reconcile-account', {}); // the access of the key is noted once
  for (let sale = 0; sale < 100; sale += 1)
    sellElsewhere(account, {
      amount: 1_999,
      currency: 'sek',
      metadata: { payment_id: `pay_${String(sale).padStart(21, 'x')}`, merchant_id: testMerchant.id },
    });
  completePayout(account, payOut(account, { currency: 'sek' }).id);
  meter.reset();
  await invokeFunction('processor/reconcile-account', {});
  return meter.used().writeUnits;
}

it('docs/costs.md states what the payout of a sale costs (UPDATE_COSTS=1 rewrites it)', async () => {
  const path = 'docs/costs.md';
  const page = readFileSync(path, 'utf8');
  const units = await unitsOfPayout();
  const dollars = ((units / 100) * 1_000_000 * prices.writeUnit).toFixed(2);
  const stated = page
    .replace(/(?<=A payout of 100 sales takes )\d+(?= write units)/, String(units))
    .replace(/(?<=That is )[^ ].*?(?= for a million sales)/, `$${dollars}`);
  if (process.env['UPDATE_COSTS']) writeFileSync(path, stated);
  else expect(page).toBe(stated);
});

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const dollarsOf = (one: Counted, megabytes: number): number =>
  1_000_000 * prices.lambdaGigabyteSecond * gigabyteSecondsOf(one, megabytes);

/** Everything that a million of these calls cost, at a size of memory. */
const totalOf = (one: Counted, megabytes: number): number =>
  dollarsOf(one, megabytes) +
  1_000_000 *
    (prices.gatewayRequest +
      prices.lambdaRequest +
      one.writeUnits * prices.writeUnit +
      one.readUnits * prices.readUnit);

function tables(): string {
  const chosen = (one: Counted) => megabytesOf(one.name);
  const sale = steps.filter(({ times }) => times > 0);
  const sum = sale.reduce((all, one) => all + one.times * totalOf(one, chosen(one)), 0);
  return [
    row([
      'call of a sale by Stripe',
      'times',
      'answers of Stripe',
      'write units',
      'read units',
      'dollars per million sales',
    ]),
    '|---|---|---|---|---|---|',
    ...steps.map((one) =>
      row([
        one.times === 0 ? `${one.name} (beside the sale)` : one.name,
        one.times || 1,
        one.stripeCalls ?? 0,
        figureOf(one.writeUnits),
        figureOf(one.readUnits),
        ((one.times || 1) * totalOf(one, chosen(one))).toFixed(2),
      ]),
    ),
    row(['**together, without the refund**', '', '', '', '', `**${sum.toFixed(2)}**`]),
    '',
    row(['a warm call', 'processor', ...sizes.map((megabytes) => `${megabytes} MB`), 'chosen']),
    row(['---', '---', ...sizes.map(() => '---'), '---']),
    ...steps.map((one) =>
      row([
        one.name,
        `${processorMsOf(one)} ms`,
        ...sizes.map(
          (megabytes) => `${millisecondsOf(one, megabytes).toFixed(0)} ms, ${dollarsOf(one, megabytes).toFixed(2)}`,
        ),
        `${chosen(one)} MB`,
      ]),
    ),
  ].join('\n');
}

it('docs/costs.md states the counted requests of a live sale (UPDATE_COSTS=1 rewrites it)', () => {
  const path = 'docs/costs.md';
  const page = readFileSync(path, 'utf8');
  const section = /<!-- live costs -->\n([\s\S]*?)<!-- \/live costs -->/;
  if (process.env['UPDATE_COSTS'])
    writeFileSync(path, page.replace(section, `<!-- live costs -->\n${tables()}\n<!-- /live costs -->`));
  else expect(section.exec(page)?.[1]).toBe(`${tables()}\n`);
});

it('every function that waits for Stripe has the memory size with the lowest cost per call', () => {
  for (const one of steps) {
    const cheapest = sizes.toSorted((a, b) => dollarsOf(one, a) - dollarsOf(one, b))[0];
    expect([one.name, megabytesOf(one.name)]).toEqual([one.name, cheapest]);
  }
});
