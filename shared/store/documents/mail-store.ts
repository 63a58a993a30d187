import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import {
  hasBouncedForGood,
  type MailNote,
  type MailReport,
  type MailTag,
  provingNotes,
} from '../../domain/orders/mail-notes.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys } from '../keys.ts';
import { unavailable } from '../table/errors.ts';
import { findItem } from '../table/read.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';
import { MailRow, notesOf, noteTexts } from './mail-rows.ts';

/** `refused`: the mail will never be accepted; `none`: no mailer is configured. */
export type MailOutcome = 'sent' | 'refused' | 'none';

/** How a mail ended. `attempt` and `orderLink` are those of its tag, and `confirms` is the hash of what it confirms. */
export interface MailEnd extends Partial<Pick<MailTag, 'attempt' | 'orderLink'>>, Pick<MailNote, 'confirms'> {
  at: string;
  outcome: MailOutcome;
}

interface LostMail {
  /** The payment or refund. */
  id: string;
  why: 'refused' | 'bounced';
}

export interface MailStore {
  /** Claims a document's mail until an instant; false if another worker has claimed or ended it. */
  claim(subjectId: string, claim: { now: string; until: string }): Promise<boolean>;
  /**
   * Claims a mail that has ended, to send it once more, and writes the records of the command with the claim. False if
   * it is being sent.
   */
  claimAgain(
    subjectId: string,
    claim: { notes: readonly MailNote[]; now: string; until: string },
    records: readonly CommandRecord[],
  ): Promise<boolean>;
  /** What is noted of the mails about a payment or refund, in the order of time. */
  notes(subjectId: string): Promise<MailNote[]>;
  /** Notes in one write how a mail ended. */
  end(subjectId: string, end: MailEnd): Promise<void>;
  /** Notes a mail besides those with the document. A stranger can ask for links, so there is a limit. */
  note(subjectId: string, note: MailNote): Promise<void>;
  /**
   * Stores a report of the mail service. The row is written before the mail is sent, so it is there for every report.
   * @returns false if there is no such mail, or it has the most reports that are kept
   */
  noteReport(report: MailReport): Promise<boolean>;
  /**
   * Finds those payments or refunds whose document reaches nobody, in one call: no mail server accepts the mail, or it
   * came back for good.
   */
  lost(subjectIds: readonly string[]): Promise<LostMail[]>;
}

export function mailStore(table: Table): MailStore {
  return {
    claim: (subjectId, claim) => claimMail(table, subjectId, claim),
    claimAgain: (subjectId, claim, records) =>
      commit(table, [...records.map(recordWrite), mailAgainWrite(subjectId, claim)]).then(
        () => true,
        (error) => (error instanceof StaleVersion ? false : Promise.reject(error)),
      ),
    notes: async (subjectId) => {
      const row = await findItem(table, keys.documentMail(subjectId));
      return row ? notesOf(MailRow.parse(row)) : [];
    },
    end: (subjectId, end) => endMail(table, subjectId, end),
    note: (subjectId, note) => noteMail(table, subjectId, note),
    noteReport: (report) => noteReport(table, report),
    lost: async (subjectIds) => {
      const item = subjectIds.length > 0 ? await findItems(table, subjectIds.map(keys.documentMail)) : () => undefined;
      const mails = subjectIds.map((id) => ({ id, mail: MailRow.safeParse(item(keys.documentMail(id))).data }));
      return mails.flatMap(({ id, mail }) => {
        const why = mail && whyLost(mail);
        return why ? [{ id, why }] : [];
      });
    },
  };
}

function whyLost(mail: MailRow): LostMail['why'] | undefined {
  if (mail.outcome === 'refused') return 'refused';
  return hasBouncedForGood(notesOf(mail)) ? 'bounced' : undefined;
}

/** A row stays small: no report is added above the first limit, no mail besides the documents above the second. */
const [mostNotes, mostOther] = [60, 30];
/** A mail that is sent again first removes the oldest notes above `mostKept`, once there are `manyNotes`, but not the proof. */
const [manyNotes, mostKept] = [40, 20];

interface MailChange {
  UpdateExpression: string;
  ExpressionAttributeValues: Record<string, unknown>;
  ExpressionAttributeNames?: Record<string, string>;
  ConditionExpression?: string;
}

const mail = { ':mail': 'MAIL' };

/** Changes the row, and says whether its condition was met. Other attributes stay, because reports arrive at any time. */
const changeMail = (table: Table, subjectId: string, change: MailChange): Promise<boolean> =>
  table.client.send(new UpdateCommand({ TableName: table.name, Key: keys.documentMail(subjectId), ...change })).then(
    () => true,
    (error) => (error instanceof ConditionalCheckFailedException ? false : unavailable(error)),
  );

const claimMail = (table: Table, subjectId: string, { now, until }: { now: string; until: string }): Promise<boolean> =>
  changeMail(table, subjectId, {
    UpdateExpression: 'SET entity = :mail, claimedUntil = :until',
    ConditionExpression: 'attribute_not_exists(#at) AND (attribute_not_exists(claimedUntil) OR claimedUntil < :now)',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ...mail, ':until': until, ':now': now },
  });

/** Claims a mail that has ended. It stays ended for the worker, which would send it a second time otherwise. */
function mailAgainWrite(
  subjectId: string,
  { notes, now, until }: { notes: readonly MailNote[]; now: string; until: string },
): Write {
  const isLong = notes.length >= manyNotes;
  const proving = provingNotes(notes);
  const removed = notes.slice(0, -mostKept).filter((note) => !proving.has(note));
  const changed = isLong ? removed : notes; // a row of 0.2.0 gets its first note here
  const section = changed.length === 0 ? '' : ` ${isLong ? 'DELETE' : 'ADD'} notes :notes`;
  return {
    update: {
      Key: keys.documentMail(subjectId),
      UpdateExpression: `SET entity = :mail, claimedUntil = :until${section}`,
      ConditionExpression: 'attribute_not_exists(claimedUntil) OR claimedUntil < :now',
      ExpressionAttributeValues: {
        ...{ ...mail, ':until': until, ':now': now },
        ...(section && { ':notes': noteTexts(changed) }),
      },
    },
    refusal: () => new StaleVersion(),
  };
}

async function endMail(table: Table, subjectId: string, { outcome, ...end }: MailEnd): Promise<void> {
  const notes = outcome === 'none' ? undefined : noteTexts([{ ...end, what: outcome }]);
  await changeMail(table, subjectId, {
    UpdateExpression: `SET entity = :mail, #at = :at, outcome = :outcome REMOVE claimedUntil${notes ? ' ADD notes :notes' : ''}`,
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ...mail, ':at': end.at, ':outcome': outcome, ...(notes && { ':notes': notes }) },
  });
}

const noteMail = async (table: Table, subjectId: string, note: MailNote): Promise<void> =>
  void (await changeMail(table, subjectId, {
    UpdateExpression: 'SET entity = :mail ADD notes :notes',
    ConditionExpression: 'attribute_not_exists(notes) OR size(notes) < :most',
    ExpressionAttributeValues: { ...mail, ':notes': noteTexts([note]), ':most': mostOther },
  }));

const noteReport = (table: Table, { tag, note }: MailReport): Promise<boolean> =>
  changeMail(table, tag.subjectId, {
    UpdateExpression: 'ADD notes :notes',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(notes) OR size(notes) < :most)',
    ExpressionAttributeValues: { ':notes': noteTexts([note]), ':most': mostNotes },
  });
