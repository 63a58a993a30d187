import { matchingOf, type Payout, type PayoutRow } from '../../domain/payouts/payout.ts';
import { formatCount } from '../../pages/format.ts';
import type { Html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import { badge, type Mood, money } from '../parts.ts';
import type { Texts } from '../texts.ts';

export type PayoutTexts = Texts<TextKey<'payouts'>>;

const moods: Readonly<Record<Payout['status'], Mood>> = {
  pending: 'wait',
  in_transit: 'wait',
  paid: 'good',
  failed: 'bad',
  canceled: 'bad',
};

export const payoutBadge = ({ status }: Pick<Payout, 'status'>, t: PayoutTexts): Html =>
  badge(status, moods[status], t(`status.${status}`));

/** An amount of a payout. If our unit of its currency is not certain, the processor's own number. */
export const payoutMoney = (
  { currency, hasKnownUnit }: Pick<Payout, 'currency' | 'hasKnownUnit'>,
  amount: number,
  { locale }: Pick<PayoutTexts, 'locale'>,
): string => (hasKnownUnit ? money(amount, currency, locale) : `${formatCount(amount, locale)} ${currency}`);

export const matchingText = (payout: PayoutRow | Payout, t: PayoutTexts): string => t(`matching.${matchingOf(payout)}`);
