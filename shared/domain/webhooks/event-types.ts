/** The API's event types, by family. Most of them never occur here. */
const dialectFamilies: Record<string, readonly string[]> = {
  payment: ['succeeded', 'failed', 'processing', 'cancelled'],
  refund: ['succeeded', 'failed'],
  dispute: ['opened', 'expired', 'accepted', 'cancelled', 'challenged', 'won', 'lost'],
  subscription: [
    'active',
    'renewed',
    'on_hold',
    'past_due',
    'paused',
    'unpaused',
    'cancelled',
    'failed',
    'expired',
    'plan_changed',
    'updated',
    'update_payment_method',
  ],
  license_key: ['created'],
  payout: ['created', 'on_hold', 'in_progress', 'failed', 'success'],
  credit: [
    'added',
    'deducted',
    'expired',
    'rolled_over',
    'rollover_forfeited',
    'overage_charged',
    'overage_reset',
    'manual_adjustment',
    'balance_low',
  ],
  abandoned_checkout: ['detected', 'recovered'],
  dunning: ['started', 'recovered'],
  entitlement_grant: ['created', 'delivered', 'failed', 'revoked'],
};

/**
 * The types that only this service has, by family. The API's clients do not know them, so an endpoint receives them only
 * if its filter names them. A family of the API names none of them, also where it has the same name.
 */
const ownFamilies: Record<string, readonly string[]> = {
  payment: ['fraud_warned'],
  refund: ['delayed'],
  invoice: ['corrected'],
  dispute: ['adjusted'],
  tax_threshold: ['approached', 'passed'],
  checkout_session: ['expired'],
  confirmation: ['accepted'],
  withdrawal: ['declared', 'decided'],
  code_pool: ['ran_low', 'ran_out'],
};

const typesIn = (families: Record<string, readonly string[]>): string[] =>
  Object.entries(families).flatMap(([family, names]) => names.map((name) => `${family}.${name}`));

/** The 48 types of the API, and their families such as `payment.*`. */
const dialectFilters: ReadonlySet<string> = new Set([
  ...typesIn(dialectFamilies),
  ...Object.keys(dialectFamilies).map((family) => `${family}.*`),
]);

/** Whether a type, or a family such as `payment.*`, is one of the API. */
export const isOfDialect = (filter: string): boolean => dialectFilters.has(filter);

/** The own types of version 0.2.0. It sent them to every endpoint without a filter. */
export const earlyOwnTypes: readonly string[] = [
  'tax_threshold.approached',
  'tax_threshold.passed',
  'checkout_session.expired',
];

/** What a filter can name: event types, and families such as `payment.*`. */
export const eventFilters: ReadonlySet<string> = new Set([
  ...dialectFilters,
  ...typesIn(ownFamilies),
  ...Object.keys(ownFamilies).map((family) => `${family}.*`),
]);

/** Whether a filter names an event type: by its name, or by its family. */
export const isNamed = (filters: readonly string[], type: string): boolean =>
  filters.some((one) => one === type || (one === familyOf(type) && isOfDialect(one) === isOfDialect(type)));

/** The family of a type: `payment.succeeded` → `payment.*`. */
const familyOf = (type: string): string => `${type.slice(0, type.indexOf('.'))}.*`;
