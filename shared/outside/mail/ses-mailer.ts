import { GetAccountCommand, SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { type Mail, type Mailer, type MailQuota, MailServiceBusy } from '../../domain/mail.ts';
import { formatAddress, headerText, isPlainAddress } from './headers.ts';
import { sesTags } from './ses-tags.ts';

type Client = Pick<SESv2Client, 'send'>;

/** SES's error names for a mail that SES will never accept. */
const hopeless = new Set(['MessageRejected', 'BadRequestException']);

/** SES's error names if the rate or the quota of a day is used up. */
const busy = /Throttl|TooManyRequests|LimitExceeded/;

/** SES's text if it is the quota of a day, `Daily message quota exceeded`; else it is `Maximum sending rate exceeded`. */
const dailyQuota = /daily/i;

/**
 * Decides whether an error means `refused`. SES uses the same error name if the sender is unknown, or if the account is
 * in SES's sandbox. These two cases are thrown, because the operator must fix them. The error gets another text,
 * because SES's message names the buyer.
 */
function refusalOf(error: unknown): 'refused' {
  if (error instanceof Error && busy.test(error.name)) throw new MailServiceBusy(error, dailyQuota.test(error.message));
  if (!(error instanceof Error) || !hopeless.has(error.name)) throw error;
  if (!/not verified/i.test(error.message)) return 'refused';
  throw new Error(
    'SES has not verified the sender, or this account is still in the SES sandbox: see docs/runbook.md#receipts-by-mail',
  );
}

/**
 * Sends mails with SES. SES builds the message itself, so no text of ours can become a header. With the stack's
 * configuration set, SES reports the result of each mail.
 */
export function sesMailer(
  configurationSet: string | undefined,
  client: Client = new SESv2Client({ maxAttempts: 3 }),
): Mailer {
  return {
    send: async (mail) => {
      if (!isPlainAddress(mail.to)) return 'refused';
      const sent = client.send(new SendEmailCommand({ ...inputOf(mail), ConfigurationSetName: configurationSet }));
      return sent.then(() => 'sent' as const, refusalOf);
    },
    quota: () => readQuota(client),
  };
}

/** Reads the account's limits. SES says -1 if an account may send any number in a day. */
async function readQuota(client: Client): Promise<MailQuota> {
  const { SendQuota = {} } = await client.send(new GetAccountCommand({}));
  const { MaxSendRate = 0, Max24HourSend = 0, SentLast24Hours = 0 } = SendQuota;
  const leftToday = Max24HourSend < 0 ? Number.POSITIVE_INFINITY : Math.max(0, Max24HourSend - SentLast24Hours);
  return { perSecond: MaxSendRate, leftToday };
}

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

const inputOf = ({ from, to, replyTo, copyTo, subject, text, html, tag }: Mail): SendEmailCommandInput => ({
  FromEmailAddress: formatAddress(from),
  Destination: { ToAddresses: [to], ...(copyTo && isPlainAddress(copyTo) ? { BccAddresses: [copyTo] } : {}) },
  ...(replyTo === null || !isPlainAddress(replyTo) ? {} : { ReplyToAddresses: [replyTo] }),
  ...(tag && { EmailTags: Object.entries(sesTags(tag)).map(([Name, Value]) => ({ Name, Value })) }),
  Content: { Simple: { Subject: utf8(headerText(subject)), Body: { Text: utf8(text), Html: utf8(html) } } },
});
