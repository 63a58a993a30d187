import type { openClients } from '../ops/context.ts';
import type { Cdk } from './cdk.ts';
import type { CheckSales } from './check-sales.ts';
import type { Pause } from './drift.ts';
import type { FleetStack } from './targets.ts';

/** What a command of the fleet does outside this process. A test plays it. */
export interface FleetWorld {
  openClients: typeof openClients;
  cdk: Cdk;
  checkSales: CheckSales;
  pause: Pause;
  now: () => Date;
  /** The version of these sources, such as `0.2.0+97cf8f7a`. */
  version: string;
}

export interface FleetContext extends FleetWorld {
  /** How many stacks are worked on at once. */
  atOnce: number;
  /** Prints a line of progress. */
  say(line: string): void;
  /** Whether `status` looks for drift, and asks for costs. */
  findsDrift: boolean;
  asksCost: boolean;
  /** The costs that were asked for, by account. */
  costs: Map<string, Promise<Map<string, string>>>;
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);

/** The names of stacks, for a sentence. */
export const namesOf = (stacks: readonly Pick<FleetStack, 'name'>[]): string =>
  stacks.map(({ name }) => name).join(', ') || 'none';
