import type { CrossReading, StoredKind } from './form.ts';

interface UnknownRows {
  what: string;
  rows: readonly StoredKind[];
  /** The names of the partitions of due rows in keys.ts that the sweep of 0.2.0 does not read. */
  duePartitions?: readonly string[];
  stepBack: string;
}

/** Rows that no function of 0.2.0 looks for. They stay as they are. */
export const unknownRows: readonly UnknownRows[] = [
  {
    what: 'what a sale gives: entitlements, grants, licence keys and their activations, pools of codes',
    rows: [
      'entitlement',
      'grant',
      'grantDuty',
      'licenseKey',
      'licenseKeyHash',
      'activation',
      'pool',
      'poolQueue',
      'poolCode',
      'poolCodeHash',
    ],
    duePartitions: ['grantsDuePartition'],
    stepBack: 'buyers cannot open their orders, and keys cannot be checked; nothing new is given',
  },
  {
    what: 'declarations of withdrawal, and their cases',
    rows: ['declaration', 'withdrawalCase', 'withdrawalOf'],
    duePartitions: ['withdrawalsDuePartition'],
    stepBack: 'nobody can withdraw on your site, and what is declared gets no mail and no refund: answer by hand',
  },
  {
    what: 'the portal of buyers: links, sessions, requests to erase, corrected addresses of orders',
    rows: ['portalLink', 'portalSession', 'erasureRequest', 'orderAddress'],
    stepBack: 'it is closed, and documents go to the address before its correction',
  },
  {
    what: 'filed returns, the sales of a small seller, the first registrations',
    rows: ['filedReturn', 'filedMovements', 'homeSales', 'firstRegistrations', 'disputeAdjustment'],
    stepBack: 'file no return with 0.2.0: it knows neither what was filed nor the grounds of lost disputes',
  },
  {
    what: 'payouts',
    rows: ['payout', 'payoutLines', 'payoutOf', 'payoutAccess'],
    stepBack: 'they are read after the step forward',
  },
  {
    what: 'versions of your texts',
    rows: ['policyLog', 'policyVersion'],
    stepBack: '0.2.0 shows the newest of its three kinds in one language',
  },
  {
    what: 'your own words for mails',
    rows: ['mailWords'],
    stepBack:
      'mails have the usual words. If 0.2.0 changes a brand, or makes or removes a discount code, save your words of one mail in each language again after the step forward',
  },
  {
    what: 'mails of documents that wait for the mail service',
    rows: [],
    duePartitions: ['mailsDuePartition', 'confirmationsDuePartition'],
    stepBack:
      'they are sent after the step forward, and never if it comes 90 days later: after a rush, wait until the metric `OldestUndoneDocumentAgeSeconds` stays at 0 for ten minutes. The documents exist',
  },
  {
    what: 'checks of the uses of codes that open payments hold',
    rows: [],
    duePartitions: ['holdsDuePartition'],
    stepBack: 'they are done after the step forward',
  },
  {
    what: 'what the overview warns of: rights of the processor’s key, ignored fields',
    rows: ['accountLacks', 'leftOutFields'],
    stepBack: 'they are found again after the step forward',
  },
];

export const unknownLines: readonly CrossReading[] = unknownRows.map(({ what, stepBack }) => ({
  what,
  todayReads: '–',
  earlierReads: '✗ not looked for',
  earlierChanges: '–',
  stepBack,
}));

const storedForms = 'test/upgrade/version-0-2-0/stored-forms.test.ts';

/** Rows that other tests read across versions, by the file. */
export const readElsewhere: Readonly<Partial<Record<StoredKind, string>>> = {
  exportJob: storedForms,
  soldDay: storedForms,
  thresholdWatch: storedForms,
  members: storedForms,
  signInLink: storedForms,
  policies: 'test/upgrade/version-0-2-0/policies.test.ts',
  delivery: 'test/upgrade/version-0-2-0/mixed-events.test.ts',
};

/** Rows of one value, under the same key in both versions: a count, a secret, the rates of a day. */
export const plainRows = {
  throttle: ['hash', '2031-03-01T12'],
  originSecret: [],
  exchangeRates: ['2031-03-01'],
} as const;
