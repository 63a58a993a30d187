import type { PayoutRow } from '../../shared/domain/payouts/payout.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { presentPayout } from '../../shared/wire/payouts/payout.ts';
import { PayoutQuery, payoutTerms } from '../../shared/wire/payouts/payout-list.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { payouts, site } from '../../shared/wiring/runtime.ts';

const deps = { payouts: payouts() };

/** GET /payouts */
export const handler = endpoint(
  { access: 'read', query: PayoutQuery, present: presentPage<PayoutRow>(presentPayout(site()), payoutTerms) },
  ({ query, walk }) => {
    const { created_at_gte: createdFrom, created_at_lte: createdTo } = query;
    return deps.payouts.list({ createdFrom, createdTo }, toPageRequest(query, walk));
  },
);
