import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeError, logError } from '../../shared/log.ts';
import { mailReportRule } from '../endpoints.ts';
import { wrapEvent } from '../local-aws/bus/event-envelope.ts';
import type { Invoke } from '../local-aws/functions.ts';

interface MailReportsOptions {
  /** The folder into which mails are written. */
  folder: string;
  invoke: Invoke;
  /** How many milliseconds pass between two reads of the folder. */
  everyMs?: number;
}

interface WrittenMail {
  to: string;
  sentAt: string;
  tags: Record<string, string[]>;
}

type Outcome = { eventType: string; detailType: string } & Record<string, unknown>;

const delivery = ({ to, sentAt }: WrittenMail): Outcome => ({
  ...{ eventType: 'Delivery', detailType: 'Email Delivered' },
  delivery: { timestamp: sentAt, recipients: [to], smtpResponse: '250 2.0.0 OK' },
});

const bounce = (
  { to, sentAt }: WrittenMail,
  kind: { bounceType: string; bounceSubType: string },
  facts = {},
): Outcome => ({
  ...{ eventType: 'Bounce', detailType: 'Email Bounced' },
  bounce: { ...kind, timestamp: sentAt, feedbackId: 'played', bouncedRecipients: [{ emailAddress: to, ...facts }] },
});

const complaint = ({ to, sentAt }: WrittenMail): Outcome => ({
  ...{ eventType: 'Complaint', detailType: 'Email Complaint Received' },
  complaint: { timestamp: sentAt, feedbackId: 'played', complainedRecipients: [{ emailAddress: to }] },
});

/** The mailboxes of SES's simulator, with the result of each. Any other mailbox accepts its mail. */
const simulated: Readonly<Record<string, (mail: WrittenMail) => Outcome[]>> = {
  bounce: (mail) => [
    bounce(
      mail,
      { bounceType: 'Permanent', bounceSubType: 'General' },
      { action: 'failed', status: '5.1.1', diagnosticCode: `smtp; 550 5.1.1 <${mail.to}>... User unknown` },
    ),
  ],
  complaint: (mail) => [delivery(mail), complaint(mail)],
  ooto: (mail) => [delivery(mail), bounce(mail, { bounceType: 'Transient', bounceSubType: 'General' })],
  suppressionlist: (mail) => [bounce(mail, { bounceType: 'Permanent', bounceSubType: 'Suppressed' })],
};

/** The results of a mail. `bounce+order-7@simulator.amazonses.com` has the same as `bounce@…`. */
function outcomesOf(mail: WrittenMail): Outcome[] {
  const [, name = ''] = /^([a-z]+)(?:\+[^@]*)?@simulator\.amazonses\.com$/i.exec(mail.to) ?? [];
  return (simulated[name.toLowerCase()] ?? ((one) => [delivery(one)]))(mail);
}

/** Reads a mail that was written. Undefined for a mail for which no report is requested. */
function parseMail(message: string): WrittenMail | undefined {
  const [head = ''] = message.split('\r\n\r\n');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1];
  const [to, tags, date] = [header('To'), header('X-SES-MESSAGE-TAGS'), header('Date')];
  if (!to || !tags || !date) return undefined;
  const pairs = tags.split(', ').map((tag) => tag.split('='));
  return {
    to,
    sentAt: new Date(date).toISOString(),
    tags: Object.fromEntries(pairs.map(([name = '', value = '']) => [name, [value]])),
  };
}

/** The events about a mail, in the form in which EventBridge delivers those of SES. */
const eventsOf = (mail: WrittenMail) =>
  outcomesOf(mail).map(({ detailType, ...outcome }) =>
    wrapEvent({
      ...{ source: 'aws.ses', detailType },
      detail: { ...outcome, mail: { timestamp: mail.sentAt, destination: [mail.to], tags: mail.tags } },
    }),
  );

/** Reports the result of each new mail in the folder, like SES does for the mails of a stack. */
export function startMailReports({ folder, invoke, everyMs = 500 }: MailReportsOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const seen = new Set<string>();
  const newMails = async () => {
    const names = await readdir(folder).catch(() => []);
    return names.filter((name) => name.endsWith('.eml') && !seen.has(name)).sort();
  };
  const reportNew = async () => {
    for (const name of await newMails()) {
      seen.add(name);
      const mail = parseMail(await readFile(join(folder, name), 'utf8'));
      for (const event of mail ? eventsOf(mail) : []) await invoke(mailReportRule.function, event);
    }
  };
  const repeat = async () => {
    for (const name of await newMails()) seen.add(name); // Mails of an earlier run were already reported in that run.
    for (;;) {
      await pause(everyMs, undefined, { signal: stopping.signal });
      await reportNew().catch((error) => logError('A mail was not reported.', describeError(error)));
    }
  };
  const repeating = repeat().catch(() => {});
  return {
    stop: () => {
      stopping.abort();
      return repeating;
    },
  };
}
