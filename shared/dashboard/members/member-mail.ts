import type { Member } from '../../domain/access/member.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import type { Locale } from '../../pages/locale.ts';
import { composeMail } from '../../pages/mail/compose-mail.ts';
import { isolated } from '../../pages/mail/mail-words.ts';
import { membersTexts } from '../../texts/texts.ts';
import { textsOf } from '../texts.ts';

export interface MailFrame {
  merchant: string;
  /** The address that mails come from. */
  from: string;
  publicUrl: string;
  isSandbox: boolean;
}

/** Mails a link that signs in, in the language of the page on which it was asked for. */
export const linkMailer =
  (mailer: Mailer | undefined, frame: MailFrame, locale: Locale) =>
  async (member: Addressee, token: string): Promise<void> => {
    await mailer?.send(signInMail(frame, locale)(member, token));
  };

/** The mail with a link that signs in. */
export const signInMail =
  (frame: MailFrame, locale: Locale) =>
  (member: Addressee, token: string): Mail =>
    composed('link', { member, url: `${frame.publicUrl}/dashboard/sign-in/confirm?token=${token}`, frame, locale });

/** The mail of an invitation. It holds no secret: who has its address asks for a link on the sign-in page. */
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
  const t = textsOf(membersTexts, { locale });
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
