import type { Member } from '../../domain/access/member.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import type { Locale } from '../../pages/locale.ts';
import { composeMail } from '../../pages/mail/compose-mail.ts';
import { isolated } from '../../pages/mail/mail-words.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { textsOf } from '../texts.ts';

export interface MailFrame {
  merchant: string;
  /** The sender's address of the mails. */
  from: string;
  publicUrl: string;
  isSandbox: boolean;
}

/** Mails a sign-in link, in the language of the page on which it was requested. */
export const linkMailer =
  (mailer: Mailer | undefined, frame: MailFrame, locale: Locale) =>
  async (member: Addressee, token: string): Promise<void> => {
    await mailer?.send(signInMail(frame, locale)(member, token));
  };

/** The mail with a sign-in link. */
export const signInMail =
  (frame: MailFrame, locale: Locale) =>
  (member: Addressee, token: string): Mail =>
    composed('link', { member, url: `${frame.publicUrl}/dashboard/sign-in/confirm?token=${token}`, frame, locale });

/** The mail of an invitation. It contains no secret, because the member then requests a link on the sign-in page. */
export const invitationMail =
  (frame: MailFrame, locale: Locale) =>
  (member: Addressee): Mail =>
    composed('invite', { member, url: `${frame.publicUrl}/dashboard/sign-in`, frame, locale });

type Addressee = Pick<Member, 'email'>;

interface Composition {
  member: Addressee;
  url: string;
  frame: MailFrame;
  locale: Locale;
}

function composed(kind: 'link' | 'invite', { member, url, frame, locale }: Composition): Mail {
  const { from, isSandbox } = frame;
  const t = textsOf(dashboardTexts('members'), { locale });
  const merchant = isolated(frame.merchant, locale, 100);
  const lead = t(`mail.${kind}.subject`, { merchant });
  return composeMail(
    {
      locale,
      subject: lead,
      brand: { name: frame.merchant },
      preview: t(`mail.${kind}.after`),
      lead,
      paragraphs: [t(`mail.${kind}.text`, { merchant })],
      links: [{ label: t(`mail.${kind}.button`), url }],
      after: [t(`mail.${kind}.after`), ...(isSandbox ? [t('mail.sandbox')] : [])],
    },
    { from, to: member.email, replyTo: null },
  );
}
