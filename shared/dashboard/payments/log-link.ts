import { followQuery } from '../../domain/log-queries.ts';
import type { PaymentOverview } from '../../use-cases/reports/load-payment-overview.ts';

/** Log groups of CloudWatch. */
export interface LogPlace {
  groups: readonly string[];
  region: string;
}

type Followed = Pick<PaymentOverview, 'payment' | 'session' | 'attempts' | 'refunds' | 'events'>;

/** The most ids in the address. With more, it could be too long for browsers and proxies. */
const mostIds = 25;

const idsOf = ({ payment, attempts, refunds, events }: Followed): string[] =>
  [
    ...[payment.id, payment.sessionId],
    ...attempts.map(({ id }) => id),
    ...refunds.map(({ id }) => id),
    ...events.toReversed().map(({ event }) => event.id),
  ].slice(0, mostIds);

/**
 * Encodes a string as CloudWatch's console does in its addresses: an apostrophe in front, and `*2f` for `/`. All of our
 * strings are ASCII.
 */
const quoted = (text: string): string =>
  `'${text.replace(/[^\w.-]/g, (sign) => `*${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)}`;

/** An object in the form that the console uses in addresses: `~(end~'…~source~(~'…))`. */
function detailOf(fields: Readonly<Record<string, string | readonly string[]>>): string {
  const values = Object.entries(fields).map(
    ([name, value]) => `${name}~${typeof value === 'string' ? quoted(value) : `(~${value.map(quoted).join('~')})`}`,
  );
  return `~(${values.join('~')})`;
}

/** The host of the console. It depends on the AWS partition. */
function consoleOf(region: string): string {
  if (region.startsWith('cn-')) return 'console.amazonaws.cn';
  return `${region}.${region.startsWith('us-gov-') ? 'console.amazonaws-us-gov.com' : 'console.aws.amazon.com'}`;
}

/**
 * A link to CloudWatch Logs Insights with the log lines of a payment, its session, refunds and events. It covers the
 * time from the start of the session until now.
 */
export function logLink({ groups, region }: LogPlace, followed: Followed, now: Date): string {
  const detail = detailOf({
    end: now.toISOString(),
    start: followed.session?.createdAt ?? followed.payment.createdAt,
    timeType: 'ABSOLUTE',
    tz: 'UTC',
    editorString: followQuery(idsOf(followed)),
    source: groups,
    lang: 'CWLI',
    logClass: 'STANDARD',
    queryBy: 'logGroupName',
  });
  return `https://${consoleOf(region)}/cloudwatch/home?region=${region}#logsV2:logs-insights$3FqueryDetail$3D${detail}`;
}
