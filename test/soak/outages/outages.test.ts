import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sum } from '../../../shared/domain/money/money.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { giveUpEarly } from '../../support/give-up-early.ts';
import { seeded } from '../../support/seeded.ts';
import { contradictions, scanRows } from '../../support/shop/books.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { type LambdaStage, startLambdaStage, type Trouble } from './lambda-stage.ts';
import { type Outage, type OutageName, outages } from './outages.ts';

const awsError = (name: string, message: string): Error =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: 400 } });

const disabledKey =
  'KMS key access denied error: The key is disabled. (Service: AWSKMS; Error Code: DisabledException)';
const deniedWrite = 'User: arn:aws:sts::111122223333:assumed-role/x is not authorized to perform: dynamodb:PutItem';
const random = seeded(7);

const troubles: Record<OutageName, Trouble> = {
  throttling: {
    table: () => (random() < 0.7 ? awsError('ThrottlingException', 'Rate exceeded') : undefined),
  },
  key: { table: () => awsError('AccessDeniedException', disabledKey) },
  role: {
    table: ({ constructor: { name } }, running) =>
      running === 'webhooks/dispatch-webhook' && /Put|Update|Write/.test(name)
        ? awsError('AccessDeniedException', deniedWrite)
        : undefined,
  },
  timeout: { timesOut: 'webhooks/dispatch-webhook' },
  mail: { mail: () => awsError('SendingPausedException', 'Sending paused for this account.') },
  concurrency: { isFull: true },
};

describe('An outage of AWS that no emulator has', () => {
  let stage: LambdaStage;
  let productId: string;
  beforeAll(async () => {
    clock.stopAt('2031-03-01T12:00:00.000Z');
    stage = await startLambdaStage();
    productId = await addProduct(stage.api);
  });
  afterAll(async () => {
    clock.run();
    await stage.stop();
  });
  beforeEach(() => stage.measured.clear());
  giveUpEarly();

  interface Buyer {
    key: string;
    isPaid?: boolean;
  }

  /** A buyer tries again each minute, as long as the answer is a 5xx. */
  async function shop(buyer: Buyer): Promise<void> {
    const headers = { 'idempotency-key': buyer.key };
    const cart = { product_cart: [{ product_id: productId, quantity: 1 }] };
    const opened = await stage.call('POST /checkouts', { body: cart, headers });
    if (opened.status >= 500) return;
    const customer = { email: `${buyer.key}@example.com`, name: 'A Buyer' };
    const body = { customer, billing_address: { country: 'DE' }, test_card: '4242' };
    const paid = await stage.call(`POST /checkout/${opened.body.session_id}/pay`, { key: null, body });
    if (paid.status >= 500) return;
    expect(paid.body.status).toBe('succeeded');
    buyer.isPaid = true;
  }

  async function minute(buyers: readonly Buyer[]): Promise<void> {
    for (const buyer of buyers) if (!buyer.isPaid) await shop(buyer);
    await stage.work();
  }

  /** A new buyer comes twice in most minutes of a short outage, and every fourth minute of a long one. */
  async function live(outage: Outage, name: string): Promise<Buyer[]> {
    const buyers: Buyer[] = [];
    for (let passed = 0; passed < outage.minutes; passed += 1) {
      if (outage.minutes === 5) buyers.push({ key: `${name}-${passed}-a` });
      if (outage.minutes === 5 || passed % 4 === 0) buyers.push({ key: `${name}-${passed}-b` });
      await minute(buyers);
    }
    return buyers;
  }

  const rows = () => scanRows(table().client, table().name);
  const isAge = (metric: string) => metric.endsWith('AgeSeconds');

  /** What CloudWatch has of a metric after the outage: the highest age, or a sum. */
  const totalOf = (metric: string, values: readonly number[] = []): number =>
    isAge(metric) ? Math.max(0, ...values) : sum(values);

  function expectAlarms({ alarms }: Outage): void {
    for (const [alarm, least] of Object.entries(alarms)) {
      for (const [metric, values] of Object.entries(least)) {
        const name = metric.startsWith('ApproximateNumber') ? alarm : metric;
        expect(totalOf(name, stage.measured.get(name)), name).toBeGreaterThanOrEqual(totalOf(name, values));
      }
      if (Object.keys(least).length === 0) expect(stage.measured.get('Errors')).toBeUndefined();
    }
  }

  function expectLine({ line }: Outage, log: readonly string[]): void {
    if (!line) return;
    const found = log
      .map((text) => JSON.parse(text))
      .filter((written) => Object.entries(line).every(([field, pattern]) => pattern.test(String(written[field]))));
    expect(found.length).toBeGreaterThan(0);
  }

  async function recover(buyers: readonly Buyer[]): Promise<void> {
    const isDone = async () => stage.isIdle() && (await rows()).every(({ dueSk }) => dueSk === undefined);
    for (let minutes = 0; minutes < 15 && (minutes === 0 || !(await isDone())); minutes += 1) await minute(buyers);
    expect(buyers.filter(({ isPaid }) => !isPaid)).toEqual([]);
    expect(await isDone()).toBe(true);
  }

  let sales = 0;

  async function expectAllOnce(): Promise<void> {
    const stored = await rows();
    const of = (entity: string) => stored.filter((row) => row['entity'] === entity);
    expect([of('PAYMENT').length, of('EVENT').length, of('DOCUMENT').length]).toEqual([sales, sales, sales]);
    const delivered = stage.receiver.deliveries.filter(({ verified }) => verified).map(({ id }) => id);
    expect(delivered.toSorted()).toEqual(
      of('EVENT')
        .map(({ id }) => String(id))
        .toSorted(),
    );
    expect([stage.mails.length, new Set(stage.mails).size]).toEqual([sales, sales]);
    expect(await contradictions(stored)).toEqual([]);
  }

  it.each(Object.entries<Outage>(outages))(
    'rings, is in the log, and ends with nothing lost or doubled: %s',
    async (name, outage) => {
      const from = stage.api.log.length;
      stage.trouble(troubles[name as OutageName]);
      const buyers = await live(outage, name);
      sales += buyers.length;
      expectAlarms(outage);
      expectLine(outage, stage.api.log.slice(from));
      stage.trouble({});
      await recover(buyers);
      await expectAllOnce();
    },
  );
});

describe('the runbook', () => {
  const sections = readFileSync('docs/runbook.md', 'utf8').split(/^#+ /m);

  it.each(Object.values<Outage>(outages))('has the words for it: $what', ({ runbook: { section, words } }) => {
    expect(sections.find((text) => text.startsWith(`${section}\n`))).toContain(words);
  });
});
