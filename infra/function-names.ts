import type { Merchant } from '../shared/domain/merchant.ts';
import {
  dispatchRule,
  endpoints,
  mailReportRule,
  originSecretProvider,
  queueConsumer,
  schedules,
  streamConsumer,
} from './endpoints.ts';
import type { StageSettings } from './stage-settings.ts';

/**
 * The functions that every stack needs, by their names in the route table. A stack with a CDN needs one more, and so
 * does a stack that mails receipts.
 */
export const functionNames = [...endpoints, streamConsumer, dispatchRule, queueConsumer, ...schedules].map(
  ({ function: name }) => name,
);

/** The functions of a merchant's stage. */
export const functionNamesOf = (
  { protection }: Pick<StageSettings, 'protection'>,
  { receipts }: Pick<Merchant, 'receipts'>,
): string[] => [
  ...functionNames,
  ...(protection ? [originSecretProvider.function] : []),
  ...(receipts ? [mailReportRule.function] : []),
];

/** Files of packages that a function reads while it runs. */
export const filesOf = (name: string): readonly string[] =>
  endpoints.find((endpoint) => endpoint.function === name)?.files ?? [];

/**
 * Folders in `functions` whose routes are in the stack itself. They stay there, because a route cannot move to another
 * stack.
 */
const rootFolders = new Set([
  'api-keys',
  'audit-log',
  'brands',
  'checkout',
  'checkout-sessions',
  'documents',
  'events',
  'images',
  'invoices',
  'pages',
  'payments',
  'products',
  'protection',
  'refunds',
  'routing',
  'tax',
  'webhooks',
]);

/** Functions that were added to these folders later. */
const nestedFunctions = new Set([
  'checkout/change-checkout',
  'checkout/confirm-step',
  'checkout/return-checkout',
  'checkout/show-policy',
  'checkout/recover-checkout',
  'checkout-sessions/expire-checkout-session',
  'products/add-product-file',
]);

/**
 * The folder whose nested stack contains the function. Undefined if it is in the stack itself. New functions are put
 * into nested stacks, because CloudFormation allows 500 resources in a stack, and an endpoint needs five.
 */
export function nestedFolderOf(functionName: string): string | undefined {
  const folder = functionName.replace(/\/.*/, '');
  return rootFolders.has(folder) && !nestedFunctions.has(functionName) ? undefined : folder;
}

/**
 * The id of a function's construct: `refunds/create-refund` becomes `CreateRefund`. In a nested stack, it is such as
 * `DashboardListRefunds`. The console sorts by it.
 */
export function constructIdOf(functionName: string): string {
  const id = pascalCase(functionName.replace(/.*\//, ''));
  return pascalCase(nestedFolderOf(functionName) ?? '') + id;
}

/** Converts a name: `create-refund` → `CreateRefund`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
