import type Stripe from 'stripe';
import { type Account, ApiFault, type MadeEndpoint, missing } from './account.ts';
import { type FormBody, textAt, textsAt } from './form-body.ts';

const blankBusiness = {
  annual_revenue: null,
  estimated_worker_count: null,
  mcc: null,
  minority_owned_business_designation: null,
  product_description: null,
  specified_commercial_transactions_act_url: null,
  support_address: null,
  support_email: null,
  support_phone: null,
  support_url: null,
  url: null,
} satisfies Partial<Stripe.Account.BusinessProfile>;

/** The account for its owner. Stripe often hides it from restricted keys, so the fake can hide it too. */
export const accountFacts = ({ id, profile }: Account) =>
  ({
    id,
    object: 'account',
    business_profile: { ...blankBusiness, name: profile.businessName },
    charges_enabled: profile.chargesEnabled,
    payouts_enabled: profile.chargesEnabled,
    country: 'DE',
    default_currency: 'eur',
    details_submitted: profile.chargesEnabled,
    type: 'standard',
  }) satisfies Partial<Stripe.Account>;

/** The currencies that accounts in a country can charge. */
export const countryFacts = (country: string) =>
  ({
    id: country,
    object: 'country_spec',
    default_currency: 'eur',
    supported_bank_account_currencies: { eur: [country] },
    supported_payment_methods: ['ach', 'card', 'stripe'],
    supported_transfer_countries: [country],
    verification_fields: {
      company: { additional: [], minimum: ['business_type'] },
      individual: { additional: [], minimum: ['business_type'] },
    },
    supported_payment_currencies: ['eur', 'usd', 'gbp', 'chf', 'sek', 'nok', 'dkk', 'pln', 'czk', 'huf', 'jpy', 'bhd'],
  }) satisfies Partial<Stripe.CountrySpec>;

/** The money of the account. If there is no limit, everything that was paid in is available. */
export function balanceOf({ available, isLive, transactions }: Account) {
  const sums = new Map(available);
  if (!available)
    for (const { currency, net } of transactions.values()) sums.set(currency, (sums.get(currency) ?? 0) + net);
  return {
    object: 'balance',
    available: [...sums].map(([currency, amount]) => ({ amount, currency, source_types: { card: amount } })),
    livemode: isLive,
    pending: [],
  } satisfies Stripe.Balance;
}

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

/** An endpoint as lists show it, without its secret. */
export const withoutSecret = ({ secret: _, ...shown }: MadeEndpoint): Stripe.WebhookEndpoint => shown;
