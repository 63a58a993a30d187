import { buildCheckoutUrl } from '@dodopayments/core/checkout';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../infra/local/sandbox.ts';

/** All adapters build their checkouts with this function. `docs/guides/adapters.md` says what it does with an address. */
let sandbox: Sandbox;
let productId: string;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, quiet: true, sweepSeconds: 60 });
  await seedLocalKey(sandbox.table);
  vi.stubEnv('DODO_PAYMENTS_BASE_URL', sandbox.url);
  vi.spyOn(console, 'error').mockReturnValue();
  const price = { type: 'one_time_price', currency: 'EUR', price: 1_999 };
  const answer = await fetch(`${sandbox.url}/products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${localKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Guide', description: 'Birds.', tax_category: 'e_book', price }),
  });
  productId = ((await answer.json()) as { product_id: string }).product_id;
});
afterEach(() => vi.mocked(console.error).mockClear());
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await sandbox.stop();
});

const bearerToken = localKey;
const cart = () => ({ product_cart: [{ product_id: productId, quantity: 1 }] });
const billing = { city: 'Berlin', country: 'DE', state: 'BE', street: 'Weg 1', zipcode: '10115' };

describe('a checkout of the adapters, with the address of the stack in the environment', () => {
  it('of the type session leads to the stack', async () => {
    const url = await buildCheckoutUrl({ bearerToken, type: 'session', sessionPayload: cart() });
    expect(url).toMatch(new RegExp(`^${sandbox.url}/checkout/cks_`));
  });

  it('of the type static leads to Dodo Payments, so the guide replaces it', async () => {
    const url = await buildCheckoutUrl({ bearerToken, type: 'static', queryParams: { productId } });
    expect(new URL(url).host).toBe('checkout.dodopayments.com');
  });

  it('of the type dynamic is refused, so the guide replaces it', async () => {
    const body = { ...cart(), billing, customer: { email: 'buyer@example.com' } };
    const made = buildCheckoutUrl({ bearerToken, type: 'dynamic', body });
    await expect(made).rejects.toThrow('Tillstack has no payments without a checkout');
  });

  it.each(['test_mode', 'live_mode'] as const)(
    'with the environment %s is refused, and leads nowhere',
    async (environment) => {
      const made = buildCheckoutUrl({ bearerToken, environment, type: 'session', sessionPayload: cart() });
      await expect(made).rejects.toThrow('Ambiguous URL');
    },
  );
});
