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
import type { DomainEvent } from '../../events/catalogue.ts';
import { recordWrite } from '../access/audit-store.ts';
import { eventWrite } from '../events/event-store.ts';
import { keys } from '../keys.ts';
import { unavailable } from '../table/errors.ts';
import { findItem } from '../table/read.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import type { Write, WriteCondition } from '../table/write.ts';
import { MailRow, notesOf, noteTexts } from './mail-rows.ts';

/** The result of a mail. `refused`: the mail will never be accepted. `none`: no mailer is configured. */
export type MailOutcome = 'sent' | 'refused' | 'none';

/**
 * How a mail ended. `attempt` and `orderLink` are from its tag. `confirms` is the hash of the contract's confirmation
 * in it.
 */
export interface MailEnd extends Partial<Pick<MailTag, 'attempt' | 'orderLink'>>, Pick<MailNote, 'confirms'> {
  at: string;
  outcome: MailOutcome;
}

interface LostMail {
  /** The id of the payment or refund. */
  id: string;
  why: 'refused' | 'bounced';
}

export interface MailStore {
  /**
   * Claims the mail of a document until an instant. Returns false if another worker has claimed it, or if it has ended.
   */
  claim(subjectId: string, claim: { now: string; until: string }): Promise<boolean>;
  /**
   * Claims a mail that has ended, to send it again. The records of the command are written with the claim. Returns
   * false if the mail is being sent.
   */
  claimAgain(
    subjectId: string,
    claim: { notes: readonly MailNote[]; now: string; until: string },
    records: readonly CommandRecord[],
  ): Promise<boolean>;
  /** Reads the notes about the mails of a payment or refund, in the order of time. */
  notes(subjectId: string): Promise<MailNote[]>;
  /** Stores how a mail ended, in one write. If an event is given, the same transaction stores it. */
  end(subjectId: string, end: MailEnd, event?: DomainEvent): Promise<void>;
  /**
   * Stores a note about a mail without a document. Strangers can request links, so the number of such notes is limited.
   */
  note(subjectId: string, note: MailNote): Promise<void>;
  /**
   * Stores a report of the mail service. The row is written before the mail is sent, so it exists for every report.
   * @returns false if there is no such mail, or if its row already has the most reports
   */
  noteReport(report: MailReport): Promise<boolean>;
  /**
   * Finds the payments or refunds whose document cannot reach the buyer, in one call. The mail service refused the
   * mail, or the mail bounced permanently.
   */
  lost(subjectIds: readonly string[]): Promise<LostMail[]>;
}

export function mailStore(table: Table, freeze: (event: DomainEvent) => string): MailStore {
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
    end: async (subjectId, end, event) => {
      if (event) await commit(table, [endWrite(subjectId, end), eventWrite(event, freeze(event))]);
      else await changeMail(table, subjectId, ending(end));
    },
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

/**
 * The most notes in a row. Above the first limit, no reports are added. Above the second, no notes about mails without
 * a document.
 */
const [mostNotes, mostOther] = [60, 30];
/**
 * When the notes are shortened. If there are at least `manyNotes` and a mail is sent again, only the newest `mostKept`
 * and the proof of the confirmation stay.
 */
const [manyNotes, mostKept] = [40, 20];

interface MailChange extends Partial<WriteCondition> {
  UpdateExpression: string;
}

const mail = { ':mail': 'MAIL' };

/**
 * Changes the row, and returns whether the condition was met. Other attributes stay, because reports can arrive at any
 * time.
 */
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

/**
 * The write that claims a mail which has ended. For the worker it is still ended, because otherwise the worker would
 * send it too.
 */
function mailAgainWrite(
  subjectId: string,
  { notes, now, until }: { notes: readonly MailNote[]; now: string; until: string },
): Write {
  const isLong = notes.length >= manyNotes;
  const proving = provingNotes(notes);
  const removed = notes.slice(0, -mostKept).filter((note) => !proving.has(note));
  const changed = isLong ? removed : notes; // A row of 0.2.0 has no notes, so it gets its first one here.
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

function ending({ outcome, ...end }: MailEnd): MailChange {
  const notes = outcome === 'none' ? undefined : noteTexts([{ ...end, what: outcome }]);
  return {
    UpdateExpression: `SET entity = :mail, #at = :at, outcome = :outcome REMOVE claimedUntil${notes ? ' ADD notes :notes' : ''}`,
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ...mail, ':at': end.at, ':outcome': outcome, ...(notes && { ':notes': notes }) },
  };
}

/** The write that stores how a mail ended, as a part of a transaction. The mail must have been claimed before. */
const endWrite = (subjectId: string, end: MailEnd): Write => ({
  update: { Key: keys.documentMail(subjectId), ConditionExpression: 'attribute_exists(pk)', ...ending(end) },
  refusal: () => new Error(`The mail of ${subjectId} was never begun.`),
});

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
