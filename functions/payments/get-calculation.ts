import { keys } from '../../shared/store/keys.ts';
import { explainRow } from '../../shared/tax/explain.ts';
import { presentCalculation } from '../../shared/wire/payments/calculation.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { payments } from '../../shared/wiring/runtime.ts';

const deps = { payments: payments() };

/** GET /payments/{payment_id}/calculation */
export const handler = endpoint(
  {
    access: 'read',
    needs: ({ param }) => [keys.payment(param('payment_id'))],
    present: presentCalculation(explainRow),
  },
  ({ param }) => deps.payments.get(param('payment_id')),
);
