import { isPermitted } from '../../shared/domain/access/access.ts';
import type { ApiKey } from '../../shared/domain/access/api-key.ts';
import { type Confirmed, confirmedBy } from '../../shared/domain/orders/mail-notes.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { isPaidOut, type Payout } from '../../shared/domain/payouts/payout.ts';
import { isConfirmedSale } from '../../shared/domain/withdrawal/confirmation.ts';
import { keys } from '../../shared/store/keys.ts';
import { presentPayment, presentPaymentToWriters } from '../../shared/wire/payments/payment.ts';
import { presentPayoutOfSale } from '../../shared/wire/payouts/payout.ts';
import { presentConfirmation, presentRight } from '../../shared/wire/withdrawal/right.ts';
import { mails, mailsDocuments } from '../../shared/wiring/books.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { payments, payouts, site } from '../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../shared/wiring/selling.ts';

const deps = { payments: payments(), payouts: payouts(), mails: mails(), isMailed: mailsDocuments() };
const [plain, toWriters] = [presentPayment(site()), presentPaymentToWriters(site())];
const ofConfirmation = presentConfirmation(site());

interface Found {
  payment: Payment;
  orderUrl: string | undefined;
  confirmed: Confirmed | undefined;
  /** The payout with its money; null if none is known, undefined if no processor pays it out. */
  payout: Payout | null | undefined;
}

const present = ({ payment, orderUrl, confirmed, payout }: Found, caller: ApiKey) => ({
  ...(isPermitted(caller, 'write') ? toWriters(payment, orderUrl) : plain(payment)),
  withdrawal: presentRight(payment, deps),
  confirmation: ofConfirmation(payment, confirmed),
  ...(payout === undefined ? {} : { payout: payout && presentPayoutOfSale(payout) }),
});

/** GET /payments/{payment_id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.payment(param('payment_id'))], present },
  async ({ param, caller }): Promise<Found> => {
    const payment = await deps.payments.get(param('payment_id'));
    const isLinked = payment.status === 'succeeded' && isPermitted(caller, 'write');
    const [orderUrl, confirmed, payout] = await Promise.all([
      isLinked ? orderUrlOf(payment) : undefined,
      deps.isMailed && isConfirmedSale(payment)
        ? deps.mails.notes(payment.id).then((notes) => confirmedBy(notes, payment))
        : undefined,
      isPaidOut(payment) ? deps.payouts.ofPayment(payment.id).then((found) => found ?? null) : undefined,
    ]);
    return { payment, orderUrl, confirmed, payout };
  },
);
