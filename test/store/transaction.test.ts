import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localAws } from '../../infra/local-aws/local-aws.ts';
import { type IdempotencyRecord, StaleVersion } from '../../shared/domain/idempotency.ts';
import { openTable } from '../../shared/store/table/table.ts';
import type { Write } from '../../shared/store/table/write.ts';
import {
  type FaultPlan,
  type Faults,
  faultsInOrder,
  injectFaults,
  type PlannedFault,
} from '../support/faults/faults-by-plan.ts';
import { type Api, startApiThroughSdk } from '../support/shop/api.ts';
import { useShortPauses } from '../support/short-pauses.ts';

let api: Api;
let faults: Faults | undefined;
beforeAll(async () => {
  api = await startApiThroughSdk();
});
afterEach(() => faults?.heal());
afterAll(() => api.stop());

const store = async () => {
  const { table } = await import('../../shared/wiring/runtime.ts');
  const { commit, ifAbsent } = await import('../../shared/store/table/transaction.ts');
  const { idempotencyStore, idempotencyWrite } = await import('../../shared/store/idempotency-store.ts');
  return { table: table(), commit, ifAbsent, idempotencyWrite, records: idempotencyStore(table()) };
};

let serial = 0;
const newName = () => {
  serial += 1;
  return `row-${serial}`;
};

/** A row that must be new; its refusal says its name. */
async function rowWrite(name: string): Promise<Write> {
  const { ifAbsent } = await store();
  const put = { pk: `THING#${name}`, sk: 'THING', entity: 'THING' };
  return { put, condition: ifAbsent, refusal: () => new Error(`${name} exists already`) };
}

const recordOf = (id: string): IdempotencyRecord => ({
  id,
  fingerprint: 'fingerprint',
  answer: { status: 200, body: '{}' },
  started: null,
  createdAt: '2026-03-01T12:00:00.000Z',
  expiresAt: '2026-03-03T12:00:00.000Z',
  replacesBefore: null,
  isRetry: false,
});

/** Commits an idempotency row and another one under a plan of faults. */
async function commitUnder(plan: FaultPlan, name = newName()): Promise<string> {
  const { commit, table } = await store();
  faults = injectFaults(plan);
  await commit(table, await writesOf(name));
  return name;
}

async function writesOf(name: string): Promise<Write[]> {
  const { idempotencyWrite } = await store();
  return [idempotencyWrite(recordOf(name)), await rowWrite(name)];
}

const always =
  (fault: PlannedFault): FaultPlan =>
  ({ operation }) =>
    operation === 'TransactWriteItems' ? fault : undefined;
const tokens = () => new Set(faults?.calls.map(({ token }) => token));
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('a transaction', () => {
  useShortPauses();

  it.each<{ of: string; fault: PlannedFault }>([
    { of: 'conflict with another one', fault: { conflictOn: 'THING' } },
    { of: 'conflict on the idempotency row', fault: { conflictOn: 'IDEM' } },
    { of: 'throttling', fault: 'throttle' },
    { of: 'try before it that still runs (aws-sdk-java-v2#2518)', fault: 'in_progress' },
    { of: 'connection refused', fault: 'never_sent' },
  ])('is repeated after a $of, and then succeeds', async ({ fault }) => {
    const name = await commitUnder(faultsInOrder([fault]));
    expect(faults?.calls).toHaveLength(2);
    await expect((await store()).records.find(name, '2026-03-02')).resolves.toMatchObject({ answer: { body: '{}' } });
  });

  it('succeeds even if its answer is lost several times (aws/aws-sdk-java#2667)', async () => {
    await expect(commitUnder(faultsInOrder(Array(7).fill('ack_lost')))).resolves.toMatch(/^row/);
    expect(faults?.counts.ack_lost).toBe(7);
  });

  it('uses one token for all its attempts, and no other transaction uses it (aws/aws-sdk#413, guregu/dynamo#203)', async () => {
    await commitUnder(faultsInOrder(['ack_lost', { conflictOn: 'THING' }, 'never_sent', 'ack_lost']));
    const first = tokens();
    faults?.heal();
    await commitUnder(faultsInOrder(['ack_lost']));
    expect([first.size, tokens().size]).toEqual([1, 1]);
    expect(first).not.toEqual(tokens());
  });

  it.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])('is repeated after a row’s %s', async (reason) => {
    await commitUnder(faultsInOrder([{ reasons: ['None', reason] }]));
    expect(faults?.calls).toHaveLength(2);
  });

  it('that the table calls invalid fails as an internal error, without a repetition', async () => {
    const invalid = commitUnder(always({ reasons: ['None', 'ValidationError'] }));
    await expect(invalid).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(faults?.calls).toHaveLength(1);
  });

  it('is refused by the first row whose condition fails, even if other rows conflict', async () => {
    const { commit, idempotencyWrite, table } = await store();
    const name = await commitUnder(() => undefined);
    const again = [await rowWrite(newName()), await rowWrite(name), idempotencyWrite(recordOf(name))];
    await expect(commit(table, again)).rejects.toThrow(`${name} exists already`);
    await expect(commit(table, again.toReversed())).rejects.toMatchObject({ name: 'AlreadyDone' });
  });
});

describe.concurrent('a transaction in real time', () => {
  /** Commits with a client whose faults no other test meets. */
  async function giveUpAt(client: DynamoDBDocumentClient, name: string, expected: string): Promise<void> {
    const { commit } = await store();
    const startedAt = performance.now();
    await expect(commit({ name, client }, await writesOf(newName()))).rejects.toEqual(code(expected));
    expect(performance.now() - startedAt).toBeLessThan(2_500);
  }

  it.each<{ of: string; fault: PlannedFault; code: string }>([
    { of: 'conflicts', fault: { conflictOn: 'THING' }, code: 'SERVICE_UNAVAILABLE' },
    { of: 'conflicts on the idempotency row', fault: { conflictOn: 'IDEM' }, code: 'IDEMPOTENCY_IN_PROGRESS' },
    { of: 'throttling', fault: 'throttle', code: 'SERVICE_UNAVAILABLE' },
    { of: 'lost connections', fault: 'never_sent', code: 'SERVICE_UNAVAILABLE' },
  ])('is abandoned after two seconds of $of, with the error $code', async ({ fault, code: expected }) => {
    const { name, client } = openTable(api.tableName);
    injectFaults(always(fault), client);
    await giveUpAt(client, name, expected);
  });

  it('without an answer is abandoned after two seconds, with SERVICE_UNAVAILABLE', async () => {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const client = new DynamoDBClient({ endpoint: `http://127.0.0.1:${port}`, region: 'x', credentials: localAws });
    await giveUpAt(DynamoDBDocumentClient.from(client), 'silent', 'SERVICE_UNAVAILABLE');
    silent.close().closeAllConnections();
  });
});

describe('a row that must be unchanged since it was read', () => {
  useShortPauses();

  const versioned = async (version = 0) => {
    const { versionedWrite } = await import('../../shared/store/table/transaction.ts');
    const name = newName();
    const attributes = { pk: `THING#${name}`, sk: 'THING', entity: 'THING' };
    return versionedWrite({ version, name }, attributes, () => new StaleVersion());
  };
  const commitOne = async () => {
    const { commit, table } = await store();
    await commit(table, [await versioned(), await rowWrite(newName())]);
  };

  it('is outdated after a conflict, so the write is not sent again', async () => {
    faults = injectFaults(always({ conflictOn: 'THING' }));
    await expect(commitOne()).rejects.toMatchObject({ name: 'StaleVersion' });
    expect(faults.calls).toHaveLength(1);
  });

  it('is sent again after a conflict if an earlier attempt had no answer, and its condition decides', async () => {
    faults = injectFaults(faultsInOrder(['ack_lost', 'ack_lost', 'ack_lost', { conflictOn: 'THING' }]));
    await commitOne();
    expect(faults.calls).toHaveLength(5);
  });

  it('is reported as outdated without a key, and as in progress with a key, if a stored answer conflicts too', async () => {
    const { commit, idempotencyWrite, table } = await store();
    const record = recordOf(newName());
    const conflict = () => injectFaults(always({ reasons: ['TransactionConflict', 'TransactionConflict'] }));
    faults = conflict();
    const keyless = idempotencyWrite({ ...record, replacesBefore: record.createdAt });
    await expect(commit(table, [keyless, await versioned()])).rejects.toMatchObject({ name: 'StaleVersion' });
    expect(faults.calls).toHaveLength(1);
    faults.heal();
    faults = conflict();
    const keyed = commit(table, [idempotencyWrite(record), await versioned()]);
    await expect(keyed).rejects.toEqual(code('IDEMPOTENCY_IN_PROGRESS'));
    expect(faults.calls).toHaveLength(5);
  });
});

describe('a stored refusal', () => {
  useShortPauses();

  it.each<PlannedFault>(['ack_lost', 'never_sent', { conflictOn: 'IDEM' }, 'in_progress'])(
    'is stored despite the fault %s',
    async (fault) => {
      const { records } = await store();
      const name = newName();
      faults = injectFaults(faultsInOrder([fault], ({ entities }) => entities.includes('IDEM')));
      await records.save(recordOf(name));
      faults.heal();
      await expect(records.save(recordOf(name))).rejects.toMatchObject({ name: 'AlreadyDone' });
    },
  );

  it('reports that the first request still runs while another process keeps writing its row', async () => {
    const { records } = await store();
    faults = injectFaults(({ entities }) => (entities.includes('IDEM') ? { conflictOn: 'IDEM' } : undefined));
    await expect(records.save(recordOf(newName()))).rejects.toEqual(code('IDEMPOTENCY_IN_PROGRESS'));
  });
});
