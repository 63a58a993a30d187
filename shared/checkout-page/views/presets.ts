import type { PayWhatYouWant } from '../../domain/catalogue/price.ts';
import { clamp, maxAmount } from '../../domain/money/money.ts';

/** Amounts to choose from, around the suggestion: half of it, itself, twice it, rounded to what people like and within the limits. */
export function presetsOf({ suggested, minimum, maximum }: PayWhatYouWant): number[] {
  if (suggested === null || suggested === 0) return [];
  const step = 5 * 10 ** Math.max(0, String(suggested).length - 2);
  const half = Math.floor((suggested + step) / (2 * step)) * step;
  const within = [half, suggested, suggested * 2].map((amount) => clamp(amount, minimum, maximum ?? maxAmount));
  return [...new Set(within)].filter((amount) => amount > 0).sort((a, b) => a - b);
}
