import { setTimeout as pause } from 'node:timers/promises';
import { sessions } from '../../../shared/wiring/runtime.ts';
import type { RemoteProcessor } from '../../support/faults/remote-processor.ts';
import { between } from '../../support/seeded.ts';
import type { Api } from '../../support/shop/api.ts';
import { finishPayment } from '../../support/shop/settle.ts';
import { type lambdas, NoFunctionLeft } from './cloud.ts';
import { model } from './model.ts';

/** What a buyer was told last. */
type Told = 'paid' | 'used up' | 'left' | 'busy' | 'wrong';

/** An answer that a buyer saw, and how long it took. */
export interface Seen {
  at: number;
  what: 'payment page' | 'used up' | 'busy' | 'paid';
  ms: number;
}

export interface VirtualBuyer {
  session: string;
  told: Told;
  email: string;
  paymentId?: string;
  paidAt?: number;
}

interface Shop {
  api: Api;
  processor: RemoteProcessor;
  functions: ReturnType<typeof lambdas>;
  random: () => number;
  productId: string;
  code: string;
  seen: Seen[];
}

const emailOf = (index: number): string => `b${index}@example.com`;

const range = (random: () => number, [least, most]: readonly [number, number]): number => between(random, least, most);

/** The pages that cost only time: their functions write nothing, and other tests run them. */
async function lookAt({ functions, random }: Shop): Promise<void> {
  const { page, script, total } = model.callMs;
  for (const ms of [page, script, total, total, total]) await insist(random, () => functions.call(ms, async () => {}));
  await pause(range(random, model.buyers.readsMs));
}

/** Sends a request again while the service is busy, as the page does. Undefined if it stays busy. */
async function insist<Answer>(random: () => number, act: () => Promise<Answer>): Promise<Answer | undefined> {
  for (let tries = 0; tries < model.buyers.busyTries; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof NoFunctionLeft)) throw error;
      await pause(range(random, model.buyers.busyMs));
    }
  }
  return undefined;
}

const usedUp = 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED';

const isBusy = (status: number): boolean => status === 429 || status === 503;

/** Opens a session with the code. Returns what the buyer is told if that is not possible. */
async function open({ api, functions, random, productId, code }: Shop): Promise<{ session: string } | { told: Told }> {
  const cart = { product_cart: [{ product_id: productId, quantity: 1 }], discount_codes: [code] };
  const opened = await insist(random, async () => {
    const answer = await functions.call(model.callMs.session, () => api.call('POST /checkouts', { body: cart }));
    if (isBusy(answer.status)) throw new NoFunctionLeft();
    return answer;
  });
  if (!opened) return { told: 'busy' };
  const { status, body } = opened;
  if (body.session_id) return { session: String(body.session_id) };
  if (body.code === usedUp) return { told: 'used up' };
  throw new Error(`A shop read ${status} ${JSON.stringify(body)}. The function logged ${api.log.at(-1)}`);
}

/** Presses Pay until the service has answered: with the processor's page, or that the code is used up. */
async function press(shop: Shop, session: string, index: number, tries: number): Promise<Seen['what']> {
  const { api, functions, random, seen } = shop;
  const source = `198.18.${(index >> 8) % 256}.${index % 256}`;
  const body = {
    customer: { email: emailOf(index), name: 'A Buyer' },
    billing_address: { country: 'DE' },
  };
  const key = `press-${index}-${tries}`;
  const answer = await insist(random, async () => {
    const startedAt = performance.now();
    const note = (what: Seen['what']) => {
      seen.push({ at: performance.now(), what, ms: performance.now() - startedAt });
      return what;
    };
    const request = () => api.call(`POST /checkout/${session}/pay`, { key, source, body });
    const { status, body: said } = await functions.call(model.callMs.payment, request).catch((error) => {
      note('busy');
      throw error;
    });
    if (isBusy(status)) {
      note('busy');
      throw new NoFunctionLeft();
    }
    if (status === 200) return note('payment page');
    if (said.code === usedUp) return note('used up');
    const logged = api.log.findLast((line) => line.includes(session));
    throw new Error(`A buyer read ${status} ${JSON.stringify(said)}. The function logged ${logged}`);
  });
  return answer ?? 'busy';
}

/** Opens a session with the code, looks, and presses Pay, again later if the code is used up and the buyer is patient. */
export async function joinRush(shop: Shop, index: number): Promise<VirtualBuyer> {
  const { random } = shop;
  const email = emailOf(index);
  const opened = await open(shop);
  if ('told' in opened) return { session: '', email, ...opened };
  const { session } = opened;
  await lookAt(shop);
  const isPatient = random() < model.buyers.patient;
  for (let tries = 1; ; tries += 1) {
    const answer = await press(shop, session, index, tries);
    if (answer === 'payment page') return { email, session, ...(await payAtProcessor(shop, session)) };
    if (answer === 'busy' || !isPatient || tries === model.buyers.tries)
      return { session, email, told: answer === 'busy' ? 'busy' : 'used up' };
    await pause(model.buyers.againMs);
  }
}

async function payAtProcessor({ processor, functions, random, seen }: Shop, session: string) {
  const paymentId = (await sessions().get(session)).paymentId ?? '';
  if (random() < model.buyers.leaving) return { paymentId, told: 'left' as const };
  await pause(range(random, model.buyers.paysMs));
  const charge = processor.charged.get(paymentId);
  if (charge?.status !== 'open') return { paymentId, told: 'wrong' as const };
  charge.status = 'succeeded';
  const startedAt = performance.now();
  await insist(random, () => functions.call(model.callMs.return, () => finishPayment(paymentId)));
  seen.push({ at: performance.now(), what: 'paid', ms: performance.now() - startedAt });
  return { paymentId, told: 'paid' as const, paidAt: performance.now() };
}
