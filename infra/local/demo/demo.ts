import { parseArgs } from 'node:util';
import * as z from 'zod';
import { localKey, seedLocalKey } from '../local-key.ts';
import { startSandbox } from '../sandbox.ts';
import { type ApiClient, apiClient } from './api-client.ts';
import { processorOf } from './arguments.ts';
import { buy } from './browser.ts';
import { checksumOf, giveGoods, goodOf, goods } from './goods.ts';
import { type LocalStripe, startLocalStripe } from './local-stripe.ts';
import { activate, type FileButton, type OrderOnPage, openOrder, pressButton } from './order.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type DemoCheckout, offerDemoTerms, openDemoCheckouts, openWithCode, registerReceiver } from './seed.ts';

const webhookMs = 20_000;

const Payment = z.object({
  payment_id: z.string(),
  status: z.string(),
  total_amount: z.int(),
  tax: z.int(),
  currency: z.string(),
});
type Payment = z.infer<typeof Payment>;
const Payments = z.object({ items: z.array(z.object({ payment_id: z.string() })) });
const Refund = z.object({
  refund_id: z.string(),
  amount: z.int(),
  tax: z.int(),
  currency: z.string(),
  status: z.string(),
});

interface Figures {
  total: number;
  tax: number;
}

const failures: string[] = [];

const format = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount / 100).padStart(10);

/** Prints the figures. If they are wrong, it records a failure. */
function show(what: string, { total, tax }: Figures, currency: string, expected: Figures): void {
  console.log(`\n${what}`);
  console.log(`  net    ${format(total - tax, currency)}`);
  console.log(`  tax    ${format(tax, currency)}`);
  console.log(`  total  ${format(total, currency)}`);
  if (total !== expected.total || tax !== expected.tax)
    failures.push(`${what}: expected a total of ${expected.total} with ${expected.tax} tax, in cents`);
}

async function latestPayment(api: ApiClient): Promise<Payment> {
  const { items } = Payments.parse(await api.get('/payments?page_size=1'));
  return Payment.parse(await api.get(`/payments/${items[0]?.payment_id}`));
}

async function purchase(
  api: ApiClient,
  checkout: DemoCheckout,
  amount: string | null,
  expected: Figures,
): Promise<Payment> {
  const amounts = amount === null ? {} : { [checkout.productId]: amount };
  const ledTo = await buy(checkout.url, { country: 'DE', card: stripe ? '' : '4242424242424242', amounts });
  if (stripe) await payAtStripe(ledTo);
  const payment = await latestPayment(api);
  const title = `${checkout.name}, bought in Germany${amount ? ` for the ${amount} that the buyer chose` : ''}: ${payment.status}`;
  show(title, { total: payment.total_amount, tax: payment.tax }, payment.currency, expected);
  return payment;
}

/** Pays on Stripe's page. The page leads back to the shop, which then asks Stripe for the state of the payment. */
async function payAtStripe(page: string): Promise<void> {
  const paid = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ means: '4242424242424242' }),
    redirect: 'manual',
  });
  const back = await fetch(paid.headers.get('location') ?? '', { redirect: 'manual' });
  if (back.status >= 400) failures.push(`The buyer came back from Stripe, and was answered with ${back.status}.`);
}

/** Compares the money that Stripe received and paid back with the figures above. */
function compareLedger({ fake }: LocalStripe, expected: { paid: number; refunded: number }): void {
  const lines = fake.ledger();
  const sum = (of: 'paid' | 'refunded') => lines.reduce((total, line) => total + line[of], 0);
  const [paid, refunded] = [sum('paid'), sum('refunded')];
  console.log(`\nStripe’s ledger: paid ${format(paid, 'EUR').trim()}, refunded ${format(refunded, 'EUR').trim()}`);
  if (paid !== expected.paid || refunded !== expected.refunded)
    failures.push(`Stripe’s ledger: expected ${expected.paid} paid and ${expected.refunded} refunded, in cents`);
}

async function refundPartly(api: ApiClient, payment: Payment, amount: number, expected: Figures): Promise<void> {
  const refund = Refund.parse(await api.post('/refunds', { payment_id: payment.payment_id, amount }));
  show(`A partial refund: ${refund.status}`, { total: refund.amount, tax: refund.tax }, refund.currency, expected);
}

async function refundWhole(api: ApiClient, payment: Payment, expected: Figures): Promise<void> {
  const refund = Refund.parse(await api.post('/refunds', { payment_id: payment.payment_id }));
  show(`A refund of the whole: ${refund.status}`, { total: refund.amount, tax: refund.tax }, refund.currency, expected);
}

const Order = z.object({ order_url: z.string() });

/** An opened order, with its link and the content of its page. */
interface Received extends OrderOnPage {
  orderUrl: string;
}

/** Opens the order like the buyer, and uses what its page gives. */
async function receive(api: ApiClient, payment: Payment): Promise<Received> {
  const { order_url: orderUrl } = Order.parse(await api.get(`/payments/${payment.payment_id}`));
  const order = await openOrder(orderUrl);
  console.log('\nThe order page gives');
  for (const [index, name] of goods.entries()) await compareGood(name, order.files[index]);
  for (const device of ['a laptop', 'a desktop']) {
    const status = await activate(new URL(orderUrl).origin, order.licenseKey, device);
    console.log(`  a licence key      activated on ${device}: ${status}`);
    if (status !== 200) failures.push(`The licence key was not activated on ${device}`);
  }
  return { ...order, orderUrl };
}

/** Downloads a file, and compares its checksum with that of the upload. */
async function compareGood(name: string, button: FileButton | undefined): Promise<void> {
  const bytes = await pressButton(button);
  const isSame = bytes !== undefined && checksumOf(bytes) === checksumOf(goodOf(name));
  console.log(`  ${name.padEnd(18)} ${bytes?.length ?? 0} bytes  ${isSame ? 'checksum verified' : 'WRONG'}`);
  if (!isSame) failures.push(`${name} did not arrive as it was uploaded`);
}

/** Expects that the page shows nothing after the refund, and that neither an old button nor the key works. */
async function expectNothing({ orderUrl, files, licenseKey }: Received): Promise<void> {
  const later = await openOrder(orderUrl);
  const bytes = await pressButton(files[0]);
  const status = await activate(new URL(orderUrl).origin, licenseKey, 'a third device');
  const isEmpty = later.files.length === 0 && later.licenseKey === undefined;
  console.log('\nAfter the refund');
  console.log(`  the order page shows ${isEmpty ? 'no file and no key' : 'SOMETHING'}`);
  console.log(`  an old button is ${bytes === undefined ? 'refused' : 'NOT REFUSED'}`);
  console.log(`  an activation is answered with ${status}`);
  if (!isEmpty || bytes !== undefined || status !== 403) failures.push('Something is given after the refund');
}

async function collectWebhooks(receiver: Receiver): Promise<void> {
  console.log('\nWebhooks');
  for (const [type, count] of [
    ['payment.succeeded', 3],
    ['refund.succeeded', 2],
    ['entitlement_grant.revoked', 2],
  ] as const) {
    const accepted = () => receiver.deliveries.filter((delivery) => delivery.type === type && delivery.verified);
    await receiver.waitFor(() => accepted().length === count, webhookMs);
    for (const { id } of accepted()) console.log(`  ${type.padEnd(25)} ${id}  signature verified`);
  }
}

async function walk(api: ApiClient, receiver: Receiver): Promise<void> {
  const [guide, support] = (await openDemoCheckouts(api)) as [DemoCheckout, DemoCheckout];
  await offerDemoTerms(api, [guide, support]);
  await giveGoods(api, guide.productId);
  // 19.99 including 7 %: 1999 × 0.07 / 1.07 = 130.8
  const payment = await purchase(api, guide, null, { total: 1_999, tax: 131 });
  // 20.00 including 19 %: 2000 × 0.19 / 1.19 = 319.3
  await purchase(api, support, '20.00', { total: 2_000, tax: 319 });
  // 10 % of 19.99 are 2.00; 17.99 including 7 %: 1799 × 0.07 / 1.07 = 117.7
  const withCode = await purchase(api, await openWithCode(api, guide), null, { total: 1_799, tax: 118 });
  const received = await receive(api, withCode);
  // the refunded part of the tax: 5.00 of 19.99, so 131 × 500 / 1999 = 32.8
  await refundPartly(api, payment, 500, { total: 500, tax: 33 });
  await refundWhole(api, withCode, { total: 1_799, tax: 118 });
  await expectNothing(received);
  await collectWebhooks(receiver);
  if (stripe) compareLedger(stripe, { paid: 5_798, refunded: 2_299 });
}

const { processor } = parseArgs({ options: { processor: { type: 'string' } } }).values;
const stripe = processor && processorOf(processor) ? await startLocalStripe() : undefined;
const sandbox = await startSandbox({ port: 0, quiet: true, environment: stripe?.environment ?? {} });
stripe?.notify(sandbox.url);
const receiver = await startReceiver();
try {
  console.log(`A sandbox for this demo at ${sandbox.url}`);
  await seedLocalKey(sandbox.table);
  const api = apiClient(sandbox.url, localKey);
  receiver.setSecret(await registerReceiver(api, receiver.url));
  await walk(api, receiver);
} catch (error) {
  failures.push(error instanceof Error ? error.message : String(error));
} finally {
  await receiver.stop();
  await sandbox.stop();
  await stripe?.stop();
}
for (const failure of failures) console.error(`\nFAILED: ${failure}`);
console.log(failures.length === 0 ? '\nEvery figure is correct.' : '');
process.exitCode = failures.length === 0 ? 0 : 1;
