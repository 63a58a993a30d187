import { setImmediate as turn } from 'node:timers/promises';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document } from '../../shared/domain/documents/document.ts';
import type { AuditPlace } from '../../shared/domain/documents/document-audit.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { StaleVersion } from '../../shared/domain/idempotency.ts';
import { type Mail, MailServiceBusy } from '../../shared/domain/mail.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import type { Refund } from '../../shared/domain/payments/refund.ts';
import { type DocumentStore, documentStore } from '../../shared/store/documents/document-store.ts';
import { type MailStore, mailStore } from '../../shared/store/documents/mail-store.ts';
import { keys } from '../../shared/store/keys.ts';
import { auditDocuments } from '../../shared/use-cases/documents/audit-documents.ts';
import { type CallTime, callTime } from '../../shared/use-cases/documents/call-time.ts';
import type { Subject } from '../../shared/use-cases/documents/draft-documents.ts';
import { getDocument as open } from '../../shared/use-cases/documents/get-document.ts';
import { type IssueDocumentsDeps, issueDocuments as issue } from '../../shared/use-cases/documents/issue-documents.ts';
import {
  type IssueQueuedDeps,
  issueAndMail,
  issueQueued,
} from '../../shared/use-cases/documents/issue-queued-documents.ts';
import { awsError, onEveryCommit } from '../support/faults/faults.ts';
import { campaign, seeded, times } from '../support/seeded.ts';
import { type Api, startApi } from '../support/shop/api.ts';
import { merchant, refunded, sale } from './builders.ts';

let api: Api;
let documents: DocumentStore;
let mails: MailStore;

beforeAll(async () => {
  api = await startApi();
  const { table } = await import('../../shared/wiring/runtime.ts');
  documents = documentStore(table());
  mails = mailStore(table(), () => '{"data":{}}');
});
afterAll(() => api.stop());

const base = sale([{ unitAmount: 1_999 }]);
/** The buyer asked for the e-book at once. */
const waiver = {
  lines: base.lines.map((line) => ({ ...line, taxCategory: 'e_book' as const })),
  supplyConsents: [
    { kind: 'immediate_supply' as const, language: 'en', text: 'At once.', lines: [0], at: base.createdAt },
  ],
};
const baseRefund = refunded(base, { amount: 500 }).refund;

/** A document for somebody with a key. */
const getDocument = async (deps: IssueDocumentsDeps, subject: Subject) =>
  (await open(deps, subject, { hasKey: true, secretsFor: () => [] })).document;

/** Waits for its turn as long as it takes. */
async function issueDocuments(deps: IssueDocumentsDeps, subjects: readonly Subject[]): Promise<Map<string, Document>> {
  const issued = await issue(deps, subjects, () => true);
  return new Map([...issued].map(([id, { document }]) => [id, document]));
}

/** A shop in which every id has been paid, and every refund been made. */
const payments = {
  find: async (id: string): Promise<Payment | undefined> => ({ ...base, id }),
  getRefund: async (id: string): Promise<Refund> => ({ ...baseRefund, id, paymentId: id.replace('ref_', 'pay_') }),
};

let year = 2100;

const mail: Mail = {
  ...{ from: { name: 'Example Books', address: 'receipts@example.com' }, to: 'buyer@example.com', replyTo: null },
  ...{ subject: '', text: '', html: '' },
};

/** A year of its own for each test, so that each begins at number 1. */
function aYear(): { year: string; deps: IssueDocumentsDeps } {
  year += 1;
  const at = new Date(`${year}-06-01T12:00:00Z`);
  const rules = { registrations: [], overrides: [], changedAt: null, version: 0 };
  return {
    year: String(year),
    deps: {
      payments,
      taxRules: { get: async () => rules },
      brands: { get: async () => ({ brands: [], version: 0 }) },
      documents,
      merchant,
      rates: { newestBefore: async () => undefined },
      awaitsRates: true,
      isMailed: false,
      inTurn: (act) => act(),
      now: () => at,
      random: Math.random,
    },
  };
}

const payment = (prefix: string, index: number): Subject => ({ paymentId: `pay_${prefix}x${index}` });
const refund = (prefix: string, index: number): Subject => ({ refundId: `ref_${prefix}x${index}` });
const some = (count: number, of: (index: number) => Subject): Subject[] =>
  Array.from({ length: count }, (_, i) => of(i));

/** All portions of an audit of numbers only; the sales of these tests are in no list. */
async function auditAll(kind: 'INV' | 'CRN', of: string) {
  const nothing = async () => ({ items: [], hasMore: false, last: undefined });
  const deps = {
    documents,
    payments: { ...payments, listBriefly: nothing, listRefundsBriefly: nothing },
    disputes: { find: async () => undefined, listAdjustments: nothing },
    now: () => new Date(),
  };
  let place: AuditPlace | null | undefined;
  const whole = { gaps: [] as object[], missing: [] as object[], count: 0, counter: 0, isContinuous: true };
  while (place !== null) {
    const portion = await auditDocuments(deps, { kind, year: of }, place);
    whole.gaps.push(...portion.gaps);
    whole.missing.push(...portion.missing);
    whole.count += portion.count;
    whole.isContinuous &&= portion.isContinuous;
    whole.counter = portion.counter;
    place = portion.next;
  }
  return whole;
}

async function expectSeries(kind: 'INV' | 'CRN', of: string, count: number): Promise<void> {
  const audit = await auditAll(kind, of);
  expect(audit).toEqual({ gaps: [], missing: [], isContinuous: true, count, counter: count });
}

const serialsOf = (issued: Iterable<Document>): number[] =>
  [...issued].map(({ serial }) => serial).sort((a, b) => a - b);

const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The process dies at its n-th await: before the call was done, or after it, without its answer. */
class Crash extends Error {}

function dyingAt(deps: IssueDocumentsDeps, dies: () => 'before' | 'after' | undefined): IssueDocumentsDeps {
  const dying =
    <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const when = dies();
      if (when === 'before') throw new Crash();
      const result = await act(...args);
      if (when === 'after') throw new Crash();
      return result;
    };
  return {
    ...deps,
    payments: { find: dying(payments.find), getRefund: dying(payments.getRefund) },
    taxRules: { get: dying(deps.taxRules.get) },
    brands: { get: dying(deps.brands.get) },
    documents: {
      find: dying(deps.documents.find),
      nextOfSeries: dying(deps.documents.nextOfSeries),
      issue: dying(deps.documents.issue),
      keepNumbers: dying(deps.documents.keepNumbers),
      restore: dying(deps.documents.restore),
      numbers: dying(deps.documents.numbers),
    },
  };
}

const survive = (error: unknown): void => {
  if (!(error instanceof Crash)) throw error;
};

describe('document numbers', () => {
  it('begin at 1 in each year for each kind, in the order in which documents are requested', async () => {
    const { year: of, deps } = aYear();
    const subjects = some(3, (index) => payment(of, index));
    const issued = await issueDocuments(deps, [...subjects, refund(of, 1)]);
    expect(subjects.map(({ paymentId }) => issued.get(paymentId ?? '')?.number)).toEqual([
      `INV-${of}-000001`,
      `INV-${of}-000002`,
      `INV-${of}-000003`,
    ]);
    expect(issued.get(`ref_${of}x1`)).toMatchObject({
      number: `CRN-${of}-000001`,
      invoice: { number: `INV-${of}-000002` },
    });
  });

  it('are taken once per payment, also when it is requested again or twice in one batch', async () => {
    const { year: of, deps } = aYear();
    const first = await issueDocuments(deps, [payment(of, 1), payment(of, 1), payment(of, 2)]);
    const again = await issueDocuments(deps, [payment(of, 2), payment(of, 1), refund(of, 1)]);
    expect(again.get(`pay_${of}x1`)).toEqual(first.get(`pay_${of}x1`));
    await expectSeries('INV', of, 2);
    await expectSeries('CRN', of, 1);
  });

  it('belong to the year of the seller’s calendar: 00:30 in Berlin on 1 January is the new year', async () => {
    const { deps } = aYear();
    const at = (instant: string) => ({ ...deps, now: () => new Date(instant) });
    const old = await getDocument(at('2090-12-31T22:59:59Z'), { paymentId: 'pay_old' });
    const young = await getDocument(at('2090-12-31T23:30:00Z'), { paymentId: 'pay_young' });
    expect([old.number, old.issuedOn]).toEqual(['INV-2090-000001', '2090-12-31']);
    expect([young.number, young.issuedOn]).toEqual(['INV-2091-000001', '2091-01-01']);
  });

  it('have dates that never go backwards, even if the clock of one machine is an hour late', async () => {
    const { year: of, deps } = aYear();
    await issueDocuments(deps, [payment(of, 1)]);
    const late = { ...deps, now: () => new Date(deps.now().getTime() - 3_600_000) };
    const { issuedAt } = await getDocument(late, { paymentId: `pay_${of}x2` });
    expect(issuedAt).toBe(deps.now().toISOString());
  });

  it('are not taken for a document whose sums do not add up', async () => {
    const { year: of, deps } = aYear();
    const wrong = {
      ...deps,
      payments: { ...payments, find: async (id: string) => ({ ...base, id, tax: base.tax + 1 }) },
    };
    await expect(issueDocuments(wrong, [payment(of, 1)])).rejects.toThrow('do not add up');
    await expectSeries('INV', of, 0);
  });
});

describe('fifty processes that issue documents at once', () => {
  it('each get a different number, because each issues for a different payment', async () => {
    const { year: of, deps } = aYear();
    const issued = await Promise.all(some(50, (index) => payment(of, index)).map((one) => getDocument(deps, one)));
    expect(serialsOf(issued)).toEqual(oneTo(50));
    await expectSeries('INV', of, 50);
  });

  it('all get the same three documents for the same three payments', async () => {
    const { year: of, deps } = aYear();
    const wanted = some(3, (index) => payment(of, index));
    const issued = await Promise.all(Array.from({ length: 50 }, () => issueDocuments(deps, wanted)));
    for (const one of issued) expect(serialsOf(one.values())).toEqual([1, 2, 3]);
    await expectSeries('INV', of, 3);
  });
});

/** Every number that was given is written down once more, under what has it. */
async function expectKept(issued: ReadonlyMap<string, Document>): Promise<void> {
  for (const [subjectId, { serial }] of issued) expect((await documents.find(subjectId)).taken?.serial).toBe(serial);
}

describe('a process that crashes while it issues documents', () => {
  it('loses no document and makes none twice, at any point of the crash: the next process completes the work', async () => {
    for (const when of ['before', 'after'] as const) {
      const { year: of, deps } = aYear();
      let count = 0;
      for (let point = 1, died = true; died; point += 1) {
        const subjects = [...some(2, (i) => payment(of, count + i)), ...some(2, (i) => refund(of, count + i))];
        let calls = 0;
        died = false;
        const dying = dyingAt(deps, () => {
          calls += 1;
          died ||= calls === point;
          return calls === point ? when : undefined;
        });
        await issueDocuments(dying, subjects).catch(survive);
        const issued = await issueDocuments(deps, subjects);
        expect(issued.size).toBe(4);
        await expectKept(issued);
        count += 2;
        await expectSeries('INV', of, count);
        await expectSeries('CRN', of, count);
      }
      expect(count).toBeGreaterThan(30);
    }
  });

  it.each(times(50))(
    'loses no document and makes none twice while two others do the same work (run %i)',
    async (run) => {
      const { year: of, deps } = aYear();
      const random = seeded(run + 1);
      const subjects = [...some(8, (index) => payment(of, index)), ...some(4, (index) => refund(of, index))];
      const dying = dyingAt(deps, () => (random() < 0.03 ? (random() < 0.5 ? 'before' : 'after') : undefined));
      await Promise.all(Array.from({ length: 3 }, () => issueDocuments(dying, subjects).catch(survive)));
      const issued = await issueDocuments(deps, subjects);
      expect(issued.size).toBe(12);
      await expectKept(issued);
      await expectSeries('INV', of, 8);
      await expectSeries('CRN', of, 4);
    },
  );

  it('finds its documents when it tries again after the answer to its write was lost', async () => {
    const { year: of, deps } = aYear();
    const { heal } = onEveryCommit(async (commit) => {
      heal();
      await commit();
      throw awsError('TimeoutError');
    });
    const issued = await issueDocuments(
      deps,
      some(3, (index) => payment(of, index)),
    );
    expect(serialsOf(issued.values())).toEqual([1, 2, 3]);
    await expectSeries('INV', of, 3);
  });
});

describe('a document whose row was deleted', () => {
  const remove = async (...rows: { pk: string; sk: string }[]) => {
    const { table } = await import('../../shared/wiring/runtime.ts');
    for (const Key of rows) await table().client.send(new DeleteCommand({ TableName: table().name, Key }));
  };

  it('is issued again with its number, its date and its amounts, and nothing else is issued', async () => {
    const { year: of, deps } = aYear();
    const first = await issueDocuments(deps, [payment(of, 1), payment(of, 2), payment(of, 3)]);
    await remove(keys.document(`pay_${of}x2`));
    const later = { ...deps, now: () => new Date(deps.now().getTime() + 86_400_000) };
    const again = await Promise.all(times(3).map(() => issueDocuments(later, [payment(of, 2), payment(of, 4)])));
    for (const one of again) {
      expect(one.get(`pay_${of}x2`)).toEqual(first.get(`pay_${of}x2`));
      expect(one.get(`pay_${of}x4`)?.serial).toBe(4);
    }
    await expectSeries('INV', of, 4);
  });

  it('keeps its number of the year 2101 when it is restored years later, and takes no number of 2103', async () => {
    const { year: of, deps } = aYear();
    const first = await issueDocuments(deps, [payment(of, 1)]);
    await remove(keys.document(`pay_${of}x1`));
    const later = { ...deps, now: () => new Date(`${Number(of) + 2}-01-05T12:00:00Z`) };
    expect(await issueDocuments(later, [payment(of, 1)])).toEqual(first);
    await expectSeries('INV', String(Number(of) + 2), 0);
    year += 2;
  });
});

describe('a series from which many processes take numbers at once', () => {
  it('gives each of two hundred processes a number, and skips none', async () => {
    const { year: of, deps } = aYear();
    const until = performance.now() + 60_000;
    const one = (index: number) => issue(deps, [payment(of, index)], () => performance.now() < until);
    const issued = await Promise.all(times(200).map(one));
    expect(
      issued
        .flatMap((documents) => serialsOf([...documents.values()].map(({ document }) => document)))
        .sort((a, b) => a - b),
    ).toEqual(oneTo(200));
    await expectSeries('INV', of, 200);
  });

  it('answers 503 to a process that has no time left, and has no gap afterwards', async () => {
    const { year: of, deps } = aYear();
    const { heal } = onEveryCommit(async () => {
      throw new StaleVersion();
    });
    const waited = issue({ ...deps, random: () => 0 }, [payment(of, 1)], () => false);
    await expect(waited).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    heal();
    await expectSeries('INV', of, 0);
  });
});

describe('a batch of the document queue', () => {
  const plenty: CallTime = { hasTime: () => true, hasTimeToConfirm: () => true, isPatient: () => true };

  /** Mails to all but the payment with this id, and notes what was done. */
  function queueOf(deps: IssueDocumentsDeps, refusing: string) {
    const [sent, marked, left, counts]: [string[], string[], string[], number[]] = [[], [], [], []];
    const leftFirst: string[] = [];
    const atOnce = { now: 0, most: 0 };
    const mailer = {
      send: async ({ subject }: Mail) => {
        atOnce.now += 1;
        atOnce.most = Math.max(atOnce.most, atOnce.now);
        await turn();
        atOnce.now -= 1;
        if (subject === refusing) throw new Error('The mail server is busy.');
        sent.push(subject);
        return 'sent' as const;
      },
    };
    const queue: IssueQueuedDeps = {
      ...deps,
      chosenLanguage: async () => undefined,
      wantsConfirmations: async () => false,
      newId: (prefix: string) => `${prefix}_new` as never,
      brands: { ...deps.brands, policyText: async () => undefined },
      mails,
      isMailed: true,
      mailer,
      events: {
        markDocumented: async (id) => {
          if (marked.includes(id)) return false;
          marked.push(id);
          return true;
        },
        awaitMail: async (id, { confirmsWaiver }) => {
          (confirmsWaiver ? leftFirst : left).push(id);
          return true;
        },
      },
      compose: async ({ paymentId }) => ({ ...mail, subject: paymentId }),
      countDocumented: (payments) => void counts.push(payments),
      readAhead: (_, act) => act(),
      taxIdUrl: async () => 'https://pay.example/tax-id?token=t',
      orderUrl: async () => 'https://pay.example/orders/pay_1?secret=s',
    };
    return { queue, mailer, sent, marked, left, leftFirst, counts, atOnce };
  }

  it('mails to all buyers, a few at a time, even if one mail fails, and counts each mail once', async () => {
    const { year: of, deps } = aYear();
    const wanted = some(10, (index) => payment(of, index)).map((subject) => ({
      eventId: subject.paymentId ?? '',
      subject,
    }));
    const others = wanted.map(({ eventId }) => eventId).filter((id) => id !== `pay_${of}x3`);
    const { queue, sent, marked, counts, atOnce } = queueOf(deps, `pay_${of}x3`);
    await expect(issueAndMail(queue, wanted, plenty)).rejects.toThrow('busy');
    expect([sent.sort(), marked.sort(), atOnce.most]).toEqual([others, others, 8]);
    await issueAndMail(queue, wanted, plenty);
    expect(sent).toEqual(others);
    expect(counts).toEqual([9, 0]);
  });

  const dueOf = (subjects: readonly Subject[]) =>
    subjects.map((subject) => ({ eventId: subject.paymentId ?? '', subject }));
  const messagesOf = (subjects: readonly Subject[]) =>
    dueOf(subjects).map((one) => ({ id: one.eventId, dueDocuments: () => [one] }));

  it('issues 99 documents in three transactions, and mails none twice when messages arrive twice', async () => {
    const { year: of, deps } = aYear();
    const wanted = some(99, (index) => payment(of, index));
    const { queue, sent, marked } = queueOf(deps, 'nobody');
    const sizes: number[] = [];
    const counting: IssueQueuedDeps = {
      ...queue,
      documents: {
        ...documents,
        issue: (...args) => {
          sizes.push(args[1].length);
          return documents.issue(...args);
        },
      },
    };
    await issueAndMail(counting, dueOf([...wanted, ...wanted]), plenty);
    expect([sizes, new Set(sent).size, sent.length, marked.length]).toEqual([[33, 33, 33], 99, 99, 99]);
    await expectSeries('INV', of, 99);
  });

  it.each(campaign(times(20), times(2)))(
    'loses no number between its transactions when three workers share the messages and die (run %i)',
    async (run) => {
      const { year: of, deps } = aYear();
      const random = seeded(run + 77);
      const wanted = some(70, (index) => payment(of, index));
      const dying = dyingAt(deps, () => (random() < 0.01 ? (random() < 0.5 ? 'before' : 'after') : undefined));
      const { queue, marked } = queueOf(deps, 'nobody');
      const dead = { ...queue, documents: dying.documents };
      const shared = times(3).map((n) => messagesOf(wanted.slice(20 * n, 20 * n + 40)));
      await Promise.all(shared.map((messages) => issueQueued(dead, messages, plenty)));
      await issueQueued(queue, messagesOf(wanted), plenty);
      expect(marked.length).toBe(70);
      await expectSeries('INV', of, 70);
    },
  );

  it('finds one bad message of 99 in few tries, and issues all others', async () => {
    const { year: of, deps } = aYear();
    const wanted = some(99, (index) => payment(of, index));
    const find = async (id: string) => (id === `pay_${of}x57` ? { ...base, id, tax: base.tax + 1 } : payments.find(id));
    let calls = 0;
    const readAhead: IssueQueuedDeps['readAhead'] = (_, act) => {
      calls += 1;
      return act();
    };
    const { queue } = queueOf({ ...deps, payments: { ...payments, find } }, 'nobody');
    expect(await issueQueued({ ...queue, readAhead }, messagesOf(wanted), plenty)).toEqual([`pay_${of}x57`]);
    expect(calls).toBeLessThanOrEqual(16);
    await expectSeries('INV', of, 98);
  });

  /** A shop in which two sales of each ten were waived, and a mail service that accepts so many mails. */
  function waivedQueue(deps: IssueDocumentsDeps, accepted: number) {
    const isWaivedSale = (id: string) => /[38]$/.test(id);
    const find = async (id: string) => ({ ...base, id, ...(isWaivedSale(id) ? waiver : {}) });
    const shop = { ...deps, payments: { ...payments, find }, random: () => 0 };
    const { queue, mailer: open, ...done } = queueOf(shop, 'nobody');
    const room = { accepted };
    const mailer = {
      send: async (one: Mail) => {
        if (room.accepted < 1) throw new MailServiceBusy(undefined);
        room.accepted -= 1;
        return open.send(one);
      },
    };
    return { queue: { ...queue, mailer }, ...done, room, isWaivedSale };
  }

  it('mails the confirmations of waivers first, and leaves the rest to the sweep as soon as the mail service is busy', async () => {
    const { year: of, deps } = aYear();
    const wanted = some(20, (index) => payment(of, index));
    const { queue, sent, marked, left, isWaivedSale } = waivedQueue(deps, 6);
    await issueAndMail(queue, dueOf(wanted), plenty);
    expect(sent.slice(0, 4).filter(isWaivedSale)).toHaveLength(4);
    expect([sent.length, marked.length, left.length]).toEqual([6, 6, 14]);
    expect([...marked, ...left].sort()).toEqual(wanted.map(({ paymentId }) => paymentId).sort());
    await expectSeries('INV', of, 20);
  });

  it('offers a confirmation again until the mail service accepts it, but no other mail', async () => {
    const { year: of, deps } = aYear();
    const { queue, sent, left, room } = waivedQueue(deps, 0);
    let refusals = 0;
    const mailer = {
      send: (one: Mail) =>
        queue.mailer.send(one).catch((error: unknown) => {
          refusals += 1;
          if (refusals === 5) room.accepted = 1;
          throw error;
        }),
    };
    await issueAndMail({ ...queue, mailer }, dueOf([payment(of, 2), payment(of, 3)]), plenty);
    expect([sent, left, refusals]).toEqual([[`pay_${of}x3`], [`pay_${of}x2`], 6]);
  });

  it('leaves its mails to the sweep when its time is over, but tries a confirmation once', async () => {
    const { year: of, deps } = aYear();
    const { queue, sent, left } = waivedQueue(deps, 9);
    await issueAndMail(queue, dueOf([payment(of, 2), payment(of, 3)]), { ...plenty, hasTime: () => false });
    expect([sent, left]).toEqual([[`pay_${of}x3`], [`pay_${of}x2`]]);
  });

  it.each([
    { reason: 'its patience is over', tries: 4, isDayOver: false },
    { reason: 'the quota of the day is used up', tries: 1, isDayOver: true },
  ])('leaves a confirmation to the front of the waiting mails when $reason', async ({ tries, isDayOver }) => {
    const { year: of, deps } = aYear();
    const { queue, sent, left, leftFirst } = waivedQueue(deps, 0);
    let tried = 0;
    const send = async () => {
      tried += 1;
      throw new MailServiceBusy(undefined, isDayOver);
    };
    const time = { ...plenty, isPatient: () => tried < 4 };
    await issueAndMail({ ...queue, mailer: { send } }, dueOf([payment(of, 3)]), time);
    expect([sent, left, leftFirst, tried]).toEqual([[], [], [`pay_${of}x3`], tries]);
  });

  it('sends no confirmation when too little time is left for its mark', async () => {
    const { year: of, deps } = aYear();
    const { queue, sent, left, leftFirst } = waivedQueue(deps, 9);
    const none = { ...plenty, hasTime: () => false, hasTimeToConfirm: () => false };
    await issueAndMail(queue, dueOf([payment(of, 2), payment(of, 3)]), none);
    expect([sent, left, leftFirst]).toEqual([[], [`pay_${of}x2`], [`pay_${of}x3`]]);
  });

  it.each([
    { seconds: 0, may: [true, true, true] },
    { seconds: 5, may: [true, true, false] },
    { seconds: 40, may: [false, true, false] },
    { seconds: 52, may: [false, false, false] },
  ])('of a call of 60 seconds may, after $seconds, issue, confirm, and wait: $may', ({ seconds, may }) => {
    let remainingMs = 60_000;
    const { hasTime, hasTimeToConfirm, isPatient } = callTime(() => remainingMs);
    remainingMs -= seconds * 1_000;
    expect([hasTime(), hasTimeToConfirm(), isPatient()]).toEqual(may);
  });

  it('leaves a failed mail to the sweep, and does not put the message back into the queue', async () => {
    const { year: of, deps } = aYear();
    const { queue, sent, marked } = queueOf(deps, `pay_${of}x1`);
    const dueDocuments = () => [{ eventId: 'evt_1', subject: payment(of, 1) }];
    expect(await issueQueued(queue, [{ id: 'message', dueDocuments }], plenty)).toEqual([]);
    expect([sent, marked]).toEqual([[], []]);
  });
});

it('the answer is 503, and no number is taken, when the table does not answer', async () => {
  const { year: of, deps } = aYear();
  const { heal } = onEveryCommit(async () => {
    throw awsError('InternalServerError');
  });
  const asked = issue({ ...deps, random: () => 0 }, [payment(of, 1)], () => false);
  await expect(asked).rejects.toSatisfy(
    (error) => error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE',
  );
  heal();
  await expectSeries('INV', of, 0);
});

/** All of them with CAMPAIGN=full. */
const many = campaign(10_000, 500);
/** How often a call dies. */
const mortality = campaign(0.002, 0.008);

it(`${many} payments get the numbers 1 to ${many}, even if both issuing processes crash repeatedly`, async () => {
  const { year: of, deps } = aYear();
  const random = seeded(many);
  const left = new Set(times(many));
  let deaths = 0;
  const dying = dyingAt(deps, () => {
    if (random() >= mortality) return undefined;
    deaths += 1;
    return random() < 0.5 ? 'before' : 'after';
  });
  const serials = new Map<string, number>();
  const started = performance.now();
  const work = async (): Promise<void> => {
    while (left.size > 0) {
      const taken = [...left].slice(0, 98);
      for (const index of taken) left.delete(index);
      try {
        const issued = await issueDocuments(
          dying,
          taken.map((index) => payment(of, index)),
        );
        for (const [id, { serial }] of issued) serials.set(id, serial);
      } catch (error) {
        survive(error);
        for (const index of taken) left.add(index);
      }
    }
  };
  await Promise.all(times(2).map(work));
  const seconds = (performance.now() - started) / 1_000;
  const rate = Math.round(many / seconds);
  console.log(`${many} invoices in ${seconds.toFixed(1)} s, ${rate} a second, with ${deaths} deaths`);
  expect([...serials.values()].sort((a, b) => a - b)).toEqual(oneTo(many));
  expect(deaths).toBeGreaterThan(1);
  await expectSeries('INV', of, many);
}, 400_000);
