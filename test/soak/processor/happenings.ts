import { sum } from '../../../shared/domain/money/money.ts';
import { behaviours } from './behaviours.ts';
import { acts } from './merchant.ts';

type Counts = Readonly<Record<string, number>>;

/** How often each crash point of a payment's way was met: killed there, or robbed of its news. */
export function crashesOf(counts: Counts, deaths: Counts): Record<string, number> {
  const those = (pattern: RegExp, among: Counts = deaths): number =>
    sum(Object.entries(among).flatMap(([name, times]) => (pattern.test(name) ? [times] : [])));
  return {
    'intent committed, the processor not asked': those(/before POST checkout\/sessions$/),
    'the processor answered, its reference not committed': those(/after POST checkout\/sessions$/),
    'paid, and the notification lost': those(/lost for ever|dropped on the way/, counts),
    'notified before the reference was committed': those(/before their reference was committed/, counts),
    'closed while the buyer pays': those(/^races that/, counts),
    'refund committed, the processor not asked': those(/before POST refunds$/),
    'refund made, its answer lost': those(/after POST refunds$/),
    'outcome committed, the event not relayed': those(/relays that died/, counts) + those(/after TransactWrite$/),
  };
}

const eachAtLeast = 50;

/** What a campaign of full size has to meet. */
const happenings = [
  'amounts that were changed',
  'buyers who came back',
  'buyers who closed the page',
  'buyers who press again',
  'calls answered late',
  'calls lost on the way',
  'calls that broke',
  'calls that took long',
  'calls that were too many',
  'calls whose answer was lost',
  'debits that failed',
  'debits that succeeded',
  'declines',
  'disputes challenged',
  'disputes lost',
  'disputes warning_closed',
  'disputes won',
  'early fraud warnings',
  'functions killed',
  'inquiries that became chargebacks',
  'late payments',
  'notifications before the answer',
  'notifications delayed',
  'notifications doubled',
  'notifications dropped on the way',
  'notifications lost for ever',
  'notifications out of order',
  'notifications whose function died',
  'payments that the account refused to begin',
  'refunds refused for lack of balance',
  'refunds that waited for the buyer or the charge',
  'refunds whose buyer named no account',
  'times that the balance was empty',
  'payments before their reference was committed',
  'payments refused after closing',
  'payments refused after expiry',
  'questions repeated under their key',
  'races that closing won',
  'races that paying won',
  'refunds that failed after they had succeeded',
  'relays that died before they told anybody',
  'slow refunds that failed',
  'slow refunds that succeeded',
  'steps that were refused',
  'times that all lists were read while payments were open',
  'two tabs that were led to the same page',
];

/** What never happened, and the crash points that were met less than fifty times. */
export function missingOf(counts: Counts, crashes: Counts): string[] {
  const buyers = Object.keys(behaviours).map((name) => `the buyer ${name}`);
  const merchants = Object.keys(acts).map((name) => `the merchant: ${name}`);
  return [
    ...[...happenings, ...buyers, ...merchants].filter((name) => !counts[name]),
    ...Object.entries(crashes).flatMap(([name, times]) => (times < eachAtLeast ? [`${name}: ${times}`] : [])),
  ];
}
