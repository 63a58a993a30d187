import { expect, it } from 'vitest';
import { currencies, currencyFloor } from '../../../../shared/domain/money/currency.ts';
import { probeSale } from '../../../../shared/outside/processor/stripe/account/probe.ts';
import { fromStripe, limits } from '../../../../shared/outside/processor/stripe/amounts.ts';

/** What is asked for in an account that settles in a currency, and what was posted after it. */
async function probed(settled: string | undefined) {
  const posted: { path: string; parameters: Record<string, unknown> }[] = [];
  const client = {
    get: async () => ({}),
    post: async (path: string, parameters: object) => {
      posted.push({ path, parameters: { ...parameters } });
      return { id: 'cs_probe', payment_method_types: ['card'] };
    },
  };
  const probe = { probeId: 'a-probe', merchantId: 'demo', shopUrl: 'https://shop.example', now: new Date(0) };
  const { isSent } = await probeSale(client, probe, settled);
  const [item] = (posted[0]?.parameters['line_items'] ?? []) as [
    { price_data: { currency: string; unit_amount: number } },
  ];
  return { isSent, posted, ...fromStripe(item.price_data.unit_amount, item.price_data.currency) };
}

const sold = currencies.filter((currency) => limits(currency) !== undefined);

it.each(sold)('a test payment in %s has an amount that Stripe can charge', async (settled) => {
  const { amount, currency } = await probed(settled);
  const { minimum = 0, maximum = 0, step = 1 } = limits(settled) ?? {};
  expect(currency).toBe(settled);
  expect([amount >= minimum, amount >= currencyFloor(settled), amount <= maximum, amount % step]).toEqual([
    true,
    true,
    true,
    0,
  ]);
});

it.each(['ISK', 'UGX', undefined])('a test payment is in euros if the account settles in %s', async (settled) => {
  expect((await probed(settled)).currency).toBe('EUR');
});

it('a test payment names the shop and its own id, and is closed at once', async () => {
  const { isSent, posted } = await probed('EUR');
  expect(isSent).toBe(true);
  expect(posted.map(({ path }) => path)).toEqual(['checkout/sessions', 'checkout/sessions/cs_probe/expire']);
  expect(posted[0]?.parameters['metadata']).toEqual({ probe_id: 'a-probe', merchant_id: 'demo' });
});
