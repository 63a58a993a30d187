import type { Customer } from '../domain/checkout/buyer.ts';
import type { PayerAnswer } from './answers/buyer.ts';

/** The buyer, as in every object of the API. */
export const presentCustomer = ({ id, email, name, phone }: Customer): PayerAnswer => ({
  customer_id: id,
  email,
  name,
  metadata: {},
  phone_number: phone,
});
