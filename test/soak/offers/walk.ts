import { sessions } from '../../../shared/wiring/runtime.ts';
import { between, pickOne } from '../../support/seeded.ts';
import type { Api, ApiAnswer } from '../../support/shop/api.ts';
import { postForm } from '../../support/shop/dashboard.ts';
import { allCurrencies, type Goods, goTo, offeredIn, owed, type Promised, promise, visited } from './promise.ts';

/** A difference between what was promised and what the shop says. */
export class BrokenPromise extends Error {}

interface Opened extends Promised {
  sessionId: string;
}

const mostOpen = 12;

/** One walk: a merchant who keeps changing everything, and buyers who keep asking what they owe. */
export class RandomWalk {
  readonly steps: string[] = [];
  private readonly goods: Goods[] = [];
  private readonly open: Opened[] = [];
  private codes: { id: string; code: string; percent: number }[] = [];
  private readonly api: Api;
  private readonly random: () => number;

  constructor(api: Api, random: () => number) {
    this.api = api;
    this.random = random;
  }

  async run(steps: number): Promise<void> {
    for (let product = 0; product < 8; product += 1) await this.addGoods(product);
    for (let code = 0; code < 2; code += 1) await this.addCode();
    for (let step = 0; step < steps; step += 1) await this.step();
    while (this.open.length > 0) await this.pay();
  }

  private async step(): Promise<void> {
    const chance = this.random();
    if (chance < 0.35) await this.change();
    else if (chance < 0.5 && this.open.length < mostOpen) await this.openSession();
    else if (this.open.length === 0) await this.openSession();
    else if (chance < 0.75) await this.quote();
    else if (chance < 0.94) await this.quoteByPage();
    else await this.pay();
  }

  private pick = <Item>(items: readonly Item[]): Item => pickOne(this.random, items);
  private isLucky = (chance: number): boolean => this.random() < chance;
  private amount = (): number => 10 * between(this.random, 100, 9_999);

  private async send(request: string, body?: object): Promise<ApiAnswer> {
    this.steps.push(`${request} ${JSON.stringify(body ?? {})}`);
    const answer = await this.api.call(request, {
      ...(body && { body }),
      ...(/checkout\//.test(request) && { key: null }),
    });
    if (answer.status !== 200) throw new BrokenPromise(`${request} was refused: ${answer.text}`);
    return answer;
  }

  private static priceOf = ({ amount, currency, isInclusive, isOpen }: Goods) => ({
    ...{ type: 'one_time_price', currency, price: amount, tax_inclusive: isInclusive },
    ...(isOpen && { pay_what_you_want: true }),
  });

  private async addGoods(index: number): Promise<void> {
    const mode = (['by_country', 'by_currency', null] as const)[index % 3] ?? null;
    const kind = { isInclusive: index % 2 === 0, isOpen: index % 5 === 4, mode, isArchived: false };
    const goods: Goods = { id: '', amount: this.amount(), currency: 'EUR', ...kind, elsewhere: new Map() };
    const fields = {
      name: `Product ${index}`,
      description: 'One of many.',
      tax_category: 'digital_products',
      pricing_mode: mode,
    };
    const { body } = await this.send('POST /products', { ...fields, price: RandomWalk.priceOf(goods) });
    this.goods.push({ ...goods, id: body.product_id });
    for (let price = 0; price < 3; price += 1) await this.addPrice(this.goods[index] as Goods);
  }

  private async addCode(): Promise<void> {
    const percent = this.pick([10, 20]);
    const { body } = await this.send('POST /discounts', { type: 'percentage', amount: percent * 100 });
    this.codes.push({ id: body.discount_id, code: body.code, percent });
  }

  private async change(): Promise<void> {
    const goods = this.pick(this.goods);
    if (goods.isArchived) return this.setArchived(goods, false);
    const ways = [
      () => this.reprice(goods),
      () => this.reprice(goods),
      () => this.addPrice(goods),
      () => this.addPrice(goods),
      () => this.changePrice(goods),
      () => this.removePrice(goods),
      () => this.changeMode(goods),
      () => this.setArchived(goods, true),
      () => this.changeCode(),
    ];
    await this.pick(ways)();
  }

  private async reprice(goods: Goods): Promise<void> {
    goods.amount = this.amount();
    if (this.isLucky(0.2)) goods.isInclusive = !goods.isInclusive;
    if (this.isLucky(0.15)) goods.currency = this.pick(['EUR', 'EUR', 'USD']);
    await this.send(`PATCH /products/${goods.id}`, {
      name: `Product ${this.steps.length}`,
      price: RandomWalk.priceOf(goods),
    });
    if (goods.mode !== 'by_currency') return;
    for (const [id, { currency }] of goods.elsewhere) if (currency === goods.currency) goods.elsewhere.delete(id);
  }

  private async addPrice({ id, mode, currency: own, elsewhere }: Goods): Promise<void> {
    if (mode === null) return;
    const known = [...elsewhere.values()];
    const country = mode === 'by_country' ? this.pick(visited) : null;
    const currency = this.pick(allCurrencies);
    const isTaken = known.some((one) => (country === null ? one.currency === currency : one.country === country));
    if (isTaken || (country === null && currency === own)) return;
    const price = { country, currency, amount: this.amount() };
    const fields = { currency, amount: price.amount, ...(country !== null && { country_code: country }) };
    const { body } = await this.send(`POST /products/${id}/localized-prices`, fields);
    elsewhere.set(body.id, price);
  }

  private async changePrice({ id, elsewhere }: Goods): Promise<void> {
    if (elsewhere.size === 0) return;
    const [priceId, price] = this.pick([...elsewhere]);
    price.amount = this.amount();
    await this.send(`PATCH /products/${id}/localized-prices/${priceId}`, { amount: price.amount });
  }

  private async removePrice({ id, elsewhere }: Goods): Promise<void> {
    if (elsewhere.size === 0) return;
    const [priceId] = this.pick([...elsewhere]);
    await this.send(`DELETE /products/${id}/localized-prices/${priceId}`);
    elsewhere.delete(priceId);
  }

  private async changeMode(goods: Goods): Promise<void> {
    const mode = this.pick(['by_country', 'by_currency', null] as const);
    if (mode === goods.mode) return;
    await this.send(`PATCH /products/${goods.id}`, { pricing_mode: mode });
    goods.mode = mode;
    goods.elsewhere.clear();
  }

  private async setArchived(goods: Goods, isArchived: boolean): Promise<void> {
    await this.send(isArchived ? `DELETE /products/${goods.id}` : `POST /products/${goods.id}/unarchive`);
    goods.isArchived = isArchived;
  }

  private async changeCode(): Promise<void> {
    const code = this.pick(this.codes);
    code.percent = this.pick([10, 20]);
    await this.send(`PATCH /discounts/${code.id}`, { amount: code.percent * 100 });
  }

  /** A cart of one currency, inclusive, exclusive or mixed. */
  private cart(): Goods[] {
    const home = this.pick(['EUR', 'EUR', 'EUR', 'USD']);
    const wanted = this.pick([true, false, undefined]);
    const sold = this.goods.filter(
      ({ isArchived, currency, isInclusive }) =>
        !isArchived && currency === home && (wanted === undefined || wanted === isInclusive),
    );
    return sold.filter(() => this.isLucky(0.5)).slice(0, 4);
  }

  private async openSession(): Promise<void> {
    const cart = this.cart();
    if (cart.length === 0) return;
    const isOpen = cart.some((goods) => goods.isOpen);
    const isLocked = isOpen && this.isLucky(0.3);
    const code = !isOpen && this.isLucky(0.3) ? this.pick(this.codes) : undefined;
    const terms = {
      country: this.isLucky(0.4) ? this.pick(visited) : null,
      currency: this.isLucky(0.2) ? this.pick(allCurrencies) : null,
      isLocked,
      offersCurrencies: this.isLucky(0.8),
      percentOff: code?.percent ?? 0,
    };
    const promised = promise(cart, terms);
    if (!promised) return;
    const amounts = owed(promised, terms.country ?? '').amounts;
    const { body } = await this.send('POST /checkouts', {
      product_cart: cart.map(({ id, isOpen: hasChoice }, index) => ({
        ...{ product_id: id, quantity: 1 },
        ...(isLocked && hasChoice && { amount: amounts[index] }),
      })),
      ...(terms.country && { billing_address: addressIn(terms.country) }),
      ...(terms.currency && { billing_currency: terms.currency }),
      ...(!terms.offersCurrencies && { feature_flags: { allow_currency_selection: false } }),
      ...(code && { discount_codes: [code.code] }),
    });
    this.open.push({ ...promised, sessionId: body.session_id });
  }

  /** The amounts of the lines whose price the buyer chooses: the least that is allowed. Those of other lines are refused. */
  private async chosen(session: Opened, amounts: readonly number[]): Promise<Record<string, number>> {
    const { lines } = await sessions().get(session.sessionId);
    const isChosen = ({ price, amount }: (typeof lines)[number]) => price.kind !== 'fixed' && amount === null;
    return Object.fromEntries(
      lines.flatMap((line, index) => (isChosen(line) ? [[line.productId, amounts[index] as number] as const] : [])),
    );
  }

  private async quote(): Promise<void> {
    const session = this.pick(this.open);
    const country = this.pick(visited);
    goTo(session, country, null);
    const due = owed(session, country);
    const amounts = await this.chosen(session, due.amounts);
    const path = `POST /checkout/${session.sessionId}/quote`;
    const asked = { ...buyerIn(country), amounts, expected_currency: due.currency };
    const { body } = await this.send(path, asked);
    this.compare(`a quote of ${session.sessionId} in ${country}`, due, [body.currency, body.total_amount]);
    for (const [id, least] of Object.entries(amounts)) {
      const answer = await this.api.call(path, {
        key: null,
        body: { ...asked, amounts: { ...amounts, [id]: least - 1 } },
      });
      this.compare('a minimum', { currency: 'REQUEST_AMOUNT_BELOW_MINIMUM', total: least }, [
        answer.body.code,
        answer.body.minimum_amount,
      ]);
    }
  }

  private async quoteByPage(): Promise<void> {
    const session = this.pick(this.open);
    const country = this.pick(visited);
    const { sessionId, currency: shown } = session;
    const byHand = this.isLucky(0.4) ? this.pick(offeredIn(session).concat('')) : '';
    goTo(session, country, byHand === '' ? null : byHand);
    const due = owed(session, country);
    const chosen = Object.entries(await this.chosen(session, due.amounts));
    const { formToken: token } = await sessions().get(sessionId);
    const form = { token, shown_currency: shown, currency: byHand, ...entries, ...formAddress(country) };
    this.steps.push(`page of ${sessionId}: ${country} ${byHand}`);
    const first = await postForm(this.api, `/checkout/${sessionId}/quote`, form, []);
    const amounts = Object.fromEntries(chosen.map(([id, amount]) => [`amount.${id}`, (amount / 100).toFixed(2)]));
    const again = { ...form, currency: due.currency, shown_currency: due.currency, ...amounts };
    const { text } = chosen.length > 0 ? await postForm(this.api, `/checkout/${sessionId}/quote`, again, []) : first;
    const field = (name: string) => new RegExp(`name="${name}" value="(\\w*)"`).exec(text)?.[1];
    // the page names the currency only where there is another one
    const currency = field('shown_currency') ?? (await sessions().get(sessionId)).currency;
    const seen = [currency, Number(field('expected_total'))] as const;
    this.compare(`the page of ${sessionId} in ${country}`, due, seen);
  }

  /** Pays by JSON, without the total that is expected. */
  private async pay(): Promise<void> {
    const session = this.pick(this.open);
    const country = this.pick(visited);
    goTo(session, country, null);
    const due = owed(session, country);
    const amounts = await this.chosen(session, due.amounts);
    const named = Object.keys(amounts).length > 0 && { amounts, expected_currency: due.currency };
    const path = `POST /checkout/${session.sessionId}/pay`;
    const { body } = await this.send(path, { ...buyerIn(country), ...named, test_card: '4242' });
    const { body: payment } = await this.send(`GET /payments/${body.payment_id}`);
    this.compare(`the payment of ${session.sessionId} in ${country}`, due, [payment.currency, payment.total_amount]);
    this.open.splice(this.open.indexOf(session), 1);
  }

  private compare(what: string, due: { currency: string; total: number }, [code, total]: readonly unknown[]): void {
    if (code === due.currency && total === due.total) return;
    throw new BrokenPromise(`${what}: ${due.total} ${due.currency} was promised, and it is ${total} ${code}.`);
  }
}

const addressIn = (country: string) => ({ country, ...(country === 'US' && { state: 'OR', zipcode: '97201' }) });
const buyerIn = (country: string) => ({
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: addressIn(country),
});
const entries = { email: 'buyer@example.com', name: 'A Buyer', card: '4242424242424242' };
const formAddress = (country: string): Record<string, string> =>
  country === 'US' ? { country, region: 'OR', postal_code: '97201' } : { country };
