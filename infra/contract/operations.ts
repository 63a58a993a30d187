import type { ContractOperation, Operations } from './operation.ts';
import { catalogueOperations } from './operations/catalogue.ts';
import { checkoutOperations } from './operations/checkout.ts';
import { customerOperations } from './operations/customers.ts';
import { discountOperations } from './operations/discounts.ts';
import { entitlementOperations } from './operations/entitlements.ts';
import { licenseOperations } from './operations/licenses.ts';
import { paymentOperations } from './operations/payments.ts';
import { settingOperations } from './operations/settings.ts';
import { webhookOperations } from './operations/webhooks.ts';
import { withdrawalOperations } from './operations/withdrawals.ts';

const operations: Operations = {
  ...catalogueOperations,
  ...checkoutOperations,
  ...customerOperations,
  ...discountOperations,
  ...entitlementOperations,
  ...licenseOperations,
  ...paymentOperations,
  ...withdrawalOperations,
  ...webhookOperations,
  ...settingOperations,
};

/** The contract's entry for a function. Undefined for a function that only browsers or processors call. */
export const operationOf = (functionName: string): ContractOperation | undefined => operations[functionName];
