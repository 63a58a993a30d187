import * as z from 'zod';
import { parse } from '../ask.ts';
import { type StripeClient, StripeRefusal } from '../client.ts';
import { notificationTypes } from './notification-types.ts';

const Endpoints = z.object({
  data: z.array(z.object({ url: z.string(), status: z.string(), enabled_events: z.array(z.string()) })),
});

/**
 * The events that no active endpoint at an address receives. Empty if the key may not read endpoints, or if there is no
 * endpoint. The command `check` reports these two cases.
 */
export async function missingEvents(stripe: StripeClient, address: string): Promise<string[]> {
  try {
    const { data } = parse(Endpoints, await stripe.get('webhook_endpoints', { limit: 100 }));
    const heard = data.flatMap((one) => (one.url === address && one.status === 'enabled' ? one.enabled_events : []));
    if (heard.length === 0 || heard.includes('*')) return [];
    return notificationTypes.filter((type) => !heard.includes(type));
  } catch (error) {
    if (error instanceof StripeRefusal && error.status === 403) return [];
    throw error;
  }
}
