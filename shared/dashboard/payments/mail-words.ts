import type { MailNote } from '../../domain/orders/mail-notes.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { Texts } from '../texts.ts';

type PaymentTexts = Texts<TextKey<'payment'>>;

/**
 * Whether a mail bounced temporarily and without a reason. An automatic reply looks the same, so it is not treated as a
 * problem.
 */
const isPerhapsReply = ({ what, isPermanent, reason }: MailNote): boolean =>
  what === 'bounced' && !isPermanent && reason === 'other';

/** Whether the buyer has not got the mail, or has complained about it. */
export const isTrouble = (note: MailNote): boolean =>
  ['refused', 'bounced', 'complained'].includes(note.what) && !isPerhapsReply(note);

/**
 * Why a mail did not reach the buyer, what the server answered, and what to do next. Undefined for a mail without a
 * problem.
 */
export function mailDetails(note: MailNote, t: PaymentTexts): Html | undefined {
  if (note.what === 'complained') return html`${t('mail.next.complained')}`;
  if (note.what !== 'bounced') return undefined;
  const { reason = 'other', diagnostic, isPermanent } = note;
  const next = isPermanent ? t('mail.next.correct') : t('mail.next.again');
  return html`${t(isPerhapsReply(note) ? 'mail.reason.reply' : `mail.reason.${reason}`)} ${next}${diagnostic && html` <code dir="ltr">${diagnostic}</code>`}`;
}
