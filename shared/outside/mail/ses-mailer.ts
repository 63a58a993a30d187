import { SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import type { Mail, Mailer } from '../../domain/mail.ts';
import { formatAddress, headerText, isPlainAddress } from './headers.ts';

type Client = Pick<SESv2Client, 'send'>;

/** What SES says of a mail that it will never take. */
const hopeless = new Set(['MessageRejected', 'BadRequestException']);

/** SES refuses by the same name whose sender it does not know and who is in its sandbox: that is ours to mend, and names the buyer. */
function refusalOf(error: unknown): 'refused' {
  if (!(error instanceof Error) || !hopeless.has(error.name)) throw error;
  if (!/not verified/i.test(error.message)) return 'refused';
  throw new Error(
    'SES has not verified the sender, or this account is still in the SES sandbox: see docs/runbook.md#receipts-by-mail',
  );
}

/** Sends by SES, which composes the message itself: nothing that we write can become a header. */
export function sesMailer(client: Client = new SESv2Client({ maxAttempts: 3 })): Mailer {
  return {
    send: async (mail) => {
      if (!isPlainAddress(mail.to)) return 'refused';
      const sent = client.send(new SendEmailCommand(inputOf(mail)));
      return sent.then(() => 'sent' as const, refusalOf);
    },
  };
}

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

const inputOf = ({ from, to, replyTo, copyTo, subject, text, html }: Mail): SendEmailCommandInput => ({
  FromEmailAddress: formatAddress(from),
  Destination: { ToAddresses: [to], ...(copyTo && isPlainAddress(copyTo) ? { BccAddresses: [copyTo] } : {}) },
  ...(replyTo === null || !isPlainAddress(replyTo) ? {} : { ReplyToAddresses: [replyTo] }),
  Content: { Simple: { Subject: utf8(headerText(subject)), Body: { Text: utf8(text), Html: utf8(html) } } },
});
