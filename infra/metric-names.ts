/** The metrics that the functions measure, with the dimensions `merchant` and `stage`. */
export const metricNamespace = 'Tillstack';
export const metricNames = {
  oldestDueEvent: 'OldestDueEventAgeSeconds',
  oldestUndoneDocument: 'OldestUndoneDocumentAgeSeconds',
  paymentsSucceeded: 'PaymentsSucceeded',
  paymentsFailed: 'PaymentsFailed',
  unansweredRows: 'UnansweredRows',
  moneyAlerts: 'MoneyAlerts',
  exchangeRatesAge: 'ExchangeRatesAgeSeconds',
  endpointsDisabled: 'EndpointsDisabled',
  stuckPayments: 'StuckPayments',
  salesStopped: 'SalesStopped',
  booksOutOfBalance: 'PaymentsOutOfBalance',
  keysEnding: 'KeysEnding',
  versionStarts: 'VersionStarts',
} as const;
