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

const anyBuyer = 'pays with a card';

/**
 * The faults that each campaign meets, however small it is, with the buyer who leads to each. None depends on how fast
 * the machine is.
 */
const faults: Readonly<Record<string, string>> = {
  'calls answered late': anyBuyer,
  'calls lost on the way': anyBuyer,
  'calls that broke': anyBuyer,
  'calls that took long': anyBuyer,
  'calls that were too many': anyBuyer,
  'calls whose answer was lost': anyBuyer,
  'disputes warning_closed': anyBuyer,
  'early fraud warnings': anyBuyer,
  'functions killed': anyBuyer,
  'inquiries that became chargebacks': anyBuyer,
  'late payments': 'pays late, for an order that is open',
  'notifications before the answer': anyBuyer,
  'notifications delayed': anyBuyer,
  'notifications doubled': anyBuyer,
  'notifications dropped on the way': anyBuyer,
  'notifications lost for ever': anyBuyer,
  'notifications out of order': anyBuyer,
  'payments that the account refused to begin': anyBuyer,
  'questions repeated under their key': anyBuyer,
  'refunds refused for lack of balance': 'pays with a card whose refunds come back',
  'refunds that failed after they had succeeded': 'pays with a card whose refunds come back',
  'refunds that waited for the buyer or the charge': 'pays by debit, whose refunds wait for its money',
  'refunds whose buyer named no account': 'pays by transfer, whose refunds ask for an account',
  'slow refunds that failed': 'pays with a card whose refunds take a while',
  'texts for statements that were refused': anyBuyer,
  'times that the balance was empty': anyBuyer,
};

/** The faults that were never met. */
export const unmetFaults = (counts: Counts): string[] => Object.keys(faults).filter((name) => !counts[name]);

/** The buyers who lead to the faults that were never met. */
export const buyersFor = (unmet: readonly string[]): string[] => unmet.map((name) => faults[name] ?? anyBuyer);

/** What a campaign of full size has to meet besides. */
const happenings = [
  'amounts that were changed',
  'buyers who came back',
  'buyers who closed the page',
  'buyers who press again',
  'debits that failed',
  'debits that succeeded',
  'declines',
  'disputes challenged',
  'disputes lost',
  'disputes won',
  'notifications whose function died',
  'payments before their reference was committed',
  'payments refused after closing',
  'payments refused after expiry',
  'races that closing won',
  'races that paying won',
  'relays that died before they told anybody',
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
    ...[...Object.keys(faults), ...happenings, ...buyers, ...merchants].filter((name) => !counts[name]),
    ...Object.entries(crashes).flatMap(([name, times]) => (times < eachAtLeast ? [`${name}: ${times}`] : [])),
  ];
}
