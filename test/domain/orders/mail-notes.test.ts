import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attemptAt,
  confirmedBy,
  hasBouncedForGood,
  type MailNote,
  MailTag,
  mailStateOf,
  proofOfSending,
  provingNotes,
} from '../../../shared/domain/orders/mail-notes.ts';

const attempt = attemptAt('2026-03-01T12:00:05.000Z');
const later = attemptAt('2026-03-02T12:00:05.000Z');
const of = (what: MailNote['what'], more: Partial<MailNote> = {}): MailNote => ({
  ...{ at: '2026-03-01T12:00:06.000Z', what, attempt, orderLink: 0 },
  ...more,
});
const forGood = of('bounced', { isPermanent: true, reason: 'unknown_address' });
const full = of('bounced', { isPermanent: false, reason: 'mailbox_full' });
const reply = of('bounced', { isPermanent: false, reason: 'other' });

describe('the delivery status of a mail', () => {
  const cases: { notes: MailNote[]; state: MailNote['what'] | undefined }[] = [
    { notes: [], state: undefined },
    { notes: [of('sent')], state: 'sent' },
    { notes: [of('sent'), of('delivered')], state: 'delivered' },
    { notes: [of('sent'), of('delivered'), forGood], state: 'bounced' },
    { notes: [of('sent'), of('delivered'), full], state: 'bounced' },
    { notes: [of('sent'), of('delivered'), reply], state: 'delivered' },
    { notes: [of('sent'), reply], state: 'bounced' },
    { notes: [of('sent'), of('delivered'), forGood, of('complained')], state: 'complained' },
    { notes: [of('refused')], state: 'refused' },
    { notes: [of('sent'), forGood, of('sent', { attempt: later })], state: 'sent' },
    { notes: [of('sent'), of('sent', { attempt: later }), forGood], state: 'sent' },
    { notes: [of('sent'), of('refused', { about: 'link', attempt: undefined })], state: 'sent' },
    { notes: [{ at: '2026-01-01T00:00:00.000Z', what: 'refused' }], state: 'refused' },
  ];

  it.each(cases)('is $state after $notes.length reports, in any order and with any repetitions', ({ notes, state }) => {
    const shuffled = fc.shuffledSubarray([...notes, ...notes], { minLength: notes.length * 2 });
    void fc.assert(fc.property(shuffled, (some) => mailStateOf(some)?.what === state));
  });

  it('is “lost” only if the newest mail was rejected permanently', () => {
    expect(hasBouncedForGood([of('sent'), forGood])).toBe(true);
    expect(hasBouncedForGood([of('sent'), full])).toBe(false);
    expect(hasBouncedForGood([forGood, of('sent', { attempt: later })])).toBe(false);
    expect(hasBouncedForGood([])).toBe(false);
  });
});

describe('the proof that a contract was confirmed by mail', () => {
  const former = of('sent', { confirms: 'first' });
  const news = of('sent', { at: '2026-03-02T12:00:00.000Z', about: 'moved', attempt: undefined, orderLink: undefined });
  const again = of('sent', { at: '2026-03-02T12:00:06.000Z', confirms: 'second', attempt: later, orderLink: 1 });
  const proven = (notes: MailNote[], address: Parameters<typeof confirmedBy>[1]) => confirmedBy(notes, address)?.hash;

  it('is the first mail, while the order has its first address', () => {
    expect(proven([former, again], { orderLink: 1 })).toBe('first');
  });

  it('is never a mail to a former address', () => {
    const corrected = { orderLink: 1, hasOwnAddress: true } as const;
    expect(proven([former, news], corrected)).toBeUndefined();
    expect(proven([former], corrected)).toBeUndefined();
    expect(proven([former, news, again], corrected)).toBe('second');
  });

  it('keeps its reports for each address when other reports are removed', () => {
    const bounced = of('bounced', { attempt: later, orderLink: 1, isPermanent: true });
    expect([...provingNotes([former, of('delivered'), news, again])]).toEqual([former, again, news]);
    expect([...provingNotes([former, news, again, bounced])]).toEqual([former, news]);
  });

  it('stays valid when the link of a corrected order is replaced', () => {
    expect(proven([former, news, again], { orderLink: 2, hasOwnAddress: true })).toBe('second');
  });
});

describe('the proof that a mail was sent', () => {
  it.each(['delivered', 'bounced', 'complained'] as const)(
    'is a report that the mail to the present address was %s',
    (what) => {
      expect(proofOfSending([of(what)], 0)).toEqual(of(what));
    },
  );

  it('is neither a report about a former address nor a record of our own server', () => {
    expect(proofOfSending([of('delivered'), forGood], 1)).toBeUndefined();
    expect(proofOfSending([of('sent'), of('refused')], 0)).toBeUndefined();
    expect(proofOfSending([{ at: '2026-01-01T00:00:00.000Z', what: 'refused' }], 0)).toBeUndefined();
  });
});

describe('the tag of a mail', () => {
  it.each([
    { subjectId: 'pay_1', attempt, orderLink: -1 },
    { subjectId: 'pay_1', attempt: '2026', orderLink: 0 },
    { subjectId: 'DOCUMENT#pay_1', attempt, orderLink: 0 },
    { subjectId: 'buyer@example.com', attempt, orderLink: 0 },
    { subjectId: `pay_${'a'.repeat(65)}`, attempt, orderLink: 0 },
  ])('is refused in a wrong form: %j', (tag) => {
    expect(MailTag.safeParse({ subjectId: 'pay_1', attempt, orderLink: 0 }).success).toBe(true);
    expect(MailTag.safeParse(tag).success).toBe(false);
  });
});
