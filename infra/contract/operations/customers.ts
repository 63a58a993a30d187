import { CustomerChangeInput, CustomerInput, CustomerQuery } from '../../../shared/wire/customers/customer-record.ts';
import { PortalSessionQuery } from '../../../shared/wire/customers/portal-session.ts';
import type { Operations } from '../operation.ts';

/** The operations on customers. */
export const customerOperations: Operations = {
  'customers/create-customer': {
    summary: 'Create a customer',
    description:
      'Creates a customer, whom a checkout can name by id. Buyers become customers by themselves when they pay. An e-mail address that a customer has already answers that customer, unchanged.',
    body: { CustomerInput },
    answer: 'CustomerProfile',
    refuses: ['CONFLICT'],
  },
  'customers/list-customers': {
    summary: 'List customers',
    description:
      'Lists customers, newest first, with filters. Their payments and refunds are in those lists, by `customer_id`.',
    query: CustomerQuery,
    answer: 'CustomerPage',
  },
  'customers/get-customer': {
    summary: 'Get a customer',
    description: 'Answers a customer: what was set of them here, or else the details of their latest payment.',
    answer: 'CustomerProfile',
  },
  'customers/update-customer': {
    summary: 'Update a customer',
    description:
      'Changes the fields that are sent. The id stays, also under another e-mail address. Payments keep the details with which they were paid.',
    body: { CustomerChangeInput },
    answer: 'CustomerProfile',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  'customers/create-portal-session': {
    summary: 'Create a session of the customer portal',
    description:
      'Answers a link to all purchases of the customer’s e-mail address: goods, keys with devices, documents, withdrawal and personal data. It works for 24 hours, once, in the browser in which its button is pressed, and opens the portal there for an hour. A repetition with the same Idempotency-Key answers the same link while it is unused, and 409 afterwards.',
    query: PortalSessionQuery,
    answer: 'CustomerPortalSession',
    refuses: ['NOT_FOUND', 'CONFLICT', 'INVALID_REQUEST_PARAMETERS', 'TOO_MANY_REQUESTS'],
  },
  'customers/request-erasure': {
    summary: 'Erase a customer’s personal data',
    description:
      'Begins to erase the personal data of a customer, which takes up to a quarter of an hour. `erasure` says when it has ended. Invoices and credit notes keep what the law asks for. Refused while a payment, a refund or a dispute is open. It cannot be undone.',
    answer: 'CustomerProfile',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
};
