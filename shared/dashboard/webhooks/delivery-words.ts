import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { Html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { badge } from '../parts.ts';
import { textsOf } from '../texts.ts';

/** The state of a delivery as a word, in a colour that matches it. */
export const deliveryBadge = ({ status }: Pick<Delivery, 'status'>, spoken: { locale: Locale }): Html =>
  badge(status, undefined, textsOf(dashboardTexts('deliveries'), spoken)(`status.${status}`));

/** The result of an attempt: the status of the endpoint's response, or why there was none. */
export const attemptText = (
  { status, error }: Pick<Delivery['attempts'][number], 'status' | 'error'>,
  spoken: { locale: Locale },
): string =>
  status === null ? textsOf(dashboardTexts('deliveries'), spoken)(`error.${error ?? 'status'}`) : String(status);
