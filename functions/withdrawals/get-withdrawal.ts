import { statusOf } from '../../shared/domain/withdrawal/withdrawal-case.ts';
import { proposeDecision } from '../../shared/use-cases/withdrawal/decide-withdrawal.ts';
import { supplyFactsOf } from '../../shared/use-cases/withdrawal/load-supply.ts';
import { presentProposed, type WithdrawalView } from '../../shared/wire/withdrawal/withdrawal.ts';
import { mails } from '../../shared/wiring/books.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { grants, licenseKeys, payments, site, withdrawals } from '../../shared/wiring/runtime.ts';

const supply = { mails: mails(), grants: grants(), licenseKeys: licenseKeys() };
const deps = {
  withdrawals: withdrawals(),
  payments: payments(),
  supplyOf: (payment: Parameters<typeof supplyFactsOf>[1]) => supplyFactsOf(supply, payment),
};

/** GET /withdrawals/{withdrawal_id} */
export const handler = endpoint(
  { access: 'read', present: (view: WithdrawalView) => presentProposed(site(), view) },
  async ({ param }) => {
    const { payment, ...proposed } = await proposeDecision(deps, param('withdrawal_id'));
    return { ...proposed, status: statusOf(proposed.current, payment), currency: payment?.currency ?? null };
  },
);
