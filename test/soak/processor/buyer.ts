import type { ApiAnswer } from '../../support/shop/api.ts';
import type { Doom } from './mortal.ts';
import type { ProcessorWorld } from './processor-world.ts';

const hiddenField = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

const pressesAtMost = 6;

export interface Cart {
  sessionId: string;
  productId: string;
  /** The amount of a product whose price the buyer chooses, as it is typed. */
  amount?: string;
}

/** One tab of a browser without JavaScript. Two of the same browser share their cookies. */
export class Tab {
  readonly cart: Cart;
  readonly #world: ProcessorWorld;
  readonly #cookies: Map<string, string>;
  #form: Record<string, string> = {};

  constructor(world: ProcessorWorld, cart: Cart, cookies = new Map<string, string>()) {
    this.#world = world;
    this.cart = cart;
    this.#cookies = cookies;
  }

  /** A further tab of the same browser, with the same form. */
  another(): Tab {
    const tab = new Tab(this.#world, this.cart, this.#cookies);
    tab.#form = { ...this.#form };
    return tab;
  }

  /** Opens the page, fills it in, and lets it show the total. */
  async fillIn(fields: Record<string, string> = {}): Promise<void> {
    const shown = await this.visit();
    const amount = this.cart.amount === undefined ? {} : { [`amount.${this.cart.productId}`]: this.cart.amount };
    const token = hiddenField(shown.text, 'token');
    this.#form = {
      token,
      email: 'buyer@example.com',
      name: 'A Buyer',
      country: 'DE',
      ...amount,
      ...this.#form,
      ...fields,
    };
    if (token !== '') this.#form = { ...this.#form, token };
    const quoted = await this.#persist(() => this.#post('quote', this.#form));
    const expected = hiddenField(quoted.text, 'expected_total');
    if (expected !== '') this.#form = { ...this.#form, expected_total: expected };
  }

  /** The session's own page. */
  visit(): Promise<ApiAnswer> {
    return this.#persist(() => this.#ask(`GET /checkout/${this.cart.sessionId}`));
  }

  /** Presses the button once; undefined: no answer came. Else where it leads: to the processor's page, or back to ours. */
  async press(chance: number | Doom = 0.25): Promise<string | undefined> {
    const answer = await this.#post('pay', this.#form, chance);
    return answer && answer.status === 303 ? (answer.headers['location'] ?? '') : answer && '';
  }

  /** Presses until there is an answer, and follows it to the processor's page. */
  async payButton(): Promise<string> {
    for (let presses = 0; presses < pressesAtMost; presses += 1) {
      const location = await this.press();
      if (location !== undefined && this.isAtProcessor(location)) return location;
      if (location !== undefined && presses > 0) break;
      this.#world.count('buyers who press again');
      await this.#world.time.sleep(1);
    }
    return this.wayOn();
  }

  /** The address behind "Continue paying", while there is one. */
  async wayOn(): Promise<string> {
    const { text } = await this.visit();
    return /class="pay" href="([^"]+)"/.exec(text)?.[1] ?? '';
  }

  change(): Promise<ApiAnswer | undefined> {
    return this.#post('change', { token: this.#form['token'] ?? '' });
  }

  isAtProcessor(location: string): boolean {
    return location.startsWith(`${this.#world.fake.url}/c/pay/`);
  }

  /** The button of the processor's page; what the processor answers. */
  async payThere(url: string, means: string, confirmed?: 'yes' | 'no'): Promise<Response> {
    const body = new URLSearchParams({ means, ...(confirmed ? { confirmed } : {}) });
    return fetch(url, { method: 'POST', body, redirect: 'manual' });
  }

  /** Where the processor leads after the payment. */
  async comeBack(): Promise<void> {
    await this.#ask(`GET /checkout/${this.cart.sessionId}/return`);
  }

  async #persist(act: () => Promise<ApiAnswer | undefined>): Promise<ApiAnswer> {
    for (let tries = 0; tries < 20; tries += 1) {
      const answer = await act();
      if (answer && answer.status !== 503) return answer;
    }
    throw new Error(`The page of ${this.cart.sessionId} never came.`);
  }

  async #ask(request: string): Promise<ApiAnswer | undefined> {
    const headers = { 'accept-language': 'en' };
    return this.#keep(await this.#world.ask(request, { key: null, headers, cookies: [...this.#cookies.values()] }));
  }

  async #post(action: string, fields: Record<string, string>, chance: number | Doom = 0.25) {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      'accept-language': 'en',
    };
    const raw = Buffer.from(new URLSearchParams(fields).toString());
    const options = { raw, headers, key: null, cookies: [...this.#cookies.values()] };
    return this.#keep(await this.#world.ask(`POST /checkout/${this.cart.sessionId}/${action}`, options, chance));
  }

  #keep(answer: ApiAnswer | undefined): ApiAnswer | undefined {
    for (const cookie of answer?.cookies ?? [])
      this.#cookies.set(cookie.split('=')[0] ?? '', cookie.split(';')[0] ?? '');
    if (answer && answer.status >= 500) this.#world.count(`pages answered ${answer.status}`);
    return answer;
  }
}
