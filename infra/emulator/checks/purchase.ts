import * as z from 'zod';
import type { ApiClient } from '../../local/demo/api-client.ts';
import { buy } from '../../local/demo/browser.ts';
import type { ReceivedWebhook } from '../../local/demo/delivery-log.ts';
import type { Receiver } from '../../local/demo/receiver.ts';
import { openDemoCheckouts } from '../../local/demo/seed.ts';
import type { DeployedStack } from '../stack.ts';
import { ask } from './ask.ts';
import { expectThat } from './expectation.ts';

const Payment = z.object({ payment_id: z.string(), status: z.string(), total_amount: z.int(), tax: z.int() });
const Payments = z.object({ items: z.array(z.object({ payment_id: z.string() })) });
const Refund = z.object({ status: z.string(), amount: z.int(), tax: z.int() });
const Upload = z.object({ url: z.url(), image_id: z.string() });
const Product = z.object({ image: z.url() });

/** How many milliseconds a stream record, the bus and a cold function may take. */
const webhookMs = 30_000;

/** The ids of a purchase, for later checks. */
interface Bought {
  paymentId: string;
  productId: string;
}

/**
 * Makes a purchase through the checkout page and a partial refund, and waits for their webhooks. The signatures are
 * checked.
 */
export async function purchase(api: ApiClient, receiver: Receiver): Promise<Bought> {
  const [guide] = await openDemoCheckouts(api);
  if (!guide) throw new Error('There is nothing to buy.');
  await buy(guide.url, { country: 'DE', card: '4242424242424242' });
  const payment = await latestPayment(api);
  const { payment_id: paymentId, ...figures } = payment;
  // 19.99 including 7 %: 1999 × 0.07 / 1.07 = 130.8
  expectThat('19.99 with 7 % inside is paid', figures, { status: 'succeeded', total_amount: 1_999, tax: 131 });
  const paid = await receiver.waitFor(webhookOf('payment.succeeded', paymentId), webhookMs);
  expectThat('its webhook arrives, with a signature that verifies', paid.verified, true);
  const refund = Refund.parse(await api.post('/refunds', { payment_id: paymentId, amount: 500 }));
  // 5.00 of 19.99: 131 × 500 / 1999 = 32.8
  expectThat('5.00 of it is returned, its tax with it', refund, { status: 'succeeded', amount: 500, tax: 33 });
  const returned = await receiver.waitFor(webhookOf('refund.succeeded', paymentId), webhookMs);
  expectThat('its webhook arrives, with a signature that verifies', returned.verified, true);
  return { paymentId, productId: guide.productId };
}

/** Makes a payment that only the scheduled sweep can finish, and returns its id. */
export async function purchaseThatTakesAWhile(api: ApiClient): Promise<string> {
  const [, support] = await openDemoCheckouts(api);
  if (!support) throw new Error('There is nothing to give for.');
  const amounts = { [support.productId]: '20.00' };
  await buy(support.url, { country: 'DE', card: '4000000000003220', amounts });
  const { payment_id: id, status } = await latestPayment(api);
  expectThat('a slow payment is accepted', status, 'processing');
  return id;
}

/** Expects that the scheduled sweep finishes the payment within about two minutes, and that its webhook arrives. */
export async function expectSweep(receiver: Receiver, paymentId: string): Promise<void> {
  const settled = await receiver.waitFor(webhookOf('payment.succeeded', paymentId), 150_000);
  expectThat('the scheduled sweep finishes the slow payment, and its webhook arrives', settled.verified, true);
}

async function latestPayment(api: ApiClient): Promise<z.infer<typeof Payment>> {
  const { items } = Payments.parse(await api.get('/payments?page_size=1'));
  return Payment.parse(await api.get(`/payments/${items[0]?.payment_id}`));
}

const Event = z.object({ data: z.object({ payment_id: z.string() }) });
const idIn = (body: string): string => Event.parse(JSON.parse(body)).data.payment_id;

/**
 * A condition for the webhook of this payment. Events of other payments arrive too, because the sweep of an upgraded
 * stack finishes what version 0.2.0 left in progress.
 */
const webhookOf = (wanted: string, paymentId: string) => (delivery: ReceivedWebhook) =>
  delivery.type === wanted && delivery.status === 200 && idIn(delivery.body) === paymentId;

/** An image of one red pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** Uploads an image to a signed address, makes the API check and publish it, and downloads it. */
export async function publishImage(stack: DeployedStack, key: string, productId: string): Promise<void> {
  const { url, image_id } = Upload.parse((await ask(stack, key, `PUT /products/${productId}/images`)).body);
  const { status } = await fetch(url, { method: 'PUT', body: png });
  expectThat('an image is uploaded by a signed address', status, 200);
  const changed = await ask(stack, key, `PATCH /products/${productId}`, { image_id });
  expectThat('it is checked and published', changed.status, 200);
  const { image } = Product.parse((await ask(stack, key, `GET /products/${productId}`)).body);
  const shown = await fetch(image);
  expectThat('it is shown', [shown.status, shown.headers.get('content-type')], [200, 'image/png']);
}
