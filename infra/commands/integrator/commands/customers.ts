import { CustomerAnswer, CustomerPage } from '../answers.ts';
import type { IntegratorCommand } from '../command.ts';
import { confirmOr } from '../confirm.ts';
import { countOf, itemsOf } from '../listing.ts';
import { factsText, plainText, tableText } from '../table-text.ts';

const erasureText = ({ erasure }: CustomerAnswer): string => erasure?.status ?? '';

const customerRow = (customer: CustomerAnswer) => [
  customer.created_at,
  customer.customer_id,
  plainText(customer.email),
  plainText(customer.name),
  erasureText(customer),
];

const customerText = (customer: CustomerAnswer): string =>
  factsText([
    ['customer', customer.customer_id],
    ['since', customer.created_at],
    ['email', plainText(customer.email)],
    ['name', plainText(customer.name)],
    ['phone', plainText(customer.phone_number ?? '')],
    ['erasure', erasureText(customer) || 'not requested'],
  ]);

const pathOf = (id: string): string => `/customers/${encodeURIComponent(id)}`;

export const customerCommands: readonly IntegratorCommand[] = [
  {
    name: 'customers list',
    summary: 'Lists customers, the newest first.',
    options: {
      email: { value: '<address>', help: 'only with this e-mail address' },
      name: { value: '<text>', help: 'only with this in the name' },
      limit: { value: '<number>', help: 'how many at most; default: 20' },
    },
    examples: ['customers list', 'customers list --email ada@example.com --json'],
    run: async (typed, { connect }) => {
      const query = { email: typed.text('email'), name: typed.text('name') };
      const items = await itemsOf(await connect(), '/customers', { query, page: CustomerPage, most: countOf(typed) });
      const head = ['since', 'customer', 'email', 'name', 'erasure'];
      const text = items.length === 0 ? 'No customer was found.' : tableText(head, items.map(customerRow));
      return { text, json: items };
    },
  },
  {
    name: 'customers get',
    summary: 'Shows a customer, and what has become of the erasure of their data.',
    takes: ['<customer>'],
    examples: ['customers get cus_…'],
    run: async (typed, { connect }) => {
      const customer = CustomerAnswer.parse(await (await connect()).get(pathOf(typed.word(0))));
      return { text: customerText(customer), json: customer };
    },
  },
  {
    name: 'customers erase',
    summary: 'Erases the personal data of a customer, for good. Needs an admin key.',
    takes: ['<customer>'],
    options: { yes: { help: 'erases without asking' } },
    details: `Payments, refunds and documents stay, as the law wants. The erasure is requested at once and ends within the hour; "customers get"
says how far it is.`,
    examples: ['customers erase cus_…', 'customers erase cus_… --yes --json'],
    run: async (typed, desk) => {
      const id = typed.word(0);
      const api = await desk.connect();
      const { email } = CustomerAnswer.parse(await api.get(pathOf(id)));
      await confirmOr(typed, desk, {
        question: `Erase the personal data of ${id} (${plainText(email)})? It cannot be brought back.`,
        refusal: 'Nothing was erased.',
      });
      const json = await api.post(`${pathOf(id)}/erase`, {});
      return { text: `The erasure of ${id} is requested.`, json };
    },
  },
];
