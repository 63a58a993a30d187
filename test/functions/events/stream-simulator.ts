import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';

type Consumer = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

interface StreamRules {
  batchSize: number;
  /** Repetitions of a batch that cannot be made smaller. */
  maxRetries: number;
}

/**
 * One shard of a table's stream and its event-source mapping, by AWS's rules: batches in order, the lowest failed record
 * is where the next call begins, a batch that fails at its first record is bisected, and what fails too often is set aside.
 */
export async function drainShard(records: readonly DynamoDBRecord[], consume: Consumer, rules: StreamRules) {
  const setAside: DynamoDBRecord[] = [];
  const offers = new Map<string, number>();
  let calls = 0;

  const offer = async (batch: readonly DynamoDBRecord[]): Promise<number> => {
    calls += 1;
    for (const record of batch) offers.set(numberOf(record), (offers.get(numberOf(record)) ?? 0) + 1);
    try {
      const { batchItemFailures } = await consume({ Records: [...batch] });
      const places = batchItemFailures.map(({ itemIdentifier }) =>
        batch.findIndex((one) => numberOf(one) === itemIdentifier),
      );
      return places.includes(-1) ? 0 : Math.min(batch.length, ...places);
    } catch {
      return 0;
    }
  };

  const process = async (batch: readonly DynamoDBRecord[], retries: number): Promise<void> => {
    if (batch.length === 0) return;
    const taken = await offer(batch);
    if (taken > 0) return process(batch.slice(taken), retries);
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      await process(batch.slice(0, middle), retries);
      return process(batch.slice(middle), retries);
    }
    if (retries < rules.maxRetries) return process(batch, retries + 1);
    setAside.push(...batch);
  };

  for (let start = 0; start < records.length; start += rules.batchSize)
    await process(records.slice(start, start + rules.batchSize), 0);
  return { setAside, offers, calls };
}

const numberOf = (record: DynamoDBRecord): string => record.dynamodb?.SequenceNumber ?? '';
