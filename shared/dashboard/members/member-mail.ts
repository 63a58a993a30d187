import type { Member } from '../../domain/access/member.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import { html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { membersDictionary } from '../language/members/dictionary.ts';
import { textsOf } from '../language/texts.ts';

interface MailFrame {
  merchant: string;
  /** The address that mails come from. */
  from: string;
  publicUrl: string;
  isSandbox: boolean;
}

/** Mails a link that signs in, in the language of the page on which it was asked for. */
export const linkMailer =
  (mailer: Mailer | undefined, frame: MailFrame, locale: Locale) =>
  async (member: Member, token: string): Promise<void> => {
    const url = `${frame.publicUrl}/dashboard/sign-in/confirm?token=${token}`;
    await mailer?.send(composed('link', { member, url, frame, locale }));
  };

/** The mail of an invitation. It holds no secret: who has its address asks for a link on the sign-in page. */
export const invitationMail =
  (frame: MailFrame, locale: Locale) =>
  (member: Member): Mail =>
    composed('invite', { member, url: `${frame.publicUrl}/dashboard/sign-in`, frame, locale });

interface Composition {
  member: Pick<Member, 'email'>;
  url: string;
  frame: MailFrame;
  locale: Locale;
}

function composed(kind: 'link' | 'invite', { member, url, frame, locale }: Composition): Mail {
  const { merchant, from, isSandbox } = frame;
  const t = textsOf(membersDictionary, locale);
  const text = t(`mail.${kind}.text`, { merchant });
  const button = t(`mail.${kind}.button`);
  const after = [t(`mail.${kind}.after`), ...(isSandbox ? [t('mail.sandbox')] : [])];
  return {
    from: { name: merchant, address: from },
    to: member.email,
    replyTo: null,
    subject: t(`mail.${kind}.subject`, { merchant }),
    text: [text, `${button}:\n${url}`, ...after].join('\n\n'),
    html: html`<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"></head>
<body>
<p dir="auto">${text}</p>
<p><a href="${url}">${button}</a></p>
${after.map(
  (line) => html`<p dir="auto">${line}</p>
`,
)}</body>
</html>
`.text,
  };
}
