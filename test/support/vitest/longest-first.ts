import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The projects in the order in which their files start. Files of one project follow each other, because a worker is
 * reused only within the same project. Files that wait for a browser come first, and the shortest files come last.
 */
const projects = ['system', 'integration', 'stories', 'infra', 'unit'];

/**
 * The slowest files, with the slowest of each project first. The report at the end of a run names them. A file that
 * waits for a pause or another process stands between files that compute, so two files seldom wait at the same time.
 */
export const longest: readonly string[] = [
  'test/browser/checkout.test.ts',
  'test/browser/dashboard.test.ts',
  'test/browser/buyers-way.test.ts',
  'test/browser/stripe.test.ts',
  'test/browser/checkout-mends.test.ts',
  'test/deploy/rare-ways.test.ts',
  'test/functions/limits/growth.test.ts',
  'test/soak/model.test.ts',
  'test/soak/processor/campaign.test.ts',
  'test/soak/schedules/every-schedule.test.ts',
  'test/functions/access/access-dashboard.test.ts',
  'test/soak/kill.test.ts',
  'test/soak/schedules/linearizability.test.ts',
  'test/documents/document-pdf.test.ts',
  'test/documents/bundle.test.ts',
  'test/soak/fuzz/fuzz.test.ts',
  'test/local/demo/start.test.ts',
  'test/soak/soak.test.ts',
  'test/soak/schedules/redemptions.test.ts',
  'test/commands/integrator/commands.test.ts',
  'test/functions/documents/invoices.test.ts',
  'test/upgrade/version-0-2-0/upgraded-shop.test.ts',
  'test/infra/nag.test.ts',
  'test/infra/function-budgets.test.ts',
  'test/infra/merchant-stack.test.ts',
  'test/architecture.test.ts',
];

/**
 * Starts the slowest files of a project first, so all workers end at about the same time. All other files follow by
 * size, because a new clone has no recorded durations.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const places = new Map(longest.map((file, place) => [join(this.ctx.config.root, file), place]));
    for (const file of places.keys()) if (!existsSync(file)) throw new Error(`There is no ${file} to start first.`);
    const placeOf = ({ moduleId }: TestSpecification): number => places.get(moduleId) ?? longest.length;
    const turnOf = ({ project }: TestSpecification): number => projects.indexOf(project.name);
    return usual.toSorted((a, b) => turnOf(a) - turnOf(b) || placeOf(a) - placeOf(b));
  }
}
