import type { MailNote } from '../../domain/orders/mail-notes.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { Texts } from '../texts.ts';

type PaymentTexts = Texts<TextKey<'payment'>>;

/** Whether a mail came back for now and without a reason. An automatic reply does that too, so it is no bad news. */
const isPerhapsReply = ({ what, isPermanent, reason }: MailNote): boolean =>
  what === 'bounced' && !isPermanent && reason === 'other';

/** Whether the buyer does not have the mail, or does not want it. */
export const isTrouble = (note: MailNote): boolean =>
  ['refused', 'bounced', 'complained'].includes(note.what) && !isPerhapsReply(note);

/** Why a mail came back, what the server answered, and what to do next; undefined for a mail without trouble. */
export function mailDetails(note: MailNote, t: PaymentTexts): Html | undefined {
  if (note.what === 'complained') return html`${t('mail.next.complained')}`;
  if (note.what !== 'bounced') return undefined;
  const { reason = 'other', diagnostic, isPermanent } = note;
  const next = isPermanent ? t('mail.next.correct') : t('mail.next.again');
  return html`${t(isPerhapsReply(note) ? 'mail.reason.reply' : `mail.reason.${reason}`)} ${next}${diagnostic && html` <code dir="ltr">${diagnostic}</code>`}`;
}
