import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first: the report at the end of a run says which they are. */
export const longest: readonly string[] = [
  'test/browser/checkout.test.ts',
  'test/browser/dashboard.test.ts',
  'test/soak/processor/campaign.test.ts',
  'test/browser/stripe.test.ts',
  'test/browser/buyers-way.test.ts',
  'test/soak/schedules/every-schedule.test.ts',
  'test/conformance/dodopayments.test.ts',
  'test/infra/nag.test.ts',
  'test/functions/limits/growth.test.ts',
  'test/soak/model.test.ts',
  'test/functions/documents/invoices.test.ts',
  'test/documents/bundle.test.ts',
  'test/soak/soak.test.ts',
  'test/store/transaction.test.ts',
  'test/functions/events/outbox.test.ts',
  'test/soak/cases/idempotency-faults.test.ts',
  'test/functions/webhooks/sandbox.test.ts',
  'test/documents/issue-documents.test.ts',
  'test/soak/schedules/linearizability.test.ts',
  'test/infra/merchant-stack.test.ts',
  'test/functions/access/access-dashboard.test.ts',
  'test/soak/kill.test.ts',
  'test/soak/money.test.ts',
  'test/soak/schedules/interleavings.test.ts',
  'test/deploy/books.test.ts',
  'test/upgrade/old-data.test.ts',
];

/**
 * Starts the longest files first, so that all workers end at about the same time. A fresh clone has no recorded durations to
 * go by. Files that share a worker stay together; the others follow by their size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const places = new Map(longest.map((file, place) => [join(this.ctx.config.root, file), place]));
    for (const file of places.keys()) if (!existsSync(file)) throw new Error(`There is no ${file} to start first.`);
    const placeOf = ({ moduleId }: TestSpecification): number => places.get(moduleId) ?? longest.length;
    return usual.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
