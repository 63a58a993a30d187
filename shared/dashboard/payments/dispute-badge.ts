import type { DisputeRow } from '../../domain/payments/dispute.ts';
import type { Html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { statusBadge } from './payment-list-page.ts';

const moods = { won: 'good', cancelled: 'good', lost: 'bad', opened: 'wait', challenged: 'wait' } as const;

/** The status of a dispute as a word, in a colour that matches it. */
export const disputeBadge = ({ status }: Pick<DisputeRow, 'status'>, spoken: { locale: Locale }): Html =>
  statusBadge(status, spoken, Object.hasOwn(moods, status) ? moods[status as keyof typeof moods] : 'none');
