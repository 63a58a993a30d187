import * as z from 'zod';
import { apiClient } from '../../local/demo/api-client.ts';
import { buy } from '../../local/demo/browser.ts';
import { openDemoCheckouts } from '../../local/demo/seed.ts';
import type { FakeStripe } from '../../local/stripe/fake-stripe.ts';
import { quoted } from '../command.ts';
import type { Emulator } from '../emulator.ts';
import { type DeployedStack, run } from '../stack.ts';
import { expectThat } from './expectation.ts';
import { deployedFunction } from './isolation.ts';

const Payments = z.object({ items: z.array(z.object({ payment_id: z.string(), status: z.string() })) });
const Refund = z.object({ status: z.string() });

/** A stack whose stage uses Stripe, with an API key and its merchant's file. */
interface StripeStack {
  stack: DeployedStack;
  key: string;
  merchant: string;
  merchants: string;
}

/**
 * Connects an account as the guide says, sells through Stripe's page and refunds, and checks that no other role can
 * read the secrets.
 */
export async function expectStripe(emulator: Emulator, shop: StripeStack, fake: FakeStripe): Promise<void> {
  await connectAccount(emulator, shop, fake);
  const paymentId = await sell(shop, fake);
  const api = apiClient(shop.stack.publicUrl, shop.key);
  const refund = Refund.parse(await api.post('/refunds', { payment_id: paymentId, amount: 500 }));
  expectThat('a refund is paid back by Stripe', refund.status, 'succeeded');
  const [line] = fake.ledger();
  expectThat('Stripe’s ledger agrees', [line?.paymentId, line?.paid, line?.refunded], [paymentId, 1_999, 500]);
  await expectSecrecy(emulator, shop.stack);
}

async function connectAccount(emulator: Emulator, shop: StripeStack, fake: FakeStripe): Promise<void> {
  const names = `--merchant ${shop.merchant} --stage sandbox --merchants ${quoted(shop.merchants)}`;
  const options = `${names} --processor-url ${fake.url}`;
  await run(emulator, `printf %s ${fake.key} | npm run --silent processor -- set ${options}`);
  const check = `check --create-endpoint --url ${shop.stack.publicUrl}`;
  const said = await run(emulator, `npm run --silent processor -- ${check} ${options}`);
  expectThat('nothing is missing to take payments', said.includes('Nothing is missing.'), true);
}

const notifiedMs = 60_000;

/** Sells through Stripe's page. This buyer closes the page after paying, so only the notification ends the payment. */
async function sell({ stack, key }: StripeStack, fake: FakeStripe): Promise<string> {
  const api = apiClient(stack.publicUrl, key);
  const [guide] = await openDemoCheckouts(api);
  await buy(guide?.url ?? '', { country: 'DE', card: '' });
  const page = [...fake.account.sessions.values()].at(-1)?.url ?? '';
  await fetch(page, { method: 'POST', body: new URLSearchParams({ means: '4242424242424242' }), redirect: 'manual' });
  const latest = async () => Payments.parse(await api.get('/payments?page_size=1')).items[0];
  const until = Date.now() + notifiedMs;
  while ((await latest())?.status !== 'succeeded' && Date.now() < until) await fake.tick();
  const sold = await latest();
  expectThat('a notification tells of a payment on Stripe’s page, which succeeds', sold?.status, 'succeeded');
  return sold?.payment_id ?? '';
}

/**
 * Gives the function that receives Stripe's notifications a role that cannot read the secrets, and expects it to fail.
 * The stack must be deployed again afterwards.
 */
async function expectSecrecy(emulator: Emulator, stack: DeployedStack): Promise<void> {
  const address = `${stack.publicUrl}/processor/stripe`;
  const forged = () => fetch(address, { method: 'POST', body: '{}', headers: { 'stripe-signature': 't=1,v1=0' } });
  expectThat('a forged notification is refused', (await forged()).status, 401);
  const { Role } = await deployedFunction(emulator, stack, 'GET /payments/{payment_id}');
  const { FunctionName, Environment } = await deployedFunction(emulator, stack, 'POST /processor/stripe');
  const Variables = { ...Environment.Variables, STARTED: 'again, with nothing remembered' };
  await emulator.call('lambda', 'update_function_configuration', { FunctionName, Role, Environment: { Variables } });
  const claim =
    'with the role of a function that reads payments, the signing secret cannot be read, and nothing be checked';
  expectThat(claim, (await forged()).status, 503);
}
