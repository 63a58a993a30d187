import { describe, expect, it } from 'vitest';
import { readMailReport } from '../../../shared/outside/mail/read-mail-report.ts';
import { sesTags } from '../../../shared/outside/mail/ses-tags.ts';

const tag = { subjectId: 'pay_1', attempt: '20260301T120005000Z', orderLink: 2 };
const merchant = 'support@shop.example';

/** An event of SES, as the documentation of event publishing shows it. */
const event = (eventType: string, facts: object, to: string[] = ['jane.doe@example.com']) => ({
  ...{ version: '0', id: '1', source: 'aws.ses', 'detail-type': 'Email' },
  detail: {
    eventType,
    mail: {
      timestamp: '2026-03-01T12:00:05.000Z',
      source: 'Example Books <receipts@example.com>',
      messageId: '0100-1',
      destination: to,
      headersTruncated: false,
      headers: [{ name: 'To', value: to.join() }],
      tags: {
        ...Object.fromEntries(Object.entries(sesTags(tag)).map(([name, value]) => [name, [value]])),
        'ses:configuration-set': ['Set-1'],
      },
    },
    ...facts,
  },
});

const bounce = (bounceType: string, bounceSubType: string, recipient: object = {}) =>
  event('Bounce', {
    bounce: {
      ...{ bounceType, bounceSubType, timestamp: '2026-03-01T12:00:07.123Z', feedbackId: '1' },
      bouncedRecipients: [{ emailAddress: 'jane.doe@example.com', action: 'failed', ...recipient }],
    },
  });
const noteOf = (one: object) => readMailReport(one, merchant)?.note;

describe('a report of the mail service SES', () => {
  it('about a delivered mail contains the mail’s tag and the time', () => {
    const delivery = { timestamp: '2026-03-01T12:00:06Z', recipients: ['jane.doe@example.com'], smtpResponse: '250' };
    expect(readMailReport(event('Delivery', { delivery }), merchant)).toEqual({
      tag,
      note: { at: '2026-03-01T12:00:06.000Z', what: 'delivered', attempt: tag.attempt, orderLink: 2 },
    });
  });

  it.each([
    ['Permanent', 'General', '5.1.1', true, 'unknown_address'],
    ['Permanent', 'General', '5.4.4', true, 'unknown_address'],
    ['Permanent', 'NoEmail', undefined, true, 'unknown_address'],
    ['Permanent', 'Suppressed', '5.1.1', true, 'suppressed'],
    ['Permanent', 'OnAccountSuppressionList', undefined, true, 'suppressed'],
    ['Permanent', 'General', '5.7.1', true, 'blocked'],
    ['Permanent', 'General', undefined, true, 'other'],
    ['Transient', 'General', '4.4.7', false, 'other'],
    ['Transient', 'MailboxFull', undefined, false, 'mailbox_full'],
    ['Transient', 'General', '4.2.2', false, 'mailbox_full'],
    ['Transient', 'MessageTooLarge', undefined, false, 'too_large'],
    ['Transient', 'ContentRejected', undefined, false, 'content'],
    ['Transient', 'AttachmentRejected', undefined, false, 'content'],
    ['Transient', 'CustomTimeoutExceeded', undefined, false, 'other'],
    ['Undetermined', 'Undetermined', undefined, false, 'other'],
    ['Permanent', 'constructor', '5.1.1', true, 'unknown_address'],
  ])(
    'about a mail returned as %s, %s, %s says whether this is permanent: %s, and the reason: %s',
    (type, subType, status, isPermanent, reason) => {
      expect(noteOf(bounce(type, subType, { status }))).toMatchObject({ what: 'bounced', isPermanent, reason });
    },
  );

  it.each([
    'smtp; 550 5.1.1 <Jane.Doe@example.com>... User unknown',
    'smtp; 550 5.1.1 jane.doe: user unknown; see jane.doe+old@other.example',
    'smtp; 550 no\r\n\tmailbox "JANE.DOE" for postmaster@example.com',
  ])('contains the mail server’s answer without any address: %j', (diagnosticCode) => {
    const { diagnostic = '' } = noteOf(bounce('Permanent', 'General', { diagnosticCode })) ?? {};
    expect(diagnostic).toMatch(/^smtp; 550 .*…/);
    expect(diagnostic).not.toMatch(/@|jane|doe|[\r\n\t]/i);
  });

  it('contains at most 300 characters of the mail server’s answer', () => {
    expect(noteOf(bounce('Permanent', 'General', { diagnosticCode: 'x'.repeat(5_000) }))?.diagnostic).toHaveLength(300);
  });

  it('distinguishes a complaint from a mail that was not tried because of an earlier complaint', () => {
    const complaint = {
      timestamp: '2026-03-03T00:00:00.000Z',
      complainedRecipients: [{ emailAddress: 'jane.doe@example.com' }],
    };
    expect(noteOf(event('Complaint', { complaint: { ...complaint, complaintSubType: null } }))).toMatchObject({
      ...{ what: 'complained', at: complaint.timestamp },
    });
    const before = { ...complaint, complaintSubType: 'OnAccountSuppressionList' };
    expect(noteOf(event('Complaint', { complaint: before }))).toMatchObject({ what: 'bounced', reason: 'suppressed' });
  });

  it('about a mail that SES rejected says that the reason is its content', () => {
    expect(noteOf(event('Reject', { reject: { reason: 'Bad content' } }))).toMatchObject({
      what: 'bounced',
      reason: 'content',
    });
  });

  it('about the merchant’s hidden copy is ignored, unless the buyer has the same address', () => {
    const facts = (emailAddress: string) => ({
      bounce: {
        ...bounce('Permanent', 'General').detail,
        bounceType: 'Permanent',
        bounceSubType: 'General',
        timestamp: '2026-03-01T12:00:07.123Z',
        bouncedRecipients: [{ emailAddress }],
      },
    });
    const both = ['jane.doe@example.com', 'Support@shop.example'];
    expect(readMailReport(event('Bounce', facts('support@shop.example'), both), merchant)).toBeUndefined();
    expect(readMailReport(event('Bounce', facts('jane.doe@example.com'), both), merchant)).toBeDefined();
    expect(readMailReport(event('Bounce', facts(merchant), [merchant]), merchant)).toBeDefined();
  });

  it.each([
    ['an unknown type', { ...event('Open', {}) }],
    ['no detail', { source: 'aws.ses' }],
    [
      'no receiver',
      event('Bounce', {
        bounce: { bounceType: 'Permanent', timestamp: '2026-03-01T12:00:07Z', bouncedRecipients: [] },
      }),
    ],
    ['a time that is none', event('Delivery', { delivery: { timestamp: 'soon', recipients: ['a@b.example'] } })],
    [
      'a foreign tag',
      {
        detail: {
          ...bounce('Permanent', 'General').detail,
          mail: { timestamp: '2026-03-01T12:00:05Z', destination: [], tags: { document: ['KEY#1'] } },
        },
      },
    ],
    ['nothing', undefined],
  ])('with %s is refused, and the error contains no address', (_, one) => {
    let refusal: unknown;
    try {
      readMailReport(one, merchant);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ name: 'ZodError' });
    expect(String(refusal)).not.toContain('@');
  });
});
