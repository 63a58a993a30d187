import type { Refund } from '../../domain/payments/refund.ts';
import type { ProcessorReason } from '../../domain/processor.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { Texts } from '../texts.ts';

/** The processor's own text about a refusal, which is in English, with the data for which its support asks. */
export function refusalWords({ message, code, param, requestId }: ProcessorReason, t: Texts<TextKey<'payment'>>): Html {
  const facts = [code, param, requestId].filter((fact) => fact !== null).join(' · ');
  return html`${t('refusal')} <q lang="en" dir="ltr">${message}</q>${facts && html` <code>${facts}</code>`}`;
}

const isKey = (key: string): key is TextKey<'payment'> => Object.hasOwn(dashboardTexts('payment').en, key);

/** What a pending refund waits for, or why a refund failed. */
export function refundWords(
  { status, waitsFor, failureReason, refusal }: Pick<Refund, 'status' | 'waitsFor' | 'failureReason' | 'refusal'>,
  t: Texts<TextKey<'payment'>>,
): Html {
  const key = `refundFailed.${failureReason}`;
  const words =
    status === 'pending' && waitsFor
      ? html`<span class="hint">${t(`refund.waits.${waitsFor}`)}</span>`
      : status === 'failed' && failureReason !== undefined
        ? html`<span class="hint">${isKey(key) ? t(key) : ''} <code>${failureReason}</code></span>`
        : '';
  return html`${words}${refusal && html`<span class="hint">${refusalWords(refusal, t)}</span>`}`;
}
