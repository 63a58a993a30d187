import { CustomerChangeInput, CustomerInput, CustomerQuery } from '../../../shared/wire/customers/customer-record.ts';
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
  'customers/request-erasure': {
    summary: 'Erase a customer’s personal data',
    description:
      'Begins to erase the personal data of a customer, which takes up to a quarter of an hour. `erasure` says when it has ended. Invoices and credit notes keep what the law asks for. Refused while a payment, a refund or a dispute is open. It cannot be undone.',
    answer: 'CustomerProfile',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
};
