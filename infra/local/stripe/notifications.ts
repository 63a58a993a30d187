import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import type { Account, StoredObject } from './account.ts';

/** The address for an account's notifications. During a rotation, there are two secrets, and both sign. */
export interface NotificationEndpoint {
  url: string;
  secrets: readonly string[];
}

/** How often notifications are sent. `held` keeps them until `release` sends them in a chosen order. */
type NotifyHabit = 'once' | 'never' | 'twice' | 'held';

interface Delivery {
  target: NotificationEndpoint;
  event: Record<string, unknown>;
  attempts: number;
  dueAt: number;
}

/** After how many minutes a refused notification is sent again. The retries end after three days. */
const retryMinutes = [1, 5, 30, 120, 300, 600, 1_200, 2_400];

/** Signs an account's events and sends them to its endpoint. Tests decide how often and in which order. */
export class NotificationSender {
  habit: NotifyHabit = 'once';
  /** The endpoint that is used in place of those that were created in the account. */
  endpoint: NotificationEndpoint | undefined;
  /** Every event of the account, whether it was sent or not. */
  readonly events: Record<string, unknown>[] = [];
  readonly #account: Account;
  #waiting: Delivery[] = [];
  #held: Delivery[] = [];

  constructor(account: Account) {
    this.#account = account;
    account.occurred = (type, object) => this.#occurred(type, object);
  }

  #occurred(type: Stripe.Event['type'], object: StoredObject): void {
    const event = {
      id: this.#account.newId('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: this.#account.seconds(),
      data: { object: structuredClone(object) },
      livemode: this.#account.isLive,
      pending_webhooks: 1,
      request: null,
      type,
    };
    this.events.push(event);
    if (this.habit === 'never') return;
    const dueAt = this.#account.now().getTime();
    const deliveries = this.#targets(type).map((target): Delivery => ({ target, event, attempts: 0, dueAt }));
    if (this.habit === 'held') this.#held.push(...deliveries);
    else this.#waiting.push(...deliveries, ...(this.habit === 'twice' ? structuredClone(deliveries) : []));
  }

  #targets(type: string): NotificationEndpoint[] {
    if (this.endpoint) return [this.endpoint];
    return [...this.#account.endpoints.values()]
      .filter(({ status, enabled_events: heard }) => status === 'enabled' && (heard.includes(type) || heard[0] === '*'))
      .map(({ url, secret }) => ({ url, secrets: [secret] }));
  }

  /** Sends the held notifications. By default, they are sent in reverse order. */
  release(
    order: (count: number) => number[] = (count) => Array.from({ length: count }, (_, at) => count - 1 - at),
  ): void {
    const held = this.#held;
    this.#held = [];
    for (const at of order(held.length)) {
      const delivery = held[at];
      if (delivery) this.#waiting.push(delivery);
    }
  }

  /** Sends the notifications that are due by the account's clock, one after another. Returns how many were accepted. */
  async deliver(): Promise<number> {
    const now = this.#account.now().getTime();
    const due = this.#waiting.filter(({ dueAt }) => dueAt <= now);
    this.#waiting = this.#waiting.filter(({ dueAt }) => dueAt > now);
    let accepted = 0;
    for (const delivery of due) {
      if (await this.#send(delivery)) accepted += 1;
      else this.#postpone(delivery);
    }
    return accepted;
  }

  get waiting(): number {
    return this.#waiting.length + this.#held.length;
  }

  #postpone(delivery: Delivery): void {
    const minutes = retryMinutes[delivery.attempts];
    if (minutes === undefined) return;
    const dueAt = this.#account.now().getTime() + minutes * 60_000;
    this.#waiting.push({ ...delivery, attempts: delivery.attempts + 1, dueAt });
  }

  async #send({ event, target }: Delivery): Promise<boolean> {
    const body = JSON.stringify(event);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': this.sign(body, target.secrets),
    };
    const sent = fetch(target.url, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    return sent.then(
      (response) => response.arrayBuffer().then(() => response.ok),
      () => false,
    );
  }

  /** The signature header for a body that is sent now, by the account's clock. */
  sign(body: string, secrets: readonly string[] = this.endpoint?.secrets ?? []): string {
    const timestamp = this.#account.seconds();
    const signatures = secrets.map(
      (secret) => `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
    );
    return [`t=${timestamp}`, ...signatures].join(',');
  }
}
