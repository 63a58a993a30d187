import { amountText } from '../../pages/amount-input.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type Entry, type Filled, jsonOf, shownTexts, type Typed } from '../entries.ts';
import { kindsOf } from '../entry-kinds.ts';

const { choice, money, text } = kindsOf(dashboardTexts('access'));

const isLimited = (typed: Typed): boolean => typed['refunds'] === 'limited';

/** The fields of a new key. */
export const keyEntries = {
  name: text('name', 'name', { label: 'name', hint: 'form.name.hint', maxLength: 100, isRequired: true }),
  access: choice('access', 'access', {
    label: 'form.access',
    options: (t) =>
      (['read', 'write', 'admin'] as const).map((value) => ({
        value,
        label: t(`form.${value}`),
        hint: t(`form.${value}.hint`),
      })),
  }),
  refunds: {
    ...choice('refunds', 'may_refund', {
      label: 'form.refunds',
      options: (t) => [
        { value: 'no', label: t('form.refunds.no') },
        { value: 'limited', label: t('form.refunds.limited'), hint: t('form.refunds.limited.hint') },
        { value: 'yes', label: t('form.refunds.yes') },
      ],
    }),
    read: (typed) => ({ value: typed === 'yes' || typed === 'limited' }),
  },
  currency: {
    ...text('currency', 'daily_refund_limit.currency', { label: 'form.currency', maxLength: 3, isCode: true }),
    applies: isLimited,
  },
  /**
   * The daily refund limit. The API has separate errors for amount and currency. The page has one sentence for both.
   */
  limit: money('limit', 'daily_refund_limit.amount', {
    ...{ label: 'form.limit', applies: isLimited },
    refused: (t) => t('fault.limit', { amount: amountText(50_000, 'EUR', t.locale), currency: 'EUR' }),
  }),
  /** The last day of the key. It cannot be later than the end of the viewer's own key. */
  expires: {
    ...text('expires_at', 'expires_at', { label: 'form.expires', maxLength: 10 }),
    read: (day) => ({ value: day === '' ? null : `${day}T00:00:00Z` }),
  },
} as const satisfies Readonly<Record<string, Entry>>;

/** By default, a new key can read but not refund. */
export const newKeyTexts: Typed = {
  ...shownTexts(keyEntries, { access: 'read' }, 'en'),
  refunds: 'no',
  currency: 'EUR',
};

/** The body for the API. An amount that cannot be read becomes 0, which the API refuses. */
export const keyJson = (filled: Filled) => jsonOf(keyEntries, filled, { daily_refund_limit: null }).json;
