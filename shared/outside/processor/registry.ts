import type { AccountRecords, Charges, Disputes, Notifications, Payouts, Refunds } from './payment-processor.ts';
import type {
  KeyCheck,
  ProcessorConnection,
  ProcessorDescription,
  ProcessorOperations,
} from './processor-description.ts';
import { whyNotAccountKey } from './stripe/account/account-key.ts';
import { stripeOperations } from './stripe/account/stripe-operations.ts';
import { stripeNotifications } from './stripe/notification.ts';
import { stripe } from './stripe/stripe.ts';
import { stripeCharges } from './stripe/stripe-charges.ts';
import { stripeDisputes } from './stripe/stripe-disputes.ts';
import { stripePayouts } from './stripe/stripe-payouts.ts';
import { stripeRecords } from './stripe/stripe-records.ts';
import { stripeRefunds } from './stripe/stripe-refunds.ts';

/**
 * The processors that a stage can name. Each part has its own list, so that the bundle of a function contains only the
 * parts in its line of the route table. If there was one object for each processor, every bundle would contain all
 * parts: 6 to 25 kB more.
 */
export const processors = { stripe } satisfies Record<string, ProcessorDescription>;

export type ProcessorName = keyof typeof processors;

export const keyCheckOf = { stripe: whyNotAccountKey } satisfies Record<ProcessorName, KeyCheck>;

/** The functions that open one part, by processor. */
type MakersOf<Part> = Readonly<Record<ProcessorName, (connection: ProcessorConnection) => Part>>;

export const chargesOf = { stripe: stripeCharges } satisfies MakersOf<Charges>;
export const refundsOf = { stripe: stripeRefunds } satisfies MakersOf<Refunds>;
export const disputesOf = { stripe: stripeDisputes } satisfies MakersOf<Disputes>;
export const recordsOf = { stripe: stripeRecords } satisfies MakersOf<AccountRecords>;
export const payoutsOf = { stripe: stripePayouts } satisfies MakersOf<Payouts>;
export const notificationsOf = { stripe: stripeNotifications } satisfies MakersOf<Notifications>;
export const operatorsOf = { stripe: stripeOperations } satisfies Record<ProcessorName, ProcessorOperations>;

export const processorNames = /* @__PURE__ */ Object.keys(processors) as [ProcessorName, ...ProcessorName[]];

/** The name of the processor in the example answers of the API. */
export const namingExample = /* @__PURE__ */ processorNames
  .map((name) => `"processor": {"name": "${name}"}`)
  .join(' or ');

/** The processor of a stage; undefined if the stage names none. */
export function processorNamed(name: string | undefined): (typeof processors)[ProcessorName] | undefined {
  if (name === undefined || name in processors) return processors[name as ProcessorName];
  throw new Error(`There is no processor ${name}.`);
}
