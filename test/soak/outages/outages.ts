/** What CloudWatch would have in one of its periods of five minutes: each value of each metric. */
type Measured = Readonly<Record<string, readonly number[]>>;

export interface Outage {
  what: string;
  minutes: number;
  /** The alarms that must ring, each with the least that is measured, at which it rings. */
  alarms: Readonly<Record<string, Measured>>;
  /** What the log says of it, as fields of one line. Nothing if no function of ours is started. */
  line?: Readonly<Record<string, RegExp>>;
  /** The section of docs/runbook.md, and the words of it that name this outage. */
  runbook: { section: string; words: string };
}

const visible = 'ApproximateNumberOfMessagesVisible';

/** Faults of AWS that no emulator has. They are played between our code and the clients, and nobody has seen them on AWS. */
export const outages = {
  throttling: {
    what: 'the table refuses seven of ten calls for five minutes',
    minutes: 5,
    alarms: { ThrottledTable: { ReadThrottleEvents: [40], WriteThrottleEvents: [10] } },
    line: { message: /^request failed$/, error: /^ThrottlingException$/ },
    runbook: { section: 'Throttled table', words: '`ThrottlingException`' },
  },
  key: {
    what: 'the encryption key is disabled for five minutes',
    minutes: 5,
    alarms: { ApiErrors: { '5xx': [5] }, WorkerErrors: { WorkerErrors: [5] }, Heartbeat: { Errors: [3] } },
    line: { message: /^The endpoints cannot be read\.$/, cause: /KMS/ },
    runbook: { section: 'The encryption key', words: '`Disabled`' },
  },
  role: {
    what: 'the dispatcher’s role may not write to the table for five minutes',
    minutes: 5,
    alarms: { WorkerErrors: { WorkerErrors: [5] }, FailedDispatches: { [visible]: [1] } },
    line: { message: /^An event could not be dispatched\.$/, reason: /not authorized to perform: dynamodb:/ },
    runbook: { section: 'Worker errors', words: '`not authorized to perform: dynamodb:PutItem`' },
  },
  timeout: {
    what: 'each call of the dispatcher runs into its timeout for five minutes',
    minutes: 5,
    alarms: { WorkerErrors: { WorkerErrors: [5] }, FailedDispatches: { [visible]: [1] } },
    line: { type: /^platform\.report$/ },
    runbook: { section: 'Worker errors', words: '`"status":"timeout"`' },
  },
  mail: {
    what: 'SES takes no mail for seventeen minutes, because it has paused the account',
    minutes: 17,
    alarms: { OldestUndoneDocument: { OldestUndoneDocumentAgeSeconds: [900] } },
    line: { error: /^SendingPausedException$/ },
    runbook: { section: 'Receipts by mail', words: '`SendingPausedException`' },
  },
  concurrency: {
    what: 'Lambda starts nothing for five minutes, because the account’s concurrency is used up',
    minutes: 5,
    alarms: { Throttles: { Throttles: [1] }, Heartbeat: {}, ApiErrors: { '5xx': [5] } },
    runbook: { section: 'Throttles', words: 'concurrency' },
  },
} as const satisfies Record<string, Outage>;

export type OutageName = keyof typeof outages;
