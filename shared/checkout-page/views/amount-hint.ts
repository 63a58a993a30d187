import type { PayWhatYouWant } from '../../domain/catalogue/pay-what-you-want.ts';
import { hasLeastNet, withLeastMinimum } from '../../domain/catalogue/price.ts';
import { mayBeInclusive } from '../../domain/catalogue/tax-mode.ts';
import { formatMoney } from '../../pages/format.ts';
import type { Locale } from '../../pages/locale.ts';
import { type PageKey, translator } from '../../texts/texts.ts';

/** The text about the amounts that the buyer may choose: `Pay what you want, from €5.00 to €50.00.` */
export function amountHint(
  price: PayWhatYouWant,
  { locale, isPlaceKnown }: { locale: Locale; isPlaceKnown: boolean },
): string {
  const t = translator(locale);
  const { minimum, maximum, currency, allowZero } = withLeastMinimum(price);
  const money = (amount: number | null) => formatMoney(amount ?? 0, currency, locale);
  const bounds = [minimum > 0 && 'minimum', maximum !== null && 'maximum'].filter(Boolean);
  const key = bounds.length === 2 ? 'range' : (bounds[0] ?? 'free');
  const limits = t(`amount.hint.${key}` as PageKey, { minimum: money(minimum), maximum: money(maximum) });
  const isMoreElsewhere = hasLeastNet(price) && mayBeInclusive(price) && !isPlaceKnown;
  const notes = [isMoreElsewhere && t('amount.hint.more'), allowZero && minimum > 0 && t('amount.hint.zero')];
  return [limits, ...notes.filter((note) => note !== false && note !== undefined)].join(' ');
}
