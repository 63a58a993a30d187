import type { Payment } from '../../domain/payments/payment.ts';
import { timelinessOf } from '../../domain/withdrawal/period.ts';
import type { ProposedLine } from '../../domain/withdrawal/proposal.ts';
import type { LineStanding, Standing } from '../../domain/withdrawal/standing.ts';
import { countryName } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { dayText, time } from '../dates.ts';
import { badge, facts, type Mood, money } from '../parts.ts';
import type { WithdrawalTexts } from './withdrawal-words.ts';

/** The withdrawal period of a sale: its first and last day, and why. */
export function periodFacts({ country, period }: Standing, declaredAt: string | null, t: WithdrawalTexts): Html {
  const { firstDay, lastDay, endsAt, why } = period;
  return facts([
    [t('period'), `${dayText(firstDay, t.locale)} – ${dayText(lastDay, t.locale)}`],
    [t('period.ends'), time(endsAt, t.locale)],
    [t('country'), countryName(country, t.locale)],
    [t('period.why'), t(`period.${why}`)],
    ...(declaredAt === null ? [] : [[t('declared'), t(`timeliness.${timelinessOf(period, declaredAt)}`)] as const]),
  ]);
}

const moods: Readonly<Record<LineStanding['right'], Mood>> = {
  open: 'good',
  lost: 'bad',
  ended_late: 'bad',
  none: 'none',
};

/** The right of one line, the reason for its state, and each proof that exists. */
export function lineStanding(
  { lines }: Pick<Payment, 'lines'>,
  { line, right, why, supply, proofs }: LineStanding,
  t: WithdrawalTexts,
): Html {
  const at = (instant: string | null) => (instant === null ? t('proof.none') : time(instant, t.locale));
  const { words, language, consentAt, confirmedAt, supplyBegunAt, performedAt } = proofs;
  return html`<h3 dir="auto">${lines[line]?.name}</h3>
<p class="states">${badge(right, moods[right], t(`right.${right}`))}<span>${t(`why.${why}`)}</span></p>
${facts([
  [
    t('proof.consent'),
    words === null
      ? t('proof.none')
      : html`<span lang="${language}" dir="auto">“${words}”</span> <span class="hint">${consentAt !== null && time(consentAt, t.locale)}</span>`,
  ],
  [t('proof.confirmed'), at(confirmedAt)],
  [t('proof.begun'), at(supplyBegunAt)],
  ...(supply === 'service' ? [[t('proof.performed'), at(performedAt)] as const] : []),
])}
`;
}

/** The amount to refund for one line. For a service, it shows how the used part is calculated. */
export function amountBack({ currency }: Pick<Payment, 'currency'>, line: ProposedLine, t: WithdrawalTexts): Html {
  const inMoney = (amount: number) => money(amount, currency, t.locale);
  const { refundable, amount, proRata } = line;
  const values = { left: inMoney(refundable), amount: inMoney(amount) };
  if (!proRata) return html`<p>${t('goesBack', values)}</p>`;
  const { price, used, of, owed } = proRata;
  const days = { price: inMoney(price), used: String(used), of: String(of), owed: inMoney(owed) };
  return html`<p>${t('proRata')} <span dir="ltr">${t('proRata.formula', days)}</span></p>
<p>${t('goesBack', values)}</p>`;
}
