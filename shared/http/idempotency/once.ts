import { DomainError } from '../../domain/errors.ts';
import { AlreadyDone, type IdempotencyRecord, inProgress, type StoredAnswer } from '../../domain/idempotency.ts';
import { type HttpResponse, isRefusal, presentProblem } from '../problem.ts';
import { type AnswerSlot, type IdempotentRequest, slotOf } from './answer-slot.ts';

export interface IdempotencyRecords {
  find(id: string, now: string): Promise<IdempotencyRecord | undefined>;
  /** Writes one record; throws AlreadyDone if it exists. */
  save(record: IdempotencyRecord): Promise<void>;
  /**
   * Stores the answer of a claimed record. Throws AlreadyDone if it has an answer, or if another command has replaced
   * it.
   */
  answer(record: IdempotencyRecord): Promise<void>;
}

/** How a command of several transactions is continued after a crash between them. */
export interface Continuation<Result> {
  /** The id of the object that the first transaction creates. */
  started: (result: Result) => string;
  /** Continues what the first transaction started. If it is repeated, it has no second effect. */
  resume: (id: string) => Promise<Result>;
  /** Whether the answer is never stored, because it contains a secret. For a repeated request, it is made again. */
  isSecret?: true;
}

/** How the result of a command is turned into an answer. */
interface Answers<Result, Answer> {
  respond: (result: Result) => Answer;
  /** Makes the answer that is stored for a repeated request. */
  keep: (result: Result) => StoredAnswer;
  /** Turns a stored answer into the answer to a repeated request. */
  replay: (answer: StoredAnswer) => Answer;
  /** Handles a command that failed. */
  refused: (error: unknown) => Promise<Answer>;
}

type Command<Result> = (kept: (result: Result) => IdempotencyRecord[]) => Promise<Result>;

/** The parts that are needed to use the place of a response. */
interface Exchange<Result, Answer> {
  records: IdempotencyRecords;
  answers: Answers<Result, Answer>;
  /** How the command is continued. Absent for a command of one transaction. */
  continuation?: Continuation<Result> | undefined;
}

/**
 * Runs a command at most once for one place of a response. The command's own transaction stores its answer. A command
 * of several transactions claims the place in its first transaction, and stores the answer before it is sent.
 */
export async function onceIn<Result, Answer>(
  slot: AnswerSlot,
  exchange: Exchange<Result, Answer>,
  act: Command<Result>,
): Promise<Answer> {
  const { records, continuation, answers } = exchange;
  const { respond, keep, replay, refused } = answers;
  const claim = (result: Result): IdempotencyRecord =>
    continuation
      ? { ...slot.record, answer: null, started: continuation.started(result) }
      : { ...slot.record, answer: keep(result), started: null };
  const earlier = slot.looksUp ? await findIn(slot, records) : undefined;
  if (earlier) return repeat(slot, exchange, earlier);
  try {
    const result = await act((result) => [claim(result)]);
    if (!continuation || continuation.isSecret) return respond(result);
    const stored = await storeAnswer(records, claim(result), keep(result));
    return stored ? replay(stored) : respond(result);
  } catch (error) {
    return error instanceof AlreadyDone ? repeat(slot, exchange, error.record) : refused(error);
  }
}

/**
 * Answers a repeated request. If no answer is stored, the first request has crashed or still runs, so this request
 * continues it.
 */
async function repeat<Result, Answer>(
  slot: AnswerSlot,
  { records, continuation, answers }: Exchange<Result, Answer>,
  earlier: IdempotencyRecord,
): Promise<Answer> {
  if (earlier.fingerprint !== slot.record.fingerprint)
    throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key belongs to another request; use a new one.');
  if (earlier.answer) return answers.replay(earlier.answer);
  if (!continuation || earlier.started === null) throw inProgress();
  const answer = answers.keep(await continuation.resume(earlier.started));
  if (continuation.isSecret) return answers.replay(answer);
  return answers.replay((await storeAnswer(records, earlier, answer)) ?? answer);
}

/** Stores the answer of a claimed record. If a repeated request was faster, its answer is returned. */
async function storeAnswer(
  records: IdempotencyRecords,
  claimed: IdempotencyRecord,
  answer: StoredAnswer,
): Promise<StoredAnswer | null> {
  try {
    await records.answer({ ...claimed, answer });
    return null;
  } catch (error) {
    if (!(error instanceof AlreadyDone)) throw error;
    return error.record.started === claimed.started ? error.record.answer : null;
  }
}

/** The record at a place; undefined if it has expired. */
export const findIn = (
  { record, now }: AnswerSlot,
  records: IdempotencyRecords,
): Promise<IdempotencyRecord | undefined> => records.find(record.id, now);

/** How the result of a command is turned into a response. */
interface Responses<Result> {
  respond: (result: Result) => HttpResponse;
  keep: (result: Result) => HttpResponse;
  continuation?: Continuation<Result> | undefined;
}

/**
 * Runs a command at most once for a key. A repeated request gets the same bytes. Refusals are stored too, but
 * unexpected errors are not.
 */
export async function once<Result>(
  request: IdempotentRequest,
  records: IdempotencyRecords,
  { respond, keep, ...ways }: Responses<Result>,
  act: Command<Result>,
): Promise<HttpResponse> {
  const slot = slotOf(request);
  if (!slot) return respond(await act(() => []));
  const kept = ({ statusCode: status, body }: HttpResponse) => ({ status, body });
  const refused = async (error: unknown): Promise<HttpResponse> => {
    if (!isRefusal(error) || !slot.keepsRefusals) throw error;
    const answer = kept(presentProblem(error, request));
    try {
      await records.save({ ...slot.record, answer, started: null });
    } catch (lost) {
      if (lost instanceof AlreadyDone) return repeat(slot, exchange, lost.record);
      throw lost;
    }
    throw error;
  };
  const answers = { respond, keep: (result: Result) => kept(keep(result)), replay, refused };
  const exchange = { records, answers, ...ways };
  return onceIn(slot, exchange, act);
}

function replay({ status, body }: StoredAnswer): HttpResponse {
  const type = status === 200 ? 'application/json' : 'application/problem+json';
  const headers: Record<string, string> = {
    'content-type': type,
    'idempotent-replayed': 'true',
    'cache-control': 'no-store',
  };
  if (status === 409) headers['x-should-retry'] = 'false';
  return { statusCode: status, headers, body };
}
