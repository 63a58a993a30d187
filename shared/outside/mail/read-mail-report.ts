import * as z from 'zod';
import type { BounceReason, MailNote, MailReport } from '../../domain/orders/mail-notes.ts';
import { tagOf } from './ses-tags.ts';

const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

const Recipient = z.object({
  emailAddress: z.string(),
  /** The enhanced status code of RFC 3463, such as `5.1.1`. */
  status: z.string().optional(),
  diagnosticCode: z.string().optional(),
});
type Recipient = z.infer<typeof Recipient>;

const Sent = z.object({
  timestamp: Instant,
  destination: z.array(z.string()),
  tags: z.record(z.string(), z.array(z.string())),
});

/** The events of SES that report the result of a mail, in the form in which EventBridge delivers them. */
const SesEvent = z.object({
  detail: z.discriminatedUnion('eventType', [
    z.object({
      eventType: z.literal('Delivery'),
      mail: Sent,
      delivery: z.object({ timestamp: Instant, recipients: z.array(z.string()) }),
    }),
    z.object({
      eventType: z.literal('Bounce'),
      mail: Sent,
      bounce: z.object({
        timestamp: Instant,
        bounceType: z.string(),
        bounceSubType: z.string().default(''),
        bouncedRecipients: z.array(Recipient).min(1),
      }),
    }),
    z.object({
      eventType: z.literal('Complaint'),
      mail: Sent,
      complaint: z.object({
        timestamp: Instant,
        complaintSubType: z.string().nullish(),
        complainedRecipients: z.array(Recipient).min(1),
      }),
    }),
    z.object({ eventType: z.literal('Reject'), mail: Sent, reject: z.object({ reason: z.string() }) }),
  ]),
});
type SesDetail = z.infer<typeof SesEvent>['detail'];

/**
 * Reads what SES reports about a mail. Undefined if the report is only about the merchant's hidden copy.
 * @throws ZodError if the event has an unknown form, or a tag that this stack did not make
 */
export function readMailReport(event: unknown, merchantAddress: string | null | undefined): MailReport | undefined {
  const { detail } = SesEvent.parse(event);
  const { attempt, orderLink, subjectId } = tagOf(detail.mail.tags);
  const [recipient] = recipientsOf(detail).filter(({ emailAddress }) => !isCopy(emailAddress, detail, merchantAddress));
  if (!recipient) return undefined;
  const note = { attempt, orderLink, ...factsOf(detail, recipient) };
  return { tag: { subjectId, attempt, orderLink }, note };
}

function recipientsOf(detail: SesDetail): Recipient[] {
  switch (detail.eventType) {
    case 'Delivery':
      return detail.delivery.recipients.map((emailAddress) => ({ emailAddress }));
    case 'Bounce':
      return detail.bounce.bouncedRecipients;
    case 'Complaint':
      return detail.complaint.complainedRecipients;
    case 'Reject':
      return detail.mail.destination.map((emailAddress) => ({ emailAddress }));
  }
}

/**
 * Whether an address is that of the merchant's copy. A mail with a copy has two receivers: the buyer and the merchant.
 */
const isCopy = (address: string, { mail }: SesDetail, merchantAddress: string | null | undefined): boolean =>
  new Set(mail.destination.map((one) => one.toLowerCase())).size > 1 &&
  address.toLowerCase() === merchantAddress?.toLowerCase();

function factsOf(detail: SesDetail, recipient: Recipient): MailNote {
  switch (detail.eventType) {
    case 'Delivery':
      return { at: detail.delivery.timestamp, what: 'delivered' };
    case 'Bounce':
      return bounced(detail.bounce, recipient);
    case 'Complaint':
      return complained(detail.complaint);
    case 'Reject':
      return { at: detail.mail.timestamp, what: 'bounced', isPermanent: false, reason: 'content' };
  }
}

/**
 * Reads a complaint. SES also reports a complaint if it does not send the mail because the address has complained
 * before.
 */
const complained = ({
  timestamp,
  complaintSubType,
}: {
  timestamp: string;
  complaintSubType?: string | null | undefined;
}): MailNote =>
  complaintSubType === 'OnAccountSuppressionList'
    ? { at: timestamp, what: 'bounced', isPermanent: true, reason: 'suppressed' }
    : { at: timestamp, what: 'complained' };

interface Bounce {
  timestamp: string;
  bounceType: string;
  bounceSubType: string;
}

function bounced({ timestamp, bounceType, bounceSubType }: Bounce, recipient: Recipient): MailNote {
  const { status = '', diagnosticCode, emailAddress } = recipient;
  const diagnostic = diagnosticCode && withoutAddresses(diagnosticCode, emailAddress);
  return {
    at: timestamp,
    what: 'bounced',
    isPermanent: bounceType === 'Permanent',
    reason: reasonBySubType.get(bounceSubType) ?? reasonByStatus(status),
    ...(diagnostic && { diagnostic }),
  };
}

/** The sub-types that are more exact than the status code. `General` is not. */
const reasonBySubType: ReadonlyMap<string, BounceReason> = new Map([
  ['NoEmail', 'unknown_address'],
  ['Suppressed', 'suppressed'],
  ['OnAccountSuppressionList', 'suppressed'],
  ['MailboxFull', 'mailbox_full'],
  ['MessageTooLarge', 'too_large'],
  ['ContentRejected', 'content'],
  ['AttachmentRejected', 'content'],
]);

/** The meaning of the enhanced status codes of RFC 3463. */
const reasons: readonly (readonly [RegExp, BounceReason])[] = [
  [/^5\.(1\.\d+|4\.4)$/, 'unknown_address'],
  [/^[45]\.2\.2$/, 'mailbox_full'],
  [/^[45]\.(2\.3|3\.4)$/, 'too_large'],
  [/^[45]\.6\.\d+$/, 'content'],
  [/^[45]\.7\.\d+$/, 'blocked'],
];
const reasonByStatus = (status: string): BounceReason =>
  reasons.find(([pattern]) => pattern.test(status))?.[1] ?? 'other';

/** The most characters of a server's answer that are stored. */
const mostLetters = 300;
const shortestName = 3;

/** The answer of a server without e-mail addresses. The receiver's name before the @ is removed too. */
function withoutAddresses(text: string, address: string): string {
  const [name = ''] = address.split('@');
  const named = [address, ...(name.length >= shortestName ? [name] : [])].filter((one) => one !== '');
  const hidden = named.reduce((rest, one) => replaceEach(rest, one), text.toWellFormed().replace(/\s+/g, ' ').trim());
  return hidden.replace(/[^\s<>"'()]+@[^\s<>"'()]+/g, '…').slice(0, mostLetters);
}

/** Replaces a text, in upper or lower case. */
const replaceEach = (text: string, part: string): string =>
  text.replace(new RegExp(part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi'), '…');
