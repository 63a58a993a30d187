import fc from 'fast-check';
import { expect } from 'vitest';
import { dueRows, world } from '../../../shared/wiring/runtime.ts';
import { clock } from '../clock.ts';
import type { Api, ApiAnswer } from '../shop/api.ts';
import { cards } from '../shop/cards.ts';
import { finishPayment, finishRefund } from '../shop/settle.ts';
import { fieldGuide, pay } from '../shop/shop.ts';

interface SoldProduct {
  id: string;
  price: number;
  isArchived: boolean;
}

interface Session {
  id: string;
  price: number;
  productId: string;
  expiresAt: number;
  attempts: number;
  state: 'open' | 'processing' | 'completed';
}

interface Sale {
  id: string;
  session: Session;
  card: Card;
  state: 'processing' | 'succeeded' | 'failed';
  gross: number;
  refundable: number;
  refunds: { id: string; amount: number; state: 'pending' | 'succeeded' | 'failed' }[];
}

interface Sent {
  request: string;
  body: object;
  headers: Record<string, string>;
  answer: ApiAnswer;
  at: number;
}

/** The expected state of the shop, as a model that is as simple as possible. */
export interface ShopModel {
  products: SoldProduct[];
  sessions: Session[];
  sales: Sale[];
  sent: Sent[];
  endpointId: string;
  secret: string;
}

type Card = 'good' | 'declined' | 'slowSuccess' | 'slowDecline' | 'failingRefunds' | 'slowRefunds';
type Command = fc.AsyncCommand<ShopModel, Api>;

const nowMs = (): number => world.now().getTime();
const at = <Item>(items: readonly Item[], place: number): Item => items[place % items.length] as Item;

const named = (
  name: string,
  check: (shop: ShopModel) => boolean,
  run: (shop: ShopModel, api: Api) => Promise<void>,
): Command => ({
  check,
  run: async (shop, api) => {
    clock.forward({ milliseconds: 1_000 });
    await run(shop, api);
  },
  toString: () => name,
});

let serial = 0;

/** Sends a command with a new Idempotency-Key, and remembers the command. */
async function send(shop: ShopModel, api: Api, request: string, body: object): Promise<ApiAnswer> {
  serial += 1;
  const headers = { 'idempotency-key': `model-${serial}` };
  const answer = await api.call(request, { body, headers });
  shop.sent.push({ request, body, headers, answer, at: nowMs() });
  return answer;
}

const priceOf = (price: number) => ({ price: { ...fieldGuide.price, price } });

const createProduct = (price: number): Command =>
  named(
    `create a product at ${price}`,
    () => true,
    async (shop, api) => {
      const { status, body } = await send(shop, api, 'POST /products', { ...fieldGuide, ...priceOf(price) });
      expect(status).toBe(200);
      shop.products.push({ id: body.product_id, price, isArchived: false });
    },
  );

const patchProduct = (place: number, price: number): Command =>
  named(
    `change product ${place} to ${price}`,
    ({ products }) => products.length > 0,
    async (shop, api) => {
      const product = at(shop.products, place);
      const { status } = await send(shop, api, `PATCH /products/${product.id}`, priceOf(price));
      expect(status).toBe(product.isArchived ? 410 : 200);
      if (!product.isArchived) product.price = price;
    },
  );

const archiveProduct = (place: number): Command =>
  named(
    `archive product ${place}`,
    ({ products }) => products.length > 0,
    async ({ products }, api) => {
      const product = at(products, place);
      expect((await api.call(`DELETE /products/${product.id}`)).status).toBe(product.isArchived ? 410 : 200);
      product.isArchived = true;
    },
  );

const createSession = (place: number): Command =>
  named(
    `open a session for product ${place}`,
    ({ products }) => products.length > 0,
    async (shop, api) => {
      const product = at(shop.products, place);
      const cart = { product_cart: [{ product_id: product.id, quantity: 1 }] };
      const { status, body } = await send(shop, api, 'POST /checkouts', cart);
      expect(status).toBe(product.isArchived ? 422 : 200);
      if (product.isArchived) return;
      const terms = { price: product.price, productId: product.id, expiresAt: nowMs() + 86_400_000 };
      shop.sessions.push({ id: body.session_id, ...terms, attempts: 0, state: 'open' });
    },
  );

const refusalOf = ({ state, attempts, expiresAt }: Session): string | undefined => {
  if (state !== 'open' || attempts >= 10) return 'CHECKOUT_SESSION_CONSUMED';
  return nowMs() >= expiresAt ? 'CHECKOUT_SESSION_EXPIRED' : undefined;
};

/** The result that a test card gives to a charge. */
const chargedBy = (card: Card): Sale['state'] =>
  card === 'declined' ? 'failed' : card.startsWith('slowS') || card === 'slowDecline' ? 'processing' : 'succeeded';

function noteSale(shop: ShopModel, session: Session, card: Card, id: string): void {
  const state = chargedBy(card);
  session.attempts += 1;
  session.state = state === 'failed' ? 'open' : state === 'succeeded' ? 'completed' : 'processing';
  shop.sales.push({ id, session, card, state, gross: session.price, refundable: session.price, refunds: [] });
}

/**
 * Pays in several tabs at the same time. While the payment can still fail, each tab counts as an attempt. A tab that
 * finds another tab's charge in progress does not count.
 */
const payIn = (tabs: number, place: number, card: Card): Command =>
  named(
    `pay session ${place} in ${tabs} tabs with ${card}`,
    ({ sessions }) => sessions.length > 0,
    async (shop) => {
      const session = at(shop.sessions, place);
      const attempts = Array.from({ length: tabs }, () =>
        pay(session.id, { expectedTotal: session.price, card: cards[card] }).then(
          (payment) => payment,
          ({ code }: { code: string }) => code,
        ),
      );
      const outcomes = (await Promise.all(attempts)).sort((a) => (typeof a === 'string' ? 1 : -1));
      const whileCharging = outcomes.some((outcome) => typeof outcome !== 'string')
        ? ['CHECKOUT_SESSION_CONSUMED']
        : [];
      for (const outcome of outcomes) {
        const refusal = refusalOf(session);
        if (typeof outcome === 'string') expect([refusal, ...whileCharging]).toContain(outcome);
        else {
          expect({ refusal, gross: outcome.gross, status: outcome.status }).toEqual({
            refusal: undefined,
            gross: session.price,
            status: chargedBy(card),
          });
          noteSale(shop, session, card, outcome.id);
        }
      }
    },
  );

const refund = (place: number, percent: number): Command =>
  named(
    `refund ${percent} % of sale ${place}`,
    ({ sales }) => sales.length > 0,
    async (shop, api) => {
      const sale = at(shop.sales, place);
      const amount = percent === 100 ? null : Math.max(1, Math.floor((sale.gross * percent) / 100));
      const { status, body } = await send(shop, api, 'POST /refunds', { payment_id: sale.id, amount });
      const wanted = amount ?? sale.refundable;
      const isPossible = sale.state === 'succeeded' && sale.refundable > 0 && wanted <= sale.refundable;
      expect({ status, amount: body.amount }).toEqual(isPossible ? { status: 200, amount: wanted } : { status: 422 });
      if (!isPossible) return;
      const isSlow = sale.card === 'failingRefunds' || sale.card === 'slowRefunds';
      sale.refundable -= wanted;
      sale.refunds.push({ id: body.refund_id, amount: wanted, state: isSlow ? 'pending' : 'succeeded' });
      expect(body.status).toBe(isSlow ? 'pending' : 'succeeded');
    },
  );

function noteEnds(sale: Sale): void {
  if (sale.state === 'processing') {
    sale.state = sale.card === 'slowDecline' ? 'failed' : 'succeeded';
    sale.session.state = sale.state === 'failed' ? 'open' : 'completed';
  }
  for (const one of sale.refunds.filter(({ state }) => state === 'pending')) {
    one.state = sale.card === 'failingRefunds' ? 'failed' : 'succeeded';
    if (one.state === 'failed') sale.refundable += one.amount;
  }
}

const settle = (place: number): Command =>
  named(
    `settle sale ${place}, twice at once`,
    ({ sales }) => sales.length > 0,
    async ({ sales }) => {
      const sale = at(sales, place);
      await Promise.all([finishPayment(sale.id), finishPayment(sale.id)]);
      for (const { id } of sale.refunds) await Promise.all([finishRefund(id), finishRefund(id)]);
      noteEnds(sale);
    },
  );

const sweep = (): Command =>
  named(
    'sweep',
    () => true,
    async ({ sales }) => {
      clock.forward({ minutes: 1 });
      for (const { kind, id } of await dueRows().list(world.now().toISOString(), 4_000)) {
        if (kind === 'payment') await finishPayment(id);
        if (kind === 'refund') await finishRefund(id);
      }
      for (const sale of sales) noteEnds(sale);
    },
  );

const keptMs = 48 * 3_600_000;

const replay = (place: number): Command =>
  named(
    `repeat request ${place}`,
    ({ sent }) => sent.some((one) => nowMs() < one.at + keptMs),
    async ({ sent }, api) => {
      const fresh = sent.filter((one) => nowMs() < one.at + keptMs);
      if (fresh.length === 0) return;
      const { request, body, headers, answer } = at(fresh, place);
      const again = await api.call(request, { body, headers });
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
        answer.status,
        answer.text,
        'true',
      ]);
    },
  );

const expire = (hours: number): Command =>
  named(
    `wait ${hours} hours`,
    () => true,
    async () => clock.forward({ hours }),
  );

const rotate = (): Command =>
  named(
    'rotate the signing secret',
    () => true,
    async (shop, api) => {
      expect((await api.call(`POST /webhooks/${shop.endpointId}/rotate`, { body: {} })).status).toBe(200);
      const { body } = await api.call(`GET /webhooks/${shop.endpointId}/secret`);
      expect(body.secret).not.toBe(shop.secret);
      shop.secret = body.secret;
    },
  );

const place = fc.nat(20);
const price = fc.oneof(fc.integer({ min: 50, max: 500 }), fc.integer({ min: 50, max: 100_000 }));
const card = fc.constantFrom<Card>(
  'good',
  'good',
  'declined',
  'slowSuccess',
  'slowDecline',
  'failingRefunds',
  'slowRefunds',
);

const percent = fc.constantFrom(1, 10, 33, 50, 60, 100);

/** All actions on a shop. Actions that move money are the most frequent. */
export const someCommand: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: price.map(createProduct), weight: 1 },
  { arbitrary: fc.tuple(place, price).map(([one, other]) => patchProduct(one, other)), weight: 1 },
  { arbitrary: place.map(archiveProduct), weight: 1 },
  { arbitrary: place.map(createSession), weight: 4 },
  { arbitrary: fc.tuple(place, card).map(([one, other]) => payIn(1, one, other)), weight: 4 },
  { arbitrary: fc.tuple(place, card).map(([one, other]) => payIn(2, one, other)), weight: 3 },
  { arbitrary: fc.tuple(place, percent).map(([one, other]) => refund(one, other)), weight: 8 },
  { arbitrary: place.map(settle), weight: 2 },
  { arbitrary: place.map(replay), weight: 2 },
  { arbitrary: fc.constantFrom(1, 1, 25).map(expire), weight: 1 },
  { arbitrary: fc.constant(null).map(rotate), weight: 1 },
  { arbitrary: fc.constant(null).map(sweep), weight: 1 },
);

/** Compares the API's view of every sale with the model. */
export async function compareSales({ sales }: ShopModel, api: Api): Promise<void> {
  for (const { id, state, gross, refundable, refunds } of sales) {
    const { body } = await api.call(`GET /payments/${id}`);
    const told = body.refunds.map((one: { refund_id: string; status: string }) => [one.refund_id, one.status]);
    expect({ status: body.status, total: body.total_amount, left: body.refundable_amount, refunds: told }).toEqual({
      status: state,
      total: gross,
      left: state === 'succeeded' ? refundable : 0,
      refunds: refunds.map((one) => [one.id, one.state]),
    });
  }
}
