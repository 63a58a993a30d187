import { type CountedDiscount, type Discount, timeFault } from '../../domain/discounts/discount.ts';
import type { DiscountCurrency } from '../../domain/discounts/discount-terms.ts';
import { formatCount, formatRate } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import type { TextKey } from '../../texts/texts.ts';
import { time } from '../dates.ts';
import { badge, money } from '../parts.ts';
import type { Texts } from '../texts.ts';

const wholePercent = 10_000;

/** The discount of a code as text: `15 %`, `€5.00, $6.00`. */
export function takesText({ type, amount, currencies }: Discount, locale: Locale): string {
  if (type === 'percentage') return formatRate(String(amount / wholePercent), locale);
  return currencies.map(({ currency, maximum }) => money(maximum ?? 0, currency, locale)).join(', ');
}

/** The limits of a code as text: the maximum discount of a percentage, and the minimum price. */
function limitsText({ type, currencies }: Discount, locale: Locale, t: Texts<TextKey<'discounts'>>): string {
  const rowTexts = ({ currency, maximum, minimumSubtotal }: DiscountCurrency) => [
    ...(type === 'percentage' && maximum !== null
      ? [t('takes.atMost', { amount: money(maximum, currency, locale) })]
      : []),
    ...(minimumSubtotal > 0 ? [t('takes.from', { amount: money(minimumSubtotal, currency, locale) })] : []),
  ];
  return currencies.flatMap(rowTexts).join(', ');
}

export const takesCell = (discount: Discount, locale: Locale, t: Texts<TextKey<'discounts'>>): Html =>
  html`${takesText(discount, locale)}<span class="hint">${limitsText(discount, locale, t)}</span>`;

/** The number of uses of a code, its limit, and how many uses are reserved by open payments. */
export function usesCell(
  { discount, used }: CountedDiscount,
  held: number,
  locale: Locale,
  t: Texts<TextKey<'discounts'>>,
): Html {
  const { usageLimit: limit } = discount;
  const count = formatCount(used, locale);
  const uses = limit === null ? count : t('uses.of', { used: count, limit: formatCount(limit, locale) });
  return html`${uses}${held > 0 && html`<span class="hint">${t('uses.held', { held: formatCount(held, locale) })}</span>`}`;
}

type State = 'active' | 'scheduled' | 'expired' | 'used' | 'stopped';

/** Whether a code can be used at a time, and if not, why. */
export function codeState({ discount, used }: CountedDiscount, now: string): State {
  if (discount.deletedAt !== null) return 'stopped';
  const fault = timeFault(discount, now);
  if (fault) return fault === 'DISCOUNT_NOT_YET_ACTIVE' ? 'scheduled' : 'expired';
  return discount.usageLimit !== null && used >= discount.usageLimit ? 'used' : 'active';
}

export function codeBadge(counted: CountedDiscount, now: string, t: Texts<TextKey<'discounts'>>): Html {
  const state = codeState(counted, now);
  const mood = { active: 'good', scheduled: 'wait' } as const;
  return badge(state, mood[state as keyof typeof mood] ?? 'none', t(`state.${state}`));
}

export const untilCell = ({ expiresAt }: Discount, locale: Locale, t: Texts<TextKey<'discounts'>>): Html =>
  expiresAt === null ? html`${t('until.never')}` : time(expiresAt, locale);
