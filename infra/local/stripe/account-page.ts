import { type Account, ApiFault } from './account.ts';
import { arrivePayout, completePayout, failPayout, payOut } from './balance/payouts.ts';
import { finishSession, sessionById, waitingSessions } from './checkout.ts';
import { challengeDispute, closeDispute, escalateDispute, openDispute, warnOfFraud } from './disputes.ts';
import { type FormBody, textAt } from './form-body.ts';
import { escapeHtml, htmlPage, type PageAnswer } from './hosted-page.ts';
import { cancelStripeRefund, endStripeRefund, failRefund, topUp } from './refunds.ts';

const button = (id: string, act: string, label: string): string =>
  `<form method="post"><input type="hidden" name="id" value="${id}"><button name="act" value="${act}">${label}</button></form>`;

const row = (...cells: string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

const tableOf = (title: string, rows: string[]): string =>
  `<h2>${title}</h2><table>${rows.join('') || row('none')}</table>`;

const money = (amount: number, currency: string): string => `${amount} ${escapeHtml(currency.toUpperCase())}`;

/** `GET /`: shows everything in the account, with buttons for the decisions of banks. */
export function showAccount(account: Account): PageAnswer {
  const waiting = waitingSessions(account).map((session) =>
    row(session.id, button(session.id, 'arrive', 'Arrives'), button(session.id, 'bounce', 'Bounces')),
  );
  const charges = [...account.charges.values()].map((charge) =>
    row(
      charge.id,
      money(charge.amount, charge.currency),
      charge.disputed ? 'disputed' : chargeButtons(String(charge.payment_intent)),
    ),
  );
  const refunds = [...account.refunds.values()].map(({ id, amount, currency, status }) =>
    row(id, money(amount, currency), status ?? '', refundButtons(id, status)),
  );
  const disputes = [...account.disputes.values()].map(({ id, amount, currency, status }) =>
    row(id, money(amount, currency), status, disputeButtons(id, status)),
  );
  const payouts = [...account.payouts.values()].map(({ id, amount, currency, status }) =>
    row(id, money(amount, currency), status, button(id, 'bank', 'Arrives'), button(id, 'fail-payout', 'Fails')),
  );
  const body = `<h1>The account</h1>${setupTable(account)}${tableOf('On their way', waiting)}${tableOf('Charges', charges)}${tableOf('Refunds', refunds)}${tableOf('Disputes', disputes)}${tableOf('Payouts', payouts)}${button('', 'pay-out', 'Pay out')}`;
  return { html: htmlPage('Account', body) };
}

const refundButtons = (id: string, status: string | null): string =>
  [
    ['pending requires_action', button(id, 'pay-back', 'Succeeds')],
    ['requires_action', button(id, 'cancel', 'Is cancelled')],
    ['pending succeeded', button(id, 'fail', 'Comes back')],
  ]
    .filter(([states]) => states?.split(' ').includes(status ?? ''))
    .map(([, shown]) => shown)
    .join(' ');

/** Faults that an account can have. Each has a button that causes it or removes it. */
function setupTable({ profile, available }: Account): string {
  const { chargesEnabled, businessName } = profile;
  return tableOf('Setup', [
    row('Payments', chargesEnabled ? 'enabled' : 'disabled', button('', 'toggle-charges', 'Change')),
    row(
      'Business name',
      businessName === null ? 'missing' : escapeHtml(businessName),
      button('', 'toggle-name', 'Change'),
    ),
    row('Balance for refunds', available ? 'empty' : 'enough', button('', 'toggle-balance', 'Change')),
  ]);
}

const toggleBalance: Act = (account) => {
  const { available } = account;
  account.available = available ? undefined : new Map();
  for (const currency of new Set([...account.refunds.values()].map((one) => one.currency))) topUp(account, currency, 0);
};

/** Pays every currency out, with a complete list of what is in it. */
const payOutAll: Act = (account) => {
  for (const currency of new Set([...account.transactions.values()].map((one) => one.currency)))
    completePayout(account, payOut(account, { currency }).id);
};

const chargeButtons = (intentId: string): string =>
  [
    button(intentId, 'warn', 'Call it a fraud'),
    button(intentId, 'inquire', 'Inquire'),
    button(intentId, 'dispute', 'Dispute'),
  ].join(' ');

const disputeButtons = (id: string, status: string): string =>
  ['won', 'lost', 'warning_closed'].includes(status)
    ? ''
    : `${status.startsWith('warning_') ? button(id, 'escalate', 'Take the money') : ''} ${button(id, 'challenge', 'Challenge')} ${button(id, 'win', 'Won')} ${button(id, 'lose', 'Lost')}`;

type Act = (account: Account, id: string) => void;

const acts: Readonly<Record<string, Act>> = {
  arrive: (account, id) => finishSession(account, sessionById(account, id), 'succeeded'),
  bounce: (account, id) => finishSession(account, sessionById(account, id), 'failed'),
  dispute: (account, id) => {
    const intent = account.intents.get(id);
    if (intent) openDispute(account, intent, { reason: 'fraudulent', status: 'needs_response' });
  },
  inquire: (account, id) => {
    const intent = account.intents.get(id);
    if (intent) openDispute(account, intent, { reason: 'general', status: 'warning_needs_response' });
  },
  warn: (account, id) => {
    const intent = account.intents.get(id);
    if (intent) warnOfFraud(account, intent);
  },
  escalate: escalateDispute,
  'pay-back': endStripeRefund,
  fail: (account, id) => failRefund(account, id),
  cancel: cancelStripeRefund,
  'toggle-charges': ({ profile }) => {
    profile.chargesEnabled = !profile.chargesEnabled;
  },
  'toggle-name': ({ profile }) => {
    profile.businessName = profile.businessName === null ? 'A Shop' : null;
  },
  'toggle-balance': toggleBalance,
  'pay-out': payOutAll,
  bank: arrivePayout,
  'fail-payout': failPayout,
  challenge: challengeDispute,
  win: (account, id) => closeDispute(account, id, 'won'),
  lose: (account, id) => closeDispute(account, id, 'lost'),
};

/** `POST /`: carries out the command of a button. */
export function actOnAccount(account: Account, form: FormBody): PageAnswer {
  const act = acts[textAt(form, 'act') ?? ''];
  if (!act) throw new ApiFault(400, 'There is no such button.');
  act(account, textAt(form, 'id') ?? '');
  return { location: '/' };
}
