import type Stripe from 'stripe';
import { type Account, ApiFault, type MadeEndpoint, missing } from './account.ts';
import { type FormBody, textAt, textsAt } from './form-body.ts';

/** The owner of the account. Stripe often hides it from restricted keys, so the fake can too. */
export const accountFacts = ({ isLive }: Account) =>
  ({
    id: isLive ? 'acct_live_fake' : 'acct_test_fake',
    object: 'account',
    charges_enabled: true,
    payouts_enabled: true,
    country: 'DE',
    default_currency: 'eur',
    details_submitted: true,
    type: 'standard',
  }) satisfies Partial<Stripe.Account>;

/** The currencies that the fake converts. */
export const countryFacts = (country: string) =>
  ({
    id: country,
    object: 'country_spec',
    default_currency: 'eur',
    supported_payment_currencies: ['eur', 'usd', 'gbp', 'chf', 'sek', 'nok', 'dkk', 'pln', 'czk', 'huf', 'jpy', 'bhd'],
  }) satisfies Partial<Stripe.CountrySpec>;

export function createWebhookEndpoint(account: Account, parameters: FormBody): MadeEndpoint {
  const url = textAt(parameters, 'url') ?? '';
  const events = Object.values(textsAt(parameters, 'enabled_events'));
  if (!URL.canParse(url)) throw new ApiFault(400, 'Invalid URL.', { param: 'url' });
  if (events.length === 0)
    throw new ApiFault(400, 'Missing required param: enabled_events.', { param: 'enabled_events' });
  const made: MadeEndpoint = {
    id: account.newId('we'),
    object: 'webhook_endpoint',
    api_version: textAt(parameters, 'api_version') ?? null,
    application: null,
    created: account.seconds(),
    description: textAt(parameters, 'description') ?? null,
    enabled_events: events,
    livemode: account.isLive,
    metadata: {},
    secret: account.newId('whsec'),
    status: 'enabled',
    url,
  };
  account.endpoints.set(made.id, made);
  return made;
}

export function updateWebhookEndpoint(account: Account, id: string, parameters: FormBody): MadeEndpoint {
  const known = account.endpoints.get(id);
  if (!known) throw missing(id);
  const events = Object.values(textsAt(parameters, 'enabled_events'));
  if (events.length > 0) known.enabled_events = events;
  if (textAt(parameters, 'disabled') === 'true') known.status = 'disabled';
  return known;
}

/** Endpoints as lists show them: without the secret. */
export const withoutSecret = ({ secret: _, ...shown }: MadeEndpoint): Stripe.WebhookEndpoint => shown;
