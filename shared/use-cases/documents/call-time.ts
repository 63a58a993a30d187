/** How much time a call of the worker of documents has left. */
export interface CallTime {
  /** Whether it may still issue documents, and send mails that confirm no waiver. */
  hasTime(): boolean;
  /** Whether it may still send a mail that confirms a waiver. */
  hasTimeToConfirm(): boolean;
  /** Whether it may offer a refused confirmation again. Longer pauses would hold up the documents behind it. */
  isPatient(): boolean;
}

/** The time that is reserved for sending mails and updating rows after a document has its number. */
const reserveMs = 20_000;
/** The time that one mail and its mark need at most. */
const confirmMs = 8_000;
/** How long a call offers a confirmation again, from its start. */
const patienceMs = 5_000;

/** The time of a call that has so many milliseconds left. */
export function callTime(remainingMs: () => number): CallTime {
  const wholeMs = remainingMs();
  return {
    hasTime: () => remainingMs() > reserveMs,
    hasTimeToConfirm: () => remainingMs() > confirmMs,
    isPatient: () => wholeMs - remainingMs() < patienceMs,
  };
}
