import { EventEmitter, on } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

/** A webhook that arrived, and how it was answered. */
export interface ReceivedWebhook {
  /** The event's: the same on every attempt. */
  id: string;
  type: string;
  verified: boolean;
  /** Why it is not verified. */
  reason: string | undefined;
  /** 200, 401 when it cannot be trusted, 500 when it was to fail. */
  status: number;
  receivedAt: Date;
  headers: IncomingHttpHeaders;
  /** The signed text itself. */
  body: string;
}

/** A type of which the delivery was accepted, or any property that a delivery may have. */
type WantedDelivery = string | ((delivery: ReceivedWebhook) => boolean);

const matcher = (wanted: WantedDelivery) =>
  typeof wanted === 'function' ? wanted : ({ type, status }: ReceivedWebhook) => type === wanted && status === 200;

/** The deliveries that a receiver got, in order. */
export class DeliveryLog {
  readonly deliveries: ReceivedWebhook[] = [];
  readonly #arrivals = new EventEmitter<{ arrival: [ReceivedWebhook] }>();

  add(delivery: ReceivedWebhook): void {
    this.deliveries.push(delivery);
    this.#arrivals.emit('arrival', delivery);
  }

  /** The first matching delivery, past or future. Rejects after the timeout. */
  async waitFor(wanted: WantedDelivery, timeoutMs: number): Promise<ReceivedWebhook> {
    const matches = matcher(wanted);
    const known = this.deliveries.find(matches);
    if (known) return known;
    try {
      return await this.#next(matches, AbortSignal.timeout(timeoutMs));
    } catch (error) {
      throw new Error(`No such webhook in ${timeoutMs} ms: ${this.#describe(wanted)}`, { cause: error });
    }
  }

  async #next(matches: (delivery: ReceivedWebhook) => boolean, signal: AbortSignal): Promise<ReceivedWebhook> {
    for await (const [delivery] of on(this.#arrivals, 'arrival', { signal })) if (matches(delivery)) return delivery;
    throw new Error('The receiver has stopped.');
  }

  #describe(wanted: WantedDelivery): string {
    const name = typeof wanted === 'string' ? wanted : 'one that matches';
    const arrived = this.deliveries.map(({ type, status }) => `${type} (${status})`).join(', ');
    return `${name}; arrived: ${arrived || 'none'}.`;
  }
}
