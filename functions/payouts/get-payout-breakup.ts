import { keys } from '../../shared/store/keys.ts';
import { presentBreakup } from '../../shared/wire/payouts/payout.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { payouts } from '../../shared/wiring/runtime.ts';

const deps = { payouts: payouts() };

/** GET /payouts/{payout_id}/breakup */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.payout(param('payout_id'))], present: presentBreakup },
  ({ param }) => deps.payouts.get(param('payout_id')),
);
