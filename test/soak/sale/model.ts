import { documentsPerSecond } from '../../../infra/commands/ops/capacity.ts';

/**
 * What the bench of a sale takes from AWS and from buyers. Everything else in it is run: the functions of sessions,
 * payments, documents, deliveries and the sweep, and the engine of the table with the pace, the conflicts and the limits
 * of partitions of `contended-table.ts`. Only AWS itself can show the real figures.
 */
export const model = {
  /** Functions that an account runs at once: Lambda's default quota L-B99A9384. */
  functionsAtOnce: 1_000,
  /** A cold start, which each call beyond the warm ones has: docs/costs.md. */
  coldStartMs: 500,
  /**
   * Processor milliseconds of a warm call with its memory: docs/costs.md, at half the speed of the measured processor.
   * The waits for the table are run.
   */
  callMs: {
    session: 2 * 2.97 * (1_769 / 512),
    page: 2 * 3.77 * (1_769 / 512),
    script: 2 * 1.88 * (1_769 / 512),
    total: 2 * 3.44 * (1_769 / 512),
    payment: 2 * 5.79 * (1_769 / 256),
    return: 2 * 5.14 * (1_769 / 256),
    receipt: 2 * 2.68 * (1_769 / 512),
    dispatch: 2 * 4.129 * (1_769 / 512),
    document: 1_000 / documentsPerSecond.unmailed,
    mail: 1_000 / documentsPerSecond.mailed - 1_000 / documentsPerSecond.unmailed,
  },
  /** An answer of the processor: docs/costs.md. */
  processorMs: 300,
  /** From a commit to the call of the relay, and through the bus or the queue: taken, not measured. */
  relayMs: 500,
  /** A message in this many is lost on its way to the queue: taken; the sweep has to find it. */
  lostMessages: 500,
  /** An answer of SES: taken. Its rate is an option; 14 a second is what AWS gives a usual account first. */
  mailMs: 100,
  /** How long the queue hides a message that failed: six timeouts of 60 s, as the stack sets it. */
  hiddenMs: 360_000,
  /** What buyers do: taken. */
  buyers: {
    /** Reading the page before they pay, and staying on the processor's page. */
    readsMs: [2_000, 15_000],
    paysMs: [10_000, 60_000],
    /** The part that leaves the processor's page and never pays. */
    leaving: 0.1,
    /** The part that tries again while a code is used up, how often, and after how long. */
    patient: 0.3,
    tries: 6,
    againMs: 300_000,
    /** How often the page sends a request again that a busy service refused, and its pause. */
    busyTries: 10,
    busyMs: [1_000, 3_000],
  },
} as const;
