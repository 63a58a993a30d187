import type Stripe from 'stripe';
import * as z from 'zod';
import { type CheckLine, fulfilled, lacks, remark } from '../../../../domain/check-line.ts';
import type { NotificationSetup } from '../../processor-description.ts';
import { parse } from '../ask.ts';
import { apiVersion, type StripeClient } from '../client.ts';
import { notificationTypes } from './notification-types.ts';

/** The fields of a webhook endpoint that we read. */
export const StripeEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  status: z.string(),
  api_version: z.string().nullable(),
  enabled_events: z.array(z.string()),
  secret: z.string().optional(),
});
type StripeEndpoint = z.infer<typeof StripeEndpoint>;

const Endpoints = z.object({ data: z.array(StripeEndpoint) });

/** Our active endpoints, the newest first. */
async function endpointsAt(stripe: StripeClient, address: string): Promise<StripeEndpoint[]> {
  const { data } = parse(Endpoints, await stripe.get('webhook_endpoints', { limit: 100 }));
  return data.filter(({ url, status }) => url === address && status === 'enabled');
}

async function createEndpoint(stripe: StripeClient, address: string): Promise<{ id: string; secret: string }> {
  const parameters = {
    url: address,
    enabled_events: [...notificationTypes] as Stripe.WebhookEndpointCreateParams.EnabledEvent[],
    api_version: apiVersion as Stripe.WebhookEndpointCreateParams.ApiVersion,
    description: 'Tillstack',
  } satisfies Stripe.WebhookEndpointCreateParams;
  const { id, secret } = parse(StripeEndpoint, await stripe.post('webhook_endpoints', parameters, null));
  if (!secret) throw new Error('Stripe has created the endpoint without telling its signing secret.');
  return { id, secret };
}

/**
 * Checks whether notifications reach this stack. An endpoint must have our events, and its signing secret must be
 * stored.
 */
export async function checkEndpoint(stripe: StripeClient, at: NotificationSetup): Promise<CheckLine[]> {
  const [endpoint, ...others] = await endpointsAt(stripe, at.address);
  const secrets = await at.signingSecrets();
  if (!endpoint)
    return [
      lacks(`no endpoint at ${at.address}: add --create-endpoint`),
      remark(`to create it by hand, choose these events: ${notificationTypes.join(', ')}`),
    ];
  const lacking = notificationTypes.filter((type) => !hears(endpoint, type));
  return [
    fulfilled(`${endpoint.id} is at ${at.address}`),
    lacking.length === 0
      ? fulfilled(`it hears all ${notificationTypes.length} kinds of notifications`)
      : lacks(`it does not hear ${lacking.join(', ')}: add --create-endpoint`),
    ...doubled(others, secrets),
    ...(endpoint.api_version === apiVersion
      ? []
      : [remark(`its version is ${endpoint.api_version}, ours ${apiVersion}: rotate creates one with ours`)]),
    secrets.length > 0
      ? fulfilled(`its signing secret is stored${secrets.length > 1 ? ', and the one before' : ''}`)
      : lacks('its signing secret is not stored: rotate creates a new endpoint whose secret is'),
  ];
}

/**
 * Warns if there are several endpoints outside a rotation, because each notification then comes twice. During a
 * rotation, there are two endpoints and two secrets.
 */
function doubled(others: readonly StripeEndpoint[], secrets: readonly string[]): CheckLine[] {
  if (others.length === 0) return [];
  const ids = others.map(({ id }) => id).join(', ');
  return [
    secrets.length > others.length
      ? remark(`${ids} is there too until the rotation is finished: rotate --finish`)
      : lacks(`${ids} is at the same address, so notifications come twice: rotate, then rotate --finish disables it`),
  ];
}

const hears = ({ enabled_events: types }: StripeEndpoint, type: string): boolean =>
  types.includes(type) || types.includes('*');

/**
 * Creates the endpoint with our events, or adds the missing ones. The signing secret is written only to the parameter
 * store.
 */
export async function ensureEndpoint(stripe: StripeClient, at: NotificationSetup): Promise<string> {
  const [endpoint] = await endpointsAt(stripe, at.address);
  if (endpoint && (await at.signingSecrets()).length > 0) {
    const events = [...notificationTypes] as Stripe.WebhookEndpointUpdateParams.EnabledEvent[];
    const parameters = { enabled_events: events } satisfies Stripe.WebhookEndpointUpdateParams;
    await stripe.post(`webhook_endpoints/${endpoint.id}`, parameters, null);
    return `${endpoint.id} hears all ${events.length} kinds of notifications.`;
  }
  const created = await createEndpoint(stripe, at.address);
  await at.saveSigningSecrets([created.secret]);
  return `${created.id} is created, and its signing secret stored.`;
}

/** Creates a second endpoint with another secret. Both secrets are accepted until `finishRotation`. */
export async function beginRotation(stripe: StripeClient, at: NotificationSetup): Promise<string> {
  const [current] = await at.signingSecrets();
  const { id, secret } = await createEndpoint(stripe, at.address);
  await at.saveSigningSecrets(current === undefined ? [secret] : [secret, current]);
  return `${id} is created beside the endpoint before, and both secrets are accepted. In ten minutes, end the rotation with --finish.`;
}

/** Disables all endpoints except the newest, and removes their secrets. */
export async function finishRotation(stripe: StripeClient, at: NotificationSetup): Promise<string> {
  const [newest, ...older] = await endpointsAt(stripe, at.address);
  const [secret] = await at.signingSecrets();
  if (!newest || !secret) return 'There is no endpoint to keep. Nothing is changed.';
  for (const { id } of older) await stripe.post(`webhook_endpoints/${id}`, { disabled: true }, null);
  await at.saveSigningSecrets([secret]);
  return `${newest.id} is the only endpoint, and its secret the only one. Disabled: ${older.map(({ id }) => id).join(', ') || 'none'}.`;
}
