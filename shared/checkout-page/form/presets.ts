import { limitFault, type PayWhatYouWant } from '../../domain/catalogue/pay-what-you-want.ts';
import { clamp, maxAmount } from '../../domain/money/money.ts';

/**
 * The amounts that the page suggests. The merchant's own amounts are used if there are any. Otherwise they are the
 * minimum, the suggestion and twice the suggestion, and half of the suggestion if it is clearly above the minimum.
 * Without a suggestion, they are the minimum and its multiples.
 */
export function presetsOf(price: PayWhatYouWant): readonly number[] {
  const { suggested, minimum, maximum, presetAmounts } = price;
  if (presetAmounts) return presetAmounts.filter((amount) => !limitFault(amount, price));
  const amounts = suggested ? aroundSuggestion(suggested, minimum) : [minimum, minimum * 2, minimum * 4];
  const within = amounts.map((amount) => clamp(amount, minimum, maximum ?? maxAmount));
  return [...new Set(within)].filter((amount) => amount > 0).sort((a, b) => a - b);
}

/** Half of the suggestion, rounded to a round number. */
function aroundSuggestion(suggested: number, minimum: number): number[] {
  const step = 5 * 10 ** Math.max(0, String(suggested).length - 2);
  const half = Math.floor((suggested + step) / (2 * step)) * step;
  const between = half < suggested && half >= minimum * 1.5 ? [half] : [];
  return [minimum, ...between, suggested, suggested * 2];
}
