import { EventEmitter, on } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

/** A webhook that the receiver got, and its answer. */
export interface ReceivedWebhook {
  /** The event's id, which is the same on every attempt. */
  id: string;
  type: string;
  verified: boolean;
  /** Why the signature could not be verified. */
  reason: string | undefined;
  /** The status of the answer. 200: accepted. 401: the signature is wrong. 500: the receiver had to fail. */
  status: number;
  receivedAt: Date;
  headers: IncomingHttpHeaders;
  /** The signed body as text. */
  body: string;
}

/** An event type whose delivery was accepted, or a condition for a delivery. */
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

  /** Waits for the first delivery that matches. It may have arrived before. Rejects after the timeout. */
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
