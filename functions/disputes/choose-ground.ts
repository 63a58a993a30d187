import { keys } from '../../shared/store/keys.ts';
import { chooseGround } from '../../shared/use-cases/disputes/choose-ground.ts';
import { presentDispute } from '../../shared/wire/payments/dispute.ts';
import { AdjustmentInput } from '../../shared/wire/payments/dispute-adjustment.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { disputes, newId, now, payments, site } from '../../shared/wiring/runtime.ts';

const deps = { disputes: disputes(), payments: payments(), now, newId };

/** POST /disputes/{dispute_id}/adjustments */
export const handler = endpoint(
  {
    body: AdjustmentInput,
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.dispute(param('dispute_id'))],
    present: presentDispute(site()),
  },
  ({ param, body, claim }) => chooseGround(deps, { disputeId: param('dispute_id'), ...body }, claim),
);
