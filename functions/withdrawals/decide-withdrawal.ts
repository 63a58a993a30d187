import type { Withdrawal } from '../../shared/domain/withdrawal/withdrawal-case.ts';
import { env } from '../../shared/env.ts';
import { decideWithdrawal } from '../../shared/use-cases/withdrawal/decide-withdrawal.ts';
import { presentWithdrawal } from '../../shared/wire/withdrawal/withdrawal.ts';
import { DecisionInput } from '../../shared/wire/withdrawal/withdrawal-input.ts';
import { chosenLanguage, currentAddress } from '../../shared/wiring/buyer-language.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import { alertMoney } from '../../shared/wiring/metrics.ts';
import { refunds } from '../../shared/wiring/processor.ts';
import { newId, now, payments, refundAllowances, site, withdrawals } from '../../shared/wiring/runtime.ts';
import { refundStep } from '../../shared/wiring/selling.ts';
import { replyComposer } from '../../shared/withdrawal-page/withdrawal-mail.ts';

const deps = {
  withdrawals: withdrawals(),
  payments: payments(),
  allowances: refundAllowances(),
  refundWindowDays: env.merchant().refundWindowDays,
  refundStep,
  processor: refunds(),
  alert: alertMoney,
  mailer: mailer(),
  chosenLanguage,
  currentAddress,
  composeReply: replyComposer({
    merchant: env.merchant(),
    from: env.merchant().receipts?.from,
    isSandbox: env.stage() === 'sandbox',
  }),
  now,
  newId,
};

/** POST /withdrawals/{withdrawal_id}/decide */
export const handler = endpoint(
  {
    body: DecisionInput,
    access: 'refunds',
    idempotent: true,
    present: (withdrawal: Withdrawal) => presentWithdrawal(site(), withdrawal),
  },
  ({ param, body, caller, claim }) =>
    decideWithdrawal(deps, { request: { id: param('withdrawal_id'), ...body }, by: caller, name: caller.name }, claim),
);
