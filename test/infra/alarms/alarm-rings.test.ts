import { describe, expect, it } from 'vitest';
import { type Outage, outages } from '../../soak/outages/outages.ts';
import { customDomain, type Resource, resourcesOf, templateOf } from '../synthesized.ts';

/** What a metric was in each of some minutes; absent: nothing was measured. */
type Data = Readonly<Record<string, readonly number[]>>;

interface Stat {
  Metric: { MetricName: string; Dimensions?: { Name: string; Value: unknown }[] };
  Stat: string;
}
interface Metric {
  Id: string;
  Expression?: string;
  MetricStat?: Stat;
}

const statistics: Record<string, (values: readonly number[]) => number> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  Maximum: (values) => Math.max(...values),
  Minimum: (values) => Math.min(...values),
};

const statisticOf = (stat: string, values: readonly number[] | undefined): number | undefined =>
  values === undefined || values.length === 0 ? undefined : statistics[stat]?.(values);

/** CloudWatch's metric math, as far as the alarms use it: SUM, FILL, IF, `/` and `>=` of one period. Undefined: no data. */
function evaluate(expression: string, values: ReadonlyMap<string, number | undefined>): number | undefined {
  const tokens = expression.match(/[A-Za-z]\w*|[\d.]+|>=|[()[\],/]/g) ?? [];
  let at = 0;
  const take = (expected: string): void => {
    if (tokens[at] !== expected) throw new Error(`${expression}: ${expected} was expected at ${tokens[at]}.`);
    at += 1;
  };
  const list = (end: string): (number | undefined)[] => {
    const items = [compare()];
    while (tokens[at] === ',') {
      at += 1;
      items.push(compare());
    }
    take(end);
    return items;
  };
  const functions: Record<string, (args: (number | undefined)[]) => number | undefined> = {
    SUM: (args) => {
      const known = args.filter((arg) => arg !== undefined);
      return known.length === 0 ? undefined : known.reduce((sum, arg) => sum + arg, 0);
    },
    FILL: ([value, instead]) => value ?? instead,
    IF: ([condition, then, otherwise]) => (condition ? then : otherwise),
  };
  function operand(): number | undefined {
    const token = tokens[at] ?? '';
    at += 1;
    const called = functions[token];
    if (called) {
      take('(');
      if (tokens[at] !== '[') return called(list(')'));
      at += 1;
      const items = list(']');
      take(')');
      return called(items);
    }
    if (/^\d/.test(token)) return Number(token);
    if (!values.has(token)) throw new Error(`${expression}: ${token} is unknown.`);
    return values.get(token);
  }
  function divide(): number | undefined {
    const left = operand();
    if (tokens[at] !== '/') return left;
    at += 1;
    const right = operand();
    return left === undefined || !right ? undefined : left / right;
  }
  function compare(): number | undefined {
    const left = divide();
    if (tokens[at] !== '>=') return left;
    at += 1;
    const right = divide();
    return left === undefined || right === undefined ? undefined : Number(left >= right);
  }
  const result = compare();
  if (at !== tokens.length) throw new Error(`${expression}: ${tokens[at]} was not expected.`);
  return result;
}

const template = templateOf('live', { customDomain });
const alarms = new Map(
  Object.entries(resourcesOf(template, 'AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => [
    id.replace(/^Alarms(.+)[0-9A-F]{8}$/, '$1'),
    Properties,
  ]),
);

/** Whether an alarm rings for what was measured in one of its periods. */
function rings(name: string, data: Data): boolean {
  const alarm = alarms.get(name);
  if (!alarm) throw new Error(`There is no alarm ${name}.`);
  const value = valueIn(alarm, data);
  if (value === undefined) return alarm.TreatMissingData === 'breaching';
  return alarm.ComparisonOperator === 'GreaterThanOrEqualToThreshold'
    ? value >= alarm.Threshold
    : value <= alarm.Threshold;
}

function valueIn(alarm: Resource['Properties'], data: Data): number | undefined {
  if (!alarm.Metrics) return statisticOf(alarm.Statistic, data[alarm.MetricName.replace(/-.*$/, '')]);
  const metrics: Metric[] = alarm.Metrics;
  const values = new Map(
    metrics.flatMap(({ Id, MetricStat }) =>
      MetricStat ? [[Id, statisticOf(MetricStat.Stat, data[MetricStat.Metric.MetricName])] as const] : [],
    ),
  );
  return evaluate(metrics.find(({ Expression }) => Expression)?.Expression ?? '', values);
}

const visible = 'ApproximateNumberOfMessagesVisible';

/** For each alarm: data at which it rings, and data just short of that. */
const cases: Record<string, { rings: Data; rests: Data }> = {
  ApiErrors: { rings: { '5xx': [2, 3] }, rests: { '5xx': [2, 2] } },
  WorkerErrors: { rings: { WorkerErrors: [1, 2] }, rests: { WorkerErrors: [1, 1] } },
  Throttles: { rings: { Throttles: [1] }, rests: { Throttles: [0] } },
  StreamAge: { rings: { IteratorAge: [10, 300_000] }, rests: { IteratorAge: [10, 299_999] } },
  Heartbeat: { rings: { Errors: [0, 1, 1, 1] }, rests: { Errors: [0, 0, 0, 1, 1] } },
  OldestDueEvent: {
    rings: { OldestDueEventAgeSeconds: [1, 300] },
    rests: { OldestDueEventAgeSeconds: [299] },
  },
  OldestUndoneDocument: {
    rings: { OldestUndoneDocumentAgeSeconds: [0, 900] },
    rests: { OldestUndoneDocumentAgeSeconds: [899] },
  },
  FailedRelays: { rings: { [visible]: [0, 1] }, rests: { [visible]: [0] } },
  Undelivered: { rings: { [visible]: [0, 1] }, rests: { [visible]: [0] } },
  FailedDispatches: { rings: { [visible]: [0, 1] }, rests: { [visible]: [0] } },
  FailedDocuments: { rings: { [visible]: [0, 1] }, rests: { [visible]: [0] } },
  MoneyAlerts: { rings: { MoneyAlerts: [1] }, rests: {} },
  BooksOutOfBalance: { rings: { PaymentsOutOfBalance: [1] }, rests: { PaymentsOutOfBalance: [0] } },
  ExchangeRates: { rings: { ExchangeRatesAgeSeconds: [604_800] }, rests: { ExchangeRatesAgeSeconds: [604_799] } },
  ThrottledTable: {
    rings: { ReadThrottleEvents: [20], WriteThrottleEvents: [30] },
    rests: { WriteThrottleEvents: [49] },
  },
  TooManyRequests: { rings: { TooManyRequests: [100, 200] }, rests: { TooManyRequests: [100, 199] } },
  EndpointsDisabled: { rings: { EndpointsDisabled: [1] }, rests: {} },
  KeysEnding: { rings: { KeysEnding: [0, 1] }, rests: { KeysEnding: [0] } },
  Certificate: { rings: { DaysToExpiry: [20] }, rests: { DaysToExpiry: [21] } },
  SalesStopped: { rings: { SalesStopped: [1] }, rests: { SalesStopped: [0] } },
  StuckPayments: { rings: { StuckPayments: [1] }, rests: {} },
  PaymentFailures: {
    rings: { PaymentsSucceeded: [5], PaymentsFailed: [2, 3] },
    rests: { PaymentsSucceeded: [6], PaymentsFailed: [5] },
  },
  UnansweredRows: { rings: { UnansweredRows: [1, 1, 1, 1] }, rests: { UnansweredRows: [1, 1, 1] } },
};

describe('every alarm', () => {
  it('has test data in this file that makes it ring', () => {
    expect(Object.keys(cases).sort()).toEqual([...alarms.keys()].sort());
  });

  it.each(Object.entries(cases))(
    '%s rings at its threshold, and stays silent below it',
    (name, { rings: bad, rests: good }) => {
      expect([rings(name, bad), rings(name, good)]).toEqual([true, false]);
    },
  );

  const ringing = Object.values<Outage>(outages).flatMap(({ what, alarms: each }) =>
    Object.entries(each).map(([alarm, data]) => ({ what, alarm, data })),
  );

  it.each(ringing)('$alarm rings when $what', ({ alarm, data }) => {
    expect(rings(alarm, data)).toBe(true);
  });

  it('stays silent when there is no data, except for the heartbeat, which measures zero while all is well', () => {
    expect(rings('Heartbeat', { Errors: [0] })).toBe(false);
    expect([...alarms.keys()].filter((name) => rings(name, {}))).toEqual(['Heartbeat']);
  });

  it('for failing payments stays silent below ten payments, and rings when ten of ten have failed', () => {
    expect(rings('PaymentFailures', { PaymentsFailed: [9] })).toBe(false);
    expect(rings('PaymentFailures', { PaymentsFailed: [10] })).toBe(true);
    expect(rings('PaymentFailures', { PaymentsSucceeded: [10] })).toBe(false);
  });
});
