import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import type { PaymentMeans } from './payment-means.ts';

/** Any object that has an id. */
export type StoredObject =
  | Stripe.Checkout.Session
  | Stripe.PaymentIntent
  | Stripe.Charge
  | Stripe.Refund
  | Stripe.Dispute
  | Stripe.BalanceTransaction
  | Stripe.Payout
  | Stripe.Radar.EarlyFraudWarning;

/** The setup of an account, as its owner sees it in the dashboard. */
export interface AccountProfile {
  /** Whether it may take payments. */
  chargesEnabled: boolean;
  /** The name that buyers see; null until the owner has set it. */
  businessName: string | null;
  /** The currencies that it can charge; undefined means all. */
  currencies: ReadonlySet<string> | undefined;
  /** The methods that its payment pages offer. */
  methods: readonly string[];
  /** Whether its charges can add text to its name on bank statements. */
  takesSuffixes: boolean;
}

/** Clock, seed and mode of an account. */
interface AccountOptions {
  now: () => Date;
  /** The seed of the account's ids. The order of creation decides them too. */
  seed: string;
  isLive: boolean;
}

/** The checked parameters that create a session. */
export interface StripeSessionRequest {
  amount: number;
  currency: string;
  lines: readonly { name: string; amount: number; image: string | null }[];
  /** The description of the payment in the dashboard. */
  description: string | null;
  clientReferenceId: string | null;
  metadata: Record<string, string>;
  intentMetadata: Record<string, string>;
  statementSuffix: string | null;
  /** The payment methods on its page; null means all of the account. */
  methods: string[] | null;
  email: string | null;
  locale: Stripe.Checkout.Session['locale'];
  successUrl: string;
  cancelUrl: string | null;
  expiresAt: number;
}

/** Facts about a session that the API does not show: its lines, its intent, and the buyer's means of payment. */
export interface Checkout {
  request: StripeSessionRequest;
  intent?: Stripe.PaymentIntent;
  means?: PaymentMeans;
}

/**
 * How an account settles charges: in which currency, at which rate for one unit of the charge, and after how many
 * seconds the balance transaction exists.
 */
export interface Settlement {
  currency: string;
  rate: number;
  afterSeconds: number;
}

/** An amount that was paid, refunded or disputed, in the currency of the charge. */
export interface Movement {
  type: Stripe.BalanceTransaction['type'];
  amount: number;
  currency: string;
  fee?: number;
  /** The charge, refund, dispute or payout; null if there is none. */
  source: string | null;
}

/** Called for each event of an account. Notifications report these events. */
type Occurred = (type: Stripe.Event['type'], object: StoredObject) => void;

/**
 * All objects of an account by id, in the order of creation. It also has the account's clock and its generator of ids.
 */
export class Account {
  readonly isLive: boolean;
  readonly sessions = new Map<string, Stripe.Checkout.Session>();
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly disputes = new Map<string, Stripe.Dispute>();
  readonly warnings = new Map<string, Stripe.Radar.EarlyFraudWarning>();
  readonly transactions = new Map<string, Stripe.BalanceTransaction>();
  readonly payouts = new Map<string, Stripe.Payout>();
  /** The automatic payout that contains an entry of the balance. */
  readonly paidOutIn = new Map<string, string>();
  readonly checkouts = new Map<string, Checkout>();
  readonly movements: Movement[] = [];
  /** How charges are settled. If undefined, each charge is settled at once, in its own currency. */
  settlement: Settlement | undefined;
  readonly endpoints = new Map<string, MadeEndpoint>();
  readonly profile: AccountProfile = {
    chargesEnabled: true,
    businessName: 'A Shop',
    currencies: undefined,
    methods: ['card', 'sepa_debit', 'customer_balance'],
    takesSuffixes: true,
  };
  /** The calls that its key may make, such as `POST refunds`; undefined means all. */
  rights: ReadonlySet<string> | undefined;
  /** Sessions that are being paid at this moment. They cannot be expired. */
  readonly underWay = new Set<string>();
  /** The money for refunds by currency, in Stripe's unit. If undefined, there is always enough. */
  available: Map<string, number> | undefined;
  /** What happens to a refund if there is too little money for it: it waits, or it is refused. */
  shortage: 'pending' | 'refused' = 'refused';
  /** The means of payment of each charge. A test card also decides how its refunds end. */
  readonly meansByCharge = new Map<string, PaymentMeans>();
  readonly now: () => Date;
  occurred: Occurred = () => {};
  readonly #seed: string;
  #given = 0;

  get id(): string {
    return this.isLive ? 'acct_live_fake' : 'acct_test_fake';
  }

  constructor({ now, seed, isLive }: AccountOptions) {
    this.now = now;
    this.isLive = isLive;
    this.#seed = seed;
  }

  /** The current time in Unix seconds, as in every object. */
  seconds(): number {
    return Math.floor(this.now().getTime() / 1_000);
  }

  newId(prefix: string): string {
    this.#given += 1;
    const digest = createHash('sha256').update(`${this.#seed} ${this.#given}`).digest('hex');
    return `${prefix}_${digest.slice(0, 24)}`;
  }

  /** Finds any object by its id. It is used for lists, and to expand ids in answers. */
  find(id: string): StoredObject | undefined {
    const money = [this.charges, this.refunds, this.disputes, this.transactions, this.payouts];
    for (const objects of [this.sessions, this.intents, ...money]) {
      const found = objects.get(id);
      if (found) return found;
    }
    return undefined;
  }
}

/** A webhook endpoint, with the secret that is shown only at its creation. */
export type MadeEndpoint = Stripe.WebhookEndpoint & { secret: string };

/** An error in the form of the API's answer. */
export class ApiFault extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(status: number, message: string, { type = 'invalid_request_error', code, param }: FaultFacts = {}) {
    super(message);
    this.name = 'ApiFault';
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = param;
  }
}

interface FaultFacts {
  type?: string;
  code?: string | undefined;
  param?: string | undefined;
}

export const missing = (id: string): ApiFault =>
  new ApiFault(404, `No such object: '${id}'`, { code: 'resource_missing', param: 'id' });
