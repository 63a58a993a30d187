import * as z from 'zod';
import { dayMs, hourMs } from '../../../../shared/domain/duration.ts';
import { sandboxDisputeReference } from '../../../../shared/outside/processor/sandbox/sandbox-disputes.ts';
import { publishPolicies } from '../../../../shared/use-cases/catalogue/publish-policies.ts';
import { settleDispute } from '../../../../shared/use-cases/payments/settle-dispute.ts';
import {
  brands,
  countedPayments,
  disputes,
  newId,
  now,
  payments,
  policyLanguage,
  sessions,
  world,
} from '../../../../shared/wiring/runtime.ts';
import { processor } from '../../../../shared/wiring/selling.ts';
import { giveGoods } from '../goods.ts';
import { createDemoProducts, offerDemoTerms } from '../seed.ts';
import { type Cover, drawCover } from './cover.ts';
import { callsCover, guideCover, supportCover } from './covers.ts';
import { finishEvents } from './finish-events.ts';
import { type FunctionsApi, functionsApi } from './functions-api.ts';
import { type Order, orders } from './orders.ts';
import { samplePolicies } from './sample-policies.ts';
import { deliver, useGoods } from './use-goods.ts';

const birdCalls = {
  name: 'Bird calls (recordings)',
  description: 'Forty calls at dawn, recorded in one forest.',
  tax_category: 'digital_products',
  price: { type: 'one_time_price', currency: 'EUR', price: 900, tax_inclusive: true },
};

/** How many hours ago the shop opened. It is before its first order. */
const openedHoursAgo = 14 * 24;
/** How long the bank takes to decide the open dispute. */
const decidesWithinMs = 9 * dayMs;

const Product = z.object({ product_id: z.string() });
const Upload = z.object({ image_id: z.string(), url: z.string() });
const Session = z.object({ session_id: z.string() });
const Charge = z.object({ payment_id: z.string() });

type ProductIds = Record<Order['product'], string>;

interface Step {
  hoursAgo: number;
  act: () => Promise<void>;
}

/**
 * Fills an empty shop with products and two weeks of orders. It calls the functions with an earlier clock. Nothing else
 * may run at the same time.
 */
export async function seedHistory(key: string): Promise<void> {
  const realNow = world.now;
  const began = realNow().getTime();
  const setBack = (hoursAgo: number) => {
    let ms = began - hoursAgo * hourMs;
    world.now = () => new Date(ms++);
  };
  try {
    const api = functionsApi(key);
    setBack(openedHoursAgo);
    const products = await stockShop(api);
    for (const { hoursAgo, act } of stepsOf(api, products)) {
      setBack(hoursAgo);
      const from = now();
      await act();
      await finishEvents(from);
    }
  } finally {
    world.now = realNow;
  }
}

async function stockShop(api: FunctionsApi): Promise<ProductIds> {
  const [guide = '', support = ''] = await createDemoProducts(api);
  const calls = Product.parse(await api.post('/products', birdCalls)).product_id;
  await offerDemoTerms(api, [{ productId: guide }]);
  await giveGoods(api, guide);
  await showImage(api, guide, guideCover);
  await showImage(api, support, supportCover);
  await showImage(api, calls, callsCover);
  await publishPolicies({ brands: brands(), policyLanguage: policyLanguage(), now }, samplePolicies, () => []);
  return { guide, support, calls };
}

async function showImage(api: FunctionsApi, productId: string, cover: Cover): Promise<void> {
  const { image_id, url } = Upload.parse(await api.put(`/products/${productId}/images`));
  const { ok, status } = await fetch(url, { method: 'PUT', body: new Uint8Array(drawCover(cover)) });
  if (!ok) throw new Error(`The upload of an image was answered with ${status}.`);
  await api.patch(`/products/${productId}`, { image_id });
}

/** The steps of all orders in the order of time: orders, refunds, disputes, downloads and activations. */
function stepsOf(api: FunctionsApi, products: ProductIds): Step[] {
  const steps = orders.flatMap((order): Step[] => {
    let paymentId = '';
    const sold: Step = {
      hoursAgo: order.hoursAgo,
      act: async () => {
        paymentId = await sell(api, products, order);
      },
    };
    const { refund, disputedHoursAgo, uses = [] } = order;
    const later: Step[] = uses.map(({ hoursAgo, device }) => ({
      hoursAgo,
      act: () => useGoods(api, paymentId, device),
    }));
    if (refund) later.push({ hoursAgo: refund.hoursAgo, act: () => refundOrder(api, paymentId, refund) });
    if (disputedHoursAgo) later.push({ hoursAgo: disputedHoursAgo, act: () => dispute(paymentId) });
    const delivered = ({ hoursAgo, act }: Step): Step => ({
      hoursAgo,
      act: async () => {
        await act();
        await deliver(paymentId);
      },
    });
    return [sold, ...later].map(delivered);
  });
  return steps.sort((a, b) => b.hoursAgo - a.hoursAgo);
}

async function sell(api: FunctionsApi, products: ProductIds, order: Order): Promise<string> {
  const { buyer, amount, code, card = '4242' } = order;
  const product_id = products[order.product];
  const product_cart = [{ product_id, quantity: 1 }];
  const codes = code ? { discount_codes: [code] } : {};
  const { session_id } = Session.parse(await api.post('/checkouts', { product_cart, ...codes }));
  const { payment_id } = Charge.parse(
    await api.post(`/checkout/${session_id}/pay`, {
      customer: { name: buyer.name, email: buyer.email },
      billing_address: buyer.billing,
      test_card: card,
      ...(amount && { amounts: { [product_id]: amount } }),
    }),
  );
  return payment_id;
}

async function refundOrder(api: FunctionsApi, payment_id: string, refund: NonNullable<Order['refund']>): Promise<void> {
  const { amount, reason } = refund;
  await api.post('/refunds', { payment_id, reason, ...(amount && { amount }) });
}

/** Makes the bank dispute a payment. The merchant has some days to answer. */
async function dispute(paymentId: string): Promise<void> {
  const { gross, currency } = await payments().get(paymentId);
  const openedAt = now().getTime();
  const reference = sandboxDisputeReference({ paymentId, amount: gross, currency, openedAt, decidesWithinMs });
  const stores = { payments: countedPayments(), sessions: sessions(), disputes: disputes() };
  await settleDispute({ ...stores, processor: processor(), alert: () => {}, now, newId }, reference);
}
